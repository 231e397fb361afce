/* SPDX-License-Identifier: BSD-3-Clause
 * The halo exchange of a field, written by hand: what a program does that has no library for it. */
#ifndef HALO_H
#define HALO_H

#include "field.h"

/* Sides 2 d and 2 d + 1 are the left and the right one of dimension d. */
struct halo {
    double *points;
    MPI_Comm cart;
    int sides, neighbor[6];
    MPI_Datatype inner[6], outer[6]; /* the block's points beside each side, and the halo's behind it */
};

void halo_make(struct halo *halo, const struct field *field);
void halo_free(struct halo *halo);

typedef void halo_exchange(const struct halo *halo);
/* All messages at once. */
halo_exchange halo_isend_irecv;
/* One direction after the other: to one side, and from the opposite one. */
halo_exchange halo_sendrecv;

/* Both, ended by a NULL name. */
struct halo_way {
    const char *name;
    halo_exchange *exchange;
};
extern const struct halo_way halo_ways[];

#endif
