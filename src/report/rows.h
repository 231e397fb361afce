/* SPDX-License-Identifier: BSD-3-Clause
 * Contexts and requests of a report alike: an operation for the one, a function-set for the other; methods,
 * or functions. */
#pragma once

#include "util/text.h"
#include "util/why.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Contexts that are alike, as one; and so requests, whose OPERATION is the function-set, METHOD the
 * function, and native the first function. */
struct star_row {
    const json_t *json; /* of the one that took most */
    int index;          /* in its list of the report */
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
    double saved, tuning;     /* sums of those that are known; NaN: none is */
    double low, high;         /* the interval of what was saved; NaN: not known, or several contexts */
    double confidence, waits; /* of the same context; NaN: not known; WAITS as star_report_waits */
};
struct star_rows {
    struct star_row *row; /* the one that took most time first; words are the report's */
    int count;
};
/* With ALSO, those of different places, or of different methods, are not alike; requests have rows too; or
 * each has its own. STAR_EMEMORY. */
enum { STAR_ROWS_BY_METHOD = 1, STAR_ROWS_BY_PLACE = 2, STAR_ROWS_WITH_REQUESTS = 4, STAR_ROWS_APART = 8 };
int star_rows_of(const json_t *report, int also, struct star_rows *rows, struct star_why *why);
void star_rows_free(struct star_rows *rows);
/* But for their places and methods. */
bool star_rows_are_alike(const struct star_row *a, const struct star_row *b);

/* What ROW is called: "alltoall, 64K bytes, 8 ranks". */
typedef char star_name[200];
void star_row_name(const struct star_row *row, star_name name);
/* What ONE of its methods or functions is called, or one of its history; of several functions of one name,
 * each with its attributes. */
void star_row_method(const struct star_row *row, const json_t *one, star_name name);
/* Its methods, or functions. */
const json_t *star_row_list(const struct star_row *row);
/* "mapping pair, data pack", as the attributes of ONE are. */
void star_report_attributes(const json_t *one, struct star_text *text);

struct star_date {
    char text[40];
};
/* When the run ended: "2026-11-22 14:05:33", in local time. */
struct star_date star_report_date(const json_t *report);
/* Members of an object: a number, or NaN; a text, or "". */
double star_report_number(const json_t *object, const char *key);
const char *star_report_word(const json_t *object, const char *key);
