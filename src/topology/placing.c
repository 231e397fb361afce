/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/placing.h"
#include "util/parse.h"
#include "util/scratch.h"

#include <stdlib.h>
#include <string.h>

bool star_placing_parse(const char *text, struct star_placing *placing)
{
    static const char *const words[] = {"block", "cyclic", "random"};
    for (int i = STAR_PLACE_BLOCK; i <= STAR_PLACE_RANDOM; i++)
        if (strcmp(text, words[i]) == 0) {
            placing->kind = i;
            placing->seed = 1;
            return true;
        }
    placing->kind = STAR_PLACE_RANDOM;
    return strncmp(text, "random:", 7) == 0 && star_parse_integer(text + 7, &placing->seed) &&
           placing->seed >= 0;
}

/* A machine while ranks are placed. */
struct host {
    const char *name;
    int node, parent;
    int around; /* which switch it hangs on, by the first of its machines */
    int64_t room;
};

/* Room for one rank: it is the TURN-th of its switch. */
struct spot {
    int node, around;
    int64_t turn;
};

static int compare_names(const void *left, const void *right)
{
    return strverscmp(((const struct host *)left)->name, ((const struct host *)right)->name);
}

static int compare_turns(const void *left, const void *right)
{
    const struct spot *a = left, *b = right;
    int turns = (a->turn > b->turn) - (a->turn < b->turn);
    return turns ? turns : a->around - b->around;
}

/* Machines in order, with room for RANKS in all; returns the room in all. */
static int64_t list_hosts(const struct star_topology *topology, int ranks, struct host *hosts)
{
    int64_t slots = 0, room = 0;
    int count = 0;
    for (int i = 0; i < topology->nodes; i++)
        if (topology->node[i].machine) {
            const struct star_node *node = &topology->node[i];
            hosts[count++] = (struct host){node->name, i, node->parent, 0, node->slots};
            slots += node->slots;
        }
    int64_t times = slots ? (ranks + slots - 1) / slots : 1;
    qsort(hosts, (size_t)count, sizeof *hosts, compare_names);
    for (int h = 0; h < count; h++) /* more than RANKS are never needed */
        hosts[h].room = hosts[h].room * times < ranks ? hosts[h].room * times : ranks;
    for (int h = 0; h < count; h++)
        room += hosts[h].room;
    return room;
}

static void fill_block(const struct host *hosts, int count, struct spot *spots)
{
    for (int h = 0; h < count; h++)
        for (int64_t i = 0; i < hosts[h].room; i++)
            *spots++ = (struct spot){.node = hosts[h].node};
}

/* TURN of each node counts the spots of a switch, FIRST its first machine. */
static void fill_cyclic(struct host *hosts, int count, int *first, int64_t *turn, struct spot *spots)
{
    int64_t filled = 0, most = 0;
    for (int h = count - 1; h >= 0; h--) {
        first[hosts[h].parent + 1] = h;
        most = hosts[h].room > most ? hosts[h].room : most;
    }
    for (int64_t pass = 0; pass < most; pass++)
        for (int h = 0; h < count; h++)
            if (pass < hosts[h].room) {
                int around = first[hosts[h].parent + 1];
                spots[filled++] = (struct spot){hosts[h].node, around, turn[hosts[h].parent + 1]++};
            }
    qsort(spots, (size_t)filled, sizeof *spots, compare_turns);
}

/* Fisher and Yates, with numbers by xorshift64*. */
static void shuffle(struct spot *spots, int64_t room, int64_t seed)
{
    uint64_t state = (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x2545f4914f6cdd1d);
    for (int64_t i = room - 1; i > 0; i--) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        int64_t other = (int64_t)((state * UINT64_C(2685821657736338717) >> 11) % (uint64_t)(i + 1));
        struct spot spot = spots[i];
        spots[i] = spots[other];
        spots[other] = spot;
    }
}

int star_place(const struct star_topology *topology, const struct star_placing *placing, int ranks,
               int *machine, struct star_why *why)
{
    size_t nodes = (size_t)topology->nodes + 1;
    struct star_scratch scratch = {0};
    struct host *hosts = star_scratch(&scratch, nodes, sizeof *hosts);
    int *first = star_scratch(&scratch, nodes, sizeof *first);
    int64_t *turn = star_scratch(&scratch, nodes, sizeof *turn);
    int64_t room = hosts ? list_hosts(topology, ranks, hosts) : 0;
    struct spot *spots = star_scratch(&scratch, (size_t)room, sizeof *spots);
    bool made = !scratch.failed;
    if (made && placing->kind == STAR_PLACE_CYCLIC)
        fill_cyclic(hosts, topology->machines, first, turn, spots);
    else if (made)
        fill_block(hosts, topology->machines, spots);
    if (made && placing->kind == STAR_PLACE_RANDOM)
        shuffle(spots, room, placing->seed);
    for (int r = 0; made && r < ranks; r++)
        machine[r] = spots[r].node;
    star_scratch_free(&scratch);
    return made ? 0 : star_because(why, STAR_EMEMORY, "out of memory for the places of %d ranks", ranks);
}
