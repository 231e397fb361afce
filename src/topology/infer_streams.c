/* SPDX-License-Identifier: BSD-3-Clause
 * Machine by machine: at a switch of the tree so far, streams say in which branch the new machine is, or in
 * none. Then the next switch that way is asked, until one says "in none", and it hangs there; or two
 * neighbours say "towards the other", and it gets a switch between them. In the end each trunk is asked once
 * more, with other machines, and each switch whether it is not two. */
#include "topology/infer_streams.h"
#include "topology/confirm.h"
#include "topology/infer_tree.h"
#include "util/scratch.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 3, TRIES_MOST = 8, TRIES_ALONE = 10, NOWHERE = -1, ABSENT = -2 };
enum { HALVES_LEAST = 6 }; /* so many machines can send three streams, which two do not crowd */

/* Nodes: the machines by their numbers, then switches. Machine 0 is the root, and the first switch hangs on
 * it. A link has the number of its lower end. */
struct growing {
    const struct star_trips *trips;
    const struct star_streams *streams;
    int machines, nodes;
    int *parent;   /* ABSENT: no part of the tree yet */
    int *order;    /* in which machines are placed */
    double *alone; /* Mbit/s of a stream [from][to] that has the network for itself; 0: not measured */
    double slowest, fastest; /* of these */
    int *link, *machine;     /* of each branch of a switch: its link, and one machine in it */
    struct star_stream *stream;
    double *mbps; /* of each */
    int runs, placed;
    struct star_why *why;
};

static const char *name_of(const struct growing *g, int machine)
{
    return g->trips->name[machine];
}

static int run(struct growing *g, const struct star_stream *stream, int count, double *mbps)
{
    int each = g->placed > 0 ? g->runs / g->placed : g->machines;
    g->runs++;
    return g->streams->run(stream, count, mbps, (g->machines - g->placed) * (each + 1), g->streams->context,
                           g->why);
}

/* A link that is slow hides those that it does not let others crowd; and who was slow by noise would seem to
 * share none. */
static int check_alike(struct growing *g, struct star_stream stream, double mbps)
{
    g->slowest = fmin(g->slowest, mbps);
    g->fastest = fmax(g->fastest, mbps);
    if (g->slowest >= STAR_ALIKE * g->fastest)
        return 0;
    return star_because(
        g->why, STAR_ENEEDS,
        "links differ, or it is noisy: streams carry from %.3g to %.3g Mbit/s alone, that from %.80s "
        "to %.80s %.3g",
        g->slowest, g->fastest, name_of(g, stream.from), name_of(g, stream.to), mbps);
}

/* Of one stream: the best of some, when another comes near to it. */
static int measure_alone(struct growing *g, struct star_stream stream, double *mbps)
{
    double *known = &g->alone[(size_t)stream.from * (size_t)g->machines + (size_t)stream.to];
    double best = 0, second = 0, now = 0;
    for (int try = 0; try < TRIES_ALONE && *known <= 0; try++) {
        int error = run(g, &stream, 1, &now);
        if (error)
            return error;
        second = fmax(second, fmin(best, now));
        best = fmax(best, now);
        if (second > 0 && second >= STAR_AGREE * best)
            *known = best;
    }
    *mbps = *known;
    if (*known > 0)
        return check_alike(g, stream, *known);
    return star_because(g->why, STAR_ENEEDS,
                        "too noisy: no two of %d streams from %.80s to %.80s were equally fast", TRIES_ALONE,
                        name_of(g, stream.from), name_of(g, stream.to));
}

/* Do they slow each other down? 1 or 0, or a negative error. What is neither is tried more often. */
static int is_shared(struct growing *g, struct star_stream one, struct star_stream other)
{
    const struct star_stream both[2] = {one, other};
    double alone[2], mbps[2], most = 0; /* that both keep together of what they carry alone */
    int error = measure_alone(g, one, &alone[0]);
    if (!error)
        error = measure_alone(g, other, &alone[1]);
    for (int try = 0; !error && try < (most <= STAR_SLOWED ? TRIES : TRIES_MOST); try++) {
        error = run(g, both, 2, mbps);
        if (error)
            break;
        if (fmin(mbps[0] / alone[0], mbps[1] / alone[1]) >= STAR_APART)
            return 0;
        most = fmax(most, (mbps[0] + mbps[1]) / (alone[0] + alone[1]));
    }
    if (error || most <= STAR_SLOWED)
        return error ? error : 1;
    return star_because(g->why, STAR_ENEEDS,
                        "not clear: the streams from %.60s to %.60s and from %.60s to %.60s keep %.0f %% of "
                        "what they carry alone",
                        name_of(g, one.from), name_of(g, one.to), name_of(g, other.from),
                        name_of(g, other.to), 100 * most);
}

/* Is NEWCOMER on BESIDE's side of a trunk, with NEAR and FAR on the other? Then streams share it in either
 * direction, and none when they go in opposite ones: else it is not a link that they lack. */
