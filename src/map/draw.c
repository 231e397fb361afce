/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/draw.h"
#include "util/parse.h"

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

/* So many letters that each has room for its bytes, if the lines stay short; or few. */
static int column_width(const struct star_grid *grid)
{
    enum { ROWS_NAME = 8, LINE_MOST = 80, LEAST = 2 };
    size_t longest = 1;
    char label[32];
    for (int i = 0; i < grid->columns; i++) {
        size_t length = strlen(star_format_bytes(grid->bytes[i], label, sizeof label));
        longest = length > longest ? length : longest;
    }
    int width = (int)longest + 1;
    return ROWS_NAME + width * grid->columns <= LINE_MOST ? width : LEAST;
}

/* The bytes above the columns, at those that have room; a cross below says which column it is. */
static void draw_head(const struct star_grid *grid, int width, struct star_text *text)
{
    struct star_text rule = {0};
    size_t end = 0; /* of what is written behind the bar */
    star_text_add(text, " ranks |");
    star_text_add(&rule, "-------+");
    for (int i = 0; i < grid->columns; i++) {
        char label[32];
        size_t at = (size_t)width * (size_t)i;
        bool fits = end == 0 || at > end;
        if (fits) {
            star_text_add(text, "%*s%s", (int)(at - end), "",
                          star_format_bytes(grid->bytes[i], label, sizeof label));
            end = at + strlen(label);
        }
        star_text_add(&rule, "%c%.*s", fits ? '+' : '-', width - 1, "-------------------------------");
    }
    star_text_add(text, "\n%s\n", rule.bytes ? rule.bytes : "");
    text->failed = text->failed || rule.failed;
    star_text_free(&rule);
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

void star_map_draw(enum star_operation operation, const struct star_grid *grid, bool colours,
                   struct star_text *text)
{
    const struct star_operation_info *info = &star_operations[operation];
    int width = column_width(grid);
    bool holes = false, ties = false;
    star_text_add(text, "%s; bytes: %s\n", info->name, star_measures[info->measure]);
    draw_head(grid, width, text);
    for (int row = 0; row < grid->rows; row++) {
        star_text_add(text, "%6lld |", (long long)grid->ranks[row]);
        for (int column = 0; column < grid->columns; column++) {
            int cell = star_grid_cell(grid, row, column);
            holes = holes || !grid->measured[cell];
            ties = ties || grid->tied[cell];
            add_letter(grid->winner[cell], colours, text);
            star_text_add(text, "%-*c", width - 1,
                          !grid->measured[cell] ? '?'
                          : grid->tied[cell]    ? '~'
                                                : ' ');
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
