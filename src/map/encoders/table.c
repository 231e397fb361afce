/* SPDX-License-Identifier: BSD-3-Clause
 * The full table: a byte a cell, found without a comparison of methods. Exact. */
#include "map/encoders/encoders.h"
#include "map/generate.h"

#include <stdlib.h>

struct form {
    struct star_form form;
    struct star_axis by_ranks, by_bytes;
    uint8_t *method; /* rows × columns */
};

static void free_form(void *at)
{
    struct form *form = at;
    star_axis_free(&form->by_ranks);
    star_axis_free(&form->by_bytes);
    free(form->method);
}

static int encode(const struct star_grid *grid, const struct star_looseness *looseness, void *at)
{
    struct form *form = at;
    int cells = grid->rows * grid->columns;
    (void)looseness;
    if (grid->methods > UINT8_MAX + 1)
        return STAR_ELIMIT;
    form->method = malloc((size_t)cells);
    if (form->method == NULL)
        return STAR_EMEMORY;
    for (int i = 0; i < cells; i++)
        form->method[i] = (uint8_t)grid->winner[i];
    int error = star_axis_make(grid->ranks, grid->rows, &form->by_ranks);
    if (!error)
        error = star_axis_make(grid->bytes, grid->columns, &form->by_bytes);
    form->form.leaves = cells;
    form->form.bytes = (size_t)cells + star_axis_bytes(&form->by_ranks) + star_axis_bytes(&form->by_bytes);
    return error;
}

static int choose(const void *at, int ranks, int64_t bytes)
{
    const struct form *form = at;
    return form->method[star_axis_place(&form->by_ranks, ranks) * form->by_bytes.count +
                        star_axis_place(&form->by_bytes, bytes)];
}

static void generate(const void *at, const char *name, struct star_text *text)
{
    const struct form *form = at;
    struct star_text own = {0};
    int64_t *method = malloc((size_t)form->form.leaves * sizeof *method);
    for (int i = 0; method && i < form->form.leaves; i++)
        method[i] = form->method[i];
    star_text_add(&own, "%s_ranks", name);
    star_axis_generate(&form->by_ranks, own.bytes, text);
    own.length = 0;
    star_text_add(&own, "%s_bytes", name);
    star_axis_generate(&form->by_bytes, own.bytes, text);
    star_generate_array(text, name, "method", method, method ? form->form.leaves : 0);
    star_text_add(text, "\nstatic int %s(long long ranks, long long bytes)\n{\n", name);
    star_text_add(text, "    return %s_method[%s_ranks_place(ranks) * %d + %s_bytes_place(bytes)];\n}\n",
                  name, name, form->by_bytes.count, name);
    text->failed = text->failed || method == NULL || own.failed;
    star_text_free(&own);
    free(method);
}

const struct star_encoder star_encoder_table = {"table",  sizeof(struct form), encode, choose, generate,
                                                free_form};
