/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/prospect.h"
#include "topology/network.h"
#include "util/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Links so many times as fast take no time. */
static const double infinitely = 1e9;

struct star_foresight {
    const struct star_network *network; /* known, or ASSUMED */
    struct star_network *assumed;       /* NULL: it is known */
    struct star_network fast;           /* the same, but for its links' rates */
    int *node, machines;                /* of each rank; NULL: as it is known */
    struct star_cost_parameters parameters;
};

static bool assume(struct star_foresight *foresight, const int *node, int ranks)
{
    foresight->assumed = star_network_of_machines(node, ranks, foresight->parameters.host);
    foresight->network = foresight->assumed;
    foresight->node = malloc((size_t)ranks * sizeof *foresight->node);
    for (int r = 0; foresight->node != NULL && r < ranks; r++) {
        foresight->node[r] = node ? node[r] : r;
        if (foresight->node[r] >= foresight->machines)
            foresight->machines = foresight->node[r] + 1;
    }
    return foresight->assumed != NULL && foresight->node != NULL;
}

static bool make_fast(struct star_foresight *foresight)
{
    const struct star_network *network = foresight->network;
    foresight->fast = *network;
    foresight->fast.rate = malloc((size_t)network->nodes * sizeof *foresight->fast.rate);
    for (int i = 0; foresight->fast.rate != NULL && i < network->nodes; i++)
        foresight->fast.rate[i] = infinitely * network->rate[i];
    return foresight->fast.rate != NULL;
}

struct star_foresight *star_foresight_new(const struct star_network *network, const int *node, int ranks,
                                          const struct star_cost_parameters *parameters)
{
    struct star_foresight *foresight = calloc(1, sizeof *foresight);
    if (foresight == NULL)
        return NULL;
    foresight->network = network;
    foresight->parameters = *parameters;
    if ((network != NULL || assume(foresight, node, ranks)) && make_fast(foresight))
        return foresight;
    star_foresight_free(foresight);
    return NULL;
}

void star_foresight_free(struct star_foresight *foresight)
{
    if (foresight == NULL)
        return;
    free(foresight->fast.rate);
    free(foresight->node);
    star_network_free(foresight->assumed);
    free(foresight);
}

const struct star_network *star_foresight_network(const struct star_foresight *foresight)
{
    return foresight->network;
}

static double busiest(const struct star_foresight *foresight, const struct star_cost *cost)
{
    double most = 0;
    for (int l = 0; l < cost->links; l++) {
        double rate = foresight->network->rate[l / 2];
        if (rate > 0)
            most = fmax(most, foresight->parameters.framing * (double)cost->load[l].bytes / rate);
    }
    return most;
}

/* Bytes that cross a link between two switches, each way. */
struct crossing {
    double there, back;
};

static void cross(struct crossing *crossing, int from, int to, double bytes)
{
    if (from < to)
        crossing->there += bytes;
    else if (from > to)
        crossing->back += bytes;
}

static double seconds_of(const struct star_foresight *foresight, const struct crossing *crossing)
{
    return foresight->parameters.framing * fmax(crossing->there, crossing->back) / foresight->parameters.host;
}

static void part(const struct star_foresight *foresight, struct star_plan *const *plans,
                 struct star_prospect *prospect)
{
    struct crossing halves = {0}, turns = {0};
    int half = (foresight->machines + 1) / 2;
    for (int r = 0; r < foresight->network->ranks; r++) {
        double unit = plans[r]->units ? (double)foresight->parameters.block : 1;
        for (int i = 0; i < plans[r]->count; i++) {
            const struct star_step *step = &plans[r]->steps[i];
            if (step->kind != STAR_STEP_SEND)
                continue;
            int from = foresight->node[r], to = foresight->node[step->peer];
            cross(&halves, from >= half, to >= half, unit * (double)step->length);
            cross(&turns, from % 2, to % 2, unit * (double)step->length);
        }
    }
    prospect->halves = seconds_of(foresight, &halves);
    prospect->turns = seconds_of(foresight, &turns);
}

static int walk(const struct star_foresight *foresight, struct star_plan *const *plans,
                const struct star_network *network, double patience, struct star_cost *cost,
                struct star_why *why)
{
    struct star_cost_parameters parameters = foresight->parameters;
    parameters.patience = patience;
    return star_cost_of(plans, foresight->network->ranks, network, &parameters, cost, why);
}

/* What is left of PATIENCE seconds since BEGIN. */
static double left_of(double patience, int64_t begin)
{
    return patience > 0 ? fmax(patience - (double)star_since(begin) * 1e-9, 1e-9) : 0;
}

int star_foresee(const struct star_foresight *foresight, struct star_plan *const *plans, double patience,
                 bool parts, struct star_prospect *prospect, struct star_why *why)
{
    struct star_cost cost;
    struct star_prospect whole = STAR_NO_PROSPECT;
    int64_t begin = star_now();
    *prospect = whole;
    int error = walk(foresight, plans, foresight->network, patience, &cost, why);
    if (error)
        return error;
    whole.seconds = cost.seconds;
    whole.link = parts ? busiest(foresight, &cost) : STAR_UNKNOWN_SECONDS;
    star_cost_free(&cost);
    if (parts) {
        error = walk(foresight, plans, &foresight->fast, left_of(patience, begin), &cost, why);
        if (error)
            return error;
        whole.latency = cost.seconds;
        star_cost_free(&cost);
        if (foresight->assumed != NULL)
            part(foresight, plans, &whole);
    }
    *prospect = whole;
    return 0;
}
