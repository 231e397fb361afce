/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/traits.h"
#include "util/scratch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What a method has of one attribute. Of the algorithm the name is NULL. */
struct trait {
    const char *word; /* of a knob whose values are words, or the algorithm's name; else NULL */
    int64_t number;   /* of the others; words come in the order of the methods */
    bool is_there;
};

static struct trait trait_of(const struct star_method *method, const char *name)
{
    const struct star_algorithm *algorithm = method->algorithm;
    if (name == NULL)
        return (struct trait){.word = algorithm->name, .is_there = true};
    for (int k = 0; k < STAR_KNOBS_MAX && algorithm->knobs[k].name; k++) {
        const struct star_knob *knob = &algorithm->knobs[k];
        if (strcmp(knob->name, name) == 0 && knob->words)
            return (struct trait){.word = knob->words[method->knob[k]], .is_there = true};
        if (strcmp(knob->name, name) == 0)
            return (struct trait){.number = method->knob[k], .is_there = true};
    }
    return (struct trait){0};
}

static bool is_same(struct trait a, struct trait b)
{
    if (a.word == NULL || b.word == NULL)
        return a.word == b.word && a.number == b.number;
    return strcmp(a.word, b.word) == 0;
}

/* TRAITS[i] is method i's of one attribute; VALUE gets their numbers, STRIDE apart: how many different ones
 * are less. */
static void number(const struct trait *traits, int count, int *first, int16_t *value, int stride)
{
    for (int i = 0; i < count; i++)
        for (first[i] = 0; first[i] < i; first[i]++)
            if (traits[first[i]].is_there && is_same(traits[i], traits[first[i]]))
                break;
    for (int i = 0; i < count; i++) {
        int16_t less = 0;
        for (int j = 0; j < count; j++) {
            bool before =
                traits[j].number < traits[i].number || (traits[j].number == traits[i].number && j < first[i]);
            less = (int16_t)(less + (traits[j].is_there && first[j] == j && before));
        }
        value[(ptrdiff_t)i * stride] = traits[i].is_there ? less : -1;
    }
}

/* Does it tell methods from each other, which begins with method I? */
static bool tells(const struct star_methods *methods, const char *name, int i)
{
    struct trait trait = trait_of(&methods->at[i], name);
    for (int j = i + 1; j < methods->count; j++) {
        struct trait other = trait_of(&methods->at[j], name);
        if (other.is_there && !is_same(trait, other))
            return true;
    }
    return false;
}

static bool is_listed(const char *const *names, int count, const char *name)
{
    for (int n = 1; n < count; n++)
        if (strcmp(names[n], name) == 0)
            return true;
    return false;
}

/* The names of knobs that tell, after a NULL for the algorithm. */
static int list_names(const struct star_methods *methods, int most, const char **names)
{
    int count = 0;
    names[count++] = NULL;
    for (int i = 0; i < methods->count; i++)
        for (int k = 0; k < STAR_KNOBS_MAX && methods->at[i].algorithm->knobs[k].name; k++) {
            const char *name = methods->at[i].algorithm->knobs[k].name;
            if (count < most && !is_listed(names, count, name) && tells(methods, name, i))
                names[count++] = name;
        }
    return count;
}

int16_t *star_methods_traits(const struct star_methods *methods, int most, int *attributes)
{
    size_t count = (size_t)methods->count;
    struct star_scratch scratch = {0};
    const char **names = star_scratch(&scratch, (size_t)most, sizeof *names);
    struct trait *traits = star_scratch(&scratch, count, sizeof *traits);
    int *first = star_scratch(&scratch, count, sizeof *first);
    *attributes = names ? list_names(methods, most, names) : 0;
    int16_t *values = !scratch.failed ? malloc(count * (size_t)*attributes * sizeof *values) : NULL;
    for (int a = 0; values != NULL && a < *attributes; a++) {
        for (int i = 0; i < methods->count; i++)
            traits[i] = trait_of(&methods->at[i], names[a]);
        number(traits, methods->count, first, values + a, *attributes);
    }
    star_scratch_free(&scratch);
    return values;
}
