/* SPDX-License-Identifier: BSD-3-Clause
 * Counts what is made and freed again: the program is linked with objects.c, and the linker lets the calls of
 * its own object files come here (--wrap, as tests/mpi/CMakeLists.txt lists them). */
#ifndef OBJECTS_H
#define OBJECTS_H

enum object { WINDOWS, TYPES, COMMUNICATORS, REQUESTS, GROUPS, BLOCKS /* of memory */, OBJECTS };

extern const char *const object_names[OBJECTS];
/* How many were ever made, and how many of them were not freed. */
extern long objects_made[OBJECTS], objects_kept[OBJECTS];

#endif
