/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/standing.h"
#include "util/seconds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What belongs to traits. */
static bool make_traits(struct star_standing *standing, const struct star_traits *traits, int count)
{
    if (traits == NULL || traits->attributes == 0)
        return true;
    size_t attributes = (size_t)traits->attributes, values = (size_t)count * attributes;
    standing->attributes = traits->attributes;
    standing->trait = malloc(values * sizeof *standing->trait);
    standing->belief = calloc(attributes, sizeof *standing->belief);
    standing->told = calloc(values, sizeof *standing->told);
    if (standing->trait == NULL || standing->belief == NULL || standing->told == NULL)
        return false;
    memcpy(standing->trait, traits->value, values * sizeof *standing->trait);
    return true;
}

bool star_standing_make(struct star_standing *standing, const int *groups, const struct star_traits *traits,
                        int count)
{
    size_t n = (size_t)count;
    standing->count = count;
    standing->group = malloc(n * sizeof *standing->group);
    standing->estimate = malloc(n * sizeof *standing->estimate);
    standing->shut_out = calloc(n, sizeof *standing->shut_out);
    standing->measured = calloc(n, sizeof *standing->measured);
    standing->visit = calloc(n, sizeof *standing->visit);
    standing->out = calloc(n, sizeof *standing->out);
    standing->remembered = malloc(n * sizeof *standing->remembered);
    standing->alike = malloc(n * sizeof *standing->alike);
    if (!standing->group || !standing->estimate || !standing->shut_out || !standing->measured ||
        !standing->visit || !standing->out || !standing->remembered || !standing->alike ||
        !make_traits(standing, traits, count))
        return false;
    memcpy(standing->group, groups, n * sizeof *groups);
    for (int i = 0; i < count; i++) {
        standing->estimate[i] = standing->remembered[i] = STAR_UNKNOWN_SECONDS;
        standing->alike[i] = i;
    }
    standing->watch.candidate = -1;
    standing->left = INFINITY;
    return true;
}

void star_standing_free(struct star_standing *standing)
{
    free(standing->group);
    free(standing->estimate);
    free(standing->shut_out);
    free(standing->measured);
    free(standing->visit);
    free(standing->out);
    free(standing->remembered);
    free(standing->foreseen);
    free(standing->alike);
    free(standing->trait);
    free(standing->belief);
    free(standing->told);
}

size_t star_standing_bytes(const struct star_standing *standing)
{
    size_t of_candidate = sizeof *standing->group + sizeof *standing->estimate +
                          sizeof *standing->remembered + sizeof *standing->alike + sizeof *standing->visit +
                          3 * sizeof(bool),
           of_value = sizeof *standing->trait + sizeof *standing->told;
    return (size_t)standing->count * (of_candidate + (size_t)standing->attributes * of_value) +
           (size_t)standing->attributes * sizeof *standing->belief;
}

void star_standing_order(struct star_standing *standing, const int16_t *list, int count)
{
    int group[STAR_CANDIDATES_MAX];
    int16_t trait[STAR_CANDIDATES_MAX * STAR_ATTRIBUTES_MAX];
    size_t attributes = (size_t)standing->attributes, row = attributes * sizeof *trait;
    for (int i = 0; i < count; i++) {
        group[i] = standing->group[list[i]];
        if (attributes > 0)
            memcpy(trait + (size_t)i * attributes, standing->trait + (size_t)list[i] * attributes, row);
    }
    memcpy(standing->group, group, (size_t)count * sizeof *group);
    if (attributes > 0)
        memcpy(standing->trait, trait, (size_t)count * row);
    standing->count = count;
}

int star_trait(const struct star_standing *standing, int i, int attribute)
{
    return standing->trait[i * standing->attributes + attribute];
}

bool star_traits_agree_but(const struct star_standing *standing, int i, int j, int attribute)
{
    for (int a = 0; a < standing->attributes; a++) {
        int one = star_trait(standing, i, a), other = star_trait(standing, j, a);
        if (a == attribute ? one < 0 || other < 0 : one != other)
            return false;
    }
    return true;
}

bool star_standing_runs(const struct star_standing *standing, int i)
{
    return !standing->shut_out[i] && !standing->out[i];
}

void star_standing_settle(struct star_standing *standing)
{
    standing->since = standing->looked;
}

int star_standing_fastest(const struct star_standing *standing, int except)
{
    int best = -1;
    for (int i = 0; i < standing->count; i++)
        if (i != except && !standing->shut_out[i] && star_is_known(standing->estimate[i]) &&
            (best < 0 || standing->estimate[i] < standing->estimate[best]))
            best = i;
    return best;
}

bool star_standing_is_faster(const struct star_standing *standing, int i, int than)
{
    double own = standing->estimate[i], other = standing->estimate[than];
    return star_is_known(own) && star_is_known(other) && own < other;
}

bool star_was_measured(const struct star_standing *standing, int i)
{
    return standing->visit[i].all.weight > 0;
}
