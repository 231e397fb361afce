/* SPDX-License-Identifier: BSD-3-Clause
 * How `startune run` learns whether the library was reached: by a file in shared memory whose name the
 * environment hands down, as descriptors are closed by many that start programs. */
#pragma once

#include <stdbool.h>

/* Makes the file, and sets the environment. False: it cannot be made. */
bool star_reached_begin(void);
/* Removes it. Was the library reached? True also where there is no file to tell. */
bool star_reached_end(void);
/* The library: it was reached. */
void star_reached_tell(void);