static int is_beside(struct growing *g, int newcomer, int beside, int near, int far)
{
    struct star_stream there = {beside, near}, back = {near, beside};
    int up = is_shared(g, there, (struct star_stream){newcomer, far});
    if (up <= 0)
        return up;
    int across = is_shared(g, there, (struct star_stream){far, newcomer});
    int down = across ? across : is_shared(g, back, (struct star_stream){far, newcomer});
    if (across < 0 || down < 0)
        return across < 0 ? across : down;
    if (!across && down)
        return 1;
    return star_because(
        g->why, STAR_ENEEDS,
        "not clear: streams between %.60s and %.60s and between %.60s and %.60s slow each other "
        "down %s: they may lack processors, not a link",
        name_of(g, beside), name_of(g, near), name_of(g, newcomer), name_of(g, far),
        across ? "in opposite directions too" : "in one direction only");
}

static bool is_below(const struct growing *g, int node, int above)
{
    while (node >= 0 && node != above)
        node = g->parent[node];
    return node == above;
}

/* Of switch AT: the one up, which leads to machine 0, and those down. */
static int list_branches(const struct growing *g, int at)
{
    int count = 1;
    g->link[0] = at;
    g->machine[0] = 0;
    for (int node = 0; node < g->nodes; node++) {
        if (g->parent[node] != at)
            continue;
        int machine = 0;
        while (!is_below(g, machine, node))
            machine++;
        g->link[count] = node;
        g->machine[count++] = machine;
    }
    return count;
}

/* LINK: of the branch of switch AT in which NEWCOMER is, or NOWHERE. Each branch is asked: two that say yes
 * contradict each other. A switch has three branches at least. */
static int find_branch(struct growing *g, int at, int newcomer, int *link)
{
    int count = list_branches(g, at);
    *link = NOWHERE;
    for (int i = 0; i < count; i++) {
        int near = g->machine[i < 2 ? 2 : 1], far = g->machine[i == 0 ? 1 : 0];
        int beside = is_beside(g, newcomer, g->machine[i], near, far);
        if (beside < 0)
            return beside;
        if (beside && *link != NOWHERE)
            return star_because(g->why, STAR_ENEEDS,
                                "not clear: streams say that %.80s is in two places, and one is beside %.80s",
                                name_of(g, newcomer), name_of(g, g->machine[i]));
        *link = beside ? g->link[i] : *link;
    }
    return 0;
}

/* A switch in the middle of LINK. */
static int split(struct growing *g, int link)
{
    int middle = g->nodes++;
    g->parent[middle] = g->parent[link];
    g->parent[link] = middle;
    return middle;
}

static int place(struct growing *g, int newcomer)
{
    for (int at = g->machines, from = NOWHERE;;) {
        int link, error = find_branch(g, at, newcomer, &link);
        if (error)
            return error;
        if (link == NOWHERE) {
            g->parent[newcomer] = at;
            return 0;
        }
        int next = link == at ? g->parent[at] : link;
        if (next < g->machines || next == from) {
            int middle = split(g, link);
            g->parent[newcomer] = middle;
            return 0;
        }
        from = at;
        at = next;
    }
}

/* The first three machines hang on the first switch, whatever there is: no two streams can tell. */
static int grow(struct growing *g)
{
    int first = g->machines, error = 0;
    for (int i = 0; i < 2 * g->machines; i++)
        g->parent[i] = ABSENT;
    g->nodes = first + 1;
    g->parent[first] = 0;
    for (int i = 0; i < g->machines && !error; i++, g->placed++)
        if (i < STAR_STREAMS_MACHINES_LEAST - 1)
            g->parent[g->order[i]] = i == 0 ? NOWHERE : first;
        else
            error = place(g, g->order[i]);
    return error;
}

/* Are the last machines on either side of each trunk really there? It was found by the first ones. */
static int check_trunks(struct growing *g)
{
    for (int link = g->machines + 1; link < g->nodes; link++) {
        int below[2] = {0, 0}, above[2] = {0, 0};
        for (int i = 0; i < g->machines; i++) {
            int *side = is_below(g, g->order[i], link) ? below : above;
            side[0] = side[1];
            side[1] = g->order[i];
        }
        int beside = is_beside(g, below[0], below[1], above[0], above[1]);
        if (beside < 0)
            return beside;
        if (!beside)
            return star_because(
                g->why, STAR_ENEEDS,
                "not clear: %.60s and %.60s seemed to share a link on their ways to %.60s and %.60s, "
                "and then did not",
                name_of(g, below[0]), name_of(g, below[1]), name_of(g, above[0]), name_of(g, above[1]));
    }
    return 0;
}

