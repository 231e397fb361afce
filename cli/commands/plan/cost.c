/* SPDX-License-Identifier: BSD-3-Clause */
#include "cost.h"
#include "algorithms/operations.h"
#include "plan/flows.h"
#include "plan/plan.h"
#include "plan/prospect.h"
#include "plot/table.h"
#include "topology/network.h"
#include "util/parse.h"
#include "util/prospect.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_cost_bound(struct cli_cost *ask, enum star_operation operation, int root, int64_t bytes,
                   struct star_why *why)
{
    if (ask->on.network == NULL || star_operations[operation].units)
        return 0;
    int error = star_bound_of(operation, ask->on.network, root, (double)bytes, &ask->bound, why);
    ask->bounded = !error && ask->bound.limit != STAR_LIMIT_NONE;
    return error;
}

/* A link as people see it. */
struct view {
    const int *below; /* the ranks below it, sorted */
    int count;
    double mbps; /* 0: not limited */
    bool down;
};

static int compare_ranks(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

/* RANKS has room for them all. */
static struct view view_of(const struct cli_cost *ask, int link, int *ranks)
{
    const struct star_network *network = ask->walked;
    int node = link / 2, count = network->below[node];
    for (int i = 0; i < count; i++)
        ranks[i] = network->order[network->first[node] + i];
    qsort(ranks, (size_t)count, sizeof *ranks, compare_ranks);
    return (struct view){ranks, count, network->rate[node] * 8 / 1e6, link % 2};
}

/* "0-3,8": the first runs of neighbours. */
static void name_ranks(const struct view *view, char *name, size_t room)
{
    size_t used = 0;
    name[0] = 0;
    for (int i = 0, last; i < view->count; i = last + 1) {
        for (last = i; last + 1 < view->count && view->below[last + 1] == view->below[last] + 1;)
            last++;
        if (used + 16 > room) {
            snprintf(name + used, room - used, ",...");
            return;
        }
        const char *comma = i ? "," : "";
        if (last > i)
            snprintf(name + used, room - used, "%s%d-%d", comma, view->below[i], view->below[last]);
        else
            snprintf(name + used, room - used, "%s%d", comma, view->below[i]);
        used += strlen(name + used);
    }
}

static bool is_contended(const struct star_cost *cost, int link)
{
    return cost->load[link].contended > 0;
}

static const struct star_column columns[] = {{"way", "way", STAR_AS_WORDS},
                                             {"ranks_below", "ranks below", STAR_AS_WORDS},
                                             {"mbps", "Mb/s", STAR_AS_SIZES},
                                             {"bytes", "bytes", STAR_AS_COUNTS},
                                             {"busy_seconds", "busy", STAR_AS_TIMES},
                                             {"most_flows", "flows", STAR_AS_COUNTS},
                                             {"contended_seconds", "contended", STAR_AS_TIMES}};

static void add_row(struct star_table *table, const struct cli_cost *ask, const struct star_cost *cost,
                    int link, int *ranks)
{
    const struct star_link_load *load = &cost->load[link];
    struct view view = view_of(ask, link, ranks);
    char name[48];
    name_ranks(&view, name, sizeof name);
    star_table_words(table, "%s", view.down ? "down" : "up");
    star_table_words(table, "%s", name);
    star_table_words(table, view.mbps > 0 ? "%.6g" : "-", view.mbps);
    star_table_numbers(table, load->bytes, load->busy, load->most_flows);
    if (load->contended > 0)
        star_table_numbers(table, load->contended);
    else
        star_table_words(table, "-");
}

/* The contended links first, the most loaded of them first; then the others, from the root on. */
static void add_table(struct star_text *text, const struct cli_cost *ask, const struct star_cost *cost,
                      int *ranks)
{
    char seconds[32];
    struct star_table table = STAR_TABLE_OF(columns);
    star_text_add(text, "predicted: %s", star_format_seconds(cost->seconds, seconds, sizeof seconds));
    if (ask->on.file)
        star_text_add(text, " on %s, ranks placed %s", ask->on.file, ask->on.map ? ask->on.map : "block");
    else
        star_text_add(text, " on one ideal switch");
    if (ask->bounded)
        star_text_add(text, "\nphysical limit: %s, without framing and latency",
                      star_format_seconds(ask->bound.seconds, seconds, sizeof seconds));
    star_text_add(text, "\ncontended: %d directed links\n", cost->contended_count);
    for (int i = 0; i < cost->contended_count; i++)
        add_row(&table, ask, cost, cost->contended[i], ranks);
    for (int link = cost->links - 1; link >= 0; link--)
        if (cost->load[link].bytes > 0 && !is_contended(cost, link))
            add_row(&table, ask, cost, link, ranks);
    star_table_write(&table, text);
}

static void add_link(struct star_text *text, const struct cli_cost *ask, const struct star_cost *cost,
                     int link, int *ranks)
{
    const struct star_link_load *load = &cost->load[link];
    struct view view = view_of(ask, link, ranks);
    star_json_add(text, "{way: %s, ranks_below: [", view.down ? "down" : "up");
    for (int i = 0; i < view.count; i++)
        star_json_integer(text, NULL, view.below[i]);
    star_json_add(text, "], mbps: %g, bytes: %jd, busy_seconds: %g, most_flows: %d, contended_seconds: %g}",
                  view.mbps, load->bytes, load->busy, load->most_flows, load->contended);
}

static void add_json(struct star_text *text, const struct cli_cost *ask, const struct star_cost *cost,
                     const struct star_prospect *prospect, int *ranks)
{
    if (ask->on.file)
        star_json_add(text, "topology: %s, map: %s", ask->on.file, ask->on.map ? ask->on.map : "block");
    if (ask->assumed)
        star_json_string(text, "assumed", ask->assumed);
    star_json_add(text, "predicted_seconds: %g, latency_seconds: %g, link_seconds: %g", cost->seconds,
                  prospect->latency, prospect->link);
    if (!ask->on.file)
        star_json_add(text, "halves_seconds: %g, turns_seconds: %g", prospect->halves, prospect->turns);
    if (ask->bounded)
        star_json_number(text, "limit_seconds", ask->bound.seconds);
    star_json_open(text, "contended", '[');
    for (int i = 0; i < cost->contended_count; i++)
        add_link(text, ask, cost, cost->contended[i], ranks);
    star_json_add(text, "], links: [");
    for (int link = cost->links - 1; link >= 0; link--)
        if (cost->load[link].bytes > 0)
            add_link(text, ask, cost, link, ranks);
    star_json_close(text, ']');
}

static int add_cost(const struct cli_cost *ask, const struct star_foresight *foresight,
                    struct star_plan *const *plans, int *below, bool json, struct star_text *text,
                    struct star_why *why)
{
    struct star_cost cost;
    struct star_prospect prospect;
    struct cli_cost on = *ask;
    on.walked = star_foresight_network(foresight);
    int error = json ? star_foresee(foresight, plans, 0, true, &prospect, why) : 0;
    if (!error)
        error = star_cost_of(plans, on.walked->ranks, on.walked, &on.parameters, &cost, why);
    if (error)
        return error;
    if (json)
        add_json(text, &on, &cost, &prospect, below);
    else
        add_table(text, &on, &cost, below);
    star_cost_free(&cost);
    return 0;
}

int cli_cost_add(const struct cli_cost *ask, struct star_plan *const *plans, int ranks, bool json,
                 struct star_text *text, struct star_why *why)
{
    struct star_foresight *foresight =
        star_foresight_new(ask->on.network, ask->node, ranks, &ask->parameters);
    int *below = malloc((size_t)ranks * sizeof *below);
    int error = below && foresight ? add_cost(ask, foresight, plans, below, json, text, why)
                                   : star_because(why, STAR_EMEMORY, "out of memory for %d ranks", ranks);
    star_foresight_free(foresight);
    free(below);
    return error;
}
