/* SPDX-License-Identifier: BSD-3-Clause
 * A customised routine: functions that take MPI's arguments and run what a map says, in one C file that needs
 * MPI alone. It holds startune's own sources: the core, and the files of the algorithms in use. (Faraj and
 * Yuan, ICPP 2005, section 5.) */
#pragma once

#include "map/map.h"
#include "topology/topology.h"

struct star_routine_request {
    const struct star_map *map;           /* there is a function for each operation that it knows */
    const char *sources;                  /* of startune, as cmake/carry.awk writes them */
    const char *name;                     /* of the functions: * stands for Alltoall, … */
    const struct star_topology *topology; /* for the methods that need one; NULL: not known */
};

/* Appends the file to TEXT, and to REMARKS a line for each method that cannot be in it: the fastest that can
 * takes its place. STAR_EINPUT: the name is none; STAR_ENEEDS: the map is empty. */
int star_export_write_routine(const struct star_routine_request *request, struct star_text *text,
                              struct star_text *remarks, struct star_why *why);
