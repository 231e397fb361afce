/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/fluid.h"

#include <stdlib.h>

struct tally {
    const struct star_network *network;
    double bytes;    /* of the message that is on its way */
    double *phase;   /* on each directed link, in this phase */
    double *total;   /* in all phases before */
    int *used, uses; /* the links used in this phase */
};

static int pass(int directed_link, void *context)
{
    struct tally *tally = context;
    if (tally->phase[directed_link] == 0)
        tally->used[tally->uses++] = directed_link;
    tally->phase[directed_link] += tally->bytes;
    return 0;
}

static double seconds_on(const struct star_network *network, int directed_link, double bytes)
{
    double rate = network->rate[directed_link / 2];
    return rate > 0 ? bytes / rate : 0;
}

/* Ends the phase, and returns how long it took. */
static double end_phase(struct tally *tally)
{
    double longest = 0;
    for (int i = 0; i < tally->uses; i++) {
        int link = tally->used[i];
        double seconds = seconds_on(tally->network, link, tally->phase[link]);
        longest = seconds > longest ? seconds : longest;
        tally->total[link] += tally->phase[link];
        tally->phase[link] = 0;
    }
    tally->uses = 0;
    return longest;
}

static int check(const struct star_network *network, const struct star_transfer *transfer, int64_t phase,
                 struct star_why *why)
{
    int from = transfer->from, to = transfer->to;
    if (from < 0 || from >= network->ranks || to < 0 || to >= network->ranks)
        return star_because(why, STAR_EINPUT, "a message from rank %d to %d: there are %d ranks", from, to,
                            network->ranks);
    if (transfer->phase < phase)
        return star_because(why, STAR_EINPUT, "a message of phase %lld after one of phase %lld",
                            (long long)transfer->phase, (long long)phase);
    return 0;
}

static int run(struct tally *tally, struct star_pattern pattern, double *seconds, struct star_why *why)
{
    struct star_transfer transfer;
    int64_t phase = INT64_MIN;
    while (pattern.next(&transfer, pattern.context)) {
        int error = check(tally->network, &transfer, phase, why);
        if (error)
            return error;
        if (transfer.phase != phase)
            *seconds += end_phase(tally);
        phase = transfer.phase;
        tally->bytes = transfer.bytes;
        if (transfer.bytes > 0)
            star_network_path(tally->network, transfer.from, transfer.to, pass, tally);
    }
    *seconds += end_phase(tally);
    return 0;
}

static int find_busiest(const struct tally *tally)
{
    int busiest = -1;
    double most = 0;
    for (int link = 0; link < 2 * tally->network->nodes; link++) {
        double seconds = seconds_on(tally->network, link, tally->total[link]);
        if (seconds > most) {
            most = seconds;
            busiest = link;
        }
    }
    return busiest;
}

int star_fluid(const struct star_network *network, struct star_pattern pattern, struct star_fluid *fluid,
               double *load, struct star_why *why)
{
    size_t links = 2 * (size_t)network->nodes;
    struct tally tally = {.network = network,
                          .phase = calloc(links, sizeof *tally.phase),
                          .total = calloc(links, sizeof *tally.total),
                          .used = calloc(links, sizeof *tally.used)};
    int error = 0;
    *fluid = (struct star_fluid){.busiest = -1};
    if (tally.phase == NULL || tally.total == NULL || tally.used == NULL)
        error = star_because(why, STAR_EMEMORY, "no memory for the loads of %zu links", links);
    else
        error = run(&tally, pattern, &fluid->seconds, why);
    if (!error) {
        fluid->busiest = find_busiest(&tally);
        for (size_t i = 0; load != NULL && i < links; i++)
            load[i] = tally.total[i];
    }
    free(tally.phase);
    free(tally.total);
    free(tally.used);
    return error;
}
