/* SPDX-License-Identifier: BSD-3-Clause
 * The report of a run: read, checked, explained and shown. It stays the JSON that the run wrote, with what
 * follows from it added, so that terminal, page and programs are told the same: docs/report.schema.json says
 * what may be in it. In the command alone. */
#ifndef STAR_REPORT_REPORT_H
#define STAR_REPORT_REPORT_H

#include "util/text.h"
#include "util/why.h"

#include <jansson.h>

/* STAR_EINPUT where BYTES are no report; NAME is for the reason. *REPORT is to be given back to
 * json_decref. */
int star_report_parse(const char *bytes, size_t length, const char *name, json_t **report,
                      struct star_why *why);
int star_report_read(const char *path, json_t **report, struct star_why *why);
/* Is everything there that a report needs, and of its kind? */
int star_report_check(const json_t *report, const char *name, struct star_why *why);

/* Adds to each context what follows from what was measured: "where" it is called (and "function", "file",
 * "line"), "seconds_per_call" of its method, its "share" of the run, "confidence", how much of it "waits",
 * and why it is worth "attention"; and to each request the same, but where it is and what waits.
 * STAR_EMEMORY. */
int star_report_explain(json_t *report, struct star_why *why);

/* confidence.c: how sure is it that calls of METHOD are faster than those of OTHER, by their samples (Welch's
 * test, without those of three times the least or more)? From 0 to 1; NaN where there are not two of each. */
double star_report_confidence(const json_t *method, const json_t *other);

/* lines.c: where the instruction before OFFSET in the module's file is, by its debug information. False where
 * it has none, is no regular file, or was changed after DATE. */
struct star_line {
    char function[200], file[300];
    int line; /* 0: only the function is known */
};
struct star_lines;
struct star_lines *star_lines_new(void);
void star_lines_free(struct star_lines *lines);
bool star_lines_find(struct star_lines *lines, const char *module, uint64_t offset, int64_t date,
                     struct star_line *line);

/* rows.c: contexts that are alike, as one; and so requests, whose OPERATION is the function-set, METHOD the
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
/* Which share of the ranks' time in a context's calls passes before the last rank comes, at most; NaN: it is
 * not known, or ranks have different parts in the operation. */
double star_report_waits(const json_t *context);

/* page.c: the report as one page for a browser, which needs nothing else. */
void star_report_page(const json_t *report, struct star_text *text);

#endif
