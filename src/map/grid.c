/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/grid.h"
#include "map/choose.h"
#include "util/quantile.h"

#include <math.h>
#include <stdlib.h>

/* Does the winner change from this point to the next one of its row? */
static bool changes(const struct star_map_operation *of, int at)
{
    return at + 1 < of->points && of->point[at].ranks == of->point[at + 1].ranks &&
           star_map_winner(of, &of->point[at]) != star_map_winner(of, &of->point[at + 1]);
}

/* Are there columns between this point and the next one? */
static bool is_parted(const struct star_grid *grid, int at)
{
    for (int i = 0; i < grid->columns; i++)
        if (grid->bytes[i] > grid->of->point[at].bytes && grid->bytes[i] < grid->of->point[at + 1].bytes)
            return true;
    return false;
}

/* Where a winner changes between columns that only other rows have, the grid would change with one of these.
 * So the numbers on both sides of the map's own border become columns; and then those of all borders do,
 * since these columns stand between others, too. */
static void add_borders(struct star_grid *grid)
{
    const struct star_map_operation *of = grid->of;
    bool parted = false;
    int columns = grid->columns;
    for (int i = 0; i < of->points; i++)
        parted = parted || (changes(of, i) && is_parted(grid, i));
    for (int i = 0; parted && i < of->points; i++)
        if (changes(of, i)) {
            int64_t last = star_axis_last(of->point[i].bytes, of->point[i + 1].bytes);
            grid->bytes[columns++] = last;
            grid->bytes[columns++] = last + 1;
        }
    grid->columns = star_sort_distinct(grid->bytes, columns);
}

static int make_axes(struct star_grid *grid, bool borders)
{
    int points = grid->of->points;
    grid->ranks = calloc((size_t)points, sizeof *grid->ranks);
    grid->bytes = calloc((size_t)points * (borders ? 3 : 1), sizeof *grid->bytes);
    if (grid->ranks == NULL || grid->bytes == NULL)
        return STAR_EMEMORY;
    for (int i = 0; i < points; i++) {
        grid->ranks[i] = grid->of->point[i].ranks;
        grid->bytes[i] = grid->of->point[i].bytes;
    }
    grid->rows = star_sort_distinct(grid->ranks, points);
    grid->columns = star_sort_distinct(grid->bytes, points);
    if (borders)
        add_borders(grid);
    int error = star_axis_make(grid->ranks, grid->rows, &grid->by_ranks);
    return error ? error : star_axis_make(grid->bytes, grid->columns, &grid->by_bytes);
}

static int make_cells(struct star_grid *grid)
{
    size_t cells = (size_t)grid->rows * (size_t)grid->columns, times = cells * (size_t)grid->methods;
    if (times > (size_t)1 << 27)
        return STAR_ELIMIT;
    grid->winner = calloc(cells, sizeof *grid->winner);
    grid->measured = calloc(cells, sizeof *grid->measured);
    grid->tied = calloc(cells, sizeof *grid->tied);
    grid->weight = calloc(cells, sizeof *grid->weight);
    grid->seconds = calloc(times, sizeof *grid->seconds);
    if (!grid->winner || !grid->measured || !grid->tied || !grid->weight || !grid->seconds)
        return STAR_EMEMORY;
    for (size_t i = 0; i < cells; i++) {
        grid->winner[i] = -1;
        grid->weight[i] = 1;
    }
    for (size_t i = 0; i < times; i++)
        grid->seconds[i] = NAN;
    return 0;
}

static void take_points(struct star_grid *grid)
{
    for (int i = 0; i < grid->of->points; i++) {
        const struct star_map_point *point = &grid->of->point[i];
        int row = star_axis_place(&grid->by_ranks, point->ranks);
        int cell = star_grid_cell(grid, row, star_axis_place(&grid->by_bytes, point->bytes));
        grid->winner[cell] = point->timing[point->winner].method;
        grid->measured[cell] = !point->guessed;
        for (int j = 0; j < point->timings; j++) {
            grid->seconds[cell * grid->methods + point->timing[j].method] = point->timing[j].median;
            grid->tied[cell] = grid->tied[cell] || (point->timing[j].tied && !point->guessed);
        }
    }
}

/* The cells of one row to the left and right of COLUMN that have what HAS asks for, or −1. */
struct neighbours {
    int left, right;
};

static struct neighbours known_winners(const struct star_grid *grid, int row, int column)
{
    struct neighbours found = {column, column};
    while (found.left >= 0 && grid->winner[star_grid_cell(grid, row, found.left)] < 0)
        found.left--;
    while (found.right < grid->columns && grid->winner[star_grid_cell(grid, row, found.right)] < 0)
        found.right++;
    return found;
}

static struct neighbours known_seconds(const struct star_grid *grid, int row, int column, int method)
{
    struct neighbours found = {column, column};
    while (found.left >= 0 && isnan(star_grid_seconds(grid, star_grid_cell(grid, row, found.left), method)))
        found.left--;
    while (found.right < grid->columns &&
           isnan(star_grid_seconds(grid, star_grid_cell(grid, row, found.right), method)))
        found.right++;
    return found;
}

