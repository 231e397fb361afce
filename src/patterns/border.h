/* SPDX-License-Identifier: BSD-3-Clause
 * What a border holds, for those who move messages across it. */
#pragma once

#include "patterns/exchange.h"

/* Where one end of a message lies, as the other end must know it to read or write there by itself. */
struct star_end {
    int size[STAR_HALO_DIMENSIONS]; /* of the whole vector */
    struct star_box box;            /* in it */
    int64_t packed_at;              /* in the buffer for packed messages */
};

/* One way through a side. */
struct star_passage {
    int peer; /* or STAR_NOBODY: all else is empty */
    int tag;
    MPI_Datatype type; /* of what moves, at the vector's first element */
    int elements;      /* where they lie in one piece, PLACE bytes behind that; else 0 */
    MPI_Aint place;
    int packed_bytes;
    struct star_end mine, theirs;
};

/* What the exchanges of a border share, of which one at a time is under way; the first one that needs it
 * makes it. */
struct star_shared {
    char *sent_buffer, *received_buffer; /* of packed messages, where they are no windows; NULL: none */
    MPI_Comm graph;                      /* of the neighbours, for MPI's collectives; or MPI_COMM_NULL */
};

struct star_border {
    struct star_vectors vectors;
    int ranks;
    struct star_passage *sent, *received; /* of each side */
    int64_t sent_bytes, received_bytes;   /* of the buffers for packed messages */
    struct star_shared *shared;
};

/* The datatype of a place; a rank makes one of the other end's too. MPI error code. */
int star_border_type(const struct star_border *border, const struct star_end *place, MPI_Datatype *type);
/* Turns an MPI error into STAR_ESYSTEM with MPI's own words; 0 into 0. */
int star_border_failed(int mpi_error, const char *what, struct star_why *why);

/* Collective: all ranks return the same. STAR_EINPUT, with the reason of the lowest rank that has one: ranks
 * do not agree on who is whose neighbour, or on how much moves between them. STAR_EMEMORY, STAR_ELIMIT,
 * STAR_ESYSTEM where MPI failed. */
int star_border_make(const struct star_vectors *vectors, struct star_border **border, struct star_why *why);
/* Exchanges on it must be freed before. Collective where one of them was one of MPI's neighbourhood
 * collectives. NULL is nothing. */
void star_border_free(struct star_border *border);
