/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"
#include "report/check.h"
#include "tuner/sample.h"
#include "util/why.h"
#include "wisdom/fact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_is_report(const json_t *root)
{
    return json_is_string(json_object_get(root, "startune")) &&
           json_is_array(json_object_get(root, "contexts"));
}

/* The figures that the run itself would have told of them. *SEEN: there are some. */
static int read_samples(const json_t *list, int64_t date, struct star_figures *figures, bool *seen,
                        struct star_why *why)
{
    size_t count = json_array_size(list);
    double *samples = calloc(count + 1, sizeof *samples);
    if (samples == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        samples[i] = json_number_value(json_array_get(list, i));
    struct star_figures_seen them = {.samples = samples, .count = (int)count};
    them.mean = count > 0 ? star_filtered_mean(samples, them.count) : 0;
    *seen = star_figures_of(&them, date, figures);
    free(samples);
    return 0;
}

void cli_read_word(const json_t *object, const char *key, char *word, size_t room)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL || (size_t)snprintf(word, room, "%s", text) >= room)
        word[0] = 0;
}

/* The facts of BASE that the samples of each method in METHODS are, whose name is the member NAME, or AS
 * where it has that one. What was wrong is left out. */
static int read_methods(const json_t *methods, const char *name, const char *as, const struct star_fact *base,
                        struct star_facts *facts, struct star_why *why)
{
    struct star_fact fact = *base;
    for (size_t i = 0; i < json_array_size(methods); i++) {
        const json_t *method = json_array_get(methods, i);
        bool seen = false;
        int error =
            read_samples(json_object_get(method, "samples"), base->figures.date, &fact.figures, &seen, why);
        if (!error && (!seen || json_is_true(json_object_get(method, "wrong"))))
            continue;
        cli_read_word(method, json_object_get(method, as) ? as : name, fact.method, sizeof fact.method);
        if (!error)
            error = star_fact_check(&fact, why);
        if (!error && star_facts_add(&fact, facts))
            error = star_because(why, STAR_EMEMORY, "out of memory");
        if (error)
            return error;
    }
    return 0;
}

static int read_context(const json_t *context, const struct star_fact *base, struct star_facts *facts,
                        struct star_why *why)
{
    struct star_fact fact = *base;
    const json_t *bytes = json_object_get(context, "bytes");
    if (json_object_get(context, "nodes") == NULL) /* its calls were too few to be tuned */
        return 0;
    cli_read_word(context, "operation", fact.operation, sizeof fact.operation);
    fact.ranks = json_integer_value(json_object_get(context, "ranks"));
    fact.nodes = json_integer_value(json_object_get(context, "nodes"));
    fact.bytes = bytes ? json_integer_value(bytes) : -1;
    fact.commutative = json_is_true(json_object_get(context, "commutative"));
    fact.in_place = json_is_true(json_object_get(context, "in_place"));
    return read_methods(json_object_get(context, "methods"), "method", NULL, &fact, facts, why);
}

/* Of requests that teach, which is what the run itself would have told. */
static int read_request(const json_t *request, const struct star_fact *base, struct star_facts *facts,
                        struct star_why *why)
{
    struct star_fact fact = *base;
    if (!json_is_true(json_object_get(request, "teaches")))
        return 0;
    cli_read_word(request, "problem", fact.operation, sizeof fact.operation);
    fact.ranks = json_integer_value(json_object_get(request, "ranks"));
    fact.nodes = json_integer_value(json_object_get(request, "nodes"));
    fact.bytes = -1;
    fact.commutative = true;
    return read_methods(json_object_get(request, "functions"), "function", "remembered_as", &fact, facts,
                        why);
}

int cli_read_report(const json_t *root, const char *name, struct star_facts *facts, struct star_why *why)
{
    const json_t *contexts = json_object_get(root, "contexts"), *requests = json_object_get(root, "requests");
    struct star_fact base;
    struct star_why wrong;
    int bad = star_schema_check(STAR_SCHEMA_REPORT, root, name, why);
    if (bad)
        return bad;
    memset(&base, 0, sizeof base);
    base.figures.date = json_integer_value(json_object_get(root, "date"));
    cli_read_word(root, "machine", base.machine, sizeof base.machine);
    if (base.machine[0] == 0 || base.figures.date <= 0)
        return star_because(why, STAR_EINPUT, "%.200s: a report without machine and date", name);
    for (size_t i = 0; i < json_array_size(contexts); i++) {
        int error = read_context(json_array_get(contexts, i), &base, facts, &wrong);
        if (error)
            return star_because(why, error, "%.150s: context %zu: %.150s", name, i + 1, wrong.text);
    }
    for (size_t i = 0; i < json_array_size(requests); i++) {
        int error = read_request(json_array_get(requests, i), &base, facts, &wrong);
        if (error)
            return star_because(why, error, "%.150s: request %zu: %.150s", name, i + 1, wrong.text);
    }
    return 0;
}
