/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/place.h"
#include "place/bisect.h"
#include "util/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ranks in the slots, while they change places. */
struct search {
    const struct star_mapping *mapping;
    struct star_load load;
    int *owner; /* of each slot, one machine's behind the other's */
    int *slot;  /* of each rank, and of each that is none */
    int *first; /* of each node, its first slot */
    int count;  /* slots, and owners */
    uint64_t random;
    double work; /* done */
    int *best;
    double least; /* cost, of BEST */
    struct star_scratch memory;
};

static int slots_of(const struct star_mapping *mapping)
{
    int64_t all = 0;
    for (int node = 0; node < mapping->topology->nodes; node++)
        all += mapping->topology->node[node].machine ? mapping->slots[node] : 0;
    return all < INT32_MAX / 2 ? (int)all : INT32_MAX / 2;
}

/* Gives those that are no ranks the slots that are left. False: a machine has more ranks than slots. */
static bool take_slots(struct search *search, const int *machine)
{
    const struct star_mapping *mapping = search->mapping;
    int ranks = mapping->matrix->ranks, filled = 0, next = ranks;
    for (int node = 0; node < mapping->topology->nodes; node++) {
        search->first[node] = filled;
        filled += mapping->topology->node[node].machine ? mapping->slots[node] : 0;
    }
    for (int s = 0; s < search->count; s++)
        search->owner[s] = -1;
    for (int r = 0; r < ranks; r++) {
        int slot = search->first[machine[r]], end = slot + mapping->slots[machine[r]];
        while (slot < end && search->owner[slot] >= 0)
            slot++;
        if (slot == end)
            return false;
        search->owner[slot] = r;
        search->slot[r] = slot;
    }
    for (int s = 0; s < search->count; s++)
        if (search->owner[s] < 0) {
            search->owner[s] = next;
            search->slot[next++] = s;
        }
    return true;
}

/* Where each owner of a slot is, the ranks first. */
static void find_machines(const struct search *search, int *machine)
{
    const struct star_topology *topology = search->mapping->topology;
    for (int node = 0; node < topology->nodes; node++)
        for (int s = 0; topology->node[node].machine && s < search->mapping->slots[node]; s++)
            machine[search->owner[search->first[node] + s]] = node;
}

static bool open_search(struct search *search, const struct star_mapping *mapping, const int *machine)
{
    size_t count = (size_t)slots_of(mapping);
    *search = (struct search){.mapping = mapping, .count = (int)count};
    search->owner = star_scratch(&search->memory, count, sizeof *search->owner);
    search->slot = star_scratch(&search->memory, count, sizeof *search->slot);
    search->first = star_scratch(&search->memory, (size_t)mapping->topology->nodes, sizeof *search->first);
    search->best = star_scratch(&search->memory, count, sizeof *search->best);
    if (search->memory.failed || !take_slots(search, machine))
        return false;
    find_machines(search, search->best);
    if (!star_load_make(&search->load, mapping->matrix, mapping->topology, mapping->parameters, search->best,
                        search->count))
        return false;
    search->least = star_load_cost(&search->load);
    return true;
}

static void close_search(struct search *search)
{
    star_load_free(&search->load);
    star_scratch_free(&search->memory);
}

static size_t partners_of(const struct star_matrix *matrix, int who)
{
    return who < matrix->ranks ? matrix->first[who + 1] - matrix->first[who] : 0;
}

/* A slot of the machine of one of RANK's partners, most times; or any. */
static int draw_slot(struct search *search, int rank)
{
    enum { NEAR = 3, OF = 4 };
    const struct star_matrix *matrix = search->mapping->matrix;
    size_t partners = partners_of(matrix, rank);
    if (partners == 0 || star_draw(&search->random, OF) >= NEAR)
        return (int)star_draw(&search->random, (uint32_t)search->count);
    size_t p = matrix->first[rank] + star_draw(&search->random, (uint32_t)partners);
    int node = search->load.machine[matrix->pair[p].peer];
    return search->first[node] + (int)star_draw(&search->random, (uint32_t)search->mapping->slots[node]);
}

static void note_exchange(struct search *search, int one, int other)
{
    int slot = search->slot[one];
    search->slot[one] = search->slot[other];
    search->slot[other] = slot;
    search->owner[search->slot[one]] = one;
    search->owner[search->slot[other]] = other;
}

/* Tries an exchange; it stays where it costs less, or by chance at most so much more as TEMPERATURE lets.
 * Returns what it would have changed. */
static double try_one(struct search *search, double temperature)
{
    const struct star_matrix *matrix = search->mapping->matrix;
    int one = (int)star_draw(&search->random, (uint32_t)matrix->ranks);
    int other = search->owner[draw_slot(search, one)];
    search->work += 1;
    if (search->load.machine[one] == search->load.machine[other])
        return 0;
    double before = star_load_cost(&search->load);
    star_load_exchange(&search->load, one, other);
    search->work += (double)(partners_of(matrix, one) + partners_of(matrix, other));
    double more = star_load_cost(&search->load) - before;
    if (more <= 0 || (temperature > 0 && star_draw_share(&search->random) < exp(-more / temperature)))
        note_exchange(search, one, other);
    else
        star_load_undo(&search->load);
    return more;
}

