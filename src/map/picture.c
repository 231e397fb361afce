/* SPDX-License-Identifier: BSD-3-Clause
 * Maps as SVG and HTML. (The pictures are those of Pješivac-Grbović et al.: Figure 1, maps as quadtrees of
 * growing depth give them; Figure 2, what they cost.) */
#include "map/picture.h"
#include "plot/scale.h"
#include "plot/svg.h"
#include "util/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OCTAVE = 30, LEFT = 66, TOP = 34, FOOT = 44, LINE = 17, GAP = 18 };

/* The longest words of a legend that names no method. */
static const char tied[] = "hatched: others do not differ significantly";

/* A map, and where its cells stand: both axes are logarithmic; a cell reaches half-way to its neighbours. */
struct picture {
    const struct star_grid *grid;
    int *colour; /* of each method, as star_colour: the one with most cells comes first */
    struct star_scale x, y;
    double width; /* with the legend */
};

/* 0 bytes stand four times as far to the left as the least others. */
static double place_of(const int64_t *values, int count, int at)
{
    double least = count > 1 && values[0] == 0 ? (double)values[1] / 4 : 1;
    return values[at] > 0 ? (double)values[at] : least;
}

/* The border below VALUES[AT]; for AT = COUNT the upper end. */
static double border(const int64_t *values, int count, int at)
{
    double below = place_of(values, count, at > 0 ? at - 1 : 0);
    double above = place_of(values, count, at < count ? at : count - 1);
    return at == 0 ? above / M_SQRT2 : at == count ? below * M_SQRT2 : sqrt(below * above);
}

static struct star_scale scale_of(const int64_t *values, int count, enum star_unit unit, double from,
                                  int direction)
{
    double least = border(values, count, 0), most = border(values, count, count);
    double length = fmin(fmax(OCTAVE * log2(most / least), 3 * OCTAVE), 20 * OCTAVE);
    return star_scale_exact(STAR_OCTAVES, unit, least, most, direction > 0 ? from : from + length,
                            direction > 0 ? from + length : from);
}

static int cells_of(const struct star_grid *grid, int method)
{
    int cells = 0;
    for (int i = 0; i < grid->rows * grid->columns; i++)
        cells += grid->winner[i] == method;
    return cells;
}

static bool is_native(const struct picture *picture, int method)
{
    return star_is_native(&picture->grid->of->method[method]);
}

/* Numbers the methods by their cells, but that native is 0. */
static void colour_methods(struct picture *picture)
{
    for (int i = 0; i < picture->grid->methods; i++) {
        int cells = cells_of(picture->grid, i), before = 1;
        for (int j = 0; j < picture->grid->methods; j++) {
            int others = cells_of(picture->grid, j);
            before += !is_native(picture, j) && (others > cells || (others == cells && j < i));
        }
        picture->colour[i] = is_native(picture, i) ? 0 : before;
    }
}

/* Beside 0, which has its own label, no ticks stand below the least other number of bytes. */
static void drop_ticks(struct star_scale *x, const struct star_grid *grid)
{
    int kept = 0;
    for (int i = 0; i < x->ticks; i++)
        if (grid->bytes[0] > 0 || (grid->columns > 1 && x->tick[i] >= (double)grid->bytes[1]))
            x->tick[kept++] = x->tick[i];
    x->ticks = kept;
}

