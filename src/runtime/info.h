/* SPDX-License-Identifier: BSD-3-Clause
 * STAR_Info_get. */
#pragma once

#include "runtime/state.h"

/* STAR_Info_get; MPI error code. And what a communicator, or a context, that ends has counted. */
int star_info_get(MPI_Info *info);
void star_info_retire(const struct star_communicator *state);
void star_info_drop(const struct star_context *context);
