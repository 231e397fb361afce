/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"
#include "report.h"
#include "report/check.h"
#include "util/why.h"
#include "wisdom/fact.h"

#include <stdio.h>
#include <string.h>

enum { FORMAT = 2 };

static void json_fact(const struct star_fact *fact, struct star_text *text)
{
    const struct star_figures *figures = &fact->figures;
    star_json_add(
        text,
        "{machine: %s, operation: %s, ranks: %jd, nodes: %jd, bytes: %jd, commutative: %i, in_place: %i, "
        "method: %s, count: %g, mean: %g, squares: %g, least: %g, date: %jd}",
        fact->machine, fact->operation, fact->ranks, fact->nodes, fact->bytes, fact->commutative,
        fact->in_place, fact->method, figures->count, figures->mean, figures->squares, figures->least,
        figures->date);
}

void cli_wisdom_json(const struct star_facts *facts, struct star_text *text)
{
    star_json_add(text, "{startune_wisdom: %d, facts: [", FORMAT);
    for (size_t i = 0; i < facts->count; i++) {
        star_text_add(text, i ? ",\n" : "\n");
        json_fact(&facts->at[i], text);
    }
    star_text_add(text, "]}\n");
}

/* Of what the schema finds whole. */
static void read_fact(const json_t *object, struct star_fact *fact)
{
    struct star_figures *figures = &fact->figures;
    memset(fact, 0, sizeof *fact);
    cli_read_word(object, "machine", fact->machine, sizeof fact->machine);
    cli_read_word(object, "operation", fact->operation, sizeof fact->operation);
    cli_read_word(object, "method", fact->method, sizeof fact->method);
    fact->ranks = json_integer_value(json_object_get(object, "ranks"));
    fact->nodes = json_integer_value(json_object_get(object, "nodes"));
    fact->bytes = json_integer_value(json_object_get(object, "bytes"));
    fact->commutative = json_is_true(json_object_get(object, "commutative"));
    fact->in_place = json_is_true(json_object_get(object, "in_place"));
    figures->date = json_integer_value(json_object_get(object, "date"));
    figures->count = json_number_value(json_object_get(object, "count"));
    figures->mean = json_number_value(json_object_get(object, "mean"));
    figures->squares = json_number_value(json_object_get(object, "squares"));
    figures->least = json_number_value(json_object_get(object, "least"));
}

/* Is the method of the operation? Those of collective operations are called so: "bcast:chain". */
static bool is_of_operation(const struct star_fact *fact)
{
    size_t length = strlen(fact->operation);
    return strchr(fact->operation, ':') != NULL ||
           (strncmp(fact->method, fact->operation, length) == 0 && fact->method[length] == ':');
}

/* As star_fact_check. */
static int check(const struct star_fact *fact, struct star_why *why)
{
    int error = star_fact_check(fact, why);
    if (!error && !is_of_operation(fact))
        error = star_because(why, STAR_EINPUT, "a fact of %s whose method is '%s'", fact->operation,
                             fact->method);
    return error;
}

static int read_facts(const json_t *root, const char *name, struct star_facts *facts, struct star_why *why)
{
    const json_t *list = json_object_get(root, "facts"), *version = json_object_get(root, "startune_wisdom");
    if (version == NULL)
        return star_because(
            why, STAR_EINPUT,
            "%.200s: neither what `startune wisdom export` nor what `startune run --report` writes", name);
    if (json_is_integer(version) && json_integer_value(version) != FORMAT)
        return star_because(why, STAR_EINPUT, "%.200s: of another version than %d", name, FORMAT);
    int error = star_schema_check(STAR_SCHEMA_WISDOM, root, name, why);
    for (size_t i = 0; !error && i < json_array_size(list); i++) {
        struct star_fact fact;
        struct star_why wrong;
        read_fact(json_array_get(list, i), &fact);
        error = check(&fact, &wrong);
        if (error)
            star_because(why, error, "%.150s: fact %zu: %.150s", name, i + 1, wrong.text);
        else if (star_facts_add(&fact, facts))
            error = star_because(why, STAR_EMEMORY, "out of memory for %.200s", name);
    }
    return error;
}

int cli_wisdom_parse(const char *bytes, size_t length, const char *name, struct star_facts *facts,
                     struct star_why *why)
{
    json_error_t wrong;
    json_t *root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &wrong);
    if (root == NULL)
        return star_because(why, STAR_EINPUT, "%.150s:%d: %.150s", name, wrong.line, wrong.text);
    int error =
        cli_is_report(root) ? cli_read_report(root, name, facts, why) : read_facts(root, name, facts, why);
    json_decref(root);
    return error;
}
