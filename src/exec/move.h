/* SPDX-License-Identifier: BSD-3-Clause
 * What steps do on one rank: copies and reductions, between the program's buffers, the temporary, and what
 * other ranks of the node show. All return an MPI error code, raised nowhere. */
#pragma once

#include "exec/run.h"

#include <stdint.h>

/* LENGTH bytes, counted as packed ones; FROM and TO may be of different datatypes. */
int star_move_bytes(const struct star_run *run, const struct star_side *to, int64_t to_offset,
                    const struct star_side *from, int64_t from_offset, int64_t length);
int star_move_copy(const struct star_run *run, const struct star_step *step);
int star_move_reduce(const struct star_run *run, const struct star_step *step);
/* What has gaps is shown packed, as it is now. */
int star_move_show(struct star_run *run, const struct star_step *step);
int star_move_read(struct star_run *run, const struct star_step *step);
