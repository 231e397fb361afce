/* SPDX-License-Identifier: BSD-3-Clause
 * Runners of a communicator: one for each method and what its plan depends on, shared by its contexts. A few
 * that nobody uses are kept; which ones depends on the order of calls, and on what is agreed on, so all ranks
 * keep the same. */
#include "runtime/agree.h"

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
           own->in_place == facts->in_place && star_method_equal(&shared->method, method);
}

struct star_shape star_shape_for(const struct star_communicator *state, enum star_operation operation,
                                 const struct star_facts *facts)
{
    return (struct star_shape){.size = state->size,
                               .rank = state->rank,
                               .root = facts->root,
                               .block = facts->bytes,
                               .granule = facts->granule,
                               .commutative = facts->commutative,
                               .units = star_operations[operation].units,
                               .node = state->node,
                               .network = state->network};
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

/* What one rank can do by itself; NULL when it cannot. */
static struct star_shared_runner *make(const struct star_communicator *state,
                                       const struct star_method *method, const struct star_facts *facts)
{
    struct star_shape shape = star_shape_for(state, method->algorithm->operation, facts);
    int64_t limit = star_memory_most(), scratch = scratch_of(state, method, facts);
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
        if (made && is_above(plan, state->size, facts, limit - scratch)) {
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

/* All ranks remember that not all of them could make it, so that they need not try and agree again. */
static void remember_failure(struct star_communicator *state, const struct star_method *method,
                             const struct star_facts *facts)
{
    bool same;
    struct star_shared_runner *none = calloc(1, sizeof *none);
    if (!star_agree(state->private, none != NULL, 0, &same)) {
        free(none);
        return;
    }
    *none = (struct star_shared_runner){
        .method = *method, .facts = *facts, .impossible = true, .used = ++state->released};
    none->next = state->runners;
    state->runners = none;
}

static bool is_large(const struct star_communicator *state, const struct star_shared_runner *shared)
{
    enum star_measure measure = star_operations[shared->method.algorithm->operation].measure;
    int64_t ranks = measure == STAR_OF_PAIR || measure == STAR_OF_RANK ? state->size : 1;
    return !shared->impossible && shared->facts.bytes > IDLE_BYTES_MOST / ranks;
}

bool star_runner_is_kept(const struct star_communicator *state, const struct star_shared_runner *runner)
{
    return !is_large(state, runner);
}

/* Of those that are idle. */
static void forget(struct star_communicator *state, struct star_shared_runner **link)
{
    struct star_shared_runner *gone = *link;
    *link = gone->next;
    state->idle_bytes -= (int64_t)star_shared_runner_bytes(gone);
    free_runner(gone);
}

/* Too many bytes on some rank, and no rank knows of which: so all but what was found impossible. */
static void forget_idle(struct star_communicator *state)
{
    struct star_shared_runner **link = &state->runners;
    while (*link != NULL)
        if ((*link)->users == 0 && !(*link)->impossible)
            forget(state, link);
        else
            link = &(*link)->next;
}

static void forget_oldest(struct star_communicator *state)
{
    struct star_shared_runner **oldest = NULL;
    int idle = 0;
    for (struct star_shared_runner **link = &state->runners; *link; link = &(*link)->next)
        if ((*link)->users == 0) {
            idle++;
            if (oldest == NULL || (*link)->used < (*oldest)->used)
                oldest = link;
        }
    if (idle > IDLE_MOST + 2 * state->size)
        forget(state, oldest);
}

struct star_shared_runner *star_runner_acquire(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts)
{
    for (struct star_shared_runner *shared = state->runners; shared; shared = shared->next)
        if (star_runner_serves(shared, method, facts)) {
            if (shared->impossible)
                return NULL;
            if (shared->users++ == 0)
                state->idle_bytes -= (int64_t)star_shared_runner_bytes(shared);
            return shared;
        }
    struct star_facts wider = *facts;
    if (star_operations[method->algorithm->operation].units)
        wider.bytes = rounded_up(facts->bytes);
    struct star_shared_runner *made = make(state, method, &wider);
    state->made++;
    int64_t idle_bytes = state->idle_bytes;
    bool all = star_agree_made(state->private, made != NULL, &idle_bytes);
    if (idle_bytes > IDLE_BYTES_IN_ALL)
        forget_idle(state);
    if (!all) {
        free_runner(made);
        remember_failure(state, method, facts);
        forget_oldest(state);
        return NULL;
    }
    made->next = state->runners;
    state->runners = made;
    return made;
}

/* Of those for calls of many bytes the last one alone is kept. */
static void forget_large(struct star_communicator *state, const struct star_shared_runner *last)
{
    struct star_shared_runner **link = &state->runners;
    while (*link != NULL) {
        struct star_shared_runner *shared = *link;
        if (shared == last || shared->users > 0 || !is_large(state, shared)) {
            link = &shared->next;
            continue;
        }
        forget(state, link);
    }
}

/* What was found wrong is only remembered. What grows with calls is this rank's own affair: it is given back
 * where there is too much. */
static void rest(struct star_communicator *state, struct star_shared_runner *shared)
{
    if (shared->impossible) {
        star_runner_free(shared->runner);
        free(shared->scratch);
        shared->runner = NULL;
        shared->scratch = NULL;
        shared->scratch_bytes = 0;
    }
    int64_t room = IDLE_BYTES_IN_ALL - state->idle_bytes;
    if (shared->runner != NULL && (int64_t)star_shared_runner_bytes(shared) > room)
        star_runner_rest(shared->runner);
    state->idle_bytes += (int64_t)star_shared_runner_bytes(shared);
}

void star_runner_release(struct star_communicator *state, struct star_shared_runner *shared)
{
    if (shared == NULL)
        return;
    shared->used = ++state->released;
    if (--shared->users > 0)
        return;
    rest(state, shared);
    if (is_large(state, shared))
        forget_large(state, shared);
    else
        forget_oldest(state);
}

void star_runners_free(struct star_communicator *state)
{
    while (state->runners != NULL) {
        struct star_shared_runner *next = state->runners->next;
        free_runner(state->runners);
        state->runners = next;
    }
}

int star_runner_run(struct star_communicator *state, struct star_shared_runner *shared,
                    const struct star_call *call, const struct star_facts *facts)
{
    struct star_buffers *buffers = &shared->buffers;
    if (shared->runner == NULL)
        return star_mockup_run(shared->method.algorithm->mockup, state, call, facts, shared->scratch);
    int error = star_servers[call->operation].buffers(call, state, facts, buffers);
    if (!error && facts->in_place && call->operation == STAR_ALLTOALL) {
        error = star_side_check(&buffers->recv, state->private);
        buffers->send = star_side_packed(shared->scratch);
        if (!error)
            error = star_side_copy(buffers->send, 0, buffers->recv, 0, shared->scratch_bytes, state->private);
    }
    return error ? error : star_execute(shared->runner, buffers, state->private);
}
