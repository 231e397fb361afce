/* SPDX-License-Identifier: BSD-3-Clause
 * Between two ranks all trees are one: methods whose plans have the same steps on all ranks are one method
 * under several names. */
#include "algorithms/alike.h"

#include <stdlib.h>

/* Of more ranks hardly any two are alike; and to compare plans of more segments would take longer than it
 * saves. */
enum { RANKS_MOST = 3, SEGMENTS_MOST = 16 };

static bool is_long(const struct star_method *method, int64_t block)
{
    int64_t segment = star_method_knob(method, "segment", 0);
    return segment > 0 && block / segment > SEGMENTS_MOST;
}

/* What is known of a method: what its plans on some ranks do, and whether others may still be like it. */
struct print {
    uint64_t digest;
    bool open;
};

/* Adds what the plan of SHAPE's rank does. STAR_EMEMORY; where there is none for another reason, no method is
 * like it. */
static int add_plan(struct print *print, const struct star_method *method, const struct star_shape *shape)
{
    struct star_plan *plan;
    int error = star_method_plan(method, shape, INT64_MAX, &plan, NULL);
    print->open = error == 0;
    if (error)
        return error == STAR_EMEMORY ? error : 0;
    print->digest = star_plan_digest(plan, print->digest);
    star_plan_free(plan);
    return 0;
}

static bool are_alike(const struct print *a, const struct print *b)
{
    return a->open && b->open && a->digest == b->digest;
}

/* Closes those that no other is like. */
static void close_others(struct print *prints, int count)
{
    for (int i = 0; i < count; i++) {
        bool alone = true;
        for (int j = 0; alone && j < count; j++)
            alone = j == i || !are_alike(&prints[i], &prints[j]);
        prints[i].open = prints[i].open && !alone;
    }
}

/* Rank by rank: most differ on the first one. */
static int compare(struct print *prints, const struct star_methods *methods, const struct star_shape *shape)
{
    struct star_shape of_rank = *shape;
    int error = 0;
    for (int i = 0; i < methods->count; i++) {
        const struct star_method *method = &methods->at[i];
        prints[i] =
            (struct print){.open = method->algorithm->build != NULL && !is_long(method, shape->block)};
    }
    for (int r = 0; r < shape->size; r++) {
        of_rank.rank = r;
        for (int i = 0; !error && i < methods->count; i++)
            if (prints[i].open)
                error = add_plan(&prints[i], &methods->at[i], &of_rank);
        close_others(prints, methods->count);
    }
    return error;
}

int star_methods_alike(const struct star_methods *methods, const struct star_shape *shape, int *first)
{
    for (int i = 0; i < methods->count; i++)
        first[i] = i;
    if (shape->size > RANKS_MOST)
        return 0;
    struct print *prints = malloc((size_t)methods->count * sizeof *prints);
    int error = prints ? compare(prints, methods, shape) : STAR_EMEMORY;
    for (int i = 0; !error && i < methods->count; i++)
        for (int j = 0; first[i] == i && j < i; j++)
            if (are_alike(&prints[i], &prints[j]))
                first[i] = j;
    free(prints);
    return error;
}

double star_alike_seconds(int methods, int ranks)
{
    static const double of_plan = 0.7e-6; /* measured in runs: docs/explanation/tuner.md */
    return ranks > RANKS_MOST ? 0 : of_plan * methods * ranks;
}

int star_methods_join(struct star_methods *methods, const struct star_shape *shape)
{
    int *first = malloc((size_t)methods->count * sizeof *first), kept = 0;
    int error = first ? star_methods_alike(methods, shape, first) : STAR_EMEMORY;
    for (int i = 0; !error && i < methods->count; i++)
        if (first[i] == i)
            methods->at[kept++] = methods->at[i];
    if (!error)
        methods->count = kept;
    free(first);
    return error;
}
