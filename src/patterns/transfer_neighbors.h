/* SPDX-License-Identifier: BSD-3-Clause
 * Deeds of scripts by MPI's neighbourhood collectives. */
#pragma once

#include "patterns/transfer.h"

star_doing star_do_make_neighbors, star_do_neighbors, star_do_begin_neighbors;
/* Frees what the acts of these kinds made. */
void star_free_neighbors(struct star_exchange *exchange);
