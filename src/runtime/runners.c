/* SPDX-License-Identifier: BSD-3-Clause
 * Runners of a communicator: one for each method and what its plan depends on, shared by its contexts. A few
 * that nobody uses are kept; which ones depends on the order of calls, and on what is agreed on, so all ranks
 * keep the same. */
#include "runtime/runners.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "exec/execute.h"
#include "exec/run.h"
#include "exec/runner.h"
#include "exec/segment.h"
#include "exec/side.h"
#include "plan/plan.h"
#include "runtime/agree.h"
#include "runtime/call.h"
#include "runtime/device.h"
#include "runtime/mockups.h"
#include "runtime/operations.h"
#include "runtime/policy.h"
#include "runtime/session.h"
#include "util/fpenv.h"
#include "util/hash.h"

#include <stdlib.h>

/* So many idle ones are kept, and a few for each rank, as roots may take turns; but only one for calls of
 * many bytes, whose temporaries would add up, and which do not mind making one again; and of the others as
 * many as take so many bytes in all. */
enum { IDLE_MOST = 64, IDLE_BYTES_MOST = 1 << 20, IDLE_BYTES_IN_ALL = 64 << 20 };

bool star_runner_serves(const struct star_shared_runner *shared, const struct star_method *method,
                        const struct star_facts *facts)
{
    const struct star_facts *own = &shared->facts;
    /* In units a plan serves all lengths, up to those for which the memory was agreed on. */
    bool units = star_operations[method->algorithm->operation].units;
    bool wider = units && !shared->impossible;
    return (wider ? own->bytes >= facts->bytes : own->bytes == facts->bytes) && own->root == facts->root &&
           own->granule == facts->granule && own->commutative == facts->commutative &&
           own->in_place == facts->in_place && own->own_operator == facts->own_operator &&
           star_method_equal(&shared->method, method);
}

/* Short messages leave before anybody awaits them, so that a root need not wait; and where nobody knows how
 * long they are, they may be short. */
static bool is_one_way(enum star_operation operation, const struct star_facts *facts)
{
    return !star_may_wait(operation) && facts->bytes <= STAR_EAGER_MOST;
}

struct star_shape star_shape_for(const struct star_communicator *state, enum star_operation operation,
                                 const struct star_facts *facts)
{
    return (struct star_shape){
        .size = state->size,
        .rank = state->rank,
        .root = facts->root,
        .block = facts->bytes,
        .granule = facts->granule,
        .commutative = facts->commutative,
        .units = star_operations[operation].units,
        .shares = state->route.segment != NULL,
        .reads = state->route.segment != NULL && star_segment_may_read(state->route.segment),
        .one_way = is_one_way(operation, facts),
        .node = state->node,
        .network = state->network,
        .levels = state->route.segment != NULL ? star_segment_levels(state->route.segment) : NULL};
}

size_t star_shared_runner_bytes(const struct star_shared_runner *shared)
{
    return (shared->runner ? star_runner_bytes(shared->runner) : 0) + (size_t)shared->scratch_bytes;
}

static void free_runner(struct star_shared_runner *shared)
{
    if (shared == NULL)
        return;
    star_runner_free(shared->runner);
    free(shared->scratch);
    free(shared);
}

/* Bytes that the method needs beside its plan; negative: it cannot be run. */
static int64_t scratch_of(const struct star_communicator *state, const struct star_method *method,
                          const struct star_facts *facts)
{
    if (method->algorithm->mockup != STAR_MOCKUP_NONE)
        return star_mockup_scratch(method->algorithm->mockup, state, facts);
    bool copies = facts->in_place && method->algorithm->operation == STAR_ALLTOALL;
    return copies ? state->size * facts->bytes : 0;
}

/* Does a plan need more than LIMIT bytes beside the program's buffers? */
static bool is_above(const struct star_plan *plan, int size, const struct star_facts *facts, int64_t limit)
{
    if (plan->units)
        return plan->temp_bytes / size * facts->bytes > limit;
    return plan->temp_bytes + star_cut_bytes(plan) > limit;
}

/* Bytes of images of the buffers, where these may lie in a device's memory (staging.h). With each rank's own
 * counts nobody knows. */
