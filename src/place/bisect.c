/* SPDX-License-Identifier: BSD-3-Clause
 * A set is halved as in METIS: it is grown from some rank, the one with most to say to those in it next
 * (greedy graph growing), and then pairs are exchanged as long as that pays, also after some that do not
 * (Kernighan and Lin; Fiduccia and Mattheyses). Of several starts the best counts. */
#include "place/bisect.h"
#include "util/scratch.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 4, PASSES = 6, PATIENCE_LEAST = 50, PATIENCE_SHARE = 20 };

/* What is halved now: COUNT of them, MEMBER[i] each. */
struct halving {
    const struct star_matrix *matrix;
    const struct star_topology *topology;
    const int *slots;
    double bytes_of_message;
    int *machine;
    int *branch;       /* the nodes below each node, one list behind the other, … */
    int *branch_first; /* … where that of each begins, and of one more */
    int *room;         /* slots below each node */
    int *place;        /* of each, its number in MEMBER; −1: it is elsewhere */
    int *member, count;
    bool *first, *fixed, *best; /* of each member: is it in the first set; may it not move any more */
    double *gain;               /* what is cut less when it changes sets */
    int *moved;
    int *kept;
};

static double weight_of(const struct halving *halving, const struct star_pair *pair)
{
    return pair->out + pair->in + halving->bytes_of_message * (pair->messages_out + pair->messages_in);
}

static bool is_silent(const struct halving *halving, int i)
{
    return halving->member[i] >= halving->matrix->ranks;
}

static size_t first_of(const struct halving *halving, int i)
{
    return is_silent(halving, i) ? 0 : halving->matrix->first[halving->member[i]];
}

static size_t end_of(const struct halving *halving, int i)
{
    return is_silent(halving, i) ? 0 : halving->matrix->first[halving->member[i] + 1];
}

/* The member that partner P is, with the WEIGHT of what they send; −1: it is elsewhere. */
static int partner_at(const struct halving *halving, size_t p, double *weight)
{
    const struct star_pair *pair = &halving->matrix->pair[p];
    int other = halving->place[pair->peer];
    *weight = other < 0 ? 0 : weight_of(halving, pair);
    return other;
}

/* Works out all gains; returns what is cut. */
static double find_gains(struct halving *halving)
{
    double cut = 0;
    for (int i = 0; i < halving->count; i++) {
        halving->gain[i] = 0;
        for (size_t p = first_of(halving, i); p < end_of(halving, i); p++) {
            double weight;
            int other = partner_at(halving, p, &weight);
            bool apart = other >= 0 && halving->first[i] != halving->first[other];
            halving->gain[i] += apart ? weight : -weight;
            cut += apart ? weight / 2 : 0;
        }
    }
    return cut;
}

/* Member I changes sets, and all gains with it. */
static void move(struct halving *halving, int i)
{
    halving->first[i] = !halving->first[i];
    halving->gain[i] = -halving->gain[i];
    for (size_t p = first_of(halving, i); p < end_of(halving, i); p++) {
        double weight;
        int other = partner_at(halving, p, &weight);
        if (other >= 0)
            halving->gain[other] += halving->first[i] == halving->first[other] ? -2 * weight : 2 * weight;
    }
}

/* The one of the set to gain most by; of several the first; −1: none may move. SPEAKING: not one without
 * partners, unless there is no other. */
static int best_of(const struct halving *halving, bool first, bool speaking)
{
    int best = -1;
    for (int i = 0; i < halving->count; i++) {
        if (halving->first[i] != first || halving->fixed[i])
            continue;
        bool better = best < 0 || halving->gain[i] > halving->gain[best];
        if (speaking && best >= 0 && is_silent(halving, i) != is_silent(halving, best))
            better = is_silent(halving, best);
        if (better)
            best = i;
    }
    return best;
}

/* Grows the first set from member SEED to WANTED; returns the one that came last. */
static int grow(struct halving *halving, int seed, int wanted)
{
    int last = seed;
    memset(halving->first, 0, (size_t)halving->count * sizeof *halving->first);
    memset(halving->fixed, 0, (size_t)halving->count * sizeof *halving->fixed);
    find_gains(halving);
    for (int filled = 0; filled < wanted; filled++) {
        last = filled == 0 ? seed : best_of(halving, false, true);
        move(halving, last);
    }
    return last;
}

/* Exchanges pairs until each has been once, or nothing was gained for long, and goes back to the best.
 * Returns what was gained. */
static double exchange(struct halving *halving)
{
    int moves = 0, best_moves = 0, patience = PATIENCE_LEAST + halving->count / PATIENCE_SHARE;
    double gained = 0, most = 0;
    memset(halving->fixed, 0, (size_t)halving->count * sizeof *halving->fixed);
    while (moves - best_moves < 2 * patience) {
        bool done = false;
        for (int set = 0; set < 2 && !done; set++) {
            int i = best_of(halving, set == 0, false);
            done = i < 0;
            if (done)
                break;
            gained += halving->gain[i];
            halving->fixed[i] = true;
            halving->moved[moves++] = i;
            move(halving, i);
        }
        if (done)
            break;
        if (gained > most) {
            most = gained;
            best_moves = moves;
        }
    }
    while (moves > best_moves)
        move(halving, halving->moved[--moves]);
    return most;
}

/* The member that says most. */
static int loudest(const struct halving *halving)
{
    int best = 0;
    double most = -1;
    for (int i = 0; i < halving->count; i++) {
        double all = 0;
        for (size_t p = first_of(halving, i); p < end_of(halving, i); p++) {
            double weight;
            partner_at(halving, p, &weight);
            all += weight;
        }
        if (all > most) {
            most = all;
            best = i;
        }
    }
    return best;
}

