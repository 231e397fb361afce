/* SPDX-License-Identifier: BSD-3-Clause
 * Modules that are loaded: the program, libraries. */
#pragma once

#include <link.h>

/* The module that holds ADDRESS, as the loader has it: l_name is "" of the program itself. NULL: none does.
 * dladdr tells, too, but reads through all names that the module has: 0.1 ms in an MPI library. */
const struct link_map *star_module_of(const void *address);
/* The name by which others need it; NULL: it has none. */
const char *star_module_soname(const struct link_map *module);