static int64_t images_of(const struct star_communicator *state, const struct star_operation_info *info,
                         const struct star_shape *shape)
{
    struct star_device device = {0};
    if (state->devices)
        device = star_device_now();
    if (!star_device_is_there(&device) || shape->block < 0)
        return 0;
    return info->units ? 2 * shape->block
                       : info->expected.send_bytes(shape, shape->rank) +
                             info->expected.recv_bytes(shape, shape->rank);
}

/* What one rank can do by itself; NULL when it cannot. */
static struct star_shared_runner *make(const struct star_communicator *state,
                                       const struct star_method *method, const struct star_facts *facts)
{
    STAR_FPENV_DEFAULT;
    struct star_shape shape = star_shape_for(state, method->algorithm->operation, facts);
    int64_t images = images_of(state, &star_operations[method->algorithm->operation], &shape);
    int64_t limit = star_memory_most() - images, scratch = scratch_of(state, method, facts);
    struct star_shared_runner *shared = calloc(1, sizeof *shared);
    if (shared == NULL || scratch < 0 || scratch > limit) {
        free(shared);
        return NULL;
    }
    *shared =
        (struct star_shared_runner){.method = *method, .facts = *facts, .users = 1, .scratch_bytes = scratch};
    shared->scratch = malloc((size_t)scratch + 1);
    bool made = shared->scratch != NULL;
    if (made && method->algorithm->build != NULL) {
        struct star_plan *plan;
        made = star_method_plan(method, &shape, limit - scratch, &plan, NULL) == 0;
        if (made && (is_above(plan, state->size, facts, limit - scratch) ||
                     (method->algorithm->reads && !star_segment_reads(state->route.segment)))) {
            star_plan_free(plan);
            made = false;
        }
        shared->runner = made ? star_runner_new(plan) : NULL;
        made = shared->runner != NULL;
    }
    if (!made) {
        free_runner(shared);
        return NULL;
    }
    return shared;
}

/* The least power of two that is not less: the next calls may be a little longer. */
static int64_t rounded_up(int64_t bytes)
{
    int64_t power = 1;
    while (power < bytes && power <= INT64_MAX / 2)
        power *= 2;
    return bytes > 0 && power >= bytes ? power : bytes;
}

static struct star_shared_runner **bucket_of(struct star_runners *runners, const struct star_method *method,
                                             const struct star_facts *facts)
{
    uint64_t hash = star_hash_add(star_hash_empty, (uintptr_t)method->algorithm);
    for (int i = 0; i < STAR_KNOBS_MAX; i++)
        hash = star_hash_add(hash, (uint64_t)method->knob[i]);
    hash = star_hash_add(star_hash_add(hash, (uint64_t)facts->root), (uint64_t)facts->granule);
    hash = star_hash_add(hash, (uint64_t)facts->in_place * 2 + facts->commutative);
    if (!star_operations[method->algorithm->operation].units) /* else a plan serves other lengths too */
        hash = star_hash_add(hash, (uint64_t)facts->bytes);
    hash ^= hash >> 32;
    return runners->many ? &runners->many[hash & (uint64_t)(runners->room - 1)]
                         : &runners->few[hash % STAR_RUNNERS_FEW];
}

/* Of several that serve, the one for the least bytes: which one may not depend on the order in the bucket, as
 * one rank's memory may be too short for more buckets. */
static struct star_shared_runner *find(struct star_runners *runners, const struct star_method *method,
                                       const struct star_facts *facts)
{
    struct star_shared_runner *best = NULL;
    for (struct star_shared_runner *shared = *bucket_of(runners, method, facts); shared;
         shared = shared->next)
        if (star_runner_serves(shared, method, facts) &&
            (best == NULL || shared->facts.bytes < best->facts.bytes ||
             (shared->facts.bytes == best->facts.bytes && shared->impossible)))
            best = shared;
    return best;
}

static void put(struct star_runners *runners, struct star_shared_runner *shared)
{
    struct star_shared_runner **bucket = bucket_of(runners, &shared->method, &shared->facts);
    shared->next = *bucket;
    *bucket = shared;
}

