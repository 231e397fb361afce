/* SPDX-License-Identifier: BSD-3-Clause
 * How the ranks begin a measured call together. */
#pragma once

#include "stage.h"

/* What came of a run on one rank; the worst of all ranks counts. */
enum outcome { GOOD, LATE, WRONG };
/* Runs PLAYER together with all others; *SECONDS as this rank sees it, to be put together by
 * starts_are_averaged. Collective. */
enum outcome starts_run(struct stage *stage, struct player *player, double *seconds);
/* Is the time of all ranks the average of theirs? Else it is the longest. */
bool starts_are_averaged(const struct stage *stage);
/* What suits where it was not asked for: window with a processor for each rank, else barrier. Collective over
 * MPI_COMM_WORLD. */
enum star_start starts_choose(const struct star_question *ask);
