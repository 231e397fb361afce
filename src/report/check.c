/* SPDX-License-Identifier: BSD-3-Clause
 * What a report must hold for the rest of this room, which then need not look twice. */
#include "report/check.h"

#include <string.h>

enum kind { WORD, WHOLE, NUMBER, NUMBER_OR_NULL, FLAG, LIST, OBJECT, WORDS };
static const char *const kind_names[] = {
    [WORD] = "a text",      [WHOLE] = "a whole number, 0 or more", [NUMBER] = "a number",
    [FLAG] = "a truth",     [NUMBER_OR_NULL] = "a number or null", [LIST] = "a list",
    [OBJECT] = "an object", [WORDS] = "an object of texts"};

struct member {
    const char *key;
    enum kind kind;
    bool may_lack;
};
static const struct member of_report[] = {{"startune", WORD, false},   {"mpi", WORD, false},
                                          {"machine", WORD, false},    {"program", WORD, false},
                                          {"date", WHOLE, false},      {"seconds", NUMBER, false},
                                          {"ranks", WHOLE, false},     {"saved_seconds", NUMBER, false},
                                          {"settings", OBJECT, false}, {"contexts", LIST, false},
                                          {"requests", LIST, false},   {"others", LIST, false},
                                          {"left_out", WHOLE, false},  {NULL, WORD, false}};
static const struct member of_context[] = {{"operation", WORD, false},
                                           {"bytes", WHOLE, true},
                                           {"ranks", WHOLE, false},
                                           {"nodes", WHOLE, true},
                                           {"in_place", FLAG, false},
                                           {"commutative", FLAG, false},
                                           {"site", WORD, true},
                                           {"caller", WORD, false},
                                           {"module", WORD, true},
                                           {"calls", WHOLE, false},
                                           {"timed_calls", WHOLE, false},
                                           {"seconds", NUMBER, false},
                                           {"method", WORD, false},
                                           {"tuned", FLAG, false},
                                           {"native_seconds_per_call", NUMBER, true},
                                           {"native_once", FLAG, true},
                                           {"saved_seconds", NUMBER, true},
                                           {"tuning_seconds", NUMBER, true},
                                           {"tuning_calls", WHOLE, false},
                                           {"pruned", WHOLE, false},
                                           {"remembered_methods", WHOLE, true},
                                           {"remembered_confidence", NUMBER, true},
                                           {"memory_bytes", OBJECT, true},
                                           {"ranks_seconds_per_call", OBJECT, true},
                                           {"history", LIST, false},
                                           {"agreements", WHOLE, false},
                                           {"agreement_seconds", NUMBER, true},
                                           {"methods", LIST, false},
                                           {NULL, WORD, false}};
static const struct member of_spread[] = {{"mean", NUMBER, false},
                                          {"most", NUMBER, false},
                                          {"least", NUMBER, false},
                                          {"calls", WHOLE, false},
                                          {NULL, WORD, false}};
static const struct member of_memory[] = {
    {"context", WHOLE, false}, {"plan", WHOLE, false}, {NULL, WORD, false}};
/* Of contexts and requests, but for what says which method or function it was. */
static const struct member of_decision[] = {{"call", WHOLE, false},  {"at_seconds", NUMBER, false},
                                            {"stage", WORD, false},  {"reason", WORD, false},
                                            {"delta", WHOLE, false}, {"mean_seconds", NUMBER_OR_NULL, false},
                                            {NULL, WORD, false}};
static const struct member of_tried[] = {{"calls", WHOLE, false},
                                         {"mean_seconds", NUMBER_OR_NULL, false},
                                         {"estimate_seconds", NUMBER_OR_NULL, false},
                                         {"left_out", FLAG, false},
                                         {"samples", LIST, false},
                                         {NULL, WORD, false}};
static const struct member of_methods_decision[] = {{"method", WORD, false}, {NULL, WORD, false}};
static const struct member of_functions_decision[] = {{"function", WORD, false}, {NULL, WORD, false}};
static const struct member of_method[] = {{"method", WORD, false},
                                          {"wrong", FLAG, false},
                                          {"predicted_seconds", NUMBER_OR_NULL, true},
                                          {NULL, WORD, false}};
static const struct member of_function[] = {{"function", WORD, false},
                                            {"attributes", WORDS, false},
                                            {"remembered_as", WORD, true},
                                            {NULL, WORD, false}};
