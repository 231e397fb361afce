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
    bool native_once; /* native was measured once, in few calls, maybe a program's first ones */
    char method[STAR_METHOD_TEXT];
    char site[80];
    int64_t bytes; /* or STAR_OTHER_SIZES */
    int64_t calls, chosen_calls, native_calls;
    double seconds, chosen_seconds, native_seconds;
    double saved, tuning; /* in seconds, against native's mean; known when native_calls > 0 */
};

/* What finding the chosen one took, and what calls of candidate 0 did, which neither cost nor save anything.
 */
struct star_expense {
    int64_t tuning_nanoseconds, tuning_calls, agreement_nanoseconds, first_nanoseconds, first_calls;
};
/* Completes RECORD, which has its other members: native_calls, native_seconds, native_once, saved,
 * tuning. Native, or of a request the first function, is TUNER's candidate 0; STAYS: it is the chosen one. */
void star_record_weigh(struct star_record *record, const struct star_tuner *tuner, bool stays,
                       const struct star_expense *expense);
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
    struct star_text records, verified, contexts, requests;
    int64_t left_out; /* contexts and requests that are not among them */
};
/* ledger.c: a request's record, and, for the report, its JSON object behind a comma. */
void star_ledger_add_request(const struct star_record *record, const struct star_text *json);

void star_ledger_add_verified(const struct star_verified *record);

/* Will there be a report, to be kept or in a file? */
bool star_report_is_wanted(void);
/* Appends the context as a JSON object. */
void star_report_context(struct star_text *text, const struct star_communicator *state,
                         const struct star_context *context);
/* Adds what was measured of a method to its object. */
struct star_measured {
    int64_t calls, nanoseconds;
    double estimate; /* seconds, or STAR_UNKNOWN_SECONDS */
    bool left_out;
    const double *samples;
    int count; /* of samples */
};
void star_report_measured(struct star_text *text, const struct star_measured *measured);
/* A decision for METHOD, whose member is KEY. */
void star_report_decision(struct star_text *text, const struct star_switch *decision, const char *key,
                          const char *method);
/* The value in force of the setting NAME. */
const char *star_report_setting(const char *name, char *buffer, size_t room);
/* Gathers what all ranks remember, and writes. Collective over MPI_COMM_WORLD. */
void star_report_close(struct star_ledger *ledger);

/* summary.c: on standard error. */
void star_summary_write(const struct star_record *records, int count);
void star_summary_write_verified(const struct star_verified *records, int count);

#endif
