/* SPDX-License-Identifier: BSD-3-Clause
 * A map in the terminal. */
#include "map/draw.h"
#include "util/parse.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static char letter_of(int method)
{
    return letters[(size_t)method % (sizeof letters - 1)];
}

/* Of the 6 × 6 × 6 colours of terminals: those that stand apart from their neighbours. */
static int colour_of(int method)
{
    static const int colours[] = {203, 77, 75, 221, 177, 80, 208, 150, 105, 204, 43, 186, 139, 173, 117, 246};
    return colours[(size_t)method % (sizeof colours / sizeof *colours)];
}

static void add_letter(int method, bool colours, struct star_text *text)
{
    if (colours)
        star_text_add(text, "\033[38;5;%dm%c\033[0m", colour_of(method), letter_of(method));
    else
        star_text_add(text, "%c", letter_of(method));
}

/* The bytes above the columns, a character a line. */
static void draw_head(const struct star_grid *grid, struct star_text *text)
{
    char label[32];
    size_t longest = 0;
    for (int i = 0; i < grid->columns; i++) {
        size_t length = strlen(star_format_bytes(grid->bytes[i], label, sizeof label));
        longest = length > longest ? length : longest;
    }
    for (size_t line = 0; line < longest; line++) {
        star_text_add(text, line + 1 == longest ? " ranks |" : "       |");
        for (int i = 0; i < grid->columns; i++) {
            star_format_bytes(grid->bytes[i], label, sizeof label);
            size_t gap = longest - strlen(label);
            star_text_add(text, " %c", line < gap ? ' ' : label[line - gap]);
        }
        star_text_add(text, "\n");
    }
    star_text_add(text, "-------+");
    for (int i = 0; i < grid->columns; i++)
        star_text_add(text, "--");
    star_text_add(text, "\n");
}

static char mark_of(const struct star_map *map, enum star_operation operation, const struct star_grid *grid,
                    int row, int column)
{
    const struct star_map_point *point =
        star_map_find(map, operation, (int)grid->ranks[row], grid->bytes[column]);
    if (point == NULL || point->guessed)
        return '?';
    for (int i = 0; i < point->timings; i++)
        if (point->timing[i].tied)
            return '~';
    return ' ';
}

static void draw_legend(const struct star_grid *grid, bool colours, struct star_text *text)
{
    char name[STAR_METHOD_TEXT];
    for (int method = 0; method < grid->methods; method++) {
        int cells = 0;
        for (int i = 0; i < grid->rows * grid->columns; i++)
            cells += grid->winner[i] == method && grid->measured[i];
        if (cells == 0)
            continue;
        star_text_add(text, "  ");
        add_letter(method, colours, text);
        star_text_add(text, "  %-44s %5d\n", star_method_format(&grid->of->method[method], name, sizeof name),
                      cells);
    }
}

void star_map_draw(const struct star_map *map, enum star_operation operation, const struct star_grid *grid,
                   bool colours, struct star_text *text)
{
    const struct star_operation_info *info = &star_operations[operation];
    bool holes = false, ties = false;
    star_text_add(text, "%s; bytes: %s\n", info->name, star_measures[info->measure]);
    draw_head(grid, text);
    for (int row = 0; row < grid->rows; row++) {
        star_text_add(text, "%6lld |", (long long)grid->ranks[row]);
        for (int column = 0; column < grid->columns; column++) {
            char mark = mark_of(map, operation, grid, row, column);
            holes = holes || mark == '?';
            ties = ties || mark == '~';
            add_letter(grid->winner[star_grid_cell(grid, row, column)], colours, text);
            star_text_add(text, "%c", mark);
        }
        star_text_add(text, "\n");
    }
    star_text_add(text, "\n");
    draw_legend(grid, colours, text);
    if (holes)
        star_text_add(text, "  ?  not measured: taken from its neighbours\n");
    if (ties)
        star_text_add(text, "  ~  others do not differ significantly\n");
}
