/* SPDX-License-Identifier: BSD-3-Clause
 * Tables, for terminals and for pages. All times of a column, and of columns of times side by side, have one
 * unit, and as many digits behind the point, so that they can be compared at a glance. Columns of signed
 * times begin anew behind columns of others. */
#pragma once

#include "util/text.h"

/* What stands in a column: words at its left, or at its right; numbers; numbers with two decimals; seconds;
 * shares, as 12.3 % or 12.34 %. */
enum star_column_kind {
    STAR_AS_WORDS,
    STAR_AS_SIZES,
    STAR_AS_COUNTS,
    STAR_AS_RATIOS,
    STAR_AS_TIMES,
    STAR_AS_SIGNED_TIMES,
    STAR_AS_SHARES,
    STAR_AS_FINE_SHARES
};
struct star_column {
    const char *key, *name; /* KEY: for programs that read the page */
    enum star_column_kind kind;
};

struct star_cell {
    double number; /* NaN: not known, which is "?" */
    char *words;
    char mark; /* behind it; or 0 */
};

struct star_table {
    const struct star_column *column;
    int columns, count; /* cells */
    struct star_cell *cell;
    bool failed;
};

/* One without rows, of the columns of an array. */
#define STAR_TABLE_OF(columns_of)                                                                            \
    {                                                                                                        \
        .column = (columns_of), .columns = sizeof(columns_of) / sizeof *(columns_of)                         \
    }

/* The next cell; or, of numbers, the next ones. */
void star_table_words(struct star_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void star_table_add(struct star_table *table, const double *numbers, size_t count);
#define star_table_numbers(table, ...)                                                                       \
    star_table_add(table, (const double[]){__VA_ARGS__},                                                     \
                   sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
/* Sets a letter behind the cell that was added last. */
void star_table_mark(struct star_table *table, char mark);

/* Lines of a terminal, without spaces at their ends; characters that control it become question marks. Of no
 * rows nothing is written. The table's rows are freed. */
void star_table_write(struct star_table *table, struct star_text *text);
/* The table of a page; its rows are freed. Row I has the attribute data-ROW of INDEX[I]; or of I, where INDEX
 * is NULL. */
void star_table_html(struct star_table *table, const char *caption, const char *row, const int *index,
                     struct star_text *text);
void star_table_free(struct star_table *table);
