/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "map/export/export.h"

/* MPICH's file replaces its built-in tree of rules whole: so the map's rules go into a copy of that tree.
 * BASE is a file of it as JSON, or MPICH's library, which holds it as text. */
int cli_export_mpich(const struct star_export_request *request, const char *base, struct star_text *text,
                     struct star_text *remarks, struct star_why *why);
