/* SPDX-License-Identifier: BSD-3-Clause
 * Records of contexts and requests, for the summary and the report. */
#pragma once

#include "runtime/state.h"
#include "subject/balance.h"
#include "util/text.h"

enum { STAR_OTHER_SIZES = -2 }; /* beside STAR_BYTES_UNKNOWN */

/* One kind of context: all communicators of one size in which it came to one method. Or of a program's
 * request: then PATTERN is its function-set, METHOD its function, and its first function takes native's
 * place. */
struct star_record {
    enum star_operation operation;
    char pattern[64];
    int32_t ranks, communicators;
    bool in_place;
    bool early;    /* its calls did not promise to pay for tuning */
    bool replaced; /* another method than native was chosen */
    char method[STAR_METHOD_TEXT];
    char site[80];
    int64_t bytes; /* or STAR_OTHER_SIZES */
    uint64_t kind; /* a hash of what its kind is; star_records_add sets it */
    struct star_balance balance;
};

struct star_record star_record_of(const struct star_communicator *state, const struct star_context *context);
/* Adds RECORD to the COUNT RECORDS, to the one of its kind or behind the last, where there must be room, and
 * returns how many they are. */
int star_records_add(struct star_record *records, int count, const struct star_record *record);

/* What verifying came to, of a method's first uses. */
struct star_verified {
    char method[STAR_METHOD_TEXT];
    int64_t uses, wrong;
    int64_t rounded; /* equal within a bound or a tolerance */
    int64_t around;  /* the result was not compared, only what lies around it */
    int64_t unable;  /* none of USES: not verified, for want of memory */
};
/* As star_records_add, by method. */
int star_verified_add(struct star_verified *records, int count, const struct star_verified *record);

/* What ranks remember for the end: RECORDS is an array of struct star_record, VERIFIED one of struct
 * star_verified; the others are JSON objects, each behind a comma. */
struct star_ledger {
    struct star_text records, verified, contexts, requests, matrix, begun;
    int64_t left_out;        /* contexts and requests that are not among them */
    int64_t compared;        /* with `checked`, on this rank as rank 0: calls; */
    int64_t unchecked;       /* and communicators where none can be */
    struct star_balance own; /* of all that this rank took part in; at the end, in the mean over the ranks */
    int64_t calls;           /* of this rank, on communicators that have a state */
    double unsure;           /* seconds: startune's own work may hold up ranks; so much more OWN may be off */
};
