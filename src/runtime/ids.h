/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of communicators, for the tags of their messages.
 *
 * All of startune's messages travel on one duplicate of MPI_COMM_WORLD, made in MPI_Init: communicators are
 * scarce, and to make one takes a wait for all of its ranks. So each communicator of the program needs tags
 * there that no other one has which shares a rank with it. Its ranks agree on its number when they make it,
 * as they are together then: the largest of the numbers that are next on each of them. A number is never
 * given out again; when all are, further communicators stay native. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { STAR_NO_ID = 0, STAR_ID_OF_WORLD = 1 };

/* TAG_MOST: the largest tag that the MPI library takes. */
void star_ids_begin(int tag_most);
/* The next number on this rank. Where several threads make communicators at once, each gets another. */
int64_t star_id_offer(bool threads);
/* The ranks have agreed on ID. False: another thread of this rank has taken it. */
bool star_id_take(int64_t id, bool threads);
/* The first of the tags of ID; negative: there are none so large. */
int star_id_tag(int64_t id);
