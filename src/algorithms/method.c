/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/knobs.h"
#include "algorithms/repository.h"
#include "plan/build.h"
#include "topology/bundles.h"
#include "util/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sync_words[] = {"none", "light", "barrier", "needed", "needed-eager"}; /* 0, −1 … */
enum { SYNC_WORDS = 5, NAMES_MAX = 64 };

static bool is_value(const struct star_knob *knob, int64_t value)
{
    bool found = false;
    for (int i = 0; i < knob->values.count; i++)
        found = found || knob->values.at[i] == value;
    return found;
}

static int parse_sync(const char *text, const struct star_knob *knob, int64_t *value, struct star_why *why)
{
    for (int i = 0; i < SYNC_WORDS; i++)
        if (is_value(knob, -i) && strcmp(text, sync_words[i]) == 0) {
            *value = -i;
            return 0;
        }
    static const char prefix[] = "barriers:";
    if (strncmp(text, prefix, strlen(prefix)) == 0 && star_parse_integer(text + strlen(prefix), value) &&
        *value >= knob->least && *value <= knob->most)
        return 0;
    return star_because(why, STAR_EINPUT, "'%s' is no value of sync: %s", text, knob->help);
}

static int parse_value(const char *text, const struct star_knob *knob, int64_t *value, struct star_why *why)
{
    if (knob->is_sync)
        return parse_sync(text, knob, value, why);
    for (int i = 0; knob->words && knob->words[i]; i++)
        if (strcmp(text, knob->words[i]) == 0) {
            *value = i;
            return 0;
        }
    if (knob->words)
        return star_because(why, STAR_EINPUT, "'%s' is no value of %s: %s", text, knob->name, knob->help);
    if (knob->zero != NULL && strcmp(text, knob->zero) == 0) {
        *value = 0;
        return 0;
    }
    bool parsed = knob->is_bytes ? star_parse_bytes(text, value) : star_parse_integer(text, value);
    if (parsed && *value >= knob->least && *value <= knob->most)
        return 0;
    return star_because(why, STAR_EINPUT, "'%s' is no value of %s: %s", text, knob->name, knob->help);
}