/* Fills a row's holes; those that it has filled are told by −2 − winner until it is done. */
static void fill_winners(struct star_grid *grid, int row)
{
    for (int column = 0; column < grid->columns; column++) {
        int cell = star_grid_cell(grid, row, column);
        if (grid->winner[cell] >= 0)
            continue;
        struct neighbours at = known_winners(grid, row, column);
        bool left = at.right >= grid->columns ||
                    (at.left >= 0 &&
                     star_map_is_nearer(grid->bytes[at.left], grid->bytes[column], grid->bytes[at.right]));
        int from = left ? at.left : at.right;
        if (from >= 0 && from < grid->columns) /* each row has a point */
            grid->winner[cell] = -2 - grid->winner[star_grid_cell(grid, row, from)];
    }
    for (int column = 0; column < grid->columns; column++) {
        int *winner = &grid->winner[star_grid_cell(grid, row, column)];
        *winner = *winner < 0 ? -2 - *winner : *winner;
    }
}

/* Between two neighbours times grow as a power of the bytes. */
static double interpolate(const struct star_grid *grid, int row, struct neighbours at, int column, int method)
{
    if (at.left < 0 || at.right >= grid->columns)
        return NAN;
    double left = log((double)grid->bytes[at.left] + 1), right = log((double)grid->bytes[at.right] + 1);
    double share = (log((double)grid->bytes[column] + 1) - left) / (right - left);
    double before = star_grid_seconds(grid, star_grid_cell(grid, row, at.left), method);
    double after = star_grid_seconds(grid, star_grid_cell(grid, row, at.right), method);
    return exp(log(before) + share * (log(after) - log(before)));
}

static int fill_seconds(struct star_grid *grid, int row, int method)
{
    double *filled = malloc((size_t)grid->columns * sizeof *filled);
    if (filled == NULL)
        return STAR_EMEMORY;
    for (int column = 0; column < grid->columns; column++) {
        struct neighbours at = known_seconds(grid, row, column, method);
        filled[column] = at.left == column
                             ? star_grid_seconds(grid, star_grid_cell(grid, row, column), method)
                             : interpolate(grid, row, at, column, method);
    }
    for (int column = 0; column < grid->columns; column++)
        grid->seconds[star_grid_cell(grid, row, column) * grid->methods + method] = filled[column];
    free(filled);
    return 0;
}

static bool works_for(const struct star_algorithm *algorithm, int64_t ranks)
{
    return !(algorithm->power_of_two && (ranks & (ranks - 1)) != 0) && !(algorithm->even && ranks % 2 != 0) &&
           (algorithm->most_ranks == 0 || ranks <= algorithm->most_ranks);
}

bool star_grid_works(const struct star_grid *grid, int cell, int method)
{
    return works_for(grid->of->method[method].algorithm, grid->ranks[cell / grid->columns]);
}

static void replace_by_native(struct star_grid *grid)
{
    int native = -1;
    for (int i = 0; i < grid->methods; i++)
        native = star_is_native(&grid->of->method[i]) ? i : native;
    for (int i = 0; native >= 0 && i < grid->rows * grid->columns; i++)
        for (int j = 0; j < grid->methods; j++)
            if (!star_grid_works(grid, i, j))
                grid->seconds[i * grid->methods + j] = star_grid_seconds(grid, i, native);
}

static int fill(struct star_grid *grid)
{
    int error = 0;
    for (int row = 0; row < grid->rows; row++) {
        fill_winners(grid, row);
        for (int method = 0; !error && method < grid->methods; method++)
            error = fill_seconds(grid, row, method);
    }
    replace_by_native(grid);
    return error;
}

static int make(const struct star_map *map, enum star_operation operation, bool borders,
                struct star_grid *grid, struct star_why *why)
{
    const char *name = star_operations[operation].name;
    *grid = (struct star_grid){.of = &map->of[operation], .methods = map->of[operation].methods};
    if (grid->of->points == 0)
        return star_because(why, STAR_ENEEDS, "the map has no points of %s", name);
    int error = make_axes(grid, borders);
    if (!error)
        error = make_cells(grid);
    if (!error) {
        take_points(grid);
        error = fill(grid);
    }
    if (error)
        star_grid_free(grid);
    if (error == STAR_ELIMIT)
        return star_because(why, error, "the map of %s is too large", name);
    return error ? star_because(why, error, "out of memory for the map of %s", name) : 0;
}

int star_grid_make(const struct star_map *map, enum star_operation operation, struct star_grid *grid,
                   struct star_why *why)
{
    return make(map, operation, false, grid, why);
}

int star_grid_make_exact(const struct star_map *map, enum star_operation operation, struct star_grid *grid,
                         struct star_why *why)
{
    return make(map, operation, true, grid, why);
}

void star_grid_free(struct star_grid *grid)
{
    star_axis_free(&grid->by_ranks);
    star_axis_free(&grid->by_bytes);
    free(grid->ranks);
    free(grid->bytes);
    free(grid->winner);
    free(grid->measured);
    free(grid->tied);
    free(grid->weight);
    free(grid->seconds);
    *grid = (struct star_grid){0};
}

double star_grid_penalty(const struct star_grid *grid, int cell, int method)
{
    if (method == grid->winner[cell])
        return 0;
    double loss =
        star_grid_seconds(grid, cell, method) / star_grid_seconds(grid, cell, grid->winner[cell]) - 1;
    return loss < 0 ? 0 : loss;
}

void star_grid_weigh(struct star_grid *grid, int64_t ranks, int64_t bytes, double count)
{
    int row = star_axis_place(&grid->by_ranks, ranks), column = star_axis_place(&grid->by_bytes, bytes);
    grid->weight[star_grid_cell(grid, row, column)] += count;
}
