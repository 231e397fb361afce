/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of startune report share. */
#ifndef STAR_CLI_REPORT_H
#define STAR_CLI_REPORT_H

#include "command.h"
#include "report/read.h"
#include "util/text.h"

/* What the options ask for. */
extern struct cli_report_ask {
    bool json, html, all;
    const char *output; /* NULL: standard output */
} cli_report_ask;

/* The actions: each prints, and returns the exit status. */
int cli_report_list(int count, char **words);
int cli_report_show(int count, char **words);
int cli_report_diff(int count, char **words);

/* After a function of src/report failed: says why, and returns the exit status. */
int cli_report_refuse(int error, const struct star_why *why);
/* Reads the report that WORD asks for: a number (1: the last run), the beginning of a date (of several runs
 * the last) or a file. The exit status, after saying why not. */
int cli_report_of(const char *word, json_t **report);
/* "2026-11-22 14:05:33", in local time. */
struct cli_date {
    char text[40];
};
struct cli_date cli_date_of(const json_t *report);
/* Bytes of a row, or "varies". */
const char *cli_bytes_of(int64_t bytes, char *buffer, size_t room);
/* "1.20 ms"; NaN: "?". */
const char *cli_seconds_of(double seconds, char *buffer, size_t room);
/* "97 %"; NaN: "?". */
const char *cli_sure(double confidence, char *buffer, size_t room);
/* "+1.20 ms", "-"; NaN: "?". */
const char *cli_signed_seconds(double seconds, char *buffer, size_t room);
/* What a star behind a time says, below its table. */
void cli_add_once(struct star_text *text);
/* report_requests.c: a table of the requests, the longest first; nothing where there are none. Up to MOST. */
void cli_report_requests(struct star_text *text, const json_t *report, int most);

#endif
