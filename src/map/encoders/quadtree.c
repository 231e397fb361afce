/* SPDX-License-Identifier: BSD-3-Clause
 * The paper's quadtree: rows and columns are repeated at the end, a leaf takes its most frequent colour, and
 * the generated function asks for four quarters in turn. (Pješivac-Grbović et al., sections 3.1 to 3.3.) */
#include "map/encoders/blocks.h"
#include "map/encoders/encoders.h"

#include <stdlib.h>

struct form {
    struct star_form form;
    struct star_axis by_ranks, by_bytes;
    struct star_blocks blocks;
    int side;
};

static void free_form(void *at)
{
    struct form *form = at;
    star_axis_free(&form->by_ranks);
    star_axis_free(&form->by_bytes);
    star_blocks_free(&form->blocks);
}

static int encode(const struct star_grid *grid, const struct star_looseness *looseness, void *at)
{
    struct form *form = at;
    struct star_square square = {.grid = grid, .rows = grid->rows};
    int *rows = malloc((size_t)grid->rows * sizeof *rows);
    int error = rows ? star_axis_make(grid->ranks, grid->rows, &form->by_ranks) : STAR_EMEMORY;
    if (!error)
        error = star_axis_make(grid->bytes, grid->columns, &form->by_bytes);
    for (int i = 0; rows && i < grid->rows; i++)
        rows[i] = i;
    square.row = rows;
    if (!error)
        error = star_blocks_make(&square, looseness, &form->blocks);
    form->side = square.side;
    free(rows);
    if (error)
        return error;
    star_blocks_count(&form->blocks, &form->form);
    form->form.bytes = (size_t)form->blocks.count * sizeof *form->blocks.at +
                       star_axis_bytes(&form->by_ranks) + star_axis_bytes(&form->by_bytes);
    return 0;
}

static int choose(const void *at, int ranks, int64_t bytes)
{
    const struct form *form = at;
    int x = star_axis_place(&form->by_bytes, bytes), y = star_axis_place(&form->by_ranks, ranks);
    const struct star_block *block = form->blocks.at;
    for (int half = form->side / 2; block->quarter[0] != 0; half /= 2)
        block = &form->blocks.at[block->quarter[((y & half) ? 2 : 0) + ((x & half) ? 1 : 0)]];
    return block->method;
}

/* The numbers of a range of places: from behind the last one of the place before to the last one of its own.
 * What lies beyond the map belongs to its border. */
struct range {
    int64_t least, last;
};

static struct range range_of(const struct star_axis *axis, int from, int count)
{
    int last = from + count - 1 < axis->count - 1 ? from + count - 1 : axis->count - 1;
    int before = from - 1 < axis->count - 1 ? from - 1 : axis->count - 1;
    return (struct range){from == 0 ? 0 : axis->last[before] + (axis->last[before] < INT64_MAX),
                          axis->last[last]};
}

static void indent(struct star_text *text, int depth)
{
    star_text_add(text, "%*s", 4 * depth, "");
}

static void generate_block(const struct form *form, const struct star_block *block, int x, int y, int side,
                           struct star_text *text)
{
    int depth = block->depth + 1, half = side / 2;
    if (block->quarter[0] == 0) {
        indent(text, depth);
        star_text_add(text, "return %d;\n", block->method);
        return;
    }
    for (int i = 0; i < STAR_QUARTERS; i++) {
        int left = x + i % 2 * half, top = y + i / 2 * half;
        struct range columns = range_of(&form->by_bytes, left, half);
        struct range rows = range_of(&form->by_ranks, top, half);
        if (i == 0)
            indent(text, depth);
        star_text_add(text, "%sif (ranks >= %lld && ranks <= %lld\n", i ? " else " : "",
                      (long long)rows.least, (long long)rows.last);
        indent(text, depth + 1);
        star_text_add(text, "&& bytes >= %lld && bytes <= %lld) {\n", (long long)columns.least,
                      (long long)columns.last);
        generate_block(form, &form->blocks.at[block->quarter[i]], left, top, half, text);
        indent(text, depth);
        star_text_add(text, "}");
    }
    star_text_add(text, " else {\n");
    indent(text, depth + 1);
    star_text_add(text, "return -1;\n");
    indent(text, depth);
    star_text_add(text, "}\n");
}

static void generate(const void *at, const char *name, struct star_text *text)
{
    const struct form *form = at;
    star_text_add(text, "static int %s(long long ranks, long long bytes)\n{\n", name);
    star_text_add(text, "    (void)ranks, (void)bytes; /* where one of them does not matter */\n");
    generate_block(form, form->blocks.at, 0, 0, form->side, text);
    star_text_add(text, "}\n");
}

const struct star_encoder star_encoder_quadtree = {"quadtree", sizeof(struct form), encode, choose, generate,
                                                   free_form};
