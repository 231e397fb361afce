/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"
#include "report.h"
#include "store/facts.h"
#include "util/text.h"
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

static bool copy_word(const char *word, char *room, size_t size)
{
    return (size_t)snprintf(room, size, "%s", word) < size;
}

static bool read_fact(json_t *object, struct star_fact *fact)
{
    struct star_figures *figures = &fact->figures;
    const char *machine, *operation, *method;
    json_int_t ranks, nodes, bytes, date;
    int commutative, in_place;
    if (json_unpack(object, "{s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:b,s:b,s:F,s:F,s:F,s:F}", "machine", &machine,
                    "operation", &operation, "method", &method, "ranks", &ranks, "nodes", &nodes, "bytes",
                    &bytes, "date", &date, "commutative", &commutative, "in_place", &in_place, "count",
                    &figures->count, "mean", &figures->mean, "squares", &figures->squares, "least",
                    &figures->least) != 0)
        return false;
    fact->ranks = ranks;
    fact->nodes = nodes;
    fact->bytes = bytes;
    fact->commutative = commutative;
    fact->in_place = in_place;
    figures->date = date;
    return copy_word(machine, fact->machine, sizeof fact->machine) &&
           copy_word(operation, fact->operation, sizeof fact->operation) &&
           copy_word(method, fact->method, sizeof fact->method);
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