/* Out of memory, it stays as it is. */
static void widen(struct star_runners *runners)
{
    struct star_runners before = *runners;
    int64_t room = before.many ? before.room : STAR_RUNNERS_FEW;
    struct star_shared_runner **old = before.many ? before.many : before.few,
                              **many = calloc((size_t)(2 * room), sizeof(struct star_shared_runner *));
    if (many == NULL)
        return;
    runners->many = many;
    runners->room = 2 * room;
    for (int64_t i = 0; i < room; i++)
        for (struct star_shared_runner *next, *shared = old[i]; shared; shared = next) {
            next = shared->next;
            put(runners, shared);
        }
    free(before.many);
}

static void add(struct star_runners *runners, struct star_shared_runner *shared)
{
    if (runners->count >= (runners->many ? runners->room : STAR_RUNNERS_FEW))
        widen(runners);
    put(runners, shared);
    runners->count++;
}

/* Nobody uses it any more. */
static void add_idle(struct star_runners *runners, struct star_shared_runner *shared)
{
    shared->before = runners->newest;
    shared->behind = NULL;
    *(runners->newest ? &runners->newest->behind : &runners->oldest) = shared;
    runners->newest = shared;
    runners->idle++;
    runners->idle_bytes += (int64_t)star_shared_runner_bytes(shared);
}

static void take_idle(struct star_runners *runners, struct star_shared_runner *shared)
{
    *(shared->before ? &shared->before->behind : &runners->oldest) = shared->behind;
    *(shared->behind ? &shared->behind->before : &runners->newest) = shared->before;
    runners->idle--;
    runners->idle_bytes -= (int64_t)star_shared_runner_bytes(shared);
    if (runners->large == shared)
        runners->large = NULL;
}

/* Of an idle one. */
static void forget(struct star_runners *runners, struct star_shared_runner *gone)
{
    struct star_shared_runner **link = bucket_of(runners, &gone->method, &gone->facts);
    while (*link != gone)
        link = &(*link)->next;
    *link = gone->next;
    runners->count--;
    take_idle(runners, gone);
    free_runner(gone);
}

/* All ranks remember that not all of them could make it, so that they need not try and agree again. */
static void remember_failure(struct star_communicator *state, const struct star_method *method,
                             const struct star_facts *facts)
{
    bool same;
    struct star_shared_runner *none = calloc(1, sizeof *none);
    if (!star_agree(state->route.whole, none != NULL, 0, &same)) {
        free(none);
        return;
    }
    *none = (struct star_shared_runner){.method = *method, .facts = *facts, .impossible = true};
    add(&state->runners, none);
    add_idle(&state->runners, none);
}

static bool is_large(const struct star_communicator *state, const struct star_shared_runner *shared)
{
    int64_t blocks = star_operation_blocks(shared->method.algorithm->operation, state->size);
    return !shared->impossible && shared->facts.bytes > IDLE_BYTES_MOST / blocks;
}

bool star_runner_is_kept(const struct star_communicator *state, const struct star_shared_runner *runner)
{
    return !is_large(state, runner);
}

/* Too many bytes on some rank, and no rank knows of which: so all but what was found impossible. */
static void forget_idle(struct star_runners *runners)
{
    for (struct star_shared_runner *next, *shared = runners->oldest; shared; shared = next) {
        next = shared->behind;
        if (!shared->impossible)
            forget(runners, shared);
    }
}

static void forget_oldest(struct star_communicator *state)
{
    if (state->runners.idle > IDLE_MOST + 2 * state->size)
        forget(&state->runners, state->runners.oldest);
}

struct star_shared_runner *star_runner_acquire(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts)
{
    struct star_runners *runners = &state->runners;
    struct star_shared_runner *known = find(runners, method, facts);
    if (known != NULL) {
        if (known->impossible)
            return NULL;
        if (known->users++ == 0)
            take_idle(runners, known);
        return known;
    }
    struct star_shared_runner *made = star_runner_make(state, method, facts);
    runners->made++;
    int64_t idle_bytes = runners->idle_bytes;
    bool all = star_agree_most(state->route.whole, made != NULL, &idle_bytes);
    if (idle_bytes > IDLE_BYTES_IN_ALL)
        forget_idle(runners);
    if (!all) {
        free_runner(made);
        remember_failure(state, method, facts);
        forget_oldest(state);
        return NULL;
    }
    add(runners, made);
    return made;
}

