/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parts/fold.h"

int star_fold_power(int size, int radix)
{
    int power = 1;
    while (power <= size / radix)
        power *= radix;
    return power;
}

/* The member that works for the I-th group. */
static int first_of(const struct star_team *all, int i, int workers)
{
    return (int)((int64_t)i * all->size / workers);
}

bool star_fold_of(struct star_builder *b, const struct star_shape *shape, int workers, struct star_fold *fold)
{
    struct star_team all = star_whole(shape);
    int *rank = star_build_scratch(b, (size_t)workers * sizeof *rank), group = 0;
    if (rank == NULL)
        return false;
    for (int i = 0; i < workers; i++) {
        int first = first_of(&all, i, workers);
        rank[i] = star_member(&all, first);
        if (first <= all.me)
            group = i;
    }
    *fold = (struct star_fold){.workers = {.size = workers, .me = group, .rank = rank},
                               .all = all,
                               .works = rank[group] == shape->rank,
                               .first = first_of(&all, group, workers),
                               .end = first_of(&all, group + 1, workers)};
    return true;
}

struct star_place star_fold_in(struct star_builder *b, const struct star_fold *fold, struct star_place vector,
                               int64_t bytes)
{
    int others = fold->end - fold->first - 1;
    if (!fold->works)
        star_build_send(b, star_member(&fold->all, fold->first), vector, bytes);
    if (!fold->works || others == 0) {
        star_build_end(b);
        return vector;
    }
    struct star_place came = star_build_temp(b, others * bytes), sum = star_plus(came, (others - 1) * bytes);
    for (int i = 0; i < others; i++)
        star_build_recv(b, star_member(&fold->all, fold->first + 1 + i), star_plus(came, i * bytes), bytes);
    star_build_end(b);
    for (int i = others - 2; i >= 0; i--)
        star_build_reduce(b, sum, star_plus(came, i * bytes), bytes);
    star_build_reduce(b, sum, vector, bytes);
    return sum;
}

void star_fold_out(struct star_builder *b, const struct star_fold *fold, struct star_place result,
                   int64_t bytes)
{
    if (!fold->works)
        star_build_recv(b, star_member(&fold->all, fold->first), result, bytes);
    for (int i = fold->first + 1; fold->works && i < fold->end; i++)
        star_build_send(b, star_member(&fold->all, i), result, bytes);
    star_build_end(b);
}