static int begin(const struct star_grid *grid, struct picture *picture, struct star_why *why)
{
    *picture =
        (struct picture){.grid = grid, .colour = calloc((size_t)grid->methods, sizeof *picture->colour)};
    if (picture->colour == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for the picture");
    colour_methods(picture);
    picture->x = scale_of(grid->bytes, grid->columns, STAR_IN_BYTES, LEFT, 1);
    drop_ticks(&picture->x, grid);
    picture->y = scale_of(grid->ranks, grid->rows, STAR_PLAIN, TOP, -1);
    double words = star_svg_width(tied);
    for (int i = 0; i < grid->methods; i++) {
        char name[STAR_METHOD_TEXT];
        if (cells_of(grid, i) > 0)
            words =
                fmax(words, star_svg_width(star_method_format(&grid->of->method[i], name, sizeof name)) + 40);
    }
    picture->width = picture->x.to + GAP + 16 + words + GAP;
    return 0;
}

static const char *colour_of_penalty(double penalty, const char **words)
{
    static const struct {
        double most;
        const char *colour, *words;
    } colours[] = {{0.25, "#f7f7f7", "less than 25 %"},
                   {0.75, "#fed976", "25 to 75 %"},
                   {1.5, "#fd8d3c", "75 to 150 %"},
                   {3, "#e31a1c", "150 to 300 %"},
                   {INFINITY, "#67000d", "more"}};
    size_t i = 0;
    while (i + 1 < sizeof colours / sizeof *colours && !(penalty < colours[i].most))
        i++;
    *words = isnan(penalty) ? "not known" : colours[i].words;
    return isnan(penalty) ? star_colour(0) : colours[i].colour;
}

struct box {
    double x, y, width, height;
};

static struct box box_of(const struct picture *picture, int cell)
{
    const struct star_grid *grid = picture->grid;
    int row = cell / grid->columns, column = cell % grid->columns;
    double left = star_scale_at(&picture->x, border(grid->bytes, grid->columns, column));
    double right = star_scale_at(&picture->x, border(grid->bytes, grid->columns, column + 1));
    double low = star_scale_at(&picture->y, border(grid->ranks, grid->rows, row));
    double high = star_scale_at(&picture->y, border(grid->ranks, grid->rows, row + 1));
    return (struct box){left, high, right - left, low - high};
}

static void add_cell(const struct picture *picture, int cell, int method, const char *fill,
                     struct star_text *text)
{
    const struct star_grid *grid = picture->grid;
    const struct box box = box_of(picture, cell);
    double penalty = star_grid_penalty(grid, cell, method);
    char name[STAR_METHOD_TEXT], bytes[32], title[STAR_METHOD_TEXT + 160], style[80], slower[40] = "";
    if (penalty > 0)
        snprintf(slower, sizeof slower, ", %.1f %% slower", 100 * penalty);
    snprintf(title, sizeof title, "%lld ranks, %s: %s%s%s", (long long)grid->ranks[cell / grid->columns],
             star_format_bytes(grid->bytes[cell % grid->columns], bytes, sizeof bytes),
             star_method_format(&grid->of->method[method], name, sizeof name),
             grid->measured[cell] ? "" : " (not measured)", slower);
    snprintf(style, sizeof style, "class=\"cell\" shape-rendering=\"crispEdges\" fill=\"%s\"", fill);
    star_svg_box(text, box.x, box.y, box.width, box.height, style, title);
    if (grid->tied[cell])
        star_svg_box(text, box.x, box.y, box.width, box.height,
                     "pointer-events=\"none\" fill=\"" STAR_HATCHED "\"", NULL);
}

/* A dot at each point that was measured. */
static void add_points(const struct picture *picture, struct star_text *text)
{
    const struct star_grid *grid = picture->grid;
    for (int i = 0; i < grid->rows * grid->columns; i++) {
        const struct box box = box_of(picture, i);
        int64_t ranks = grid->ranks[i / grid->columns];
        if (grid->measured[i])
            star_svg_dot(
                text, star_scale_at(&picture->x, place_of(grid->bytes, grid->columns, i % grid->columns)),
                star_scale_at(&picture->y, (double)ranks), fmin(1.5, 0.2 * fmin(box.width, box.height)),
                "fill-opacity=\"0.6\" pointer-events=\"none\"", NULL);
    }
}

/* Draws the methods as ENCODING gives them, or the map's where that is NULL; or what they cost. */
static void add_map(const struct picture *picture, const struct star_encoding *encoding, bool penalties,
                    struct star_text *text)
{
    const struct star_grid *grid = picture->grid;
    for (int i = 0; i < grid->rows * grid->columns; i++) {
        int64_t ranks = grid->ranks[i / grid->columns], bytes = grid->bytes[i % grid->columns];
        const char *words;
        int method = encoding ? star_encoding_choose(encoding, (int)ranks, bytes) : grid->winner[i];
        add_cell(picture, i, method,
                 penalties ? colour_of_penalty(star_grid_penalty(grid, i, method), &words)
                           : star_colour(picture->colour[method]),
                 text);
    }
    add_points(picture, text);
    star_scale_below(&picture->x, picture->y.from, picture->y.from, "bytes", text);
    star_scale_left(&picture->y, picture->x.from, picture->x.from, "ranks", text);
    if (grid->bytes[0] == 0)
        star_svg_words(text, star_scale_at(&picture->x, place_of(grid->bytes, grid->columns, 0)),
                       picture->y.from + 16, STAR_MIDDLE, "0");
}

static void add_key(struct star_text *text, double x, int *line, const char *fill, const char *words)
{
    char style[80];
    snprintf(style, sizeof style, "fill=\"%s\" stroke=\"#bbb\" stroke-width=\"0.5\"", fill);
    star_svg_key(text, x, TOP + 10 + LINE * (*line)++, style, words);
}

/* The methods, the one with most cells first, and what else is in the picture; returns how many lines. */
static int add_legend(const struct picture *picture, struct star_text *text)
{
    const struct star_grid *grid = picture->grid;
    char name[STAR_METHOD_TEXT], words[STAR_METHOD_TEXT + 40];
    double x = picture->x.to + GAP;
    int line = 0;
    bool ties = false;
    for (int colour = 0; colour <= grid->methods; colour++)
        for (int i = 0; i < grid->methods; i++) {
            int cells = cells_of(grid, i);
            if (picture->colour[i] != colour || cells == 0)
                continue;
            snprintf(words, sizeof words, "%s, %d cell%s",
                     star_method_format(&grid->of->method[i], name, sizeof name), cells,
                     cells == 1 ? "" : "s");
            add_key(text, x, &line, star_colour(colour), words);
        }
    for (int i = 0; i < grid->rows * grid->columns; i++)
        ties = ties || grid->tied[i];
    if (ties) {
        add_key(text, x, &line, STAR_QUIET, tied);
        star_svg_box(text, x, TOP + 1 + LINE * (line - 1), 10, 10, "fill=\"" STAR_HATCHED "\"", NULL);
    }
    star_svg_dot(text, x + 5, TOP + 6 + LINE * line, 1.5, "", NULL);
    star_svg_words(text, x + 16, TOP + 10 + LINE * line, STAR_BEGIN, "measured");
    return line + 1;
}

static int add_penalties(const struct picture *picture, struct star_text *text)
{
    static const double each[] = {0, 0.5, 1, 2, 4, NAN};
    int line = 0;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        const char *words, *fill = colour_of_penalty(each[i], &words);
        add_key(text, picture->x.to + GAP, &line, fill, words);
    }
    return line;
}

