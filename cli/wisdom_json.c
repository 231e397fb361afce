/* SPDX-License-Identifier: BSD-3-Clause
 * Facts of wisdom as JSON. */
#include "wisdom/fact.h"
#include "wisdom/facts.h"
#include "wisdom_report.h"

#include <stdio.h>
#include <string.h>

enum { FORMAT = 2 };

static void json_fact(const struct star_fact *fact, struct star_text *text)
{
    star_json_open(text, NULL, '{');
    star_json_string(text, "machine", fact->machine);
    star_json_string(text, "operation", fact->operation);
    star_json_integer(text, "ranks", fact->ranks);
    star_json_integer(text, "nodes", fact->nodes);
    star_json_integer(text, "bytes", fact->bytes);
    star_json_bool(text, "commutative", fact->commutative);
    star_json_bool(text, "in_place", fact->in_place);
    star_json_string(text, "method", fact->method);
    star_json_number(text, "count", fact->figures.count);
    star_json_number(text, "mean", fact->figures.mean);
    star_json_number(text, "squares", fact->figures.squares);
    star_json_number(text, "least", fact->figures.least);
    star_json_integer(text, "date", fact->figures.date);
    star_json_close(text, '}');
}

void cli_wisdom_json(const struct star_facts *facts, struct star_text *text)
{
    star_json_open(text, NULL, '{');
    star_json_integer(text, "startune_wisdom", FORMAT);
    star_json_open(text, "facts", '[');
    for (size_t i = 0; i < facts->count; i++) {
        star_text_add(text, i ? ",\n" : "\n");
        json_fact(&facts->at[i], text);
    }
    star_json_close(text, ']');
    star_json_close(text, '}');
    star_text_add(text, "\n");
}

static bool read_word(const json_t *object, const char *key, char *word, size_t room)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL && (size_t)snprintf(word, room, "%s", value) < room;
}

static bool read_integer(const json_t *object, const char *key, int64_t *number)
{
    const json_t *value = json_object_get(object, key);
    *number = json_integer_value(value);
    return json_is_integer(value);
}

static bool read_number(const json_t *object, const char *key, double *number)
{
    const json_t *value = json_object_get(object, key);
    *number = json_number_value(value);
    return json_is_number(value);
}

static bool read_bool(const json_t *object, const char *key, bool *truth)
{
    const json_t *value = json_object_get(object, key);
    *truth = json_is_true(value);
    return json_is_boolean(value);
}

static bool read_fact(const json_t *object, struct star_fact *fact)
{
    struct star_figures *figures = &fact->figures;
    return read_word(object, "machine", fact->machine, sizeof fact->machine) &&
           read_word(object, "operation", fact->operation, sizeof fact->operation) &&
           read_word(object, "method", fact->method, sizeof fact->method) &&
           read_integer(object, "ranks", &fact->ranks) && read_integer(object, "nodes", &fact->nodes) &&
           read_integer(object, "bytes", &fact->bytes) &&
           read_bool(object, "commutative", &fact->commutative) &&
           read_bool(object, "in_place", &fact->in_place) && read_number(object, "count", &figures->count) &&
           read_number(object, "mean", &figures->mean) && read_number(object, "squares", &figures->squares) &&
           read_number(object, "least", &figures->least) && read_integer(object, "date", &figures->date);
}

static int read_facts(const json_t *root, const char *name, struct star_facts *facts, struct star_why *why)
{
    const json_t *list = json_object_get(root, "facts");
    if (!json_is_integer(json_object_get(root, "startune_wisdom")) || !json_is_array(list))
        return star_because(
            why, STAR_EINPUT,
            "%.200s: neither what `startune wisdom export` nor what `startune run --report` writes", name);
    if (json_integer_value(json_object_get(root, "startune_wisdom")) != FORMAT)
        return star_because(why, STAR_EINPUT, "%.200s: of another version than %d", name, FORMAT);
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct star_fact fact;
        struct star_why wrong = {"a key is missing, or its value is of the wrong kind"};
        memset(&fact, 0, sizeof fact);
        if (!read_fact(json_array_get(list, i), &fact) || star_fact_check(&fact, &wrong))
            return star_because(why, STAR_EINPUT, "%.150s: fact %zu: %.150s", name, i + 1, wrong.text);
        if (star_facts_add(&fact, facts))
            return star_because(why, STAR_EMEMORY, "out of memory for %.200s", name);
    }
    return 0;
}

int cli_wisdom_parse(const char *bytes, size_t length, const char *name, struct star_facts *facts,
                     struct star_why *why)
{
    json_error_t wrong;
    json_t *root = json_loadb(bytes, length, 0, &wrong);
    if (root == NULL)
        return star_because(why, STAR_EINPUT, "%.150s:%d: %.150s", name, wrong.line, wrong.text);
    int error =
        cli_is_report(root) ? cli_read_report(root, name, facts, why) : read_facts(root, name, facts, why);
    json_decref(root);
    return error;
}
