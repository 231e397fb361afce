/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/method.h"
#include "util/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sync_words[] = {"none", "light", "barrier"}; /* values 0, −1, −2 */
enum { SYNC_WORDS = 3, NAMES_MAX = 64 };

static int parse_sync(const char *text, const struct star_knob *knob, int64_t *value, struct star_why *why)
{
    for (int i = 0; i < SYNC_WORDS; i++)
        if (strcmp(text, sync_words[i]) == 0) {
            *value = -i;
            return 0;
        }
    static const char prefix[] = "barriers:";
    if (strncmp(text, prefix, strlen(prefix)) == 0 && star_parse_integer(text + strlen(prefix), value) &&
        *value >= knob->least && *value <= knob->most)
        return 0;
    return star_because(why, STAR_EINPUT,
                        "'%s' is no value of sync: use none, light, barrier or barriers:N (N >= 1)", text);
}

static int parse_value(const char *text, const struct star_knob *knob, int64_t *value, struct star_why *why)
{
    if (knob->is_sync)
        return parse_sync(text, knob, value, why);
    if (star_parse_integer(text, value) && *value >= knob->least && *value <= knob->most)
        return 0;
    return star_because(why, STAR_EINPUT, "'%s' is no value of %s: %s", text, knob->name, knob->help);
}

static int unknown(const char *kind, const char *word, const char *const *words, size_t count,
                   struct star_why *why)
{
    char all[300] = "";
    for (size_t i = 0, used = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", words[i]);
    const char *nearest = star_nearest(word, words, count);
    return star_because(why, STAR_EINPUT, "unknown %s '%s'%s%s%s; known: %s", kind, word,
                        nearest ? ": did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "",
                        count ? all : "none");
}

/* GIVEN: a bit for each knob that was named already. */
static int parse_knob(char *assignment, struct star_method *method, unsigned *given, struct star_why *why)
{
    const struct star_algorithm *algorithm = method->algorithm;
    char *equals = strchr(assignment, '=');
    if (equals == NULL)
        return star_because(why, STAR_EINPUT, "'%s' is not of the form knob=value", assignment);
    *equals = 0;
    const char *names[STAR_KNOBS_MAX];
    size_t count = 0;
    for (int i = 0; i < STAR_KNOBS_MAX && algorithm->knobs[i].name; i++) {
        names[count++] = algorithm->knobs[i].name;
        if (strcmp(assignment, algorithm->knobs[i].name) != 0)
            continue;
        if (*given & 1u << i)
            return star_because(why, STAR_EINPUT, "knob %s is given twice", assignment);
        *given |= 1u << i;
        return parse_value(equals + 1, &algorithm->knobs[i], &method->knob[i], why);
    }
    char kind[80];
    snprintf(kind, sizeof kind, "knob of %s:%s", star_operations[algorithm->operation].name, algorithm->name);
    return unknown(kind, assignment, names, count, why);
}

static int parse_operation(const char *name, enum star_operation *operation, struct star_why *why)
{
    const char *names[STAR_OPERATIONS];
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        names[i] = star_operations[i].name;
        if (strcmp(name, names[i]) == 0) {
            *operation = (enum star_operation)i;
            return 0;
        }
    }
    return unknown("operation", name, names, STAR_OPERATIONS, why);
}

static int parse_algorithm(const char *name, enum star_operation operation, struct star_method *method,
                           struct star_why *why)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (int i = 0; i < star_repository_count; i++) {
        const struct star_algorithm *algorithm = star_repository[i];
        if (algorithm->operation != operation)
            continue;
        if (count < NAMES_MAX)
            names[count++] = algorithm->name;
        if (strcmp(name, algorithm->name))
            continue;
        method->algorithm = algorithm;
        for (int k = 0; k < STAR_KNOBS_MAX; k++)
            method->knob[k] = algorithm->knobs[k].preset;
        return 0;
    }
    char kind[64];
    snprintf(kind, sizeof kind, "method of %s", star_operations[operation].name);
    return unknown(kind, name, names, count, why);
}

