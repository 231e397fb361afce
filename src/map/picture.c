/* SPDX-License-Identifier: BSD-3-Clause
 * Maps as SVG and HTML. (The pictures are those of Pješivac-Grbović et al.: Figure 1, maps as quadtrees of
 * growing depth give them; Figure 2, what they cost.) */
#include "map/picture.h"
#include "util/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 11, LEFT = 46, TOP = 8, FOOT = 52 };

/* Hues that lie a golden angle apart, in two tones. */
static void add_colour(int method, struct star_text *text)
{
    star_text_add(text, "hsl(%d,%d%%,%d%%)", (int)fmod(method * 137.508, 360), method % 2 ? 55 : 70,
                  method % 2 ? 68 : 52);
}

static const char *colour_of_penalty(double penalty)
{
    static const struct {
        double most;
        const char *colour;
    } colours[] = {{0.25, "#ffffff"}, {0.75, "#ffe44d"}, {1.5, "#ff9f1c"}, {3, "#e63946"}};
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (penalty < colours[i].most)
            return colours[i].colour;
    return isnan(penalty) ? "#cccccc" : "#7a0016";
}

static void open_svg(const struct star_grid *grid, struct star_text *text)
{
    int width = LEFT + CELL * grid->columns + 8, height = TOP + CELL * grid->rows + FOOT;
    star_text_add(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"9\">\n",
        width, height, width, height);
}

/* Labels where there is room for them, and the names of the axes. */
static void add_axes(const struct star_grid *grid, struct star_text *text)
{
    char label[32];
    int bottom = TOP + CELL * grid->rows;
    int stride = grid->rows > 14 ? 2 : 1;
    for (int row = 0; row < grid->rows; row += stride)
        star_text_add(text, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%lld</text>\n", LEFT - 4,
                      TOP + CELL * row + CELL - 2, (long long)grid->ranks[row]);
    for (int column = 0; column < grid->columns; column += 2)
        star_text_add(text,
                      "<text transform=\"translate(%d,%d) rotate(-60)\" text-anchor=\"end\">%s</text>\n",
                      LEFT + CELL * column + CELL, bottom + 8,
                      star_format_bytes(grid->bytes[column], label, sizeof label));
    star_text_add(text,
                  "<text transform=\"translate(12,%d) rotate(-90)\" text-anchor=\"middle\">ranks</text>\n",
                  TOP + CELL * grid->rows / 2);
    star_text_add(text, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">bytes</text>\n",
                  LEFT + CELL * grid->columns / 2, bottom + FOOT - 8);
}

static int method_at(const struct star_grid *grid, const struct star_encoding *encoding, int cell)
{
    return encoding ? star_encoding_choose(encoding, (int)grid->ranks[cell / grid->columns],
                                           grid->bytes[cell % grid->columns])
                    : grid->winner[cell];
}

static void open_cell(const struct star_grid *grid, int cell, struct star_text *text)
{
    star_text_add(
        text,
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" stroke=\"#999\" stroke-width=\"0.2\" fill=\"",
        LEFT + CELL * (cell % grid->columns), TOP + CELL * (cell / grid->columns), CELL, CELL);
}

/* The text that a browser shows beside the pointer; it ends the cell. */
static void close_cell(const struct star_grid *grid, int cell, int method, double penalty,
                       struct star_text *text)
{
    char name[STAR_METHOD_TEXT], bytes[32];
    star_text_add(text, "\"><title>%lld ranks, %s: %s%s", (long long)grid->ranks[cell / grid->columns],
                  star_format_bytes(grid->bytes[cell % grid->columns], bytes, sizeof bytes),
                  star_method_format(&grid->of->method[method], name, sizeof name),
                  grid->measured[cell] ? "" : " (not measured)");
    if (penalty > 0)
        star_text_add(text, ", %.1f %% slower", 100 * penalty);
    star_text_add(text, "</title></rect>\n");
}

void star_map_svg(const struct star_grid *grid, const struct star_encoding *encoding, struct star_text *text)
{
    open_svg(grid, text);
    for (int cell = 0; cell < grid->rows * grid->columns; cell++) {
        int method = method_at(grid, encoding, cell);
        open_cell(grid, cell, text);
        add_colour(method, text);
        close_cell(grid, cell, method, star_grid_penalty(grid, cell, method), text);
    }
    add_axes(grid, text);
    star_text_add(text, "</svg>\n");
}

/* Draws what the encoding costs in each cell: white below 25 %, yellow to 75 %, then orange and red, as
 * published. */
