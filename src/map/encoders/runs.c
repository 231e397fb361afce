/* SPDX-License-Identifier: BSD-3-Clause
 * Rules for each communicator size, as Open MPI's: from which size on which method. Equal neighbours share
 * their rules. Exact. */
#include "map/encoders/encoders.h"
#include "map/generate.h"

#include <stdlib.h>

struct form {
    struct star_form form;
    struct star_axis by_ranks;
    int rows, runs;
    int *first;    /* of each row, and behind the last: its first run */
    int *longest;  /* of each row: 2^longest is as many runs as it has at least */
    int64_t *from; /* of each run: its least bytes */
    int *method;
};

static void free_form(void *at)
{
    struct form *form = at;
    star_axis_free(&form->by_ranks);
    free(form->first);
    free(form->longest);
    free(form->from);
    free(form->method);
}

static bool same_rows(const struct star_grid *grid, int a, int b)
{
    for (int column = 0; column < grid->columns; column++)
        if (grid->winner[star_grid_cell(grid, a, column)] != grid->winner[star_grid_cell(grid, b, column)])
            return false;
    return true;
}

static void add_runs(const struct star_grid *grid, int row, struct form *form)
{
    int last = -1;
    form->first[form->rows++] = form->runs;
    for (int column = 0; column < grid->columns; column++) {
        int method = grid->winner[star_grid_cell(grid, row, column)];
        if (method != last) {
            form->from[form->runs] = column ? grid->by_bytes.last[column - 1] + 1 : 0;
            form->method[form->runs++] = method;
        }
        last = method;
    }
}

static int make(const struct star_grid *grid, struct form *form)
{
    size_t rows = (size_t)grid->rows, cells = rows * (size_t)grid->columns;
    form->first = malloc((rows + 1) * sizeof *form->first);
    form->longest = calloc(rows, sizeof *form->longest);
    form->from = malloc(cells * sizeof *form->from);
    form->method = malloc(cells * sizeof *form->method);
    int64_t *last = malloc(rows * sizeof *last);
    int error = STAR_EMEMORY;
    if (form->first && form->longest && form->from && form->method && last) {
        for (int i = 0; i < grid->rows; i++) {
            if (i == 0 || !same_rows(grid, i, i - 1))
                add_runs(grid, i, form);
            last[form->rows - 1] = grid->by_ranks.last[i];
        }
        form->first[form->rows] = form->runs;
        error = star_axis_of_last(last, form->rows, &form->by_ranks);
    }
    free(last);
    return error;
}

static void finish(struct form *form)
{
    for (int i = 0; i < form->rows; i++)
        while (1 << form->longest[i] < form->first[i + 1] - form->first[i])
            form->longest[i]++;
    form->form.leaves = form->runs;
    form->form.bytes = star_axis_bytes(&form->by_ranks) +
                       (size_t)form->runs * (sizeof *form->from + sizeof *form->method) +
                       (size_t)form->rows * (sizeof *form->first + sizeof *form->longest);
}

static int encode(const struct star_grid *grid, const struct star_looseness *looseness, void *at)
{
    (void)looseness;
    int error = make(grid, at);
    if (!error)
        finish(at);
    return error;
}

static int choose(const void *at, int ranks, int64_t bytes)
{
    const struct form *form = at;
    int row = star_axis_place(&form->by_ranks, ranks), low = form->first[row], end = form->first[row + 1];
    for (int step = 1 << form->longest[row] >> 1; step > 0; step >>= 1) {
        int next = low + step < end ? low + step : low;
        low = form->from[next] <= bytes ? next : low;
    }
    return form->method[low];
}

static void generate(const void *at, const char *name, struct star_text *text)
{
    const struct form *form = at;
    int longest = 0;
    int64_t *wide = malloc((size_t)(form->runs + form->rows + 1) * sizeof *wide);
    for (int i = 0; wide && i <= form->rows; i++)
        wide[i] = form->first[i];
    star_axis_generate(&form->by_ranks, name, text);
    star_generate_array(text, name, "first_run", wide, wide ? form->rows + 1 : 0);
    star_generate_array(text, name, "from", form->from, form->runs);
    for (int i = 0; wide && i < form->runs; i++)
        wide[i] = form->method[i];
    star_generate_array(text, name, "method", wide, wide ? form->runs : 0);
    for (int i = 0; i < form->rows; i++)
        longest = form->longest[i] > longest ? form->longest[i] : longest;
    star_text_add(text, "\nstatic int %s(long long ranks, long long bytes)\n{\n", name);
    star_text_add(text,
                  "    int row = %s_place(ranks), low = %s_first_run[row], end = %s_first_run[row + 1];\n",
                  name, name, name);
    star_text_add(text, "    for (int step = %d; step > 0; step >>= 1) {\n", 1 << longest >> 1);
    star_text_add(text, "        int next = low + step < end ? low + step : low;\n");
    star_text_add(text, "        low = %s_from[next] <= bytes ? next : low;\n    }\n", name);
    star_text_add(text, "    return %s_method[low];\n}\n", name);
    text->failed = text->failed || wide == NULL;
    free(wide);
}

const struct star_encoder star_encoder_runs = {"runs",   sizeof(struct form), encode, choose, generate,
                                               free_form};
