/* SPDX-License-Identifier: BSD-3-Clause
 * Which MPI library this is. May be asked before MPI_Init, too. */
#pragma once

#include "dialect/dialect.h"

/* The library's dialect; the first call finds it out. */
const struct star_dialect *star_dialect_here(void);
/* Does the text of its version have SIGN? NULL is in none. */
bool star_library_says(const char *sign);
/* Its name and version: "Open MPI 4.1.4". */
void star_library_title(char *title, size_t room);
