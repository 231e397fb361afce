/* SPDX-License-Identifier: BSD-3-Clause
 * Quadtrees along a curve, a few bytes a leaf: of the whole map, or of powers of two and of the other sizes
 * apart, because one tree cannot tell single sizes from their neighbours. (The paper's section 5 leaves both
 * open.) */
#include "rivals.h"
#include "zcurve.h"

#include <stdlib.h>

/* The tree of some of the map's rows. */
struct part {
    struct star_axis by_ranks; /* no places: none of the rows is of this part */
    struct bench_zcurve curve;
};

enum part_name { POWERS, OTHERS, PARTS };

struct form {
    struct star_form form;
    struct star_axis by_bytes;
    struct part part[PARTS];
    bool apart; /* else all rows are in OTHERS */
};

static bool is_power(int64_t ranks)
{
    return (ranks & (ranks - 1)) == 0;
}

static void free_form(void *at)
{
    struct form *form = at;
    for (int i = 0; i < PARTS; i++) {
        star_axis_free(&form->part[i].by_ranks);
        bench_zcurve_free(&form->part[i].curve);
    }
    star_axis_free(&form->by_bytes);
}

/* Adds the figures of one part to those of the form. */
static void add_up(const struct star_form *more, size_t bytes, struct star_form *form)
{
    bool first = form->leaves == 0;
    double sum = form->depth_mean * form->leaves + more->depth_mean * more->leaves;
    if (first || more->depth_least < form->depth_least)
        form->depth_least = more->depth_least;
    if (more->depth_most > form->depth_most)
        form->depth_most = more->depth_most;
    form->leaves += more->leaves;
    form->depth_mean = sum / form->leaves;
    form->bytes += bytes;
}

static int make_part(const struct star_grid *grid, const struct star_looseness *looseness, int which,
                     int *row, int64_t *ranks, struct form *form)
{
    struct part *part = &form->part[which];
    struct star_form figures = {0};
    int rows = 0;
    for (int i = 0; i < grid->rows; i++)
        if (form->apart ? is_power(grid->ranks[i]) == (which == POWERS) : which == OTHERS) {
            ranks[rows] = grid->ranks[i];
            row[rows++] = i;
        }
    if (rows == 0)
        return 0;
    int error = star_axis_make(ranks, rows, &part->by_ranks);
    if (!error)
        error = bench_zcurve_make(grid, row, rows, looseness, &part->curve, &figures);
    if (!error)
        add_up(&figures,
               star_axis_bytes(&part->by_ranks) + bench_zcurve_bytes(&part->curve, rows, grid->columns),
               &form->form);
    return error;
}

static int make_parts(const struct star_grid *grid, const struct star_looseness *looseness, struct form *form)
{
    int *row = malloc((size_t)grid->rows * sizeof *row);
    int64_t *ranks = malloc((size_t)grid->rows * sizeof *ranks);
    int error = row && ranks ? star_axis_make(grid->bytes, grid->columns, &form->by_bytes) : STAR_EMEMORY;
    form->form.bytes = error ? 0 : star_axis_bytes(&form->by_bytes);
    for (int i = 0; !error && i < PARTS; i++)
        error = make_part(grid, looseness, i, row, ranks, form);
    free(row);
    free(ranks);
    return error;
}

static int encode_whole(const struct star_grid *grid, const struct star_looseness *looseness, void *form)
{
    return make_parts(grid, looseness, form);
}

static int encode_apart(const struct star_grid *grid, const struct star_looseness *looseness, void *at)
{
    struct form *form = at;
    form->apart = true;
    return make_parts(grid, looseness, form);
}

static int choose(const void *at, int ranks, int64_t bytes)
{
    const struct form *form = at;
    bool powers = form->apart && is_power(ranks);
    const struct part *part = &form->part[powers ? POWERS : OTHERS];
    if (part->by_ranks.count == 0)
        part = &form->part[powers ? OTHERS : POWERS];
    int row = star_axis_place(&part->by_ranks, ranks), column = star_axis_place(&form->by_bytes, bytes);
    return bench_zcurve_at(&part->curve, part->curve.of_row[row] | part->curve.of_column[column]);
}

static void generate_part(const struct form *form, int which, const char *name, struct star_text *text)
{
    static const char *const suffixes[PARTS] = {"powers", "others"};
    const struct part *part = &form->part[which];
    struct star_text own = {0};
    star_text_add(&own, "%s_%s", name, suffixes[which]);
    star_axis_generate(&part->by_ranks, own.bytes, text);
    bench_zcurve_generate(&part->curve, part->by_ranks.count, form->by_bytes.count, own.bytes, text);
    star_text_add(text, "\nstatic int %s(long long ranks, int column)\n{\n", own.bytes);
    star_text_add(text, "    return %s_at(%s_row[%s_place(ranks)] | %s_column[column]);\n}\n\n", own.bytes,
                  own.bytes, own.bytes, own.bytes);
    star_text_free(&own);
}

static void generate(const void *at, const char *name, struct star_text *text)
{
    const struct form *form = at;
    bool has[PARTS] = {form->part[POWERS].by_ranks.count > 0, form->part[OTHERS].by_ranks.count > 0};
    star_axis_generate(&form->by_bytes, name, text);
    for (int i = 0; i < PARTS; i++)
        if (has[i])
            generate_part(form, i, name, text);
    star_text_add(text,
                  "static int %s(long long ranks, long long bytes)\n{\n    int column = %s_place(bytes);\n",
                  name, name);
    if (has[POWERS] && has[OTHERS])
        star_text_add(text, "    if ((ranks & (ranks - 1)) == 0)\n        return %s_powers(ranks, column);\n",
                      name);
    star_text_add(text, "    return %s_%s(ranks, column);\n}\n", name, has[OTHERS] ? "others" : "powers");
}

const struct star_encoder bench_linear = {"linear", sizeof(struct form), encode_whole, choose, generate,
                                          free_form};
const struct star_encoder bench_powers = {"powers", sizeof(struct form), encode_apart, choose, generate,
                                          free_form};
