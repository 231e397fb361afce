/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add(struct star_methods *methods, const struct star_method *method)
{
    struct star_method *at = realloc(methods->at, ((size_t)methods->count + 1) * sizeof *at);
    if (at == NULL)
        return STAR_EMEMORY;
    methods->at = at;
    at[methods->count++] = *method;
    return 0;
}

/* WORD, or with the operation in front where it names none; what does not fit is WORD, to be refused. */
static const char *whole_name(const char *word, const char *operation, char name[static 2 * STAR_METHOD_TEXT])
{
    if (operation == NULL || word[strcspn(word, ":,=")] == ':' || strlen(word) >= STAR_METHOD_TEXT)
        return word;
    snprintf(name, (size_t)2 * STAR_METHOD_TEXT, "%s:%s", operation, word);
    return name;
}

static int parse(const char *text, const char *operation, struct star_methods *methods, struct star_why *why)
{
    *methods = (struct star_methods){0};
    char *copy = strdup(text), *rest = NULL, name[2 * STAR_METHOD_TEXT];
    int error = copy ? 0 : star_because(why, STAR_EMEMORY, "out of memory");
    for (char *word = copy; !error && (word = strtok_r(word, " \t;", &rest)); word = NULL) {
        struct star_method method;
        error = star_method_parse(whole_name(word, operation, name), &method, why);
        if (!error)
            error = add(methods, &method);
    }
    free(copy);
    if (error)
        star_methods_free(methods);
    return error;
}

int star_methods_parse(const char *text, struct star_methods *methods, struct star_why *why)
{
    return parse(text, NULL, methods, why);
}

int star_methods_parse_of(enum star_operation operation, const char *text, struct star_methods *methods,
                          struct star_why *why)
{
    return parse(text, star_operations[operation].name, methods, why);
}

int star_methods_parse_forced(const char *text, struct star_methods *methods, struct star_why *why)
{
    int error = star_methods_parse(text, methods, why);
    for (int i = 0; !error && i < methods->count; i++) {
        const struct star_method *own = &methods->at[i],
                                 *first = star_methods_first(methods, own->algorithm->operation);
        if (first != own && !star_method_equal(first, own))
            error = star_because(why, STAR_EINPUT, "two methods of %s: one can be forced",
                                 star_operations[own->algorithm->operation].name);
    }
    if (error)
        star_methods_free(methods);
    return error;
}

void star_methods_free(struct star_methods *methods)
{
    free(methods->at);
    *methods = (struct star_methods){0};
}

const struct star_method *star_methods_first(const struct star_methods *methods,
                                             enum star_operation operation)
{
    for (int i = 0; i < methods->count; i++)
        if (methods->at[i].algorithm->operation == operation)
            return &methods->at[i];
    return NULL;
}

struct selection {
    struct star_methods *chosen;
    const struct star_shape *shape;
    int64_t bytes;
    bool in_rank_order;
};

static bool is_barred(const struct selection *selection, const struct star_method *method)
{
    return selection->in_rank_order && method->algorithm->order != STAR_ORDER_RANK;
}

static int add_candidate(const struct star_method *method, void *context)
{
    struct selection *selection = context;
    if (is_barred(selection, method) || !star_method_is_candidate(method, selection->shape, selection->bytes))
        return 0;
    return add(selection->chosen, method);
}

static int add_chosen(const struct star_methods *only, enum star_operation operation,
                      struct selection *selection)
{
    struct star_method native = star_native_of(operation);
    int error = 0;
    if (star_methods_first(only, operation) == NULL)
        error = star_methods_each(operation, false, add_candidate, selection);
    else if (!selection->in_rank_order)
        error = add(selection->chosen, &native);
    /* What was asked for, at any size. */
    for (int i = 0; !error && i < only->count; i++) {
        const struct star_method *method = &only->at[i];
        if (method->algorithm->operation == operation && !star_is_native(method) &&
            !is_barred(selection, method) && star_method_applies(method, selection->shape, NULL) == 0)
            error = add(selection->chosen, method);
    }
    if (!error && selection->chosen->count == 0)
        error = add(selection->chosen, &native);
    return error;
}

int *star_methods_groups(const struct star_methods *candidates)
{
    enum { ROOM = 64 };
    size_t count = (size_t)candidates->count;
    int *groups = malloc(count * sizeof *groups);
    char(*names)[ROOM] = malloc(count * sizeof *names);
    for (int i = 0; groups != NULL && names != NULL && i < candidates->count; i++) {
        groups[i] = i;
        star_method_group(&candidates->at[i], names[i], ROOM);
        for (int j = 0; groups[i] == i && j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                groups[i] = groups[j];
    }
    if (names == NULL) {
        free(groups);
        groups = NULL;
    }
    free(names);
    return groups;
}

int star_candidates(const struct star_methods *only, enum star_operation operation,
                    const struct star_shape *shape, int64_t bytes, bool in_rank_order,
                    struct star_methods *candidates, int **groups)
{
    *candidates = (struct star_methods){0};
    struct selection selection = {
        .chosen = candidates, .shape = shape, .bytes = bytes, .in_rank_order = in_rank_order};
    *groups = NULL;
    int error = add_chosen(only, operation, &selection);
    if (!error) {
        *groups = star_methods_groups(candidates);
        error = *groups ? 0 : STAR_EMEMORY;
    }
    if (error)
        star_methods_free(candidates);
    return error;
}
