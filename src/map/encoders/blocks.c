/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/encoders/blocks.h"
#include "util/grow.h"

#include <math.h>
#include <stdlib.h>

/* Which of COUNT rows or columns is at CELL of the square. */
static int place_of(const struct star_square *square, int count, int cell)
{
    if (square->evenly)
        return (int)((int64_t)cell * count / square->side);
    return cell < count ? cell : count - 1;
}

int star_square_cell(const struct star_square *square, int count, int place)
{
    return square->evenly ? (int)(((int64_t)place * square->side + count - 1) / count) : place;
}

/* What a block holds. */
struct census {
    double *weight; /* of each method's cells */
    double *loss;   /* what each method would cost */
    int methods;
};

static void count_cell(const struct star_square *square, int x, int y, struct census *census)
{
    const struct star_grid *grid = square->grid;
    int row = square->row[place_of(square, square->rows, y)];
    int cell = star_grid_cell(grid, row, place_of(square, grid->columns, x));
    census->weight[grid->winner[cell]] += grid->weight[cell];
    for (int i = 0; square->by_penalty && i < census->methods; i++) {
        double loss = star_grid_penalty(grid, cell, i);
        census->loss[i] += grid->weight[cell] * (isnan(loss) ? 1 : loss); /* unknown: as if twice the time */
    }
}

/* The block's colour, and whether it is that enough. */
static bool find_colour(const struct census *census, bool by_penalty, double accuracy, int *colour)
{
    double all = 0;
    int frequent = 0, cheap = 0, colours = 0;
    for (int i = 0; i < census->methods; i++) {
        all += census->weight[i];
        colours += census->weight[i] > 0;
        frequent = census->weight[i] > census->weight[frequent] ? i : frequent;
        cheap = census->loss[i] < census->loss[cheap] ? i : cheap;
    }
    *colour = by_penalty ? cheap : frequent;
    if (colours == 1)
        *colour = frequent;
    return colours == 1 || census->weight[frequent] >= accuracy * all;
}

static bool colour_block(const struct star_square *square, const struct star_looseness *looseness, int x,
                         int y, int side, struct census *census, int *colour)
{
    for (int i = 0; i < census->methods; i++)
        census->weight[i] = census->loss[i] = 0;
    for (int j = y; j < y + side; j++)
        for (int i = x; i < x + side; i++)
            count_cell(square, i, j, census);
    return find_colour(census, square->by_penalty, looseness->accuracy, colour);
}

static int add_block(struct star_blocks *blocks, int depth)
{
    struct star_block *at = star_grown(blocks->at, (size_t)blocks->count, sizeof *at);
    if (at == NULL)
        return STAR_EMEMORY;
    blocks->at = at;
    blocks->at[blocks->count] = (struct star_block){.depth = depth};
    return blocks->count++;
}

/* Adds the block at column X and row Y, and what is below it; returns its index. */
static int build(const struct star_square *square, const struct star_looseness *looseness, int x, int y,
                 int side, int depth, struct star_blocks *blocks, struct census *census)
{
    int at = add_block(blocks, depth);
    if (at < 0)
        return at;
    bool is_leaf = colour_block(square, looseness, x, y, side, census, &blocks->at[at].method);
    if (is_leaf || side == 1 || (looseness->max_depth > 0 && depth == looseness->max_depth))
        return at;
    for (int i = 0; i < STAR_QUARTERS; i++) {
        int half = side / 2;
        int quarter =
            build(square, looseness, x + i % 2 * half, y + i / 2 * half, half, depth + 1, blocks, census);
        if (quarter < 0)
            return quarter;
        blocks->at[at].quarter[i] = quarter;
    }
    return at;
}

int star_blocks_make(struct star_square *square, const struct star_looseness *looseness,
                     struct star_blocks *blocks)
{
    enum { SIDE_MOST = 4096 };
    int methods = square->grid->methods;
    *blocks = (struct star_blocks){0};
    for (square->side = 1; square->side < square->rows || square->side < square->grid->columns;)
        square->side *= 2;
    if (square->side > SIDE_MOST)
        return STAR_ELIMIT;
    struct census census = {.methods = methods};
    census.weight = calloc((size_t)methods, sizeof *census.weight);
    census.loss = calloc((size_t)methods, sizeof *census.loss);
    int error = census.weight && census.loss ? 0 : STAR_EMEMORY;
    if (!error && build(square, looseness, 0, 0, square->side, 0, blocks, &census) < 0)
        error = STAR_EMEMORY;
    free(census.weight);
    free(census.loss);
    if (error)
        star_blocks_free(blocks);
    return error;
}

void star_blocks_free(struct star_blocks *blocks)
{
    free(blocks->at);
    *blocks = (struct star_blocks){0};
}

void star_blocks_count(const struct star_blocks *blocks, struct star_form *form)
{
    int64_t sum = 0;
    form->leaves = form->depth_most = 0;
    for (int i = 0; i < blocks->count; i++) {
        const struct star_block *block = &blocks->at[i];
        if (block->quarter[0] != 0)
            continue;
        if (form->leaves++ == 0 || block->depth < form->depth_least)
            form->depth_least = block->depth;
        form->depth_most = block->depth > form->depth_most ? block->depth : form->depth_most;
        sum += block->depth;
    }
    form->depth_mean = (double)sum / form->leaves;
}
