/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/reorder.h"
#include "place/bisect.h"
#include "util/random.h"

#include <math.h>
#include <string.h>

/* A way to put ranks on machines. */
struct way {
    int *machine;
    double cost, seconds;
};

struct search {
    struct star_mapping mapping;
    struct way stay, near, halved; /* as it is; improved from that; from halves */
    struct star_scratch memory;
};

/* Little: a program waits, and makes such a communicator once. A hundredth of what `startune place` takes for
 * few ranks, milliseconds; 0.1 s for thousands. */
static struct star_effort effort_for(const struct star_matrix *matrix)
{
    const double of_each = 1e3, of_all = 1e4, most = 2e6;
    return (struct star_effort){.work = fmin(of_all + of_each * matrix->ranks, most), .heat = 0.3, .seed = 1};
}

static bool open_search(struct search *search, const struct star_matrix *matrix,
                        const struct star_seats *seats)
{
    size_t ranks = (size_t)matrix->ranks, bytes = ranks * sizeof *seats->machine;
    int *slots = star_scratch(&search->memory, (size_t)seats->topology->nodes, sizeof *slots);
    search->stay.machine = star_scratch(&search->memory, ranks, sizeof *search->stay.machine);
    search->near.machine = star_scratch(&search->memory, ranks, sizeof *search->near.machine);
    search->halved.machine = star_scratch(&search->memory, ranks, sizeof *search->halved.machine);
    if (search->memory.failed)
        return false;
    for (int r = 0; r < matrix->ranks; r++)
        slots[seats->machine[r]]++;
    memcpy(search->stay.machine, seats->machine, bytes);
    memcpy(search->near.machine, seats->machine, bytes);
    search->mapping = (struct star_mapping){matrix, seats->topology, seats->parameters, slots};
    return true;
}

static int judge(const struct search *search, struct way *way, struct star_why *why)
{
    return star_cost_of_ranks(&search->mapping, way->machine, &way->cost, &way->seconds, why);
}

static int improve(const struct search *search, struct way *way, struct star_why *why)
{
    struct star_effort effort = effort_for(search->mapping.matrix);
    int error = star_improve_ranks(&search->mapping, &effort, way->machine, why);
    return error ? error : judge(search, way, why);
}

/* Where they cost the same, the one that is nearer to what is. */
static int find(struct search *search, const struct way **best, struct star_why *why)
{
    const double clearly = 1 - 1e-9;
    const struct star_mapping *mapping = &search->mapping;
    double bytes_of_message = mapping->parameters->latency * mapping->parameters->host;
    int error = judge(search, &search->stay, why);
    *best = &search->stay;
    if (error || search->stay.seconds <= 0)
        return error;
    error = star_bisect(mapping->matrix, mapping->topology, mapping->slots, mapping->matrix->ranks,
                        bytes_of_message, search->halved.machine, why);
    if (!error)
        error = improve(search, &search->halved, why);
    if (!error)
        error = improve(search, &search->near, why);
    if (!error)
        *best = search->halved.cost < clearly * search->near.cost ? &search->halved : &search->near;
    return error;
}

/* Whoever is on the machine of the rank of its number keeps it. The others of a machine take its ranks that
 * are left, in order. */
static bool take_ranks(const struct search *search, const struct way *way, int *order)
{
    const int *runs = search->stay.machine, *wanted = way->machine;
    int ranks = search->mapping.matrix->ranks, nodes = search->mapping.topology->nodes;
    struct star_scratch memory = {0};
    int *next = star_scratch(&memory, (size_t)nodes, sizeof *next);
    int *behind = star_scratch(&memory, (size_t)ranks, sizeof *behind);
    for (int node = 0; next != NULL && node < nodes; node++)
        next[node] = -1;
    for (int r = ranks - 1; !memory.failed && r >= 0; r--) /* lists of what is left, the least first */
        if (runs[r] != wanted[r]) {
            behind[r] = next[wanted[r]];
            next[wanted[r]] = r;
        }
    for (int p = 0; !memory.failed && p < ranks; p++) {
        order[p] = p;
        if (runs[p] != wanted[p]) {
            order[p] = next[runs[p]];
            next[runs[p]] = behind[order[p]];
        }
    }
    star_scratch_free(&memory);
    return !memory.failed;
}

static int moved(const int *order, int count)
{
    int moved = 0;
    for (int p = 0; p < count; p++)
        moved += order[p] != p;
    return moved;
}

int star_reorder(const struct star_matrix *matrix, const struct star_seats *seats, double least_gain,
                 int *order, struct star_reordered *found, struct star_why *why)
{
    struct search search = {.stay = {0}};
    const struct way *best = &search.stay;
    bool able = open_search(&search, matrix, seats);
    int error = able ? find(&search, &best, why) : 0;
    if (able && !error) {
        if (best->seconds > (1 - least_gain) * search.stay.seconds)
            best = &search.stay;
        able = take_ranks(&search, best, order);
    }
    if (able && !error)
        *found = (struct star_reordered){search.stay.seconds, best->seconds, moved(order, matrix->ranks)};
    star_scratch_free(&search.memory);
    return error || able
               ? error
               : star_because(why, STAR_EMEMORY, "out of memory for the order of %d ranks", matrix->ranks);
}

void star_reorder_anyhow(int *order, int count)
{
    uint64_t random = (uint64_t)count;
    for (int p = 0; p < count; p++)
        order[p] = p;
    star_shuffle(order, count, &random);
    if (count > 1 && moved(order, count) == 0) {
        order[0] = 1;
        order[1] = 0;
    }
}
