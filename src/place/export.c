/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/export.h"

#include <stdint.h>

static double scale_of(const struct star_matrix *matrix)
{
    const double most = INT32_MAX / 4;
    double all = 0;
    for (size_t p = 0; p < matrix->first[matrix->ranks]; p++)
        all += matrix->pair[p].out + matrix->pair[p].in;
    return all > most ? most / all : 1;
}

static long long weight_of(const struct star_pair *pair, double scale)
{
    long long weight = (long long)((pair->out + pair->in) * scale);
    return weight > 0 ? weight : 1;
}

void star_matrix_scotch(const struct star_matrix *matrix, struct star_text *text)
{
    double scale = scale_of(matrix);
    star_text_add(text, "0\n%d %zu\n0 010\n", matrix->ranks, matrix->first[matrix->ranks]);
    for (int r = 0; r < matrix->ranks; r++) {
        star_text_add(text, "%zu", matrix->first[r + 1] - matrix->first[r]);
        for (size_t p = matrix->first[r]; p < matrix->first[r + 1]; p++)
            star_text_add(text, " %lld %d", weight_of(&matrix->pair[p], scale), matrix->pair[p].peer);
        star_text_add(text, "\n");
    }
}

void star_matrix_metis(const struct star_matrix *matrix, struct star_text *text)
{
    double scale = scale_of(matrix);
    star_text_add(text, "%d %zu 001\n", matrix->ranks, matrix->first[matrix->ranks] / 2);
    for (int r = 0; r < matrix->ranks; r++) {
        for (size_t p = matrix->first[r]; p < matrix->first[r + 1]; p++)
            star_text_add(text, "%s%d %lld", p > matrix->first[r] ? " " : "", matrix->pair[p].peer + 1,
                          weight_of(&matrix->pair[p], scale));
        star_text_add(text, "\n");
    }
}