struct star_shared_runner *star_runner_at_hand(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts)
{
    struct star_shared_runner *known = find(&state->runners, method, facts);
    if (known == NULL || known->impossible)
        return NULL;
    if (known->users++ == 0)
        take_idle(&state->runners, known);
    return known;
}

struct star_shared_runner *star_runner_make(const struct star_communicator *state,
                                            const struct star_method *method, const struct star_facts *facts)
{
    struct star_facts wider = *facts;
    if (star_operations[method->algorithm->operation].units)
        wider.bytes = rounded_up(facts->bytes);
    return make(state, method, &wider);
}

void star_runner_add(struct star_communicator *state, struct star_shared_runner *runner)
{
    state->runners.made++;
    add(&state->runners, runner);
    star_runner_release(state, runner);
}

void star_runner_discard(struct star_shared_runner *runner)
{
    free_runner(runner);
}

void star_runners_limit(struct star_communicator *state, int64_t idle_bytes)
{
    if (idle_bytes > IDLE_BYTES_IN_ALL)
        forget_idle(&state->runners);
}

/* What was found wrong is only remembered. What grows with calls is this rank's own affair: it is given back
 * where there is too much. */
static void rest(struct star_runners *runners, struct star_shared_runner *shared)
{
    if (shared->impossible) {
        star_runner_free(shared->runner);
        free(shared->scratch);
        shared->runner = NULL;
        shared->scratch = NULL;
        shared->scratch_bytes = 0;
    }
    int64_t room = IDLE_BYTES_IN_ALL - runners->idle_bytes;
    if (shared->runner != NULL && (int64_t)star_shared_runner_bytes(shared) > room)
        star_runner_rest(shared->runner);
    add_idle(runners, shared);
}

void star_runner_release(struct star_communicator *state, struct star_shared_runner *shared)
{
    if (shared == NULL || --shared->users > 0)
        return;
    struct star_runners *runners = &state->runners;
    rest(runners, shared);
    if (!is_large(state, shared)) {
        forget_oldest(state);
        return;
    }
    if (runners->large != NULL)
        forget(runners, runners->large);
    runners->large = shared;
}

static void free_all(struct star_shared_runner *shared)
{
    while (shared != NULL) {
        struct star_shared_runner *next = shared->next;
        free_runner(shared);
        shared = next;
    }
}

void star_runners_free(struct star_communicator *state)
{
    struct star_runners *runners = &state->runners;
    for (int i = 0; runners->many == NULL && i < STAR_RUNNERS_FEW; i++)
        free_all(runners->few[i]);
    for (int64_t i = 0; runners->many != NULL && i < runners->room; i++)
        free_all(runners->many[i]);
    free(runners->many);
    *runners = (struct star_runners){0};
}

void star_runner_refuse(const struct star_communicator *state, const struct star_shared_runner *runner)
{
    if (runner->runner != NULL)
        star_execute_refuse(runner->runner, &state->route);
}

int star_runner_run(struct star_communicator *state, struct star_shared_runner *shared,
                    const struct star_call *call, const struct star_facts *facts)
{
    struct star_buffers *buffers = &shared->buffers;
    if (shared->runner == NULL)
        return star_mockup_run(shared->method.algorithm->mockup, state, call, facts, shared->scratch);
    int error = star_servers[call->operation].buffers(call, state, facts, buffers);
    if (!error && facts->in_place && call->operation == STAR_ALLTOALL) {
        error = star_side_check(&buffers->recv, state->route.comm);
        buffers->send = star_side_packed(shared->scratch);
        if (!error)
            error =
                star_side_copy(buffers->send, 0, buffers->recv, 0, shared->scratch_bytes, state->route.comm);
    }
    if (state->route.segment != NULL)
        star_segment_number(state->route.segment, state->calls, false);
    if (error) {
        star_runner_refuse(state, shared);
        return error;
    }
    return star_execute(shared->runner, buffers, &state->route);
}
