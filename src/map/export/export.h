/* SPDX-License-Identifier: BSD-3-Clause
 * Maps in the forms that others read. Other libraries have fewer methods: where the map's winner is not among
 * them, the fastest that is takes its place, by the map's times; remarks say where and what it costs. */
#pragma once

#include "map/encoding.h"

/* What is exported, and for which programs. */
struct star_export_request {
    const struct star_map *map;
    bool commutative; /* all operators that they reduce by are */
};

/* A form of files. WRITE appends to TEXT, and to REMARKS what cannot be said in it. A form is a file that
 * defines one of these, and a line of formats.def. */
struct star_export {
    int (*write)(const struct star_export_request *request, struct star_text *text, struct star_text *remarks,
                 struct star_why *why);
};
#define STAR_EXPORT(name, does) extern const struct star_export star_export_##name;
#include "map/export/formats.def"
#undef STAR_EXPORT
