/* SPDX-License-Identifier: BSD-3-Clause
 * The call of a scene, and what has become of the memory. */
#include "runtime/call.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "exec/segment.h"
#include "plan/plan.h"
#include "runtime/mockups.h"
#include "runtime/operations.h"
#include "runtime/runners.h"
#include "runtime/state.h"
#include "scene.h"
#include "util/why.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What is not significant is not legal either: nobody may look at it. */
static void give_garbage(struct star_call *call, bool send)
{
    if (send) {
        call->sendcount = -3;
        call->sendtype = MPI_DATATYPE_NULL;
        call->sendcounts = call->senddispls = NULL;
        call->sendtypes = NULL;
    } else {
        call->recvcount = -3;
        call->recvtype = MPI_DATATYPE_NULL;
        call->recvcounts = call->recvdispls = NULL;
        call->recvtypes = NULL;
    }
}

/* A type for each block, and places in bytes; those of the others are nothing. */
static void give_types(struct star_call *call, const struct part *sent, const struct part *received)
{
    bool large = call->large;
    call->sendtypes = sent->types;
    call->recvtypes = received->types;
    call->sendtype = call->recvtype = MPI_DATATYPE_NULL;
    call->senddispls = large ? (const void *)sent->large_byte_displs : sent->byte_displs;
    call->recvdispls = large ? (const void *)received->large_byte_displs : received->byte_displs;
}

static struct star_call call_of(const struct scene *scene)
{
    const struct trial *trial = scene->trial;
    const struct part *sent = &scene->sent, *received = &scene->received;
    int rank = scene->ground->state.rank;
    bool large = trial->large;
    struct star_call call = {.operation = trial->operation,
                             .sendbuf = trial->absolute ? MPI_BOTTOM : sent->start,
                             .recvbuf = trial->absolute ? MPI_BOTTOM : received->start,
                             .sendcount = sent->counts[0],
                             .recvcount = received->counts[0],
                             .sendtype = sent->layout.type,
                             .recvtype = received->layout.type,
                             .op = scene->op,
                             .root = trial->root,
                             .large = large,
                             .comm = scene->ground->comm};
    if (trial_has_counts(trial)) {
        call.sendcounts = large ? (const void *)sent->large_counts : sent->counts;
        call.senddispls = large ? (const void *)sent->large_displs : sent->displs;
        call.recvcounts = large ? (const void *)received->large_counts : received->counts;
        call.recvdispls = large ? (const void *)received->large_displs : received->displs;
    }
    if (trial->operation == STAR_ALLTOALLW)
        give_types(&call, sent, received);
    if (trial_is_reduction(trial)) {
        call.recvcounts = call.sendcounts;
        call.recvcount = sent->counts[0];
    } else if (!trial_is_root(trial, rank) && !trial_is(trial, BCAST))
        give_garbage(&call, trial_is(trial, SCATTER));
    if (trial_says_in_place(trial, rank) && trial_is(trial, SCATTER)) {
        give_garbage(&call, false);
        call.recvbuf = MPI_IN_PLACE;
    } else if (trial_says_in_place(trial, rank)) {
        if (!trial_is_reduction(trial))
            give_garbage(&call, true);
        call.sendbuf = MPI_IN_PLACE;
    }
    return call;
}

static int complain(const struct scene *scene, const char *method, bool loud, const char *what, long long at)
{
    char text[TRIAL_TEXT];
    const struct star_communicator *state = &scene->ground->state;
    if (loud)
        fprintf(stderr, "%s: rank %d: %s %lld\n", trial_format(scene->trial, method, state->size, text),
                state->rank, what, at);
    return SCENE_WRONG;
}

static int64_t first_difference(const struct part *part)
{
    int64_t i = 0;
    if (memcmp(part->region, part->after, (size_t)part->length) == 0)
        return -1;
    while (part->region[i] == part->after[i])
        i++;
    return i;
}

static int judge(const struct scene *scene, const char *method, int error, bool loud)
{
    if (error != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        PMPI_Error_string(error, text, &length);
        complain(scene, method, loud, text, error);
        return SCENE_FAILED;
    }
    int64_t at = first_difference(&scene->sent);
    if (at >= 0)
        return complain(scene, method, loud, "the send buffer is changed, at", at - GUARD);
    int abuses = reduction_abuses();
    if (abuses > 0)
        return complain(scene, method, loud, "an operator was called wrongly, so often:", abuses);
    if (scene->trial->operation == STAR_BARRIER) {
        long came = __atomic_load_n(scene->ground->arrivals, __ATOMIC_SEQ_CST);
        long due = scene->ground->barriers * scene->ground->state.size;
        return came >= due ? SCENE_RIGHT
                           : complain(scene, method, loud, "left before others came:", due - came);
    }
    at = first_difference(&scene->received);
    if (at < 0)
        return SCENE_RIGHT;
    bool touched = scene->received.before[at] != scene->received.after[at];
    return complain(scene, method, loud,
                    touched ? "the receive buffer is wrong at byte" : "written beside the data, at byte",
                    at - GUARD);
}

/* The MPI libraries leave what they like behind the result of a reduce_scatter in place, where the input was.
 */
static void forgive_input(struct scene *scene)
{
    const struct trial *trial = scene->trial;
    const struct part *part = &scene->received;
    int rank = scene->ground->state.rank;
    if (!trial_is(trial, PORTIONS) || !trial_says_in_place(trial, rank))
        return;
    int64_t end = trial_vector_bytes(trial, scene->ground->state.size);
    for (int64_t i = trial_block_bytes(trial, rank, 0); i < end; i++) {
        int64_t place = part->start - part->region + layout_place(&part->layout, i);
        part->region[place] = part->after[place];
    }
}

