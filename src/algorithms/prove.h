/* SPDX-License-Identifier: BSD-3-Clause
 * Proofs of methods. */
#pragma once

#include "algorithms/method.h"

/* Builds all ranks' plans and proves them (simulate.h), and, where the row says so, that the order is that of
 * ranks. SHAPE's rank does not matter. RESULT may be NULL. */
int star_method_prove(const struct star_method *method, const struct star_shape *shape, bool in_place,
                      struct star_simulation *result, struct star_why *why);
/* The same for SIZE ranks in all variants that make a difference: roots, operators, in place, placements on
 * nodes, vectors shorter than the number of ranks. BLOCK elements for each rank. STAR_ENEEDS when it applies
 * in none; RESULT adds up. */
int star_method_prove_all(const struct star_method *method, int size, int64_t block,
                          struct star_simulation *result, struct star_why *why);
/* The network that they are proven on: each node of NODE is a switch, with a machine for each of its ranks,
 * or, in the last of the forms, one for all of them. Switches are a chain or hang on one more, by links of
 * another speed. */
enum { STAR_NETWORK_FORMS = 3 };
int star_sample_network(const int *node, int size, int form, struct star_network **network,
                        struct star_why *why);
/* The levels, likewise: in blocks, interleaved, and uneven. LOCALITY has room for a number of each rank, ROOM
 * for STAR_LOCALITIES. False: so few ranks have none. */
bool star_sample_levels(int size, int form, uint64_t *locality, int *room, struct star_levels *levels);
/* The longest vector that star_method_prove_all takes, in elements. */
int64_t star_proven_elements(int64_t block, int size);