/* COUNT streams that share no link, if the tree is right. */
static int check_apart(struct growing *g, int count)
{
    double best = 0;
    for (int try = 0; try < TRIES && best < STAR_SLOWED * g->slowest; try++) {
        double least = INFINITY;
        int error = run(g, g->stream, count, g->mbps);
        if (error)
            return error;
        for (int i = 0; i < count; i++)
            least = fmin(least, g->mbps[i]);
        best = fmax(best, least);
    }
    if (best >= STAR_SLOWED * g->slowest)
        return 0;
    return star_because(
        g->why, STAR_ENEEDS,
        "not clear: of %d streams (%.60s to %.60s, …) that should share no link one carries %.3g "
        "Mbit/s, and each %.3g alone: they crowd a fast link, or lack processors",
        count, name_of(g, g->stream[0].from), name_of(g, g->stream[0].to), best, g->slowest);
}

static bool hangs_on(const struct growing *g, int machine, int node)
{
    return g->parent[machine] == node || (machine == 0 && g->parent[node] == 0);
}

/* From the half of NODE's COUNT machines that is nearer to MACHINE to the other half. */
static int check_halves(struct growing *g, int node, int count, int machine)
{
    int half = count / 2, seen = 0;
    star_infer_order(g->trips, machine, g->order);
    for (int i = 0; i < g->machines; i++) {
        if (!hangs_on(g, g->order[i], node))
            continue;
        if (seen < half)
            g->stream[seen].from = g->order[i];
        else if (seen < 2 * half)
            g->stream[seen - half].to = g->order[i];
        seen++;
    }
    return check_apart(g, half);
}

/* If the switch NODE were two with a fast link between them, then the round trips of some machine would say
 * so. */
static int check_switch(struct growing *g, int node)
{
    int count = 0, error = 0;
    for (int i = 0; i < g->machines; i++)
        count += hangs_on(g, i, node);
    for (int i = 0; i < g->machines && count >= HALVES_LEAST && !error; i++)
        error = hangs_on(g, i, node) ? check_halves(g, node, count, i) : 0;
    return error;
}

static int depth_of(const struct growing *g, int node)
{
    int depth = 0;
    for (; g->parent[node] >= 0; depth++)
        node = g->parent[node];
    return depth;
}

static int links_between(const struct growing *g, int one, int other)
{
    int links = 0, down = depth_of(g, one), across = depth_of(g, other);
    for (; one != other; links++) {
        bool first = down >= across;
        int *lower = first ? &one : &other;
        *lower = g->parent[*lower];
        *(first ? &down : &across) -= 1;
    }
    return links;
}

static int make(const struct growing *g, struct star_topology **topology)
{
    int machines = g->machines, *hops = malloc((size_t)machines * (size_t)machines * sizeof *hops);
    if (hops == NULL)
        return star_because(g->why, STAR_EMEMORY, "out of memory for the hops of %d machines", machines);
    for (int i = 0; i < machines * machines; i++)
        hops[i] = links_between(g, i / machines, i % machines);
    int error = star_infer_tree(hops, machines, g->trips->name, topology, g->why);
    free(hops);
    return error;
}

/* From each machine to one that is near. */
static int measure_near(struct growing *g)
{
    int error = 0;
    double any;
    for (int i = 1; i < g->machines && !error; i++)
        error = measure_alone(g, (struct star_stream){g->order[i], g->order[i - 1]}, &any);
    return error;
}

static int seek(struct growing *g, struct star_topology **topology)
{
    star_infer_order(g->trips, 0, g->order);
    int error = measure_near(g);
    if (!error)
        error = grow(g);
    if (!error)
        error = check_trunks(g);
    for (int node = g->machines; node < g->nodes && !error; node++)
        error = check_switch(g, node);
    return error ? error : make(g, topology);
}

int star_infer_streams(const struct star_trips *trips, const struct star_streams *streams,
                       struct star_topology **topology, struct star_why *why)
{
    size_t count = (size_t)trips->machines;
    if (trips->machines < STAR_STREAMS_MACHINES_LEAST)
        return star_because(why, STAR_ENEEDS, "streams of %d machines do not tell their switches",
                            trips->machines);
    struct star_scratch scratch = {0};
    struct growing g = {.trips = trips,
                        .streams = streams,
                        .machines = trips->machines,
                        .parent = star_scratch(&scratch, 2 * count, sizeof *g.parent),
                        .order = star_scratch(&scratch, count, sizeof *g.order),
                        .alone = star_scratch(&scratch, count * count, sizeof *g.alone),
                        .slowest = INFINITY,
                        .link = star_scratch(&scratch, count, sizeof *g.link),
                        .machine = star_scratch(&scratch, count, sizeof *g.machine),
                        .stream = star_scratch(&scratch, count, sizeof *g.stream),
                        .mbps = star_scratch(&scratch, count, sizeof *g.mbps),
                        .why = why};
    int error = scratch.failed ? star_because(why, STAR_EMEMORY, "out of memory for streams of %d machines",
                                              trips->machines)
                               : seek(&g, topology);
    star_scratch_free(&scratch);
    return error;
}
