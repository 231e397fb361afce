/* SPDX-License-Identifier: BSD-3-Clause
 * A context is found among thousands, and its nearest relative. */
#include "laws.h"
#include "check.h"
#include "runtime/siblings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* As a walk along all contexts would. */
static const struct star_context *nearest_of(const struct star_contexts *contexts,
                                             const struct star_context *wanted)
{
    const struct star_context *best = NULL;
    double least = INFINITY;
    for (const struct star_context *c = contexts->first; c; c = c->next) {
        double apart = fabs(log((double)c->facts.bytes / (double)wanted->facts.bytes));
        if (c->operation != wanted->operation || c->site != wanted->site ||
            c->facts.in_place != wanted->facts.in_place ||
            c->facts.commutative != wanted->facts.commutative || apart > least * (1 + 1e-12))
            continue;
        if (apart < least * (1 - 1e-12) || best == NULL || c->facts.bytes < best->facts.bytes)
            best = c;
        least = fmin(least, apart);
    }
    return best;
}

static struct star_context any_context(void)
{
    return (struct star_context){
        .operation = (enum star_operation)(rand() % 3),
        .site = (uint64_t)(rand() % 300),
        .facts = {.bytes = 1 + rand() % 40, .in_place = rand() % 4 == 0, .commutative = rand() % 4 > 0}};
}

static void contexts_are_found_among_thousands(void)
{
    enum { COUNT = 5000, ASKED = 5000 };
    struct star_context *all = calloc(COUNT, sizeof *all);
    struct star_contexts contexts = {0};
    int count = 0, known = 0;
    for (int i = 0; i < COUNT + ASKED; i++) {
        struct star_context one = any_context();
        const struct star_context *nearest = nearest_of(&contexts, &one),
                                  *found = star_contexts_find(&contexts, one.operation, &one.facts, one.site);
        bool is_known = nearest != NULL && nearest->facts.bytes == one.facts.bytes;
        CHECK(found == (is_known ? nearest : NULL), "a context is %sfound", found ? "" : "not ");
        CHECK(star_contexts_nearest(&contexts, one.operation, &one.facts, one.site) == nearest,
              "another context than the nearest one of %lld bytes is found", (long long)one.facts.bytes);
        known += is_known;
        if (found != NULL || i >= COUNT)
            continue;
        all[count] = one;
        int64_t before = star_contexts_count(&contexts, one.operation, one.site);
        CHECK(star_contexts_make_room(&contexts, one.operation, one.site), "out of memory");
        star_contexts_add(&contexts, &all[count++]);
        CHECK(star_contexts_count(&contexts, one.operation, one.site) == before + 1,
              "siblings are miscounted");
    }
    CHECK(known > 100 && count > COUNT / 2, "%d were known of %d", known, count);
    star_contexts_forget(&contexts);
    free(all);
}

const struct law context_laws[] = {
    {"contexts-are-found-among-thousands", contexts_are_found_among_thousands},
    {NULL, NULL},
};
