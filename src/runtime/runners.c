/* SPDX-License-Identifier: BSD-3-Clause
 * Runners of a communicator: one for each (method, bytes, in place), shared by its contexts. A few that
 * nobody uses are kept; which ones depends on the order of calls alone, so all ranks keep the same. */
#include "runtime/agree.h"

#include <stdlib.h>

enum { IDLE_MOST = 32 };

static bool serves(const struct star_shared_runner *shared, const struct star_method *method,
                   const struct star_facts *facts)
{
    return star_method_equal(&shared->method, method) && shared->facts.bytes == facts->bytes &&
           shared->facts.in_place == facts->in_place;
}

static void free_runner(struct star_shared_runner *shared)
{
    if (shared == NULL)
        return;
    star_runner_free(shared->runner);
    free(shared->in_place);
    free(shared);
}

/* What one rank can do by itself; NULL when it cannot. */
static struct star_shared_runner *make(const struct star_communicator *state,
                                       const struct star_method *method, const struct star_facts *facts)
{
    struct star_shape shape = {.size = state->size, .rank = state->rank, .block = facts->bytes};
    struct star_shared_runner *shared = calloc(1, sizeof *shared);
    struct star_plan *plan;
    int64_t limit = star_runtime.settings.memory, copy = facts->in_place ? shape.size * shape.block : 0;
    if (shared == NULL || copy > limit || star_method_plan(method, &shape, limit - copy, &plan, NULL) != 0) {
        free(shared);
        return NULL;
    }
    *shared = (struct star_shared_runner){.method = *method, .facts = *facts, .users = 1};
    shared->runner = star_runner_new(plan);
    if (facts->in_place)
        shared->in_place = malloc((size_t)copy);
    if (shared->runner == NULL || (facts->in_place && shared->in_place == NULL)) {
        free_runner(shared);
        return NULL;
    }
    return shared;
}

struct star_shared_runner *star_runner_acquire(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts)
{
    for (struct star_shared_runner *shared = state->runners; shared; shared = shared->next)
        if (serves(shared, method, facts)) {
            shared->users++;
            return shared;
        }
    bool same;
    struct star_shared_runner *made = make(state, method, facts);
    if (!star_agree(state->private, made != NULL, 0, &same)) {
        free_runner(made);
        return NULL;
    }
    state->made++;
    made->next = state->runners;
    state->runners = made;
    return made;
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
    if (idle > IDLE_MOST) {
        struct star_shared_runner *gone = *oldest;
        *oldest = gone->next;
        free_runner(gone);
    }
}

void star_runner_release(struct star_communicator *state, struct star_shared_runner *shared)
{
    if (shared == NULL)
        return;
    shared->used = ++state->released;
    if (--shared->users == 0)
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
                    const struct star_call *call)
{
    int error = star_servers[call->operation].sides(call, &shared->facts, &shared->send, &shared->recv);
    if (!error)
        error = star_side_check(&shared->recv, state->private);
    if (!error && shared->facts.in_place) {
        shared->send = star_side_packed(shared->in_place);
        error = star_side_copy(shared->send, 0, shared->recv, 0, state->size * shared->facts.bytes,
                               state->private);
    }
    return error ? error : star_execute(shared->runner, shared->send, shared->recv, state->private);
}
