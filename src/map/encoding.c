/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/encoding.h"
#include "map/encoders/encoders.h"
#include "util/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct star_encoder *const star_encoders[] = {&star_encoder_quadtree, &star_encoder_runs,
                                                    &star_encoder_table};
const int star_encoder_count = sizeof star_encoders / sizeof *star_encoders;

int star_encoding_make(const struct star_encoder *encoder, const struct star_grid *grid,
                       const struct star_looseness *looseness, struct star_encoding *encoding,
                       struct star_why *why)
{
    *encoding = (struct star_encoding){encoder, calloc(1, encoder->size)};
    int error = encoding->form ? encoder->encode(grid, looseness, encoding->form) : STAR_EMEMORY;
    if (error)
        star_encoding_free(encoding);
    if (error == STAR_ELIMIT)
        return star_because(why, error, "the map is too large for %s", encoder->name);
    return error ? star_because(why, error, "out of memory for %s", encoder->name) : 0;
}

void star_encoding_free(struct star_encoding *encoding)
{
    if (encoding->form != NULL)
        encoding->encoder->free(encoding->form);
    free(encoding->form);
    encoding->form = NULL;
}

void star_encoding_generate(const struct star_encoding *encoding, const char *name, struct star_text *text)
{
    encoding->encoder->generate(encoding->form, name, text);
}

int star_encoding_judge(const struct star_encoding *encoding, const struct star_grid *grid,
                        struct star_verdict *verdict)
{
    int cells = grid->rows * grid->columns, known = 0;
    double *penalty = malloc((size_t)cells * sizeof *penalty), sum = 0, weight = 0;
    *verdict = (struct star_verdict){0};
    if (penalty == NULL)
        return STAR_EMEMORY;
    for (int cell = 0; cell < cells; cell++) {
        if (!grid->measured[cell])
            continue;
        int method = star_encoding_choose(encoding, (int)grid->ranks[cell / grid->columns],
                                          grid->bytes[cell % grid->columns]);
        double loss = star_grid_penalty(grid, cell, method);
        verdict->cells++;
        verdict->differs += method != grid->winner[cell];
        verdict->unknown += isnan(loss);
        if (isnan(loss))
            continue;
        penalty[known++] = loss;
        sum += grid->weight[cell] * loss;
        weight += grid->weight[cell];
    }
    star_sort(penalty, known);
    if (known > 0) {
        verdict->least = penalty[0];
        verdict->most = penalty[known - 1];
        verdict->median = star_quantile(penalty, known, 0.5);
        verdict->mean = sum / weight;
    }
    free(penalty);
    return 0;
}
