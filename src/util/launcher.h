/* SPDX-License-Identifier: BSD-3-Clause
 * What launchers tell each process, before MPI does. */
#ifndef STAR_UTIL_LAUNCHER_H
#define STAR_UTIL_LAUNCHER_H

/* This process's rank, in digits, under any launcher's name for it; NULL: none says. In a job of several
 * worlds it is that of its own. */
const char *star_launched_rank(void);

#endif