static const struct member of_request[] = {{"function_set", WORD, false},
                                           {"problem", WORD, true},
                                           {"bytes", WHOLE, true},
                                           {"ranks", WHOLE, false},
                                           {"nodes", WHOLE, true},
                                           {"requests", WHOLE, false},
                                           {"calls", WHOLE, false},
                                           {"timed_calls", WHOLE, false},
                                           {"seconds", NUMBER, false},
                                           {"function", WORD, false},
                                           {"attributes", WORDS, false},
                                           {"tuned", FLAG, false},
                                           {"timer", FLAG, false},
                                           {"teaches", FLAG, true},
                                           {"remembered_functions", WHOLE, true},
                                           {"remembered_function", WORD, true},
                                           {"remembered_confidence", NUMBER, true},
                                           {"first_seconds_per_call", NUMBER, true},
                                           {"first_once", FLAG, true},
                                           {"saved_seconds", NUMBER, true},
                                           {"tuning_seconds", NUMBER, true},
                                           {"history", LIST, false},
                                           {"agreements", WHOLE, false},
                                           {"agreement_seconds", NUMBER, true},
                                           {"functions", LIST, false},
                                           {NULL, WORD, false}};
static const struct member of_others[] = {
    {"operation", WORD, false}, {"ranks", WHOLE, false}, {"calls", WHOLE, false}, {NULL, WORD, false}};

static bool holds_words(const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) if (!json_is_string(value)) return false;
    return json_is_object(object);
}

static bool is_of(const json_t *value, enum kind kind)
{
    switch (kind) {
    case WORD:
        return json_is_string(value);
    case WHOLE:
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case NUMBER:
        return json_is_number(value);
    case NUMBER_OR_NULL:
        return json_is_number(value) || json_is_null(value);
    case FLAG:
        return json_is_boolean(value);
    case LIST:
        return json_is_array(value);
    case OBJECT:
        return json_is_object(value);
    case WORDS:
        return holds_words(value);
    }
    return false;
}

static int check_members(const json_t *object, const struct member *members, struct star_why *why)
{
    if (!json_is_object(object))
        return star_because(why, STAR_EINPUT, "not an object");
    for (; members->key; members++) {
        const json_t *value = json_object_get(object, members->key);
        if (value == NULL && members->may_lack)
            continue;
        if (!is_of(value, members->kind))
            return star_because(why, STAR_EINPUT, "'%s' is %s: %s is good", members->key,
                                value ? "of another kind" : "missing", kind_names[members->kind]);
    }
    return 0;
}

/* Of the list KEY; CHECK is NULL where members are all there is to say. */
static int check_list(const json_t *object, const char *key, const struct member *members,
                      int (*check)(const json_t *element, struct star_why *why), struct star_why *why)
{
    const json_t *list = json_object_get(object, key);
    struct star_why wrong;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *element = json_array_get(list, i);
        int error = check_members(element, members, &wrong);
        if (!error && check != NULL)
            error = check(element, &wrong);
        if (error)
            return star_because(why, error, "%s %zu: %.250s", key, i + 1, wrong.text);
    }
    return 0;
}

static int check_tried(const json_t *method, struct star_why *why)
{
    int error = check_members(method, of_tried, why);
    if (error)
        return error;
    const json_t *samples = json_object_get(method, "samples");
    for (size_t i = 0; i < json_array_size(samples); i++) {
        const json_t *sample = json_array_get(samples, i);
        if (!json_is_number(sample) || json_number_value(sample) < 0)
            return star_because(why, STAR_EINPUT, "sample %zu is no time", i + 1);
    }
    return 0;
}

static int check_decision(const json_t *decision, struct star_why *why)
{
    return check_members(decision, of_decision, why);
}

static int check_context(const json_t *context, struct star_why *why)
{
    const json_t *spread = json_object_get(context, "ranks_seconds_per_call");
    const json_t *memory = json_object_get(context, "memory_bytes");
    int error = spread ? check_members(spread, of_spread, why) : 0;
    if (!error && memory)
        error = check_members(memory, of_memory, why);
    if (!error)
        error = check_list(context, "history", of_methods_decision, check_decision, why);
    return error ? error : check_list(context, "methods", of_method, check_tried, why);
}

static int check_request(const json_t *request, struct star_why *why)
{
    int error = check_list(request, "history", of_functions_decision, check_decision, why);
    return error ? error : check_list(request, "functions", of_function, check_tried, why);
}

int star_report_check(const json_t *report, const char *name, struct star_why *why)
{
    struct star_why wrong;
    int error = check_members(report, of_report, &wrong);
    if (!error)
        error = check_list(report, "contexts", of_context, check_context, &wrong);
    if (!error)
        error = check_list(report, "requests", of_request, check_request, &wrong);
    if (!error)
        error = check_list(report, "others", of_others, NULL, &wrong);
    return error ? star_because(why, error, "%.100s: no report of a run: %.250s", name, wrong.text) : 0;
}
