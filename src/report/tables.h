/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of a report, for the terminal and for its page. */
#pragma once

#include "plot/table.h"
#include "report/rows.h"

/* A table of at most MOST rows, of contexts or of requests; INDEX gets the index of each, and may be NULL.
 * The caller frees it, and those below. */
struct star_table star_table_of_rows(const struct star_rows *rows, bool requests, int most, int *index);
/* How far ranks are apart, of contexts where that is known; INDEX has room for all. */
struct star_table star_table_of_waits(const struct star_rows *rows, int *index);
/* Calls that have no context. */
struct star_table star_table_of_others(const json_t *report);
struct star_table star_table_of_nonblocking(const json_t *report);
/* Methods or functions of which something is known; INDEX has room for all, or is NULL. */
struct star_table star_table_of_methods(const struct star_row *row, int *index);
struct star_table star_table_of_decisions(const struct star_row *row);
int star_table_rows(const struct star_table *table);

/* The star behind a time, where there is one among the rows. */
void star_tables_say_once(const struct star_rows *rows, bool requests, struct star_text *text);
