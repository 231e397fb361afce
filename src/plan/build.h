/* SPDX-License-Identifier: BSD-3-Clause
 * Building a plan, step by step. */
#pragma once

#include "plan/plan.h"

/* Building. Steps are added round by round; within a round copies and receives start in the order added, then
 * the sends. A round starts when the rounds before it are complete, as far as the pacing asks (pace.h).
 * Failures stick: an algorithm need not check, star_builder_finish does. */
struct star_builder;

struct star_builder *star_builder_new(const struct star_shape *shape, int64_t temp_limit);
void star_build_round(struct star_builder *builder);
/* Ends the round too, but begins another only if something follows: a step, even one of no bytes, or another
 * end. Parts end with it, so that no synchronisation follows the last round. */
void star_build_end(struct star_builder *builder);
void star_build_send(struct star_builder *builder, int peer, struct star_place from, int64_t length);
void star_build_recv(struct star_builder *builder, int peer, struct star_place to, int64_t length);
void star_build_copy(struct star_builder *builder, struct star_place to, struct star_place from,
                     int64_t length);
/* REPEAT runs of LENGTH bytes, the k-th at offset + k × stride on each side. */
void star_build_strided_copy(struct star_builder *builder, struct star_place to, int64_t to_stride,
                             struct star_place from, int64_t from_stride, int64_t length, int64_t repeat);
/* Either a send or a receive. */
typedef void star_build_move(struct star_builder *builder, int peer, struct star_place place, int64_t length);
/* TO becomes FROM op TO. */
void star_build_reduce(struct star_builder *builder, struct star_place to, struct star_place from,
                       int64_t length);
/* Empty messages: that PEER may know that we came here. */
void star_build_tell(struct star_builder *builder, int peer);
void star_build_hear(struct star_builder *builder, int peer);
/* The same as tell, but no round waits for the peer to hear it: the end of the plan does. */
void star_build_tell_early(struct star_builder *builder, int peer);
/* A fresh piece of the temporary; not in units. */
struct star_place star_build_temp(struct star_builder *builder, int64_t bytes);
/* Room for one block of each rank, in the order 0, 1, … or, ROTATED, RANK, RANK+1, …; in units too. */
struct star_place star_build_page(struct star_builder *builder, int64_t bytes, bool rotated);
/* By shared memory, where all ranks are on one node: see plan.h. Each rank has an area of so many BYTES, as a
 * call of this on any rank says: the same on all ranks, 1 or more. */
enum { STAR_SHARED_MOST = 256 * 1024 };
void star_build_share(struct star_builder *builder, int64_t bytes);
/* Copies from PEER's area, or reduces: TO becomes what is there op TO. */
void star_build_pull(struct star_builder *builder, struct star_place to, int peer, int64_t from,
                     int64_t length);
void star_build_pull_reduce(struct star_builder *builder, struct star_place to, int peer, int64_t from,
                            int64_t length);
/* What this rank has written to its area, by star_build_copy, may be read: so says this COUNT, which is
 * higher than those before. */
void star_build_post(struct star_builder *builder, int64_t count);
void star_build_await(struct star_builder *builder, int peer, int64_t count);
/* The same without areas: from the next post on others may read LENGTH bytes at PLACE, once for each buffer;
 * in units blocks of what is sent, as many on each rank. */
void star_build_show(struct star_builder *builder, struct star_place place, int64_t length);
/* Copies from what PEER shows at FROM, of its own buffers. */
void star_build_read(struct star_builder *builder, struct star_place to, int peer, struct star_place from,
                     int64_t length);
/* Zeroed memory for building, freed by star_builder_finish; NULL when there is none, which sticks. */
void *star_build_scratch(struct star_builder *builder, size_t bytes);
/* There is no memory for it. */
void star_build_fail(struct star_builder *builder);
/* The algorithm cannot do it for this shape, though its row did not say so. */
void star_build_refuse(struct star_builder *builder, const char *why);

/* Frees the builder; *PLAN is the paced plan, or NULL when the code returned is not 0. */
int star_builder_finish(struct star_builder *builder, struct star_pacing pacing, struct star_plan **plan,
                        struct star_why *why);
