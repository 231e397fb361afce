/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/cost.h"
#include "plan/walk.h"
#include "topology/network.h"
#include "util/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct star_cost_parameters star_cost_presets = {
    .latency = 25e-6,
    .hop = 1e-6,
    .overhead = 2e-6,
    .copy = 5e9,
    .reduce = 2e9,
    .contention = 0,
    .framing = 1538.0 / 1448,
    .host = 125e6,
    .eager = 64 << 10,
    .block = 1 << 10,
};

/* A parameter is a number, or bytes. */
static const struct {
    const char *name;
    size_t offset;
    bool is_bytes;
} words[] = {
    {"latency", offsetof(struct star_cost_parameters, latency), false},
    {"hop", offsetof(struct star_cost_parameters, hop), false},
    {"overhead", offsetof(struct star_cost_parameters, overhead), false},
    {"copy", offsetof(struct star_cost_parameters, copy), false},
    {"reduce", offsetof(struct star_cost_parameters, reduce), false},
    {"contention", offsetof(struct star_cost_parameters, contention), false},
    {"framing", offsetof(struct star_cost_parameters, framing), false},
    {"host", offsetof(struct star_cost_parameters, host), false},
    {"eager", offsetof(struct star_cost_parameters, eager), true},
};
enum { WORDS = sizeof words / sizeof *words };

static bool is_possible(const struct star_cost_parameters *parameters)
{
    return parameters->framing >= 1 && parameters->host > 0;
}

/* NAME=VALUE */
static int parse_one(const char *text, struct star_cost_parameters *parameters, struct star_why *why)
{
    const char *value = strchr(text, '=');
    size_t length = value ? (size_t)(value - text) : strlen(text);
    for (int i = 0; value && i < WORDS; i++) {
        if (strlen(words[i].name) != length || strncmp(words[i].name, text, length) != 0)
            continue;
        double number = 0;
        void *place = (char *)parameters + words[i].offset;
        bool good = words[i].is_bytes ? star_parse_bytes(value + 1, place)
                                      : star_parse_number(value + 1, &number) && number >= 0;
        if (good && !words[i].is_bytes)
            memcpy(place, &number, sizeof number);
        if (good && is_possible(parameters))
            return 0;
        return star_because(why, STAR_EINPUT, "'%.80s' is not a possible value of %s", value + 1,
                            words[i].name);
    }
    return star_because(why, STAR_EINPUT,
                        "'%.80s' is not NAME=VALUE with latency, hop, overhead, copy, reduce, contention, "
                        "framing, host or eager",
                        text);
}

int star_cost_parse(const char *text, struct star_cost_parameters *parameters, struct star_why *why)
{
    struct star_cost_parameters parsed = *parameters;
    char one[128];
    int error = 0;
    for (const char *next = text; !error && next != NULL;) {
        size_t length = strcspn(next, ",");
        snprintf(one, sizeof one, "%.*s", (int)(length < sizeof one ? length : sizeof one - 1), next);
        error = parse_one(one, &parsed, why);
        next = next[length] ? next + length + 1 : NULL;
    }
    if (!error)
        *parameters = parsed;
    return error;
}

static double number_at(const struct star_cost_parameters *parameters, int word)
{
    double number;
    const void *place = (const char *)parameters + words[word].offset;
    if (words[word].is_bytes)
        return (double)*(const int64_t *)place;
    memcpy(&number, place, sizeof number);
    return number;
}

void star_cost_write(const struct star_cost_parameters *parameters, struct star_text *text)
{
    for (int i = 0; i < WORDS; i++)
        star_text_add(text, words[i].is_bytes ? "%s%s=%.0f" : "%s%s=%.6g", i ? "," : "", words[i].name,
                      number_at(parameters, i));
}

void star_cost_json(const struct star_cost_parameters *parameters, struct star_text *text)
{
    for (int i = 0; i < WORDS; i++)
        star_json_number(text, words[i].name, number_at(parameters, i));
}

static int check_plans(struct star_plan *const *plans, int count, const struct star_network *network,
                       struct star_why *why)
{
    if (network != NULL && network->ranks != count)
        return star_because(why, STAR_EWRONG, "%d plans for a network of %d ranks", count, network->ranks);
    for (int r = 0; r < count; r++)
        if (plans[r]->rank != r || plans[r]->size != count)
            return star_because(why, STAR_EWRONG, "plan %d is that of rank %d of %d", r, plans[r]->rank,
                                plans[r]->size);
    return 0;
}

struct loaded {
    int link;
    double seconds;
};

static int compare_loads(const void *left, const void *right)
{
    const struct loaded *a = left, *b = right;
    return a->seconds < b->seconds   ? 1
           : a->seconds > b->seconds ? -1
                                     : (a->link > b->link) - (a->link < b->link);
}

static bool list_contended(struct star_cost *cost, const struct star_network *network)
{
    struct loaded *loaded = malloc(((size_t)cost->links + 1) * sizeof *loaded);
    cost->contended = malloc(((size_t)cost->links + 1) * sizeof *cost->contended);
    bool made = loaded != NULL && cost->contended != NULL;
    for (int l = 0; made && l < cost->links; l++)
        if (cost->load[l].contended > 0)
            loaded[cost->contended_count++] =
                (struct loaded){l, (double)cost->load[l].bytes / network->rate[l / 2]};
    if (made)
        qsort(loaded, (size_t)cost->contended_count, sizeof *loaded, compare_loads);
    for (int i = 0; made && i < cost->contended_count; i++)
        cost->contended[i] = loaded[i].link;
    free(loaded);
    return made;
}

static int cost_on(struct star_plan *const *plans, const struct star_network *network,
                   const struct star_cost_parameters *parameters, struct star_cost *cost,
                   struct star_why *why)
{
    struct star_sharing sharing = {parameters->contention, parameters->framing};
    struct star_flows *flows = star_flows_new(network, sharing);
    cost->links = 2 * network->nodes;
    cost->load = malloc((size_t)cost->links * sizeof *cost->load);
    int error = STAR_EMEMORY;
    if (flows != NULL && cost->load != NULL) {
        error = star_walk(plans, network->ranks, flows, parameters, &cost->seconds, why);
        memcpy(cost->load, star_flows_loads(flows), (size_t)cost->links * sizeof *cost->load);
    }
    if (!error && !list_contended(cost, network))
        error = STAR_EMEMORY;
    if (error == STAR_EMEMORY)
        star_because(why, error, "out of memory for the cost of the plans of %d ranks", network->ranks);
    star_flows_free(flows);
    return error;
}

int star_cost_of(struct star_plan *const *plans, int count, const struct star_network *network,
                 const struct star_cost_parameters *parameters, struct star_cost *cost, struct star_why *why)
{
    *cost = (struct star_cost){0};
    int error = check_plans(plans, count, network, why);
    if (error)
        return error;
    struct star_network *ideal = network ? NULL : star_network_of_machines(NULL, count, parameters->host);
    if (network == NULL && ideal == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for a switch of %d ranks", count);
    error = cost_on(plans, network ? network : ideal, parameters, cost, why);
    star_network_free(ideal);
    if (error)
        star_cost_free(cost);
    return error;
}

void star_cost_free(struct star_cost *cost)
{
    free(cost->load);
    free(cost->contended);
    *cost = (struct star_cost){0};
}