static int unknown(const char *kind, const char *word, const char *const *words, size_t count,
                   struct star_why *why)
{
    char all[300] = "";
    for (size_t i = 0, used = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", words[i]);
    return star_because(why, STAR_EINPUT, "unknown %s '%s'%s; known: %s", kind, word,
                        star_hint(word, words, count).text, count ? all : "none");
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

int star_operation_parse(const char *name, enum star_operation *operation, struct star_why *why)
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

static struct star_method method_of(const struct star_algorithm *algorithm)
{
    struct star_method method = {.algorithm = algorithm};
    for (int k = 0; k < STAR_KNOBS_MAX; k++)
        method.knob[k] = algorithm->knobs[k].preset;
    return method;
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
        *method = method_of(algorithm);
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
    int error = star_operation_parse(copy, &operation, why);
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
    char bytes[32];
    if (knob->words)
        snprintf(buffer, room, "%s=%s", knob->name, knob->words[value]);
    else if (knob->zero && value == 0)
        snprintf(buffer, room, "%s=%s", knob->name, knob->zero);
    else if (knob->is_bytes)
        snprintf(buffer, room, "%s=%s", knob->name, star_format_bytes(value, bytes, sizeof bytes));
    else if (!knob->is_sync)
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
        if (star_repository[i]->operation == operation && strcmp(star_repository[i]->name, "native") == 0)
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
    else if (sync == STAR_SYNC_NEEDED || sync == STAR_SYNC_NEEDED_EAGER)
        append(buffer, room, ", ", "needed synchronisation");
    else if (sync != STAR_SYNC_NONE)
        append(buffer, room, ", ", "MPI barriers");
    const struct star_knob *knobs = method->algorithm->knobs;
    for (int i = 0; i < STAR_KNOBS_MAX && knobs[i].name != NULL; i++)
        if (knobs[i].group != NULL && method->knob[i] != 0)
            append(buffer, room, ", ", knobs[i].group);
    return buffer;
}

/* Does an order of its own make the method another one than by rank? */
static bool has_order(const struct star_shape *shape)
{
    bool other = false;
    for (int i = 0; shape->network != NULL && i < shape->size; i++)
        other = other || shape->network->order[i] != i;
    return other;
}

static bool is_by_switch(const struct star_method *method)
{
    return star_method_knob(method, "level", STAR_BY_NODE) == STAR_BY_SWITCH;
}

bool star_method_needs_network(const struct star_method *method)
{
    return method->algorithm->network || is_by_switch(method) ||
           star_method_knob(method, "order", STAR_BY_RANK) == STAR_BY_DFS;
}

/* What plays the nodes in the method. */
static const int *nodes_of(const struct star_method *method, const struct star_shape *shape)
{
    if (!is_by_switch(method))
        return shape->node;
    return shape->network != NULL ? shape->network->cluster : NULL;
}

/* Do some ranks share one of NODE, and not all? */
static bool are_several(const int *node, int size)
{
    bool shared = false, several = false;
    int last = 0;
    for (int r = 0; node != NULL && r < size; r++) {
        if (r > 0 && node[r] <= last)
            shared = true;
        if (node[r] > last)
            last = node[r];
        several = several || node[r] > 0;
    }
    return shared && several;
}

/* Are they other ones than the nodes? */
static bool has_switches(const struct star_shape *shape)
{
    const int *cluster = shape->network ? shape->network->cluster : NULL;
    return cluster != NULL &&
           (shape->node == NULL || memcmp(cluster, shape->node, (size_t)shape->size * sizeof *cluster) != 0);
}

static bool is_one_node(const struct star_shape *shape)
{
    bool one = true;
    for (int r = 0; shape->node != NULL && r < shape->size; r++)
        one = one && shape->node[r] == shape->node[0];
    return one;
}

int star_method_applies(const struct star_method *method, const struct star_shape *shape,
                        struct star_why *why)
{
    const struct star_algorithm *algorithm = method->algorithm;
    const char *operation = star_operations[algorithm->operation].name, *name = algorithm->name;
    if (algorithm->power_of_two && (shape->size & (shape->size - 1)) != 0)
        return star_because(why, STAR_ENEEDS, "%s:%s needs a power of two of ranks, not %d", operation, name,
                            shape->size);
    if (algorithm->even && shape->size % 2 != 0)
        return star_because(why, STAR_ENEEDS, "%s:%s needs an even number of ranks, not %d", operation, name,
                            shape->size);
    if (algorithm->nodes && !are_several(nodes_of(method, shape), shape->size))
        return star_because(why, STAR_ENEEDS,
                            "%s:%s needs several %s, and several ranks on one of them at least", operation,
                            name, is_by_switch(method) ? "switches" : "nodes");
    if (algorithm->shares && !(shape->shares && (algorithm->nodes || is_one_node(shape))))
        return star_because(why, STAR_ENEEDS, "%s:%s needs memory that all ranks share", operation, name);
    if (algorithm->levels && shape->levels == NULL)
        return star_because(
            why, STAR_ENEEDS,
            "%s:%s needs ranks that are bound to several L3 caches, NUMA nodes or packages, and "
            "several of them to one",
            operation, name);
    if (algorithm->reads && !shape->reads)
        return star_because(why, STAR_ENEEDS, "%s:%s needs ranks that may read each other's memory",
                            operation, name);
    if (star_operations[algorithm->operation].expected.reduces && !shape->commutative &&
        !algorithm->in_order && !star_is_native(method))
        return star_because(why, STAR_ENEEDS, "%s:%s needs a commutative operator", operation, name);
    if (algorithm->most_ranks > 0 && shape->size > algorithm->most_ranks)
        return star_because(why, STAR_ENEEDS, "%s:%s is for %d ranks at most, not %d", operation, name,
                            algorithm->most_ranks, shape->size);
    bool by_dfs = star_method_knob(method, "order", STAR_BY_RANK) == STAR_BY_DFS;
    if ((by_dfs || algorithm->network) && shape->network == NULL)
        return star_because(why, STAR_ENEEDS, "%s:%s%s needs a topology that holds all ranks", operation,
                            name, by_dfs ? ",order=dfs" : "");
    if (by_dfs && star_operations[algorithm->operation].expected.reduces && !shape->commutative)
        return star_because(why, STAR_ENEEDS, "%s:%s,order=dfs needs a commutative operator", operation,
                            name);
    int64_t sync = star_method_knob(method, "sync", STAR_SYNC_NONE);
    if (sync > 0 && sync > shape->size - 2)
        return star_because(why, STAR_ENEEDS, "sync=barriers:%lld needs at least %lld ranks, not %d",
                            (long long)sync, (long long)sync + 2, shape->size);
    return 0;
}

/* To find the needed synchronisation of many ranks takes too long for trying it. */
static bool is_quickly_planned(const struct star_method *method, const struct star_shape *shape)
{
    enum { NEEDED_RANKS_MOST = 1024 };
    int64_t sync = star_method_knob(method, "sync", STAR_SYNC_NONE);
    bool needed = sync == STAR_SYNC_NEEDED || sync == STAR_SYNC_NEEDED_EAGER;
    return !needed || shape->size <= NEEDED_RANKS_MOST;
}

/* Bundles are worth trying between switches, where they are others than the preset's and could be whole. */
static bool has_bundles(const struct star_method *method, const struct star_shape *shape)
{
    int64_t bundle = star_method_knob(method, "bundle", 0);
    const struct star_network *network = shape->network;
    if (bundle <= 1 || network == NULL)
        return true;
    bool switches = network->nodes > network->ranks + 1;
    return switches && shape->size % bundle == 0 && star_schedule_bundle(network) != bundle;
}

bool star_method_is_one_way(const struct star_method *method)
{
    return star_is_native(method) ||
           (method->algorithm->one_way && star_method_knob(method, "sync", STAR_SYNC_NONE) == STAR_SYNC_NONE);
}

/* Would the vector be whole with a shorter segment, too? */
static bool is_whole_with_less(const struct star_algorithm *algorithm, int64_t segment, int64_t bytes)
{
    bool less = false;
    for (int i = 0; i < STAR_KNOBS_MAX && algorithm->knobs[i].name != NULL; i++)
        for (int k = 0;
             strcmp(algorithm->knobs[i].name, "segment") == 0 && k < algorithm->knobs[i].values.count; k++)
            less = less ||
                   (algorithm->knobs[i].values.at[k] < segment &&
                    (algorithm->knobs[i].values.at[k] == 0 || algorithm->knobs[i].values.at[k] >= bytes));
    return less;
}

/* With a segment that holds the vector a method is what it is without segments; in shared memory, where none
 * is without, what it is with the least such segment. */
static bool is_whole_again(const struct star_method *method, int64_t bytes)
{
    int64_t segment = star_method_knob(method, "segment", 0);
    return segment > 0 && segment >= bytes &&
           (!method->algorithm->shares || is_whole_with_less(method->algorithm, segment, bytes));
}

bool star_method_is_candidate(const struct star_method *method, const struct star_shape *shape, int64_t bytes)
{
    int64_t most = method->algorithm->most_bytes;
    if (star_method_applies(method, shape, NULL) != 0 || !is_quickly_planned(method, shape) ||
        (star_method_knob(method, "order", STAR_BY_RANK) == STAR_BY_DFS && !has_order(shape)) ||
        (is_by_switch(method) && !has_switches(shape)) || !has_bundles(method, shape) ||
        (shape->one_way && !star_method_is_one_way(method)))
        return false;
    if (star_operations[method->algorithm->operation].measure == STAR_UNKNOWN)
        return true;
    return (most == 0 || bytes <= most) && bytes >= method->algorithm->least_bytes &&
           !is_whole_again(method, bytes);
}

/* The segment knob is the builder's own, but where there is a window of pieces too. */
static struct star_pacing pacing_of(const struct star_method *method)
{
    enum { PIECES_IN_FLIGHT = 4 };
    int64_t window = star_method_knob(method, "window", -1);
    int64_t segment = window < 0 ? 0 : star_method_knob(method, "segment", 0);
    return (struct star_pacing){.sync = star_method_knob(method, "sync", STAR_SYNC_NONE),
                                .segment = segment,
                                .window = window > 0    ? window
                                          : segment > 0 ? PIECES_IN_FLIGHT
                                                        : 1,
                                .forwards = method->algorithm->forwards};
}

int star_method_plan(const struct star_method *method, const struct star_shape *shape, int64_t temp_limit,
                     struct star_plan **plan, struct star_why *why)
{
    struct star_shape own = *shape;
    *plan = NULL;
    int error = star_method_applies(method, shape, why);
    if (error)
        return error;
    if (method->algorithm->build == NULL)
        return star_because(why, STAR_ENEEDS, "%s has no plan: it is the MPI library's own",
                            star_is_native(method) ? "native" : "a mock-up");
    own.units = star_operations[method->algorithm->operation].units;
    if (own.units)
        own.block = own.granule = 1;
    if (star_method_knob(method, "order", STAR_BY_RANK) == STAR_BY_DFS) {
        own.order = own.network->order;
        own.turn = own.network->place;
    }
    own.node = nodes_of(method, shape);
    own.knob = method->knob;
    own.part = &method->algorithm->part;
    struct star_builder *builder = star_builder_new(&own, temp_limit);
    if (builder != NULL)
        method->algorithm->build(builder, &own);
    struct star_pacing pacing = pacing_of(method);
    error = star_builder_finish(builder, pacing, plan, why);
    const struct star_operation_info *operation = &star_operations[method->algorithm->operation];
    if (!error) {
        (*plan)->input_in_recv = operation->expected.one_buffer && own.rank == own.root;
        (*plan)->vector = own.units ? 0 : own.block;
        (*plan)->meets = star_operation_awaits_all(method->algorithm->operation);
        (*plan)->pieces =
            (*plan)->pieces || (star_plan_shares(*plan) && !operation->expected.reduces && !own.units);
        (*plan)->reduces = operation->expected.reduces; /* also of a rank that only passes elements on */
    }
    return error;
}

int star_method_likeness(const struct star_method *method, const struct star_shape *shape, int64_t temp_limit,
                         struct star_plan **plan, struct star_why *why)
{
    if (method->algorithm->like.algorithm == NULL)
        return star_method_plan(method, shape, temp_limit, plan, why);
    struct star_method like = method_of(method->algorithm->like.algorithm);
    struct star_shape all = *shape;
    *plan = NULL;
    int error = star_method_applies(method, shape, why);
    if (error)
        return error;
    if (method->algorithm->like.all && shape->block > INT64_MAX / shape->size)
        return star_because(why, STAR_ELIMIT, "%d blocks of %lld bytes are too many", shape->size,
                            (long long)shape->block);
    if (method->algorithm->like.all)
        all.block *= shape->size;
    return star_method_plan(&like, &all, temp_limit, plan, why);
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
