/* SPDX-License-Identifier: BSD-3-Clause
 * The summary on standard error and the report in a file: rank 0 of MPI_COMM_WORLD writes both at the end. */
#ifndef STAR_RUNTIME_REPORT_H
#define STAR_RUNTIME_REPORT_H

#include "runtime/runtime.h"
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
    char method[STAR_METHOD_TEXT];
    char site[80];
    int64_t bytes; /* or STAR_OTHER_SIZES */
    int64_t calls, chosen_calls, native_calls;
    double seconds, chosen_seconds, native_seconds;
    double saved, tuning; /* in seconds, against native's mean; known when native_calls > 0 */
};

struct star_record star_record_of(const struct star_communicator *state, const struct star_context *context);
/* False when they are not of one kind. */
bool star_record_merge(struct star_record *into, const struct star_record *record);

/* ledger.c: a request's record, and, for the report, its JSON object behind a comma. */
void star_ledger_add_request(const struct star_record *record, const struct star_text *json);

/* Appends the context as a JSON object. */
void star_report_context(struct star_text *text, const struct star_communicator *state,
                         const struct star_context *context);
/* Gathers the records (an array of struct star_record) and the JSON objects of all ranks, and writes.
 * Collective over MPI_COMM_WORLD. */
void star_report_close(struct star_text *records, struct star_text *contexts, struct star_text *requests);

#endif
