/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a report. */
#ifndef STAR_REPORT_ROWS_H
#define STAR_REPORT_ROWS_H

#include "util/why.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Contexts that are alike, as one; and so requests, whose OPERATION is the function-set, METHOD the
 * function, and native the first function. */
struct star_row {
    bool request;
    const char *operation, *where, *site, *problem;
    int64_t bytes; /* −1: it varies */
    int64_t ranks;
    bool in_place, commutative;
    const char *method; /* of the context that took most */
    int contexts, methods;
    int64_t calls;
    double seconds, share;
    bool native_once;         /* its time, of any of its contexts, is that of few calls */
    double native, chosen;    /* seconds of a call, of the same context; NaN: not known */
    double saved, tuning;     /* sums of those that are known */
    double confidence, waits; /* of the same context; NaN: not known; WAITS as star_report_waits */
};
struct star_rows {
    struct star_row *row; /* the one that took most time first; words are the report's */
    int count;
};
/* With ALSO, those of different places, or of different methods, are not alike; and requests have rows too.
 * STAR_EMEMORY. */
enum { STAR_ROWS_BY_METHOD = 1, STAR_ROWS_BY_PLACE = 2, STAR_ROWS_WITH_REQUESTS = 4 };
int star_rows_of(const json_t *report, int also, struct star_rows *rows, struct star_why *why);
void star_rows_free(struct star_rows *rows);

#endif
