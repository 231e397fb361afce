/* SPDX-License-Identifier: BSD-3-Clause */
#include "zcurve.h"
#include "map/encoders/blocks.h"
#include "map/generate.h"

#include <stdlib.h>

/* The bits of NUMBER with a zero bit before each. */
static uint32_t spread(uint32_t number)
{
    uint32_t spreaded = 0;
    for (int bit = 0; bit < 16; bit++)
        spreaded |= (number >> bit & 1) << (2 * bit);
    return spreaded;
}

/* The leaves below BLOCK, whose first cell is BEGIN and which has CELLS of them. */
static void take_leaves(const struct star_blocks *blocks, const struct star_block *block, uint32_t begin,
                        uint32_t cells, struct bench_zcurve *curve)
{
    if (block->quarter[0] != 0) {
        for (uint32_t i = 0; i < STAR_QUARTERS; i++)
            take_leaves(blocks, &blocks->at[block->quarter[i]], begin + i * (cells / STAR_QUARTERS),
                        cells / STAR_QUARTERS, curve);
    } else if (curve->entries == 0 || curve->method[curve->entries - 1] != block->method) {
        curve->begin[curve->entries] = begin;
        curve->method[curve->entries++] = (uint8_t)block->method;
    }
}

static int take_tree(const struct star_square *square, const struct star_blocks *blocks,
                     struct bench_zcurve *curve)
{
    size_t room = 2;
    while (room < (size_t)blocks->count)
        room *= 2;
    curve->begin = malloc(room * sizeof *curve->begin);
    curve->method = malloc(room * sizeof *curve->method);
    if (curve->begin == NULL || curve->method == NULL)
        return STAR_EMEMORY;
    take_leaves(blocks, blocks->at, 0, (uint32_t)square->side * (uint32_t)square->side, curve);
    curve->steps = 1;
    while (1 << curve->steps < curve->entries)
        curve->steps++;
    for (int i = curve->entries; i < 1 << curve->steps; i++) {
        curve->begin[i] = UINT32_MAX;
        curve->method[i] = 0;
    }
    return 0;
}

static int take_sides(const struct star_square *square, int columns, struct bench_zcurve *curve)
{
    curve->of_row = malloc((size_t)square->rows * sizeof *curve->of_row);
    curve->of_column = malloc((size_t)columns * sizeof *curve->of_column);
    if (curve->of_row == NULL || curve->of_column == NULL)
        return STAR_EMEMORY;
    for (int i = 0; i < square->rows; i++)
        curve->of_row[i] = spread((uint32_t)star_square_cell(square, square->rows, i)) << 1;
    for (int i = 0; i < columns; i++)
        curve->of_column[i] = spread((uint32_t)star_square_cell(square, columns, i));
    return 0;
}

int bench_zcurve_make(const struct star_grid *grid, const int *row, int rows,
                      const struct star_looseness *looseness, struct bench_zcurve *curve,
                      struct star_form *form)
{
    struct star_square square = {.grid = grid, .row = row, .rows = rows, .evenly = true, .by_penalty = true};
    struct star_blocks blocks;
    *curve = (struct bench_zcurve){0};
    if (grid->methods > UINT8_MAX + 1)
        return STAR_ELIMIT;
    int error = star_blocks_make(&square, looseness, &blocks);
    if (error)
        return error;
    star_blocks_count(&blocks, form);
    curve->leaves = form->leaves;
    error = take_tree(&square, &blocks, curve);
    if (!error)
        error = take_sides(&square, grid->columns, curve);
    star_blocks_free(&blocks);
    if (error)
        bench_zcurve_free(curve);
    return error;
}

void bench_zcurve_free(struct bench_zcurve *curve)
{
    free(curve->begin);
    free(curve->method);
    free(curve->of_row);
    free(curve->of_column);
    *curve = (struct bench_zcurve){0};
}

size_t bench_zcurve_bytes(const struct bench_zcurve *curve, int rows, int columns)
{
    return ((size_t)1 << curve->steps) * (sizeof *curve->begin + sizeof *curve->method) +
           (size_t)(rows + columns) * sizeof *curve->of_row;
}

static void add_array(struct star_text *text, const char *name, const char *of, const uint32_t *values,
                      int count)
{
    int64_t *wide = malloc((size_t)count * sizeof *wide);
    for (int i = 0; wide && i < count; i++)
        wide[i] = values[i] == UINT32_MAX ? INT32_MAX : (int64_t)values[i];
    star_generate_array(text, name, of, wide, wide ? count : 0);
    text->failed = text->failed || wide == NULL;
    free(wide);
}

void bench_zcurve_generate(const struct bench_zcurve *curve, int rows, int columns, const char *name,
                           struct star_text *text)
{
    int room = 1 << curve->steps;
    uint32_t *method = malloc((size_t)room * sizeof *method);
    for (int i = 0; method && i < room; i++)
        method[i] = curve->method[i];
    add_array(text, name, "row", curve->of_row, rows);
    add_array(text, name, "column", curve->of_column, columns);
    add_array(text, name, "begin", curve->begin, room);
    add_array(text, name, "method", method, method ? room : 0);
    text->failed = text->failed || method == NULL;
    free(method);
    star_text_add(text, "\nstatic inline int %s_at(int cell)\n{\n    int low = 0;\n", name);
    for (int step = room / 2; step > 0; step /= 2)
        star_text_add(text, "    low += %d & -(%s_begin[low + %d] <= cell);\n", step, name, step);
    star_text_add(text, "    return %s_method[low];\n}\n", name);
}