/* Puts the best WANTED of the members into the first set. */
static void halve(struct halving *halving, int wanted)
{
    size_t bytes = (size_t)halving->count * sizeof *halving->best;
    double least = INFINITY;
    int last = 0;
    for (int start = 0; start < STARTS && least > 0; start++) {
        const int seeds[STARTS] = {0, last, loudest(halving), halving->count - 1};
        last = grow(halving, seeds[start], wanted);
        double cut = find_gains(halving);
        for (int pass = 0; pass < PASSES; pass++) {
            double gained = exchange(halving);
            cut -= gained;
            if (gained <= 1e-9 * cut)
                break;
        }
        if (cut < least) {
            least = cut;
            memcpy(halving->best, halving->first, bytes);
        }
    }
    memcpy(halving->first, halving->best, bytes);
}

/* The members of the first set to the front, in their order. */
static void part(struct halving *halving)
{
    int filled = 0;
    for (int set = 0; set < 2; set++)
        for (int i = 0; i < halving->count; i++)
            if (halving->first[i] == (set == 0))
                halving->kept[filled++] = halving->member[i];
    memcpy(halving->member, halving->kept, (size_t)halving->count * sizeof *halving->member);
}

static int room_of(const struct halving *halving, const int *branches, int count)
{
    int room = 0;
    for (int b = 0; b < count; b++)
        room += halving->room[branches[b]];
    return room;
}

/* How many of the branches come nearest to half of their slots. */
static int half_of(const struct halving *halving, const int *branches, int count)
{
    int room = room_of(halving, branches, count), before = 0, best = 1, least = room;
    for (int b = 1; b < count; b++) {
        before += halving->room[branches[b - 1]];
        int apart = abs(2 * before - room);
        if (apart < least) {
            least = apart;
            best = b;
        }
    }
    return best;
}

/* Puts COUNT members on the branches. */
static void put(struct halving *halving, const int *branches, int branches_count, int *member, int count)
{
    while (branches_count == 1 && !halving->topology->node[branches[0]].machine) {
        int node = branches[0];
        branches = halving->branch + halving->branch_first[node];
        branches_count = halving->branch_first[node + 1] - halving->branch_first[node];
    }
    if (count == 0)
        return;
    if (branches_count == 1) {
        for (int i = 0; i < count; i++)
            halving->machine[member[i]] = branches[0];
        return;
    }
    int half = half_of(halving, branches, branches_count), wanted = room_of(halving, branches, half);
    halving->member = member;
    halving->count = count;
    for (int i = 0; i < count; i++)
        halving->place[member[i]] = i;
    if (wanted > 0 && wanted < count) {
        halve(halving, wanted);
        part(halving);
    }
    for (int i = 0; i < count; i++)
        halving->place[member[i]] = -1;
    put(halving, branches, half, member, wanted);
    put(halving, branches + half, branches_count - half, member + wanted, count - wanted);
}

/* The nodes below each, and the slots. */
static void find_branches(struct halving *halving)
{
    const struct star_topology *topology = halving->topology;
    for (int node = 1; node < topology->nodes; node++)
        halving->branch_first[topology->node[node].parent + 1]++;
    for (int node = 0; node < topology->nodes; node++)
        halving->branch_first[node + 1] += halving->branch_first[node];
    for (int node = 1; node < topology->nodes; node++) {
        int parent = topology->node[node].parent;
        halving->branch[halving->branch_first[parent] + halving->room[parent]++] = node;
    }
    memset(halving->room, 0, (size_t)topology->nodes * sizeof *halving->room);
    for (int node = topology->nodes - 1; node >= 0; node--) {
        halving->room[node] += topology->node[node].machine ? halving->slots[node] : 0;
        if (node > 0)
            halving->room[topology->node[node].parent] += halving->room[node];
    }
}

int star_bisect(const struct star_matrix *matrix, const struct star_topology *topology, const int *slots,
                int count, double bytes_of_message, int *machine, struct star_why *why)
{
    struct star_scratch memory = {0};
    size_t nodes = (size_t)topology->nodes, all = (size_t)count;
    struct halving halving = {.matrix = matrix,
                              .topology = topology,
                              .slots = slots,
                              .bytes_of_message = bytes_of_message,
                              .machine = machine};
    halving.branch = star_scratch(&memory, nodes, sizeof *halving.branch);
    halving.branch_first = star_scratch(&memory, nodes + 2, sizeof *halving.branch_first);
    halving.room = star_scratch(&memory, nodes, sizeof *halving.room);
    halving.place = star_scratch(&memory, all, sizeof *halving.place);
    halving.first = star_scratch(&memory, all, sizeof *halving.first);
    halving.fixed = star_scratch(&memory, all, sizeof *halving.fixed);
    halving.best = star_scratch(&memory, all, sizeof *halving.best);
    halving.gain = star_scratch(&memory, all, sizeof *halving.gain);
    halving.moved = star_scratch(&memory, all, sizeof *halving.moved);
    halving.kept = star_scratch(&memory, all, sizeof *halving.kept);
    int *member = star_scratch(&memory, all, sizeof *member);
    if (!memory.failed) {
        const int root = 0;
        find_branches(&halving);
        for (int i = 0; i < count; i++) {
            halving.place[i] = -1;
            member[i] = i;
        }
        put(&halving, &root, 1, member, count);
    }
    star_scratch_free(&memory);
    return memory.failed ? star_because(why, STAR_EMEMORY, "out of memory for the places of %d ranks", count)
                         : 0;
}
