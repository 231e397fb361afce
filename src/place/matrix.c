/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/matrix.h"

#include <stdbool.h>
#include <stdlib.h>

/* An entry as one of its two ranks sees it. */
struct half {
    int rank;
    struct star_pair pair;
};

static int by_ranks(const void *a, const void *b)
{
    const struct half *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->pair.peer > y->pair.peer) - (x->pair.peer < y->pair.peer);
}

static size_t halve(const struct star_matrix_entry *entries, size_t count, struct half *halves)
{
    size_t filled = 0;
    for (size_t i = 0; i < count; i++) {
        const struct star_matrix_entry *entry = &entries[i];
        if (entry->from == entry->to)
            continue;
        halves[filled++] = (struct half){
            entry->from, {.peer = entry->to, .out = entry->bytes, .messages_out = entry->messages}};
        halves[filled++] = (struct half){
            entry->to, {.peer = entry->from, .in = entry->bytes, .messages_in = entry->messages}};
    }
    return filled;
}

/* Adds up those of one pair; HALVES are sorted. */
static void fill(struct star_matrix *matrix, const struct half *halves, size_t count)
{
    size_t filled = 0;
    int rank = -1;
    for (size_t i = 0; i < count; i++) {
        const struct half *half = &halves[i];
        bool again = rank == half->rank && matrix->pair[filled - 1].peer == half->pair.peer;
        while (rank < half->rank)
            matrix->first[++rank] = filled;
        if (!again)
            matrix->pair[filled++] = (struct star_pair){.peer = half->pair.peer};
        struct star_pair *pair = &matrix->pair[filled - 1];
        pair->out += half->pair.out;
        pair->in += half->pair.in;
        pair->messages_out += half->pair.messages_out;
        pair->messages_in += half->pair.messages_in;
    }
    while (rank < matrix->ranks)
        matrix->first[++rank] = filled;
}

int star_matrix_make(int ranks, const struct star_matrix_entry *entries, size_t count,
                     struct star_matrix **matrix, struct star_why *why)
{
    struct half *halves = malloc((2 * count + 1) * sizeof *halves);
    struct star_matrix *made = calloc(1, sizeof *made);
    size_t filled = halves ? halve(entries, count, halves) : 0;
    if (made != NULL) {
        made->ranks = ranks;
        made->first = calloc((size_t)ranks + 1, sizeof *made->first);
        made->pair = calloc(filled + 1, sizeof *made->pair);
    }
    if (halves == NULL || made == NULL || made->first == NULL || made->pair == NULL) {
        free(halves);
        star_matrix_free(made);
        return star_because(why, STAR_EMEMORY, "out of memory for what %d ranks send", ranks);
    }
    qsort(halves, filled, sizeof *halves, by_ranks);
    fill(made, halves, filled);
    free(halves);
    *matrix = made;
    return 0;
}

void star_matrix_free(struct star_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free(matrix->first);
    free(matrix->pair);
    free(matrix);
}

double star_matrix_between(const struct star_matrix *matrix, const int *machine)
{
    double bytes = 0;
    for (int r = 0; r < matrix->ranks; r++)
        for (size_t p = matrix->first[r]; p < matrix->first[r + 1]; p++)
            bytes += machine[r] != machine[matrix->pair[p].peer] ? matrix->pair[p].out : 0;
    return bytes;
}
