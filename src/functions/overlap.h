/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of the function-sets of collective operations that overlap computation: ibcast, ialltoall,
 * iallgather and ireduce. */
#pragma once

/* Their attributes: what is called, and one of how many calls of STAR_Request_progress goes on with it. */
enum { STAR_BY_CALL, STAR_BY_PROGRESS, STAR_OVERLAP_ATTRIBUTES };
enum {
    STAR_NONBLOCKING, /* the MPI library's operation */
    STAR_BLOCKING,    /* the tuned one */
    STAR_FIRST_PLAN,  /* a method of startune's, in pieces; and so on */
    STAR_SECOND_PLAN,
    STAR_OVERLAP_CALLS
};

struct star_overlap {
    const char *name;
    int value[STAR_OVERLAP_ATTRIBUTES];
    const char *method; /* of a plan: its spelling; else NULL */
};

/* The functions of SET, *COUNT of them; NULL: it is none of these function-sets. */
const struct star_overlap *star_overlaps_of(const char *set, int *count);
