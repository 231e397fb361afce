/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/traits.h"

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

/* Where the value of method I first stands in the list. */
static int first_of(const struct star_methods *methods, const char *name, int i)
{
    struct trait trait = trait_of(&methods->at[i], name);
    for (int j = 0; j < i; j++) {
        struct trait other = trait_of(&methods->at[j], name);
        if (other.is_there && is_same(trait, other))
            return j;
    }
    return i;
}

/* How many different values come before that of method I. */
static int16_t number_of(const struct star_methods *methods, const char *name, int i)
{
    struct trait trait = trait_of(&methods->at[i], name);
    int first = first_of(methods, name, i);
    int16_t number = 0;
    for (int j = 0; trait.is_there && j < methods->count; j++) {
        struct trait other = trait_of(&methods->at[j], name);
        bool before = other.number < trait.number || (other.number == trait.number && j < first);
        if (other.is_there && before && first_of(methods, name, j) == j)
            number++;
    }
    return trait.is_there ? number : -1;
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
    const char **names = malloc((size_t)most * sizeof *names);
    *attributes = names ? list_names(methods, most, names) : 0;
    int16_t *values = names ? malloc((size_t)methods->count * (size_t)*attributes * sizeof *values) : NULL;
    for (int i = 0; values != NULL && i < methods->count; i++)
        for (int a = 0; a < *attributes; a++)
            values[i * *attributes + a] = number_of(methods, names[a], i);
    free(names);
    return values;
}
