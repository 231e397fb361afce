/* SPDX-License-Identifier: BSD-3-Clause
 * How long it takes: a stream for each machine, a handful for each trunk, and for each switch as many as its
 * machines have bits in their number. What contradicts the tree is measured again: noise goes, a wrong tree
 * stays. */
#include "topology/confirm.h"
#include "util/scratch.h"

#include <math.h>

enum { TRIES = 4, RUNS_A_TRUNK = 5 };

struct confirming {
    struct star_topology *topology;
    const struct star_streams *streams;
    struct star_stream *stream; /* as many as there are machines */
    double *mbps;               /* of each stream */
    int *machine;               /* the machines' nodes, depth first */
    int left;                   /* about so many runs */
    int *near, *far, *distance; /* machines at a link, at its lower and its upper end; links to these */
    double *best;               /* of each stream, of several tries */
    struct star_why *why;
};

static const char *name_of(const struct confirming *c, int node)
{
    return c->topology->node[node].name;
}

static bool is_below(const struct star_topology *topology, int node, int above)
{
    while (node > above) /* parents have lesser numbers */
        node = topology->node[node].parent;
    return node == above;
}

/* Links between two nodes, and the slowest's bandwidth in MBPS. */
static int way(const struct star_topology *topology, int from, int to, double *mbps)
{
    int links = 0;
    *mbps = INFINITY;
    for (; from != to; links++) {
        int *lower = from > to ? &from : &to;
        *mbps = fmin(*mbps, topology->node[*lower].mbps);
        *lower = topology->node[*lower].parent;
    }
    return links;
}

static int run(struct confirming *c, int count)
{
    c->left -= c->left > 1;
    return c->streams->run(c->stream, count, c->mbps, c->left, c->streams->context, c->why);
}

static double together(const struct confirming *c, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += c->mbps[i];
    return sum;
}

/* From the I-th machine to the next one, each of which is as fast as its fastest stream. */
static int measure_machine(struct confirming *c, int i)
{
    struct star_node *nodes = c->topology->node;
    int from = c->machine[i], to = c->machine[(i + 1) % c->topology->machines];
    c->stream[0] = (struct star_stream){from, to};
    int error = run(c, 1);
    if (error)
        return error;
    if (!(c->mbps[0] > 0))
        return star_because(c->why, STAR_ENEEDS, "nothing came through from %.80s to %.80s", name_of(c, from),
                            name_of(c, to));
    nodes[from].mbps = fmax(nodes[from].mbps, c->mbps[0]);
    nodes[to].mbps = fmax(nodes[to].mbps, c->mbps[0]);
    return 0;
}

/* A ring, one stream at a time: each machine sends once and receives once. Noise makes streams slower, never
 * faster: what seems slower than the fastest is measured again, and is when it stays so. */
static int measure_machines(struct confirming *c)
{
    struct star_node *nodes = c->topology->node;
    int machines = c->topology->machines, error = 0;
    double fastest = 0;
    for (int i = 0; i < machines; i++)
        nodes[c->machine[i]].mbps = 0;
    for (int i = 0; i < machines && !error; i++) {
        error = measure_machine(c, i);
        fastest = fmax(fastest, nodes[c->machine[i]].mbps);
    }
    for (int try = 1; try < TRIES && !error; try++)
        for (int i = 0; i < machines && !error; i++)
            if (nodes[c->machine[i]].mbps < STAR_SLOWER * fastest)
                error = measure_machine(c, i);
    return error;
}

/* The machines of one side of a link, the nearest first: by insertion, they are few or far between. */
static int side_of(const struct confirming *c, int link, bool lower, int *side)
{
    int count = 0, *distance = c->distance;
    for (int i = 0; i < c->topology->machines; i++) {
        double any;
        int at = count, links = way(c->topology, c->machine[i], link, &any);
        if (is_below(c->topology, c->machine[i], link) != lower)
            continue;
        for (; at > 0 && distance[at - 1] > links; at--) {
            distance[at] = distance[at - 1];
            side[at] = side[at - 1];
        }
        distance[at] = links;
        side[at] = c->machine[i];
        count++;
    }
    return count;
}

/* More and more streams up the trunk, until they are no faster together: all at once the first time would
 * drown a slow trunk. FULL: they stopped rising before the machines ended. */
static int fill_trunk(struct confirming *c, int link, int pairs, bool *full)
{
    double *mbps = &c->topology->node[link].mbps;
    *mbps = 0;
    *full = false;
    for (int count = 1; count <= pairs && !*full; count++) {
        c->stream[count - 1] = (struct star_stream){c->near[count - 1], c->far[count - 1]};
        int error = run(c, count);
        if (error)
            return error;
        double sum = together(c, count);
        *full = sum < STAR_RISE * *mbps;
        *mbps = fmax(*mbps, sum);
    }
    return 0;
}

/* Other pairs over a full trunk: the nearest below it with the farthest above. */
static int check_shared(struct confirming *c, int link, int lower, int upper)
{
    int count = lower < upper ? lower : upper;
    double least = INFINITY, full = c->topology->node[link].mbps;
    for (int try = 0; try < TRIES && least > STAR_OVERFULL * full; try++) {
        for (int i = 0; i < count; i++)
            c->stream[i] = (struct star_stream){c->near[i], c->far[upper - 1 - i]};
        int error = run(c, count);
        if (error)
            return error;
        least = fmin(least, together(c, count));
    }
    if (least <= STAR_OVERFULL * full)
        return 0;
    return star_because(c->why, STAR_ENEEDS,
                        "the tree is wrong: %d streams (%.60s to %.60s, …) that share the link from %.60s to "
                        "%.60s carry %.3g Mbit/s together, and others %.3g at most",
                        count, name_of(c, c->stream[0].from), name_of(c, c->stream[0].to), name_of(c, link),
                        name_of(c, c->topology->node[link].parent), least, full);
}