int star_method_parse(const char *text, struct star_method *method, struct star_why *why)
{
    char copy[STAR_METHOD_TEXT];
    if (strlen(text) >= sizeof copy)
        return star_because(why, STAR_EINPUT, "a method of %zu characters; %zu at most", strlen(text),
                            sizeof copy - 1);
    memcpy(copy, text, strlen(text) + 1);
    char *colon = strchr(copy, ':');
    if (colon == NULL || strcspn(copy, ",=") < (size_t)(colon - copy))
        return star_because(why, STAR_EINPUT,
                            "'%s' is not of the form operation:method, such as alltoall:ring", text);
    *colon = 0;
    enum star_operation operation = STAR_ALLTOALL;
    int error = parse_operation(copy, &operation, why);
    char *rest = colon + 1, *name = strsep(&rest, ",");
    if (!error)
        error = parse_algorithm(name, operation, method, why);
    unsigned given = 0;
    while (!error && rest != NULL)
        error = parse_knob(strsep(&rest, ","), method, &given, why);
    return error;
}

const char *star_knob_format(const struct star_knob *knob, int64_t value, char *buffer, size_t room)
{
    if (!knob->is_sync)
        snprintf(buffer, room, "%s=%lld", knob->name, (long long)value);
    else if (value <= 0 && value > -SYNC_WORDS)
        snprintf(buffer, room, "%s=%s", knob->name, sync_words[-value]);
    else
        snprintf(buffer, room, "%s=barriers:%lld", knob->name, (long long)value);
    return buffer;
}

static void append(char *buffer, size_t room, const char *separator, const char *text)
{
    size_t used = strlen(buffer);
    if (used < room)
        snprintf(buffer + used, room - used, "%s%s", separator, text);
}

const char *star_method_format(const struct star_method *method, char *buffer, size_t room)
{
    const struct star_algorithm *algorithm = method->algorithm;
    snprintf(buffer, room, "%s:%s", star_operations[algorithm->operation].name, algorithm->name);
    for (int i = 0; i < STAR_KNOBS_MAX && algorithm->knobs[i].name; i++) {
        char knob[64];
        if (method->knob[i] != algorithm->knobs[i].preset)
            append(buffer, room, ",",
                   star_knob_format(&algorithm->knobs[i], method->knob[i], knob, sizeof knob));
    }
    return buffer;
}

bool star_method_equal(const struct star_method *a, const struct star_method *b)
{
    return a->algorithm == b->algorithm && memcmp(a->knob, b->knob, sizeof a->knob) == 0;
}

struct star_method star_native_of(enum star_operation operation)
{
    for (int i = 0; i < star_repository_count; i++)
        if (star_repository[i]->operation == operation && star_repository[i]->build == NULL)
            return (struct star_method){.algorithm = star_repository[i]};
    return (struct star_method){.algorithm = star_repository[0]};
}

int64_t star_method_knob(const struct star_method *method, const char *name, int64_t otherwise)
{
    for (int i = 0; i < STAR_KNOBS_MAX && method->algorithm->knobs[i].name; i++)
        if (strcmp(method->algorithm->knobs[i].name, name) == 0)
            return method->knob[i];
    return otherwise;
}

const char *star_method_group(const struct star_method *method, char *buffer, size_t room)
{
    snprintf(buffer, room, "%s", method->algorithm->optimises);
    int64_t sync = star_method_knob(method, "sync", STAR_SYNC_NONE);
    if (sync == STAR_SYNC_LIGHT)
        append(buffer, room, ", ", "light barriers");
    else if (sync != STAR_SYNC_NONE)
        append(buffer, room, ", ", "MPI barriers");
    return buffer;
}

