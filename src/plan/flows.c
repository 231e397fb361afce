/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/flows.h"
#include "util/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shares that differ by less are the same. */
#define SAME_SHARE (1 + 1e-9)

struct flow {
    int message, links;
    double left; /* bytes on the link, framing included */
    double rate; /* 0: not settled yet */
};

/* One direction of a link, while rates are settled. */
struct link {
    double left;    /* of its capacity */
    int flows;      /* on it now */
    int open;       /* of these, not settled yet */
    int first;      /* of its flows in MEMBERS */
    bool contended; /* full, with two flows or more */
};

struct star_flows {
    const struct star_network *network;
    struct star_sharing sharing;
    struct link *links;
    struct star_link_load *loads;
    int *used, *open; /* links with flows; and those with flows that are not settled */
    int used_count, open_count;
    struct flow *at;
    int *paths;   /* LONGEST for each flow */
    int *members; /* the flows of each link, one link behind the other */
    int *ended;
    int count, room, longest;
    struct star_scratch scratch; /* what does not grow */
    bool stale;                  /* flows began or ended since rates were settled */
    double next;
};

/* Links from RANK to the root: all, or those with a rate. */
static int depth_of(const struct star_network *network, int rank, bool all)
{
    int depth = 0;
    for (int node = rank; network->parent[node] >= 0; node = network->parent[node])
        depth += all || network->rate[node] > 0;
    return depth;
}

static int farthest(const struct star_network *network, bool all)
{
    int deepest = 0;
    for (int rank = 0; rank < network->ranks; rank++) {
        int depth = depth_of(network, rank, all);
        deepest = depth > deepest ? depth : deepest;
    }
    return 2 * deepest;
}

struct star_flows *star_flows_new(const struct star_network *network, struct star_sharing sharing)
{
    struct star_flows *flows = calloc(1, sizeof *flows);
    if (flows == NULL)
        return NULL;
    size_t links = 2 * (size_t)network->nodes;
    flows->network = network;
    flows->sharing = sharing;
    flows->links = star_scratch(&flows->scratch, links, sizeof *flows->links);
    flows->loads = star_scratch(&flows->scratch, links, sizeof *flows->loads);
    flows->used = star_scratch(&flows->scratch, links, sizeof *flows->used);
    flows->open = star_scratch(&flows->scratch, links, sizeof *flows->open);
    flows->next = INFINITY;
    flows->longest = farthest(network, true);
    if (!flows->scratch.failed)
        return flows;
    star_flows_free(flows);
    return NULL;
}

void star_flows_free(struct star_flows *flows)
{
    if (flows == NULL)
        return;
    star_scratch_free(&flows->scratch);
    free(flows->at);
    free(flows->paths);
    free(flows->members);
    free(flows->ended);
    free(flows);
}

const struct star_link_load *star_flows_loads(const struct star_flows *flows)
{
    return flows->loads;
}

/* The links with a rate on the way of a message. */
struct way {
    const struct star_network *network;
    int *path; /* NULL: they are only counted */
    int hops;
    struct star_link_load *loads; /* NULL, or where BYTES are added, for each link, with a rate or not */
    int64_t bytes;
};

static int cross(int link, void *context)
{
    struct way *way = context;
    if (way->loads != NULL)
        way->loads[link].bytes += way->bytes;
    if (way->network->rate[link / 2] <= 0)
        return 0;
    if (way->path != NULL)
        way->path[way->hops] = link;
    way->hops++;
    return 0;
}

int star_flows_hops(const struct star_flows *flows, int from, int to)
{
    struct way way = {.network = flows->network};
    star_network_path(flows->network, from, to, cross, &way);
    return way.hops;
}

int star_flows_farthest(const struct star_flows *flows)
{
    return farthest(flows->network, false);
}

static bool make_room(struct star_flows *flows)
{
    if (flows->count < flows->room)
        return true;
    size_t room = flows->room ? (size_t)flows->room * 2 : 64, links = room * (size_t)flows->longest + 1;
    struct flow *at = realloc(flows->at, room * sizeof *at);
    if (at != NULL)
        flows->at = at;
    int *ended = realloc(flows->ended, room * sizeof *ended);
    if (ended != NULL)
        flows->ended = ended;
    int *paths = realloc(flows->paths, links * sizeof *paths);
    if (paths != NULL)
        flows->paths = paths;
    int *members = realloc(flows->members, links * sizeof *members);
    if (members != NULL)
        flows->members = members;
    if (at == NULL || ended == NULL || paths == NULL || members == NULL)
        return false;
    flows->room = (int)room;
    return true;
}

static int *path_of(const struct star_flows *flows, int flow)
{
    return flows->paths + (size_t)flow * (size_t)flows->longest;
}

int star_flows_start(struct star_flows *flows, int from, int to, int64_t bytes, int message)
{
    if (!make_room(flows))
        return STAR_EMEMORY;
    struct way way = {.network = flows->network,
                      .path = path_of(flows, flows->count),
                      .loads = flows->loads,
                      .bytes = bytes};
    star_network_path(flows->network, from, to, cross, &way);
    if (way.hops == 0)
        return 0;
    for (int i = 0; i < way.hops; i++)
        flows->links[way.path[i]].flows++;
    flows->at[flows->count++] =
        (struct flow){.message = message, .links = way.hops, .left = (double)bytes * flows->sharing.framing};
    flows->stale = true;
    return 1;
}

