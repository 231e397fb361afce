/* SPDX-License-Identifier: BSD-3-Clause
 * The methods of the neighbourhood exchange: one builder with three knobs. It writes a script, the acts of
 * one rank in their order, which exchange.h runs and which the tests prove without MPI.
 *
 * Mapping `aao` begins all messages at once and then waits for all; `pair` goes through the neighbours one
 * after the other, in the order of turns.h. One-sided methods have one epoch in either mapping, as ADCL's,
 * and differ in the order of what moves: with an epoch for each neighbour MPICH would hang, because its
 * MPI_Win_start counts posts whoever they come from.
 *
 * Sources: Gabriel and Huang: Runtime Optimization of Application Level Communication Patterns, HIPS 2007
 * (ADCL), for the rows with an ADCL name; the others are ours. */
#pragma once

#include "algorithms/method.h"
#include "halo/turns.h"

/* The knobs, which ADCL calls attributes, and their values. */
enum { STAR_BY_TRANSFER, STAR_BY_MAPPING, STAR_BY_DATA, STAR_NEIGHBORHOOD_KNOBS };
enum { STAR_AAO, STAR_PAIR, STAR_MAPPINGS };
enum { STAR_DDT, STAR_PACK, STAR_DATAS };
enum {
    STAR_ISEND_IRECV,
    STAR_SEND_IRECV,
    STAR_SEND_RECV,
    STAR_SENDRECV,
    STAR_FENCE_PUT,
    STAR_FENCE_GET,
    STAR_POST_START_PUT,
    STAR_POST_START_GET,
    STAR_PERSISTENT,
    STAR_NEIGHBOR_ALLTOALLW,
    STAR_INEIGHBOR_ALLTOALLW,
    STAR_PARTITIONED,
    STAR_TRANSFERS
};
/* Their names, help and words. */
extern const struct star_knob star_neighborhood_knobs[STAR_NEIGHBORHOOD_KNOBS];

/* What a transfer does, in one line, and the MPI it needs. */
struct star_transfer {
    const char *calls; /* of MPI */
    const char *moves;
    const char *optimises; /* the group */
    int preset;            /* the mapping where the spelling names none */
    int least_mpi;         /* MPI_VERSION */
    int least_ranks;       /* Open MPI makes no window of a vector on one rank */
    bool one_sided;        /* not with MPICH over UCX, which loses values: docs/explanation/halos.md */
};
extern const struct star_transfer star_transfers[STAR_TRANSFERS];

/* A method: a row of the table of those that exist. */
struct star_neighborhood {
    int value[STAR_NEIGHBORHOOD_KNOBS];
    const char *adcl; /* the name of ADCL's function, or NULL */
};
extern const struct star_neighborhood star_neighborhoods[]; /* the first is isend_irecv, aao, ddt */
extern const int star_neighborhoods_count;

/* Reads "neighborhood:isend_irecv,mapping=pair,data=pack", or ADCL's name,
 * "neighborhood:IsendIrecv_pair_pack". STAR_EINPUT names what is wrong and the nearest valid word. */
int star_neighborhood_parse(const char *text, const struct star_neighborhood **method, struct star_why *why);
/* The canonical spelling: knobs that stand at their preset are left out. At most STAR_METHOD_TEXT bytes. */
const char *star_neighborhood_format(const struct star_neighborhood *method, char *buffer, size_t room);
/* The row with these values, or NULL. */
const struct star_neighborhood *star_neighborhood_find(const int *value);

/* What a rank does. An act has the side of the block that it sends from and the one that it receives at, or
 * those requests or turns that it is about, COUNT from FIRST on. */
enum star_deed {
    /* Once, before all others. */
    STAR_DO_MAKE_RECEIVE, /* a persistent request: FIRST */
    STAR_DO_MAKE_SEND,
    STAR_DO_MAKE_PARTED_RECEIVE, /* a partitioned one: FIRST */
    STAR_DO_MAKE_PARTED_SEND,
    STAR_DO_MAKE_NEIGHBORS, /* a communicator that knows them */
    STAR_DO_MAKE_OPEN,      /* a window that others write to */
    STAR_DO_MAKE_READABLE,  /* a window that others read from */
    /* In each exchange. */
    STAR_DO_PACK,          /* what leaves through SEND, into its buffer */
    STAR_DO_UNPACK,        /* what came in at RECEIVE */
    STAR_DO_BEGIN_RECEIVE, /* request FIRST */
    STAR_DO_BEGIN_SEND,    /* request FIRST */
    STAR_DO_SEND,
    STAR_DO_RECEIVE,
    STAR_DO_SENDRECV, /* SEND or RECEIVE may be STAR_NOBODY */
    STAR_DO_START,    /* COUNT requests from FIRST on */
    STAR_DO_READY,    /* what leaves through SEND is in place: request FIRST */
    STAR_DO_NEIGHBORS,
    STAR_DO_BEGIN_NEIGHBORS, /* request FIRST */
    STAR_DO_FENCE,
    STAR_DO_POST,   /* to those who will write or read here, in COUNT turns from FIRST on */
    STAR_DO_ACCESS, /* those whom this rank will write to or read from, in the same */
    STAR_DO_PUT,    /* what leaves through SEND */
    STAR_DO_GET,    /* what comes in at RECEIVE */
    /* Before each of these a rank may do something else for a while. */
    STAR_DO_WAIT, /* for COUNT requests from FIRST on */
    STAR_DO_LAST_FENCE,
    STAR_DO_COMPLETE,
    STAR_DO_WAIT_EXPOSED,
    STAR_DEEDS
};
static inline bool star_may_pause(enum star_deed deed)
{
    return deed >= STAR_DO_WAIT;
}
struct star_act {
    enum star_deed deed;
    int send, receive;
    int first, count;
};
