/* SPDX-License-Identifier: BSD-3-Clause
 * startune: MPI communication that tunes itself.
 *
 * A program linked with libstartune-openmpi or libstartune-mpich, before its MPI library, or run with
 * `startune run`, has its MPI_Alltoall calls tuned where the environment says STARTUNE=on. */
#ifndef STARTUNE_H
#define STARTUNE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The library's version, such as "0.1.0". Local; may be called at any time. The text is never freed. */
const char *STAR_Get_version(void);

/* 1 while calls are tuned, 0 while they go to the MPI library untouched. Local; the same on all ranks. */
int STAR_Is_active(void);

#ifdef __cplusplus
}
#endif

#endif
