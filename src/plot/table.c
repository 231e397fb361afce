/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot/table.h"
#include "plot/svg.h"
#include "util/grow.h"
#include "util/numerals.h"
#include "util/parse.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct star_cell *next_cell(struct star_table *table)
{
    struct star_cell *more = star_grown(table->cell, (size_t)table->count, sizeof *more);
    table->cell = more ? more : table->cell;
    table->failed = table->failed || more == NULL;
    if (table->failed)
        return NULL;
    table->cell[table->count] = (struct star_cell){.number = NAN};
    return &table->cell[table->count++];
}

void star_table_words(struct star_table *table, const char *format, ...)
{
    struct star_cell *cell = next_cell(table);
    va_list args;
    va_start(args, format);
    if (cell != NULL && vasprintf(&cell->words, format, args) < 0) {
        cell->words = NULL;
        table->failed = true;
    }
    va_end(args);
    for (char *c = cell && cell->words ? cell->words : ""; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
}

void star_table_add(struct star_table *table, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct star_cell *cell = next_cell(table);
        if (cell != NULL)
            cell->number = numbers[i];
    }
}

void star_table_mark(struct star_table *table, char mark)
{
    if (!table->failed && table->count > 0)
        table->cell[table->count - 1].mark = mark;
}

/* How the numbers of a column are written. */
struct form {
    double size; /* of the unit */
    const char *unit;
    int decimals, width;
};

static bool is_time(const struct star_column *column)
{
    return column->kind == STAR_AS_TIMES || column->kind == STAR_AS_SIGNED_TIMES;
}

/* Do the times of a column go on those of the one before? Signed ones begin anew behind others. */
static bool goes_on(const struct star_column *column)
{
    return is_time(column) && is_time(column - 1) &&
           (column->kind == STAR_AS_TIMES || column[-1].kind == STAR_AS_SIGNED_TIMES);
}

/* The unit in the middle between the least and the greatest time of the columns from FIRST to before END, and
 * so many decimals that the least has three digits, but three behind the point at most. */
static struct form time_form(const struct star_table *table, int first, int end)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < table->count; i++) {
        bool counts = i % table->columns >= first && i % table->columns < end;
        double size = counts ? fabs(table->cell[i].number) : 0;
        least = size > 0 ? fmin(least, size) : least;
        most = size > 0 ? fmax(most, size) : most;
    }
    if (most == 0)
        return (struct form){1, "", 0, 0};
    const struct star_time_unit *unit = star_time_unit(sqrt(least * most));
    int decimals = (int)fmin(3, fmax(0, 2 - floor(log10(least / unit->seconds) + 1e-9)));
    return (struct form){unit->seconds, unit->name, decimals, 0};
}

/* Numbers in their units, and never as less than nothing where their digits are none. */
static void write_number(const struct star_cell *cell, enum star_column_kind kind, const struct form *form,
                         char *text, size_t room)
{
    bool share = kind == STAR_AS_SHARES || kind == STAR_AS_FINE_SHARES;
    double shown = share ? 100 * cell->number : cell->number / form->size;
    if (fabs(shown) < 0.5 * pow(10, -form->decimals))
        shown = 0;
    locale_t own = star_numerals_plain();
    snprintf(text, room, "%s%.*f%s", kind == STAR_AS_SIGNED_TIMES && cell->number > 0 ? "+" : "",
             form->decimals, shown, share ? " %" : "");
    star_numerals_restore(own);
}

static void write_cell(const struct star_table *table, const struct form *form, int i, char *text,
                       size_t room)
{
    const struct star_cell *cell = &table->cell[i];
    char mark[2] = {cell->mark, 0};
    if (cell->words != NULL)
        snprintf(text, room, "%s", cell->words);
    else if (isnan(cell->number))
        snprintf(text, room, "?");
    else
        write_number(cell, table->column[i % table->columns].kind, form, text, room);
    strncat(text, mark, room - strlen(text) - 1);
}

enum { CELL_MOST = 1200, COLUMNS_MOST = 24 };

static int letters_of(const char *words)
{
    return star_letters(words, strlen(words));
}