/* COUNT streams that share no link: each must be as fast as its way. */
static int check_apart(struct confirming *c, int count)
{
    int slow = 0;
    double expected, share = 0, *best = c->best;
    for (int i = 0; i < count; i++)
        best[i] = 0;
    for (int try = 0; try < TRIES && share < STAR_SLOWED; try++) {
        int error = run(c, count);
        if (error)
            return error;
        share = INFINITY;
        for (int i = 0; i < count; i++) {
            best[i] = fmax(best[i], c->mbps[i]);
            way(c->topology, c->stream[i].from, c->stream[i].to, &expected);
            slow = best[i] / expected < share ? i : slow;
            share = fmin(share, best[i] / expected);
        }
    }
    if (share >= STAR_SLOWED)
        return 0;
    way(c->topology, c->stream[slow].from, c->stream[slow].to, &expected);
    return star_because(
        c->why, STAR_ENEEDS,
        "the tree is wrong, or the machines cannot keep up: %.80s to %.80s carries %.3g Mbit/s "
        "beside %d streams that share no link with it, and %.3g alone",
        name_of(c, c->stream[slow].from), name_of(c, c->stream[slow].to), best[slow], count - 1, expected);
}

static int measure_trunk(struct confirming *c, int link)
{
    bool full = false;
    int lower = side_of(c, link, true, c->near), upper = side_of(c, link, false, c->far);
    int error = fill_trunk(c, link, lower < upper ? lower : upper, &full);
    return error || !full ? error : check_shared(c, link, lower, upper);
}

/* A stream on either side of a trunk. */
static int check_sides(struct confirming *c, int link)
{
    int lower = side_of(c, link, true, c->near), upper = side_of(c, link, false, c->far);
    if (lower < 2 || upper < 2)
        return 0;
    c->stream[0] = (struct star_stream){c->near[0], c->near[1]};
    c->stream[1] = (struct star_stream){c->far[0], c->far[1]};
    return check_apart(c, 2);
}

/* Machines of one switch, in pairs whose numbers differ in one bit: if the switch were several, some bit
 * would tell them apart, and these pairs would crowd the links between. */
static int check_switch(struct confirming *c, int node)
{
    int count = 0, error = 0;
    for (int i = 0; i < c->topology->machines; i++)
        if (c->topology->node[c->machine[i]].parent == node)
            c->near[count++] = c->machine[i];
    for (int bit = 1; bit < count && !error; bit *= 2) {
        int streams = 0;
        for (int i = 0; i < count; i++)
            if (!(i & bit) && i + bit < count)
                c->stream[streams++] = (struct star_stream){c->near[i], c->near[i + bit]};
        error = streams > 1 ? check_apart(c, streams) : 0;
    }
    return error;
}

static int measure(struct confirming *c)
{
    const struct star_topology *topology = c->topology;
    int error = measure_machines(c);
    for (int i = 1; i < topology->nodes && !error; i++)
        if (!topology->node[i].machine)
            error = measure_trunk(c, i);
    for (int i = 0; i < topology->nodes && !error; i++)
        if (!topology->node[i].machine)
            error = check_switch(c, i);
    for (int i = 1; i < topology->nodes && !error; i++)
        if (!topology->node[i].machine)
            error = check_sides(c, i);
    return error;
}

int star_confirm(struct star_topology *topology, const struct star_streams *streams, struct star_why *why)
{
    size_t machines = (size_t)topology->machines;
    struct star_scratch scratch = {0};
    struct confirming c = {.topology = topology,
                           .streams = streams,
                           .stream = star_scratch(&scratch, machines, sizeof *c.stream),
                           .mbps = star_scratch(&scratch, machines, sizeof *c.mbps),
                           .machine = star_scratch(&scratch, machines, sizeof *c.machine),
                           .near = star_scratch(&scratch, machines, sizeof *c.near),
                           .far = star_scratch(&scratch, machines, sizeof *c.far),
                           .distance = star_scratch(&scratch, machines, sizeof *c.distance),
                           .best = star_scratch(&scratch, machines, sizeof *c.best),
                           .why = why};
    int error = 0, count = 0, trunks = topology->nodes - topology->machines - 1;
    c.left = topology->machines + RUNS_A_TRUNK * trunks + (int)log2(topology->machines);
    if (scratch.failed)
        error =
            star_because(why, STAR_EMEMORY, "out of memory for streams of %d machines", topology->machines);
    for (int i = 0; i < topology->nodes && !error; i++)
        if (topology->node[i].machine)
            c.machine[count++] = i;
    if (!error)
        error = measure(&c);
    for (int i = 1; i < topology->nodes && !error; i++)
        if (!(topology->node[i].mbps > 0))
            error =
                star_because(why, STAR_ENEEDS, "nothing came through the link of %s", topology->node[i].name);
    for (int i = 1; i < topology->nodes && !error; i++)
        topology->node[i].mbps = star_usual_mbps(topology->node[i].mbps);
    topology->has_speeds = !error;
    star_scratch_free(&scratch);
    return error;
}

double star_usual_mbps(double mbps)
{
    static const double usual[] = {10,    100,   1000,  2500,   5000,   10000,  25000,
                                   40000, 50000, 56000, 100000, 200000, 400000, 800000};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (fabs(mbps - usual[i]) <= usual[i] / 10)
            return usual[i];
    if (mbps <= 0)
        return 0;
    double digit = pow(10, floor(log10(mbps)) - 1);
    return round(mbps / digit) * digit;
}
