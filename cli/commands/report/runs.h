/* SPDX-License-Identifier: BSD-3-Clause
 * The runs that are kept. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* What the options ask for. */
struct cli_report_ask {
    bool json, html, all, matrix, site;
    const char *output; /* NULL: standard output */
    const char *as;     /* the matrix's format; NULL: text */
};
extern struct cli_report_ask cli_report_ask;

/* Reads the report that WORD asks for: a number (1: the last run), the beginning of a date (of several runs
 * the last) or a file. The exit status, after saying why not. */
int cli_report_of(const char *word, json_t **report);
int cli_report_list(int count, char **words);