static void keep_best(struct search *search)
{
    double cost = star_load_cost(&search->load);
    if (cost >= search->least)
        return;
    search->least = cost;
    memcpy(search->best, search->load.machine, (size_t)search->count * sizeof *search->best);
}

/* What exchanges change in the mean. */
static double usual_change(struct search *search)
{
    enum { TRIES = 200 };
    double all = 0;
    int changed = 0;
    for (int i = 0; i < TRIES; i++) {
        const double none = 1e-300; /* as cold as can be: only what costs less stays */
        double more = fabs(try_one(search, none));
        all += more;
        changed += more > 0;
    }
    return changed ? all / changed : 0;
}

/* Cools down, and at the end takes only what costs less. */
static void anneal(struct search *search, const struct star_effort *effort)
{
    enum { AT_ONCE = 256 };
    const double cold = 1e-3, last = 0.85;
    double hot = effort->heat * usual_change(search);
    while (search->work < effort->work) {
        double done = search->work / effort->work;
        double temperature = done < last ? hot * pow(cold, done / last) : 0;
        for (int i = 0; i < AT_ONCE; i++)
            try_one(search, temperature);
        if (done > 0.5)
            keep_best(search);
    }
    keep_best(search);
}

int star_improve_ranks(const struct star_mapping *mapping, const struct star_effort *effort, int *machine,
                       struct star_why *why)
{
    struct search search;
    bool made = open_search(&search, mapping, machine);
    if (made) {
        search.random = effort->seed;
        anneal(&search, effort);
        memcpy(machine, search.best, (size_t)mapping->matrix->ranks * sizeof *machine);
    }
    close_search(&search);
    return made ? 0
                : star_because(why, STAR_EMEMORY, "out of memory for the places of %d ranks",
                               mapping->matrix->ranks);
}

int star_cost_of_ranks(const struct star_mapping *mapping, const int *machine, double *cost, double *seconds,
                       struct star_why *why)
{
    struct star_load load;
    bool made = star_load_make(&load, mapping->matrix, mapping->topology, mapping->parameters, machine,
                               mapping->matrix->ranks);
    if (made) {
        *cost = star_load_cost(&load);
        *seconds = star_load_seconds(&load);
    }
    star_load_free(&load);
    return made ? 0
                : star_because(why, STAR_EMEMORY, "out of memory for the cost of %d ranks",
                               mapping->matrix->ranks);
}

struct star_effort star_effort_for(const struct star_matrix *matrix)
{
    const double of_few = 1.8e5, few = 2.1e7, of_more = 9e3, most = 1e8;
    const int many = 1024;
    double work = fmin(of_few * matrix->ranks, few) + of_more * fmax(0, matrix->ranks - many);
    return (struct star_effort){.work = work < most ? work : most, .heat = 0.3, .seed = 1};
}

/* The machines' slots in order. */
static void fill(const struct star_mapping *mapping, int *machine)
{
    int filled = 0;
    for (int node = 0; node < mapping->topology->nodes; node++)
        for (int s = 0; mapping->topology->node[node].machine && s < mapping->slots[node]; s++)
            if (filled < mapping->matrix->ranks)
                machine[filled++] = node;
}

/* Two ways: from the halved ranks, not to lose what is good about them; and, hot, from the slots in order. */
static int try_both(const struct star_mapping *mapping, int *halved, int *machine, struct star_why *why)
{
    const double hot = 2;
    struct star_effort effort = star_effort_for(mapping->matrix);
    double halved_cost = 0, cost = 0, seconds;
    effort.work /= 2;
    int error = star_improve_ranks(mapping, &effort, halved, why);
    effort.heat = hot;
    if (!error)
        error = star_improve_ranks(mapping, &effort, machine, why);
    if (!error)
        error = star_cost_of_ranks(mapping, halved, &halved_cost, &seconds, why);
    if (!error)
        error = star_cost_of_ranks(mapping, machine, &cost, &seconds, why);
    if (!error && halved_cost < cost)
        memcpy(machine, halved, (size_t)mapping->matrix->ranks * sizeof *machine);
    return error;
}

int star_map_ranks(const struct star_mapping *mapping, int *machine, struct star_why *why)
{
    int count = slots_of(mapping);
    int *halved = malloc(((size_t)count + 1) * sizeof *halved);
    if (halved == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for the places of %d ranks", count);
    double bytes_of_message = mapping->parameters->latency * mapping->parameters->host;
    fill(mapping, machine);
    int error =
        star_bisect(mapping->matrix, mapping->topology, mapping->slots, count, bytes_of_message, halved, why);
    if (!error)
        error = try_both(mapping, halved, machine, why);
    free(halved);
    return error;
}