static void draw_penalties(const struct star_grid *grid, const struct star_encoding *encoding,
                           struct star_text *text)
{
    open_svg(grid, text);
    for (int cell = 0; cell < grid->rows * grid->columns; cell++) {
        int method = method_at(grid, encoding, cell);
        double penalty = star_grid_penalty(grid, cell, method);
        open_cell(grid, cell, text);
        star_text_add(text, "%s", colour_of_penalty(penalty));
        close_cell(grid, cell, method, penalty, text);
    }
    add_axes(grid, text);
    star_text_add(text, "</svg>\n");
}

static void add_legend(const struct star_grid *grid, struct star_text *text)
{
    char name[STAR_METHOD_TEXT];
    star_text_add(text, "<ul>\n");
    for (int method = 0; method < grid->methods; method++) {
        int cells = 0;
        for (int i = 0; i < grid->rows * grid->columns; i++)
            cells += grid->winner[i] == method;
        if (cells == 0)
            continue;
        star_text_add(text, "<li><b style=\"background:");
        add_colour(method, text);
        star_text_add(text, "\"></b> %s <small>%d cells</small></li>\n",
                      star_method_format(&grid->of->method[method], name, sizeof name), cells);
    }
    star_text_add(text, "</ul>\n");
}

static int add_pair(const struct star_grid *grid, int depth, struct star_text *text, struct star_why *why,
                    bool *whole)
{
    struct star_looseness looseness = {.max_depth = depth, .accuracy = 1};
    struct star_encoding encoding;
    struct star_verdict verdict;
    const struct star_encoder *quadtree = star_encoders[0];
    int error = star_encoding_make(quadtree, grid, &looseness, &encoding, why);
    if (error)
        return error;
    error = star_encoding_judge(&encoding, grid, &verdict);
    *whole = star_encoding_form(&encoding)->depth_most < depth || verdict.differs == 0;
    star_text_add(text,
                  "<div><h3>Quadtree of at most %d level%s</h3><p>%d leaves; mean penalty %.2f %%, greatest "
                  "%.2f %%</p>\n",
                  depth, depth == 1 ? "" : "s", star_encoding_form(&encoding)->leaves, 100 * verdict.mean,
                  100 * verdict.most);
    star_map_svg(grid, &encoding, text);
    draw_penalties(grid, &encoding, text);
    star_text_add(text, "</div>\n");
    star_encoding_free(&encoding);
    return error ? star_because(why, error, "out of memory for the page") : 0;
}

static int add_operation(const struct star_map *map, enum star_operation operation, struct star_text *text,
                         struct star_why *why)
{
    struct star_grid grid;
    int error = star_grid_make(map, operation, &grid, why);
    if (error)
        return error;
    star_text_add(text, "<h2>%s</h2>\n<p>bytes: %s</p>\n", star_operations[operation].name,
                  star_measures[star_operations[operation].measure]);
    star_map_svg(&grid, NULL, text);
    add_legend(&grid, text);
    bool whole = false;
    for (int depth = 1; !error && !whole; depth++)
        error = add_pair(&grid, depth, text, why, &whole);
    star_grid_free(&grid);
    return error;
}

/* Texts of the machine may hold what HTML takes for its own. */
static void add_escaped(const char *words, struct star_text *text)
{
    for (const char *c = words; *c; c++)
        if (*c == '<' || *c == '&')
            star_text_add(text, *c == '<' ? "&lt;" : "&amp;");
        else
            star_text_append(text, c, 1);
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Decision maps</title>\n<style>\n"
    "body{font-family:sans-serif;margin:2em}ul{list-style:none;padding:0;columns:3}"
    "li b{display:inline-block;width:1em;height:1em}div{margin:1em 0}h3{margin-bottom:0}p{margin:.3em 0}\n"
    "</style></head><body>\n<h1>Decision maps</h1>\n<p>";

int star_map_html(const struct star_map *map, int only, struct star_text *text, struct star_why *why)
{
    int error = 0;
    star_text_add(text, "%s", head);
    add_escaped(map->machine.mpi, text);
    star_text_add(
        text,
        " %s</p>\n<p>Left: which method; right: by how much it is slower than the best: white below 25 %%, "
        "yellow to 75, orange to 150, red to 300, dark above, grey unknown.</p>\n",
        map->machine.date[0] ? "&middot;" : "");
    add_escaped(map->machine.date, text);
    for (int i = 0; !error && i < STAR_OPERATIONS; i++)
        if (map->of[i].points > 0 && (only < 0 || only == i))
            error = add_operation(map, (enum star_operation)i, text, why);
    star_text_add(text, "</body></html>\n");
    return error;
}