/* The memory before a call; and one rank after the other is late for a barrier. */
static void prepare(const struct scene *scene)
{
    memcpy(scene->sent.region, scene->sent.before, (size_t)scene->sent.length);
    memcpy(scene->received.region, scene->received.before, (size_t)scene->received.length);
    if (scene->trial->operation != STAR_BARRIER)
        return;
    if (scene->ground->barriers++ % scene->ground->state.size == scene->ground->state.rank)
        usleep(500);
    __atomic_add_fetch(scene->ground->arrivals, 1, __ATOMIC_SEQ_CST);
}

int scene_run_native(struct scene *scene, bool loud)
{
    struct star_call call = call_of(scene);
    char name[STAR_METHOD_TEXT];
    struct star_method native = star_native_of(call.operation);
    star_method_format(&native, name, sizeof name);
    prepare(scene);
    int error = star_servers[call.operation].native(&call);
    forgive_input(scene);
    return judge(scene, name, error, loud);
}

/* What all ranks must find out from their own arguments; false where the runtime may leave the call to
 * native. */
static bool facts_of(const struct scene *scene, struct star_facts *facts)
{
    const struct trial *trial = scene->trial;
    enum star_measure measure = star_operations[trial->operation].measure;
    *facts = (struct star_facts){.bytes = trial_bytes(trial), .granule = 1, .commutative = true};
    if (measure == STAR_OF_ALL)
        facts->bytes = trial_bytes_before(trial, scene->ground->state.size);
    if (measure == STAR_UNKNOWN)
        facts->bytes = STAR_BYTES_UNKNOWN;
    if (trial->reduction) {
        facts->granule = reduction_size(trial->reduction);
        facts->commutative = trial->reduction->commutative;
    }
    facts->root = trial->root;
    facts->in_place =
        trial->in_place == IN_PLACE && !trial_is_rooted(trial) && !trial_may_differ_in_place(trial);
    bool in_place_v = trial->operation == STAR_ALLTOALLV && trial->in_place;
    return (facts->bytes != 0 || measure == STAR_NO_BYTES) && !in_place_v;
}

bool scene_applies(const struct scene *scene, const struct star_method *method)
{
    struct star_facts facts;
    bool served = facts_of(scene, &facts);
    ground_place(scene->ground, scene->trial->placement);
    struct star_shape shape = star_shape_for(&scene->ground->state, scene->trial->operation, &facts);
    enum { PIECES_MOST = 20000 }; /* that a rank moves in a moment, among many on few cores */
    int64_t segment = star_method_knob(method, "segment", 0);
    bool same = segment > 0 && segment >= facts.bytes && facts.bytes > 0;
    bool endless = segment > 0 && facts.bytes / segment * shape.size > PIECES_MOST;
    return served && !same && !endless && star_method_applies(method, &shape, NULL) == 0;
}

/* May all ranks go without a runner? Mock-ups and builders may refuse, and the system that one process reads
 * another one's memory: then each must, on all ranks. */
static bool is_refused(const struct star_communicator *state, const struct star_method *method,
                       const struct star_facts *facts)
{
    struct star_shape shape = star_shape_for(state, method->algorithm->operation, facts);
    struct star_plan *plan;
    if (method->algorithm->mockup != STAR_MOCKUP_NONE)
        return star_mockup_scratch(method->algorithm->mockup, state, facts) < 0;
    int error = star_method_plan(method, &shape, INT64_MAX, &plan, NULL);
    bool forbidden = method->algorithm->reads && !star_segment_reads(state->route.segment);
    if (!error)
        star_plan_free(plan);
    bool placed = method->algorithm->nodes || method->algorithm->network;
    return forbidden || (error == STAR_ENEEDS && placed); /* for such places; else its row would say it */
}

int scene_run(struct scene *scene, const struct star_method *method, bool loud)
{
    char name[STAR_METHOD_TEXT];
    struct star_call call = call_of(scene);
    struct star_facts facts = {.granule = 1, .commutative = true}, due;
    struct star_communicator *state = &scene->ground->state;
    star_method_format(method, name, sizeof name);
    if (!facts_of(scene, &due))
        return SCENE_REFUSED;
    if (!star_servers[call.operation].facts(&call, state, &facts) || facts.bytes != due.bytes ||
        facts.granule != due.granule || facts.root != due.root || facts.commutative != due.commutative ||
        facts.in_place != due.in_place) {
        complain(scene, name, loud, "the facts of the call are wrong, bytes", facts.bytes);
        return SCENE_FAILED; /* who decides on them decides otherwise than others */
    }
    ground_place(scene->ground, scene->trial->placement);
    struct star_shared_runner *runner = star_runner_acquire(state, method, &facts);
    if (runner == NULL)
        return is_refused(state, method, &facts) ? SCENE_REFUSED
                                                 : complain(scene, name, loud, "no plan, bytes", facts.bytes);
    prepare(scene); /* only now: making the runner is a barrier of its own */
    int error = star_runner_run(state, runner, &call, &facts);
    star_runner_release(state, runner);
    if (method->algorithm->mockup != STAR_MOCKUP_NONE)
        forgive_input(scene);
    return judge(scene, name, error, loud);
}
