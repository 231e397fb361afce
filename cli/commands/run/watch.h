/* SPDX-License-Identifier: BSD-3-Clause
 * `startune run` before a program that may lose the library: a script that sets or unsets LD_PRELOAD. */
#pragma once

/* Before this process becomes the program: begins another one, which says so at the program's end where
 * startune was never reached. Nothing is said where it cannot be begun, or would be left as a zombie. */
void cli_watch(void);
