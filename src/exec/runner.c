/* SPDX-License-Identifier: BSD-3-Clause
 * Runners: what a plan needs to run, made before. */
#include "exec/runner.h"
#include "exec/library.h"

#include <stdlib.h>

int64_t star_receive_bytes(const struct star_plan *plan, bool filled)
{
    int64_t most = 0;
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        int64_t last = (int64_t)(step->repeat - 1), moved = step->kind == STAR_STEP_COPY ? last : 0;
        bool writes = step->kind == STAR_STEP_RECV || step->kind == STAR_STEP_COPY ||
                      step->kind == STAR_STEP_REDUCE || step->kind == STAR_STEP_READ;
        bool reads = step->kind == STAR_STEP_SEND || step->kind == STAR_STEP_COPY ||
                     step->kind == STAR_STEP_REDUCE || step->kind == STAR_STEP_SHOW;
        int64_t to_end = step->to_offset + step->length + moved * step->to_stride;
        int64_t from_end = step->from_offset + step->length + moved * step->from_stride;
        if (writes && step->to == STAR_RECVBUF && to_end > most)
            most = to_end;
        if (!filled && reads && step->from == STAR_RECVBUF && from_end > most)
            most = from_end;
    }
    return most;
}

int64_t star_cut_bytes(const struct star_plan *plan)
{
    int64_t most = 0;
    for (int32_t i = 0; plan->pieces && i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        bool reads =
            step->kind == STAR_STEP_SEND || step->kind == STAR_STEP_COPY || step->kind == STAR_STEP_SHOW;
        if (reads && step->from == STAR_SENDBUF && step->from_offset + step->length > most)
            most = step->from_offset + step->length;
    }
    return most;
}

static void find_uses(struct star_runner *runner)
{
    for (int32_t i = 0; i < runner->plan->count; i++) {
        const struct star_step *step = &runner->plan->steps[i];
        bool both = step->kind == STAR_STEP_COPY || step->kind == STAR_STEP_REDUCE;
        if (step->channel == STAR_SYNC)
            continue;
        if (both || step->kind == STAR_STEP_SEND || step->kind == STAR_STEP_SHOW)
            runner->uses[step->from] = true;
        if (both || step->kind == STAR_STEP_RECV || step->kind == STAR_STEP_READ)
            runner->uses[step->to] = true;
    }
}

static bool is_plain(const struct star_plan *plan)
{
    bool plain = star_plan_shares(plan) && !plan->units;
    for (int32_t i = 0; i < plan->count; i++) {
        enum star_step_kind kind = (enum star_step_kind)plan->steps[i].kind;
        plain = plain && kind != STAR_STEP_SEND && kind != STAR_STEP_RECV && kind != STAR_STEP_WAIT &&
                kind != STAR_STEP_BARRIER;
    }
    return plain;
}

static size_t fixed_bytes(const struct star_runner *runner)
{
    const struct star_plan *plan = runner->plan;
    size_t bytes = sizeof *runner + star_plan_bytes(plan) + (size_t)runner->cut_bytes;
    bytes += plan->units ? 0 : (size_t)plan->temp_bytes;
    bytes += plan->units || plan->reduces ? 0 : (size_t)star_receive_bytes(plan, false);
    return bytes + ((size_t)plan->slots + 1) * (sizeof *runner->requests + sizeof *runner->statuses) +
           ((size_t)plan->count + 1) * sizeof *runner->spots + (size_t)plan->size * sizeof *runner->starts;
}

struct star_runner *star_runner_new(struct star_plan *plan)
{
    struct star_runner *runner = calloc(1, sizeof *runner);
    if (runner == NULL) {
        star_plan_free(plan);
        return NULL;
    }
    size_t slots = (size_t)plan->slots + 1, temp = plan->units ? 0 : (size_t)plan->temp_bytes;
    size_t staged = plan->units || plan->reduces ? 0 : (size_t)star_receive_bytes(plan, false);
    runner->plan = plan;
    find_uses(runner);
    runner->plain = is_plain(plan);
    runner->waits_for_each = star_dialect_here()->waitall_raises_on_world;
    runner->recv_bytes = star_receive_bytes(plan, true);
    runner->temp = malloc(temp + 1);
    runner->requests = malloc(slots * sizeof *runner->requests);
    runner->statuses = malloc(slots * sizeof *runner->statuses);
    runner->spots = malloc(((size_t)plan->count + 1) * sizeof *runner->spots);
    runner->starts = malloc(((size_t)plan->size + 1) * sizeof *runner->starts);
    /* Made now, when ranks still agree on what they can; where it is not needed it is never touched. */
    runner->staged = malloc(staged + 1);
    runner->cut_bytes = star_cut_bytes(plan);
    runner->cut = malloc((size_t)runner->cut_bytes + 1);
    if (!runner->temp || !runner->requests || !runner->statuses || !runner->spots || !runner->starts ||
        !runner->staged || !runner->cut) {
        star_runner_free(runner);
        return NULL;
    }
    for (size_t i = 0; i < slots; i++)
        runner->requests[i] = MPI_REQUEST_NULL;
    runner->bytes = fixed_bytes(runner);
    return runner;
}

void star_runner_free(struct star_runner *runner)
{
    if (runner == NULL)
        return;
    star_plan_free(runner->plan);
    free(runner->temp);
    free(runner->requests);
    free(runner->statuses);
    free(runner->spots);
    free(runner->staged);
    free(runner->cut);
    free(runner->starts);
    star_runner_rest(runner);
    free(runner);
}

/* All that grows with calls. */
enum { GROWN = 5 + STAR_SHARED };
static void find_grown(struct star_runner *runner, struct star_room *rooms[GROWN])
{
    struct star_room *own[] = {&runner->lent, &runner->grown, &runner->grown_staged, &runner->parts,
                               &runner->got};
    for (int i = 0; i < GROWN; i++)
        rooms[i] = i < STAR_SHARED ? &runner->shown[i] : own[i - STAR_SHARED];
}

size_t star_runner_bytes(const struct star_runner *runner)
{
    struct star_room *rooms[GROWN];
    size_t bytes = runner->bytes;
    find_grown((struct star_runner *)runner, rooms);
    for (int i = 0; i < GROWN; i++)
        bytes += rooms[i]->bytes;
    return bytes;
}

void star_runner_rest(struct star_runner *runner)
{
    struct star_room *rooms[GROWN];
    find_grown(runner, rooms);
    for (int i = 0; i < GROWN; i++)
        star_room_free(rooms[i]);
}
