/* SPDX-License-Identifier: BSD-3-Clause
 * Proofs of methods: all ranks' plans, simulated, in all variants that make a difference. */
#include "algorithms/prove.h"
#include "plan/races.h"
#include "topology/levels.h"
#include "topology/network.h"

#include <stdlib.h>

/* In units: only of the blocks that it has counts for does a rank know how much room they take. */
static int check_pages(const struct star_method *method, const struct star_plan *plan, struct star_why *why)
{
    const struct star_operation_info *operation = &star_operations[method->algorithm->operation];
    if (!operation->units || operation->measure != STAR_UNKNOWN || plan->temp_bytes == 0)
        return 0;
    return star_because(why, STAR_EWRONG, "rank %d of %d: pages for blocks of lengths that it does not know",
                        plan->rank, plan->size);
}

/* Where each rank's input lies in its receive buffer; NULL: there is no memory to say so. */
static int64_t *places_of_input(const struct star_operation_info *operation, const struct star_shape *shape,
                                bool in_place)
{
    int64_t *at = malloc((size_t)shape->size * sizeof *at);
    for (int r = 0; at != NULL && r < shape->size; r++)
        at[r] =
            in_place && operation->expected.in_place != NULL ? operation->expected.in_place(shape, r) : -1;
    return at;
}

static int prove_order(const struct star_plan *const *plans, const struct star_operation_info *operation,
                       const struct star_shape *shape, bool in_place, struct star_why *why)
{
    int64_t *at = places_of_input(operation, shape, in_place);
    int error = at != NULL ? star_races(plans, shape->size, at, plans[0]->meets, why)
                           : star_because(why, STAR_EMEMORY, "out of memory for a proof");
    free(at);
    return error;
}

int star_method_prove(const struct star_method *method, const struct star_shape *shape, bool in_place,
                      struct star_simulation *result, struct star_why *why)
{
    struct star_plan **plans = calloc((size_t)shape->size, sizeof *plans);
    int error = plans ? 0 : star_because(why, STAR_EMEMORY, "out of memory for %d plans", shape->size);
    struct star_shape own = *shape;
    for (own.rank = 0; !error && own.rank < own.size; own.rank++)
        error = star_method_plan(method, &own, INT64_MAX, &plans[own.rank], why);
    for (int r = 0; !error && r < shape->size; r++)
        error = check_pages(method, plans[r], why);
    if (!error) {
        const struct star_operation_info *operation = &star_operations[method->algorithm->operation];
        struct star_simulation found;
        own.units = operation->units;
        if (own.units)
            own.block = own.granule = 1;
        error = star_simulate((const struct star_plan *const *)plans, &own, &operation->expected, in_place,
                              &found, why);
        if (!error)
            error = prove_order((const struct star_plan *const *)plans, operation, &own, in_place, why);
        if (!error && method->algorithm->order == STAR_ORDER_RANK && !found.rank_order)
            error = star_because(why, STAR_EWRONG, "it does not reduce in the order of ranks");
        if (result != NULL)
            *result = found;
    }
    for (int r = 0; plans != NULL && r < shape->size; r++)
        star_plan_free(plans[r]);
    free(plans);
    return error;
}

/* The placements on nodes, or switches, that algorithms for several of them are proven with. */
enum { PLACEMENTS = STAR_NETWORK_FORMS, ALL_PLACEMENTS_MOST = 16 };

static void place(int *node, int size, int placement)
{
    int known[3] = {-1, -1, -1}, count = 0;
    for (int r = 0; r < size; r++) {
        int on = placement == 0 ? r / 2 : placement == 1 ? r % 2 : (r * r + r / 3) % 3;
        node[r] = on;
        if (placement != 2)
            continue;
        if (known[on] < 0)
            known[on] = count++; /* by first appearance */
        node[r] = known[on];
    }
}

bool star_sample_levels(int size, int form, uint64_t *locality, int *room, struct star_levels *levels)
{
    for (int r = 0; r < size; r++) {
        uint64_t package = (uint64_t)(form == 0 ? r / 8 : form == 1 ? r % 2 : (r * r + r / 3) % 3) + 1;
        uint64_t numa = (uint64_t)r / 4 + 1, cache = (uint64_t)(form == 1 ? r / 3 : r / 2) + 1;
        locality[r] = package << 16 * STAR_PACKAGE | cache << 16 * STAR_L3_CACHE |
                      (form == 0 ? numa << 16 * STAR_NUMA_NODE : 0);
    }
    return star_levels_find(locality, size, room, levels);
}