static struct form form_of(const struct star_table *table, int column)
{
    static const int decimals[] = {[STAR_AS_RATIOS] = 2, [STAR_AS_SHARES] = 1, [STAR_AS_FINE_SHARES] = 2};
    int first = column, end = column + 1;
    if (!is_time(&table->column[column]))
        return (struct form){1, "", decimals[table->column[column].kind], 0};
    while (first > 0 && goes_on(&table->column[first]))
        first--;
    while (end < table->columns && goes_on(&table->column[end]))
        end++;
    return time_form(table, first, end);
}

static void form_columns(const struct star_table *table, struct form *forms)
{
    char text[CELL_MOST];
    for (int c = 0; c < table->columns; c++) {
        forms[c] = form_of(table, c);
        forms[c].width = (int)fmax(letters_of(table->column[c].name), letters_of(forms[c].unit));
        for (int i = c; i < table->count; i += table->columns) {
            write_cell(table, &forms[c], i, text, sizeof text);
            forms[c].width = (int)fmax(forms[c].width, letters_of(text));
        }
    }
}

static void end_line(struct star_text *text)
{
    while (!text->failed && text->length > 0 && text->bytes[text->length - 1] == ' ')
        text->bytes[--text->length] = 0;
    star_text_add(text, "\n");
}

/* Two spaces stand between columns. */
static void put(const struct star_table *table, const struct form *forms, int column, const char *words,
                struct star_text *text)
{
    int gap = forms[column].width - letters_of(words);
    bool left = table->column[column].kind == STAR_AS_WORDS;
    star_text_add(text, "%*s%s%*s%s", left ? 0 : gap, "", words, left ? gap : 0, "",
                  column + 1 < table->columns ? "  " : "");
    if (column + 1 == table->columns)
        end_line(text);
}

void star_table_write(struct star_table *table, struct star_text *text)
{
    struct form forms[COLUMNS_MOST] = {{0}};
    char words[CELL_MOST];
    bool units = false;
    text->failed = text->failed || table->failed;
    form_columns(table, forms);
    for (int c = 0; table->count > 0 && c < table->columns; c++) {
        put(table, forms, c, table->column[c].name, text);
        units = units || forms[c].unit[0];
    }
    for (int c = 0; units && c < table->columns; c++)
        put(table, forms, c, forms[c].unit, text);
    for (int i = 0; i < table->count; i++) {
        write_cell(table, &forms[i % table->columns], i, words, sizeof words);
        put(table, forms, i % table->columns, words, text);
    }
    star_table_free(table);
}

void star_table_html(struct star_table *table, const char *caption, const char *row, const int *index,
                     struct star_text *text)
{
    struct form forms[COLUMNS_MOST] = {{0}};
    char words[CELL_MOST];
    text->failed = text->failed || table->failed;
    form_columns(table, forms);
    star_text_add(text, "<div class=\"scroll\"><table><caption>%s</caption>\n<tr>", caption);
    for (int c = 0; c < table->columns; c++)
        star_text_add(text, "<th scope=\"col\"%s>%s%s%s</th>",
                      table->column[c].kind == STAR_AS_WORDS ? "" : " class=\"number\"",
                      table->column[c].name, forms[c].unit[0] ? ", " : "", forms[c].unit);
    for (int i = 0; i < table->count; i++) {
        int c = i % table->columns, line = i / table->columns;
        const struct star_column *column = &table->column[c];
        if (c == 0)
            star_text_add(text, "</tr>\n<tr data-%s=\"%d\">", row, index ? index[line] : line);
        star_text_add(text, "<td data-key=\"%s\"%s", column->key,
                      column->kind == STAR_AS_WORDS ? "" : " class=\"number\"");
        if (!isnan(table->cell[i].number))
            star_text_add(text, " data-value=\"%.9g\"", table->cell[i].number);
        write_cell(table, &forms[c], i, words, sizeof words);
        star_text_add(text, ">");
        star_text_escaped(text, words);
        star_text_add(text, "</td>");
    }
    star_text_add(text, "</tr></table></div>\n");
    star_table_free(table);
}

void star_table_free(struct star_table *table)
{
    for (int i = 0; i < table->count; i++)
        free(table->cell[i].words);
    free(table->cell);
    *table = (struct star_table){.column = table->column, .columns = table->columns};
}
