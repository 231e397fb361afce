/* SPDX-License-Identifier: BSD-3-Clause
 * Maps in the forms that others read. Other libraries have fewer methods: where the map's winner is not among
 * them, the fastest that is takes its place, by the map's times; remarks say where and what it costs. */
#ifndef STAR_MAP_EXPORT_EXPORT_H
#define STAR_MAP_EXPORT_EXPORT_H

#include "map/encoding.h"

/* What is exported, and for which programs. */
struct star_export_request {
    const struct star_map *map;
    bool commutative; /* all operators that they reduce by are */
};

/* A form of files. WRITE appends to TEXT, and to REMARKS what cannot be said in it. */
struct star_export {
    const char *name, *meaning;
    int (*write)(const struct star_export_request *request, struct star_text *text, struct star_text *remarks,
                 struct star_why *why);
};
extern const struct star_export star_export_c, star_export_ompi, star_export_ompi6, star_export_ucc,
    star_export_intel, star_export_star;

#endif
