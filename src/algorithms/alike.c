/* SPDX-License-Identifier: BSD-3-Clause
 * Between two ranks all trees are one: methods whose plans have the same steps on all ranks are one method
 * under several names. */
#include "algorithms/methods.h"

#include <stdlib.h>

/* Of more ranks hardly any two are alike; and to compare plans of more segments would take longer than it
 * saves. */
enum { RANKS_MOST = 3, SEGMENTS_MOST = 16 };

static bool is_long(const struct star_method *method, int64_t block)
{
    int64_t segment = star_method_knob(method, "segment", 0);
    return segment > 0 && block / segment > SEGMENTS_MOST;
}

/* Of all ranks' plans; false where there are none to compare, and *ERROR if that is for want of memory. */
static bool digest_of(const struct star_method *method, const struct star_shape *shape, uint64_t *digest,
                      int *error)
{
    struct star_shape of_rank = *shape;
    *digest = 0;
    if (method->algorithm->build == NULL || is_long(method, shape->block))
        return false;
    for (int r = 0; r < shape->size; r++) {
        struct star_plan *plan;
        of_rank.rank = r;
        int failed = star_method_plan(method, &of_rank, INT64_MAX, &plan, NULL);
        if (failed == STAR_EMEMORY)
            *error = failed;
        if (failed)
            return false;
        *digest = star_plan_digest(plan, *digest);
        star_plan_free(plan);
    }
    return true;
}

int star_methods_alike(const struct star_methods *methods, const struct star_shape *shape, int *first)
{
    for (int i = 0; i < methods->count; i++)
        first[i] = i;
    if (shape->size > RANKS_MOST)
        return 0;
    uint64_t *digest = malloc((size_t)methods->count * sizeof *digest);
    bool *known = malloc((size_t)methods->count * sizeof *known);
    int error = digest && known ? 0 : STAR_EMEMORY;
    for (int i = 0; !error && i < methods->count; i++) {
        known[i] = digest_of(&methods->at[i], shape, &digest[i], &error);
        for (int j = 0; known[i] && first[i] == i && j < i; j++)
            if (known[j] && digest[j] == digest[i])
                first[i] = j;
    }
    free(digest);
    free(known);
    return error;
}