/* A machine's link: a rank's own, or that above ranks which share a machine, to which no link has a rate. */
static bool leaves_machine(const struct star_network *network, int link)
{
    int node = link / 2, rank = network->order[network->first[node]];
    bool machine = node == rank || (network->parent[rank] == node && network->rate[rank] <= 0);
    return link % 2 == 0 && machine;
}

static double capacity_of(const struct star_flows *flows, int link)
{
    double rate = flows->network->rate[link / 2];
    if (flows->sharing.contention <= 0 || leaves_machine(flows->network, link))
        return rate;
    return rate * fmax(0.5, 1 / (1 + flows->sharing.contention * (flows->links[link].flows - 1)));
}

/* Lists the links in use, and the flows of each. */
static void list_members(struct star_flows *flows)
{
    int first = 0;
    flows->used_count = 0;
    for (int l = 0; l < 2 * flows->network->nodes; l++) {
        struct link *link = &flows->links[l];
        if (link->flows == 0)
            continue;
        link->left = capacity_of(flows, l);
        link->open = 0;
        link->first = first;
        first += link->flows;
        flows->open[flows->used_count] = l;
        flows->used[flows->used_count++] = l;
        if (link->flows > flows->loads[l].most_flows)
            flows->loads[l].most_flows = link->flows;
    }
    flows->open_count = flows->used_count;
    for (int f = 0; f < flows->count; f++) {
        flows->at[f].rate = 0;
        for (int i = 0; i < flows->at[f].links; i++) {
            struct link *link = &flows->links[path_of(flows, f)[i]];
            flows->members[link->first + link->open++] = f;
        }
    }
}

/* The least share that a link with open flows can give each of them; 0 when none is left. */
static double least_share(struct star_flows *flows)
{
    double least = INFINITY;
    int kept = 0;
    for (int i = 0; i < flows->open_count; i++) {
        const struct link *link = &flows->links[flows->open[i]];
        if (link->open == 0)
            continue;
        flows->open[kept++] = flows->open[i];
        least = fmin(least, link->left / link->open);
    }
    flows->open_count = kept;
    return kept ? least : 0;
}

static void settle_flow(struct star_flows *flows, int f, double rate)
{
    flows->at[f].rate = rate;
    for (int i = 0; i < flows->at[f].links; i++) {
        struct link *link = &flows->links[path_of(flows, f)[i]];
        link->left -= rate;
        link->open--;
    }
}

/* The flows of the links that can give no more than SHARE. */
static void settle(struct star_flows *flows, double share)
{
    for (int i = 0; i < flows->open_count; i++) {
        const struct link *link = &flows->links[flows->open[i]];
        if (link->open == 0 || link->left / link->open > share * SAME_SHARE)
            continue;
        for (int m = link->first; m < link->first + link->flows; m++)
            if (flows->at[flows->members[m]].rate <= 0)
                settle_flow(flows, flows->members[m], share);
    }
}

static void share_links(struct star_flows *flows)
{
    list_members(flows);
    double share;
    while ((share = least_share(flows)) > 0)
        settle(flows, share);
    for (int i = 0; i < flows->used_count; i++) {
        struct link *link = &flows->links[flows->used[i]];
        double whole = capacity_of(flows, flows->used[i]);
        link->contended = link->flows > 1 && link->left <= whole * (SAME_SHARE - 1);
    }
    flows->next = INFINITY;
    for (int f = 0; f < flows->count; f++)
        flows->next = fmin(flows->next, flows->at[f].left / flows->at[f].rate);
    flows->stale = false;
}

double star_flows_next(struct star_flows *flows)
{
    if (flows->stale)
        share_links(flows);
    return flows->next;
}

static void end_flow(struct star_flows *flows, int f)
{
    int last = --flows->count;
    for (int i = 0; i < flows->at[f].links; i++)
        flows->links[path_of(flows, f)[i]].flows--;
    flows->at[f] = flows->at[last];
    memmove(path_of(flows, f), path_of(flows, last), (size_t)flows->longest * sizeof *flows->paths);
    flows->stale = true;
}

int star_flows_pass(struct star_flows *flows, double seconds, double slack, const int **messages)
{
    int ended = 0;
    *messages = flows->ended;
    if (flows->stale)
        share_links(flows);
    for (int i = 0; i < flows->used_count; i++) {
        flows->loads[flows->used[i]].busy += seconds;
        if (flows->links[flows->used[i]].contended)
            flows->loads[flows->used[i]].contended += seconds;
    }
    flows->next -= seconds;
    for (int f = 0; f < flows->count;) {
        struct flow *flow = &flows->at[f];
        if (flow->left <= flow->rate * (seconds + slack)) {
            flows->ended[ended++] = flow->message;
            end_flow(flows, f);
        } else {
            flow->left -= flow->rate * seconds;
            f++;
        }
    }
    return ended;
}