int star_method_applies(const struct star_method *method, int size, struct star_why *why)
{
    const struct star_algorithm *algorithm = method->algorithm;
    if (algorithm->power_of_two && (size & (size - 1)) != 0)
        return star_because(why, STAR_ENEEDS, "%s:%s needs a power of two of ranks, not %d",
                            star_operations[algorithm->operation].name, algorithm->name, size);
    int64_t sync = star_method_knob(method, "sync", STAR_SYNC_NONE);
    if (sync > 0 && sync > size - 2)
        return star_because(why, STAR_ENEEDS, "sync=barriers:%lld needs at least %lld ranks, not %d",
                            (long long)sync, (long long)sync + 2, size);
    return 0;
}

bool star_method_is_candidate(const struct star_method *method, int size, int64_t bytes)
{
    int64_t most = method->algorithm->most_bytes;
    return star_method_applies(method, size, NULL) == 0 && (most == 0 || bytes <= most);
}

int star_method_plan(const struct star_method *method, const struct star_shape *shape, int64_t temp_limit,
                     struct star_plan **plan, struct star_why *why)
{
    *plan = NULL;
    int error = star_method_applies(method, shape->size, why);
    if (error)
        return error;
    if (star_is_native(method))
        return star_because(why, STAR_ENEEDS, "native has no plan: it is the MPI library's own");
    struct star_builder *builder = star_builder_new(shape, temp_limit);
    if (builder != NULL)
        method->algorithm->build(builder, shape, method->knob);
    struct star_pacing pacing = {.sync = star_method_knob(method, "sync", STAR_SYNC_NONE),
                                 .window = star_method_knob(method, "window", 1)};
    return star_builder_finish(builder, pacing, plan, why);
}

int star_method_prove(const struct star_method *method, int size, int64_t block,
                      struct star_simulation *result, struct star_why *why)
{
    struct star_plan **plans = calloc((size_t)size, sizeof *plans);
    int error = plans ? 0 : star_because(why, STAR_EMEMORY, "out of memory for %d plans", size);
    for (int r = 0; !error && r < size; r++) {
        struct star_shape shape = {.size = size, .rank = r, .block = block};
        error = star_method_plan(method, &shape, INT64_MAX, &plans[r], why);
    }
    if (!error) {
        struct star_expectation expected = star_operations[method->algorithm->operation].expect(size, block);
        error = star_simulate((const struct star_plan *const *)plans, &expected, result, why);
    }
    for (int r = 0; plans != NULL && r < size; r++)
        star_plan_free(plans[r]);
    free(plans);
    return error;
}

/* Counts through the values of all knobs like an odometer; false after the last. */
static bool next_setting(const struct star_algorithm *algorithm, bool all, int *digit)
{
    for (int k = 0; k < STAR_KNOBS_MAX && algorithm->knobs[k].name; k++) {
        const struct star_knob *knob = &algorithm->knobs[k];
        if (++digit[k] < knob->values.count + (all ? knob->more.count : 0))
            return true;
        digit[k] = 0;
    }
    return false;
}

int star_methods_each(enum star_operation operation, bool all,
                      int (*visit)(const struct star_method *method, void *context), void *context)
{
    for (int i = 0; i < star_repository_count; i++) {
        const struct star_algorithm *algorithm = star_repository[i];
        int digit[STAR_KNOBS_MAX] = {0}, outcome = 0;
        if (algorithm->operation != operation)
            continue;
        do {
            struct star_method method = {.algorithm = algorithm};
            for (int k = 0; k < STAR_KNOBS_MAX && algorithm->knobs[k].name; k++) {
                const struct star_knob *knob = &algorithm->knobs[k];
                method.knob[k] = digit[k] < knob->values.count ? knob->values.at[digit[k]]
                                                               : knob->more.at[digit[k] - knob->values.count];
            }
            outcome = visit(&method, context);
        } while (outcome == 0 && next_setting(algorithm, all, digit));
        if (outcome)
            return outcome;
    }
    return 0;
}
