/* SPDX-License-Identifier: BSD-3-Clause
 * Streams between speakers: how fast links are, and which of them share one. */
#pragma once

#include "speakers.h"
#include "topology/infer.h"

/* On rank 0 star_infer_streams or star_confirm, with streams between the speakers, who all serve meanwhile; a
 * refusal when that takes too long. RANK: of each node that is a machine. All but the speakers count on rank
 * 0 only; there a TOPOLOGY to confirm may be NULL: then nothing is. Collective. */
int streams_infer(const struct speakers *speakers, const struct star_trips *trips,
                  struct star_topology **topology, struct star_why *why);
int streams_confirm(const struct speakers *speakers, const int *rank, struct star_topology *topology,
                    struct star_why *why);