int star_sample_network(const int *node, int size, int form, struct star_network **network,
                        struct star_why *why)
{
    int first = size + 1, count = 2 * size + 1; /* the core, switches, machines */
    bool chained = form == 1, shared = form == STAR_NETWORK_FORMS - 1;
    struct star_node *nodes = calloc((size_t)count, sizeof *nodes);
    int *machine = calloc((size_t)size, sizeof *machine), error = STAR_EMEMORY;
    struct star_topology topology = {.node = nodes, .nodes = count, .machines = size, .root = 0};
    *network = NULL;
    for (int i = 0; nodes != NULL && machine != NULL && i < size; i++) {
        nodes[1 + i] = (struct star_node){.parent = chained ? i : 0, .mbps = 200};
        nodes[first + i] = (struct star_node){
            .parent = 1 + (shared ? i : node[i]), .mbps = 100, .machine = true, .slots = size};
        machine[i] = first + (shared ? node[i] : i);
    }
    if (nodes != NULL && machine != NULL) {
        nodes[0].parent = -1;
        error = star_network_of(&topology, machine, size, network, why);
    }
    free(nodes);
    free(machine);
    return error;
}

struct proof {
    const struct star_method *method;
    struct star_simulation total;
    int done;
};

static int prove_one(struct proof *proof, const struct star_shape *shape, struct star_why *why)
{
    const struct star_expectation *expected = &star_operations[proof->method->algorithm->operation].expected;
    int error = star_method_applies(proof->method, shape, NULL) ? STAR_ENEEDS : 0;
    for (int in_place = 0; !error && in_place <= (expected->in_place != NULL); in_place++) {
        struct star_simulation found;
        struct star_why what = {{0}};
        error = star_method_prove(proof->method, shape, in_place, &found, &what);
        if (error)
            return star_because(why, error, "%s (root %d, %lld bytes%s%s)", what.text, shape->root,
                                (long long)shape->block, in_place ? ", in place" : "",
                                expected->reduces && !shape->commutative ? ", not commutative" : "");
        proof->total.messages += found.messages;
        proof->total.tokens += found.tokens;
        proof->total.bytes += found.bytes;
        proof->total.rounds = found.rounds;
        proof->done++;
    }
    return 0;
}

/* A block and one element more for each rank; for many ranks, where that takes long, one element for each and
 * BLOCK more: still blocks of two lengths. */
int64_t star_proven_elements(int64_t block, int size)
{
    return size <= 16 ? block * size + 1 : size + block;
}

static int prove_lengths(struct proof *proof, struct star_shape shape, int64_t block, struct star_why *why)
{
    const struct star_operation_info *operation = &star_operations[proof->method->algorithm->operation];
    bool vector = operation->measure == STAR_OF_VECTOR;
    int64_t elements = vector ? star_proven_elements(block, shape.size) : block;
    shape.granule = operation->expected.reduces ? 2 : 1;
    shape.block = elements * shape.granule;
    int error = prove_one(proof, &shape, why);
    shape.block = shape.granule;
    return error == 0 && vector ? prove_one(proof, &shape, why) : error;
}

static int prove_roots(struct proof *proof, struct star_shape shape, int64_t block, struct star_why *why)
{
    bool rooted = star_operations[proof->method->algorithm->operation].rooted;
    int step = shape.size <= 9 ? 1 : shape.size / 2, error = 0;
    for (shape.root = 0; error == 0 && shape.root < (rooted ? shape.size : 1); shape.root += step)
        error = prove_lengths(proof, shape, block, why);
    return error;
}

static int prove_placed(struct proof *proof, struct star_shape shape, int64_t block, struct star_why *why)
{
    bool reduces = star_operations[proof->method->algorithm->operation].expected.reduces;
    int error = 0;
    for (int commutative = reduces ? 0 : 1; !error && commutative <= 1; commutative++) {
        shape.commutative = commutative;
        error = prove_roots(proof, shape, block, why);
        if (error == STAR_ENEEDS)
            error = 0;
    }
    return error;
}

static bool is_placed(const struct star_method *method)
{
    return method->algorithm->nodes || method->algorithm->levels || star_method_needs_network(method);
}

int star_method_prove_all(const struct star_method *method, int size, int64_t block,
                          struct star_simulation *result, struct star_why *why)
{
    struct proof proof = {.method = method};
    struct star_shape shape = star_shape_of(size, block);
    struct star_scratch memory = {0};
    int *node = star_scratch(&memory, (size_t)size, sizeof *node),
        *room = star_scratch(&memory, (size_t)size, STAR_LOCALITIES * sizeof *room);
    uint64_t *locality = star_scratch(&memory, (size_t)size, sizeof *locality);
    int error = memory.failed ? STAR_EMEMORY : 0;
    bool placed = is_placed(method), network = star_method_needs_network(method);
    for (int placement = 0; !error && placement < (placed ? PLACEMENTS : 1); placement++) {
        struct star_network *built = NULL;
        struct star_levels levels;
        if (size > ALL_PLACEMENTS_MOST && placement != size % PLACEMENTS && placed)
            continue; /* they take turns */
        place(node, size, placement);
        if (network)
            error = star_sample_network(node, size, placement, &built, why);
        shape.node = method->algorithm->nodes ? node : NULL;
        shape.network = built;
        shape.levels = star_sample_levels(size, placement, locality, room, &levels) ? &levels : NULL;
        if (!error)
            error = prove_placed(&proof, shape, block, why);
        star_network_free(built);
    }
    star_scratch_free(&memory);
    if (result != NULL)
        *result = proof.total;
    return error ? error : proof.done ? 0 : STAR_ENEEDS;
}