/* A whole picture. Quadtrees stand below the map, whose legend is theirs, too. */
static void add_picture(const struct picture *picture, const char *title,
                        const struct star_encoding *encoding, bool penalties, struct star_text *text)
{
    struct star_text legend = {0};
    double width = penalties ? picture->x.to + 9 * GAP : encoding ? picture->x.to + GAP : picture->width;
    width = fmax(width, LEFT + star_svg_title_width(title) + GAP);
    int lines = penalties ? add_penalties(picture, &legend) : encoding ? 0 : add_legend(picture, &legend);
    star_svg_open(text, width, fmax(picture->y.from + FOOT, TOP + LINE * lines + GAP), title);
    star_svg_title(text, LEFT, TOP - 16, title);
    add_map(picture, encoding, penalties, text);
    star_text_append(text, legend.bytes ? legend.bytes : "", legend.length);
    text->failed = text->failed || legend.failed;
    star_text_free(&legend);
    star_svg_close(text);
}

int star_map_svg(enum star_operation operation, const struct star_grid *grid, struct star_text *text,
                 struct star_why *why)
{
    struct picture picture;
    char title[200];
    int error = begin(grid, &picture, why);
    if (error)
        return error;
    snprintf(title, sizeof title, "%s: the fastest method; bytes: %s", star_operations[operation].name,
             star_measures[star_operations[operation].measure]);
    add_picture(&picture, title, NULL, false, text);
    free(picture.colour);
    return 0;
}

static int add_pair(const struct picture *picture, int depth, struct star_text *text, struct star_why *why,
                    bool *whole)
{
    struct star_looseness looseness = {.max_depth = depth, .accuracy = 1};
    struct star_encoding encoding;
    struct star_verdict verdict;
    const struct star_encoder *quadtree = star_encoders[0];
    int error = star_encoding_make(quadtree, picture->grid, &looseness, &encoding, why);
    if (error)
        return error;
    error = star_encoding_judge(&encoding, picture->grid, &verdict);
    *whole = star_encoding_form(&encoding)->depth_most < depth || verdict.differs == 0;
    star_text_add(text,
                  "<h3>Quadtree of at most %d level%s</h3><p>%d leaves; mean penalty %.2f %%, greatest "
                  "%.2f %%</p>\n<div>",
                  depth, depth == 1 ? "" : "s", star_encoding_form(&encoding)->leaves, 100 * verdict.mean,
                  100 * verdict.most);
    add_picture(picture, "Method", &encoding, false, text);
    add_picture(picture, "How much slower it is than the best", &encoding, true, text);
    star_text_add(text, "</div>\n");
    star_encoding_free(&encoding);
    return error ? star_because(why, error, "out of memory for the page") : 0;
}

static int add_operation(const struct star_map *map, enum star_operation operation, struct star_text *text,
                         struct star_why *why)
{
    struct star_grid grid;
    struct picture picture;
    int error = star_grid_make(map, operation, &grid, why);
    if (error)
        return error;
    star_text_add(text, "<h2>%s</h2>\n", star_operations[operation].name);
    error = star_map_svg(operation, &grid, text, why);
    if (!error)
        error = begin(&grid, &picture, why);
    if (!error) {
        bool whole = false;
        for (int depth = 1; !error && !whole; depth++)
            error = add_pair(&picture, depth, text, why, &whole);
        free(picture.colour);
    }
    star_grid_free(&grid);
    return error;
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Decision maps</title>\n<style>\n"
    "body{font-family:system-ui,sans-serif;margin:2em}svg{max-width:100%;height:auto}h3,p{margin:.3em 0}\n"
    "div{display:grid;grid-template-columns:repeat(auto-fit,minmax(600px,1fr))}\n"
    "</style></head><body>\n<h1>Decision maps</h1>\n<p>";

int star_map_html(const struct star_map *map, int only, struct star_text *text, struct star_why *why)
{
    int error = 0;
    star_text_add(text, "%s", head);
    star_text_escaped(text, map->machine.mpi); /* it may hold what HTML takes for its own */
    star_text_add(text, map->machine.date[0] ? " &middot; " : "");
    star_text_escaped(text, map->machine.date);
    star_text_add(text, "</p>\n");
    for (int i = 0; !error && i < STAR_OPERATIONS; i++)
        if (map->of[i].points > 0 && (only < 0 || only == i))
            error = add_operation(map, (enum star_operation)i, text, why);
    star_text_add(text, "</body></html>\n");
    return error;
}
