/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 wants done. Its functions are collective over the stage; the other ranks obey. */
#pragma once

#include "stage.h"

enum order { ORDER_OPEN, ORDER_ENTER, ORDER_RUN, ORDER_CLOSE, ORDER_LEAVE };
/* STAR_ENEEDS: some rank could not make the call. */
int order_open(struct stage *stage, const struct star_trial *trial, struct star_why *why);
void order_enter(struct stage *stage, const struct star_method *method, int methods, bool *ready);
void order_run(struct stage *stage, const int *order, int runs, double *seconds);
void order_close(struct stage *stage);
/* Rank 0 alone: from now on the first RANKS of MPI_COMM_WORLD are on stage; 0: the end. */
void order_gather(struct stage *stage, int ranks);
/* All other ranks, until the end. */
void orders_obey(struct stage *stage);
