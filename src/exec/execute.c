/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/execute.h"
#include "exec/hand.h"
#include "exec/library.h"
#include "exec/look.h"
#include "exec/move.h"
#include "exec/native.h"
#include "exec/region.h"
#include "exec/segment.h"

#include <stdlib.h>
#include <string.h>

void (*star_execute_fetched)(MPI_Comm comm, int rank, int64_t bytes, int64_t messages);

static int post(const struct star_run *run, const struct star_step *step, struct star_region region)
{
    MPI_Request *request = &run->runner->requests[step->slot];
    int error = star_region_make_arguments(&region), count = (int)region.count;
    int peer = star_route_rank(&run->route, step->peer), tag = run->route.tag + step->channel;
    if (error != MPI_SUCCESS)
        return error;
    error = step->kind == STAR_STEP_SEND
                ? PMPI_Isend(region.at, count, region.type, peer, tag, run->route.comm, request)
                : PMPI_Irecv(region.at, count, region.type, peer, tag, run->route.comm, request);
    star_region_free(&region);
    return error;
}

static int start(const struct star_run *run, const struct star_step *step)
{
    bool sends = step->kind == STAR_STEP_SEND;
    int buffer = sends ? step->from : step->to;
    const struct star_side *side = &run->side[buffer];
    if (step->channel == STAR_SYNC)
        return post(run, step, (struct star_region){.at = run->runner->temp, .type = MPI_BYTE});
    const struct star_spot *spot = &run->runner->spots[step - run->runner->plan->steps];
    bool units = run->runner->plan->units;
    int64_t offset = sends ? step->from_offset : step->to_offset;
    if (!units && !spot->parted)
        return post(run, step, star_region_of_spot(side, spot));
    struct star_region region;
    int error = units ? star_region_of_units(run->runner, run->side, buffer, offset, step->length, &region)
                      : star_region_of_parts(run->runner, side, offset, step->length, &region);
    /* Both ends know that it is empty, and there need be no message. */
    bool empty = !error && !region.made && region.count * side->size == 0;
    return error || empty ? error : post(run, step, region);
}

int star_side_check(const struct star_side *side, MPI_Comm comm)
{
    if (side->dense && side->base == NULL)
        return MPI_ERR_BUFFER;
    return side->named ? MPI_SUCCESS : PMPI_Send(side->base, 1, side->type, MPI_PROC_NULL, 0, comm);
}

static int wait_for_all(struct star_runner *runner, const struct star_step *step)
{
    MPI_Status *statuses = runner->statuses + step->slot;
    int error = PMPI_Waitall(step->repeat, runner->requests + step->slot, statuses);
    if (error != MPI_ERR_IN_STATUS)
        return error;
    for (int32_t i = 0; i < step->repeat; i++)
        if (statuses[i].MPI_ERROR != MPI_SUCCESS && statuses[i].MPI_ERROR != MPI_ERR_PENDING)
            return statuses[i].MPI_ERROR;
    return error;
}

static int wait_for_each(struct star_runner *runner, const struct star_step *step)
{
    int error = MPI_SUCCESS;
    for (int32_t i = step->slot + step->repeat - 1; error == MPI_SUCCESS && i >= step->slot; i--)
        error = PMPI_Wait(&runner->requests[i], MPI_STATUS_IGNORE);
    return error;
}

/* Errors are to be raised on the communicator of the messages, where the caller sees to them. */
static int wait(struct star_runner *runner, const struct star_step *step)
{
    return runner->waits_for_each ? wait_for_each(runner, step) : wait_for_all(runner, step);
}

/* After an error: gives up what is still under way, as MPI leaves it undefined. */
static void abandon(struct star_runner *runner)
{
    for (int32_t i = 0; i < runner->plan->slots; i++)
        if (runner->requests[i] != MPI_REQUEST_NULL) {
            PMPI_Cancel(&runner->requests[i]);
            PMPI_Request_free(&runner->requests[i]);
        }
}

static int check_blocks(const struct star_side *side, int blocks, MPI_Comm comm)
{
    struct star_side block = {0};
    int64_t count;
    int error = MPI_SUCCESS;
    for (int k = 0; !error && k < blocks; k++) {
        error = star_side_block(side, k, &block, &count);
        if (!error && count > 0)
            error = star_side_check(&block, comm);
    }
    return error;
}

static int check_sides(const struct star_run *run)
{
    int error = MPI_SUCCESS;
    for (int i = 0; !error && i < STAR_TEMP; i++) {
        const struct star_side *side = &run->side[i];
        /* Where all blocks are empty, MPI allows NULL; where they are not, region_of_units sees it. */
        bool nowhere = run->runner->plan->units && side->base == NULL;
        if (run->runner->uses[i] && side->types != NULL)
            error = check_blocks(side, run->runner->plan->size, run->route.comm);
        else if (run->runner->uses[i] && !nowhere)
            error = star_side_check(side, run->route.comm);
        else if (run->runner->uses[i] && !side->named)
            error = PMPI_Send(NULL, 0, side->type, MPI_PROC_NULL, STAR_DATA, run->route.comm);
    }
    return error;
}

/* One by one, as MPICH's MPI_Testall does not tell whose error it is. */
static int try_wait(struct star_runner *runner, const struct star_step *step, bool *over)
{
    int error = MPI_SUCCESS, flag = 1;
    for (int32_t i = step->slot; error == MPI_SUCCESS && flag && i < step->slot + step->repeat; i++)
        error = star_look(&runner->requests[i], &flag);
    *over = flag != 0;
    return error;
}

/* WAITS: to the end; else up to a wait that is not over. */
static int run_steps(struct star_run *run, bool waits)
{
    struct star_runner *runner = run->runner;
    int error = MPI_SUCCESS;
    bool over = true;
    while (error == MPI_SUCCESS && over && run->next < runner->plan->count) {
        const struct star_step *step = &runner->plan->steps[run->next];
        switch ((enum star_step_kind)step->kind) {
        case STAR_STEP_SEND:
        case STAR_STEP_RECV:
            error = start(run, step);
            break;
        case STAR_STEP_COPY:
            error = star_move_copy(run, step);
            break;
        case STAR_STEP_REDUCE:
            error = star_move_reduce(run, step);
            break;
        case STAR_STEP_WAIT:
            error = waits ? wait(runner, step) : try_wait(runner, step, &over);
            break;
        case STAR_STEP_BARRIER:
            error = star_native.Barrier(run->route.whole);
            break;
        case STAR_STEP_POST:
            star_hand_post(&run->route, runner->plan, step, run->most);
            break;
        case STAR_STEP_AWAIT:
            error = star_hand_await(&run->route, step, &run->most);
            break;
        case STAR_STEP_SHOW:
            error = star_move_show(run, step);
            break;
        case STAR_STEP_READ:
            error = star_move_read(run, step);
            break;
        case STAR_STEP_KINDS:
            break;
        }
        run->next += over;
    }
    if (error != MPI_SUCCESS) {
        abandon(runner);
        run->next = runner->plan->count;
    }
    return error;
}

/* In units: copies all blocks from where they are staged to the receive buffer. */
static int unstage_units(const struct star_run *run, const struct star_side *recv,
                         const struct star_side *staged)
{
    int error = MPI_SUCCESS;
    int64_t blocks = recv->counts ? run->runner->plan->size : 1, behind = 0;
    for (int64_t k = 0; !error && k < blocks; k++) {
        int64_t bytes = star_side_count(recv, k) * recv->size;
        struct star_side block = star_side_shifted(recv, star_region_displacement(run->runner, recv, k));
        if (bytes > 0)
            error = star_move_bytes(run, &block, 0, staged, behind, bytes);
        behind += bytes;
    }
    return error;
}

/* Packs what messages are cut from, if that might be inside of elements with gaps. */
static int pack_input(struct star_run *run)
{
    struct star_side *send = &run->side[STAR_SENDBUF];
    if (run->runner->cut_bytes == 0 || send->dense)
        return MPI_SUCCESS;
    struct star_side packed = star_side_packed(run->runner->cut);
    int error = star_move_bytes(run, &packed, 0, send, 0, run->runner->cut_bytes);
    *send = packed;
    return error;
}

/* Lets it receive packed bytes, which are unpacked at the end. */
static int stage(struct star_run *run)
{
    struct star_runner *runner = run->runner;
    struct star_side recv = run->side[STAR_RECVBUF], *staged = &run->side[STAR_RECVBUF];
    bool units = runner->plan->units;
    int error = pack_input(run);
    run->staged = true;
    run->received = recv;
    *staged = star_side_packed(runner->staged);
    if (units) {
        staged->counts = recv.counts;
        staged->wide = recv.wide;
        staged->count = recv.count;
        staged->scale = recv.size;
        int64_t elements = recv.counts ? runner->starts[runner->plan->size] : recv.count;
        error = star_room_grow(&runner->grown_staged, (size_t)(elements * recv.size) + 1);
        staged->base = runner->grown_staged.at;
    }
    if (!error && runner->plan->input_in_recv)
        error = star_move_bytes(run, staged, 0, &recv, 0, star_receive_bytes(runner->plan, false));
    if (!error && !units)
        error = star_region_locate_all(runner, run->side);
    return error;
}

static int unstage(const struct star_run *run)
{
    const struct star_runner *runner = run->runner;
    const struct star_side *packed = &run->side[STAR_RECVBUF];
    return runner->plan->units ? unstage_units(run, &run->received, packed)
                               : star_move_bytes(run, &run->received, 0, packed, 0, runner->recv_bytes);
}

static int run_staged(struct star_run *run)
{
    int error = stage(run);
    if (!error)
        error = run_steps(run, true);
    return error ? error : unstage(run);
}

/* No area is written that others may still read. */
static int enter(const struct star_plan *plan, const struct star_route *route)
{
    int error = route->segment != NULL ? MPI_SUCCESS : MPI_ERR_INTERN, turns = 0;
    if (!error && star_segment_is_parted(route->segment))
        error = STAR_EXECUTE_APART;
    while (!error && !star_segment_enter(route->segment, plan->shared_bytes, plan->meets)) {
        error = star_segment_wait(route->segment, &turns, route->comm);
        if (!error && star_segment_is_parted(route->segment))
            error = STAR_EXECUTE_APART;
    }
    return error;
}

/* To wait for a rank is one message from it, and its bytes are what is read of its area. */
static void tell_fetched(const struct star_plan *plan, MPI_Comm comm)
{
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        bool copies = step->kind == STAR_STEP_COPY, reads = copies || step->kind == STAR_STEP_REDUCE;
        if (step->kind == STAR_STEP_AWAIT)
            star_execute_fetched(comm, step->peer, 0, 1);
        else if (reads && step->from == STAR_SHARED && step->peer != plan->rank)
            star_execute_fetched(comm, step->peer, step->length * (copies ? step->repeat : 1), 0);
        else if (step->kind == STAR_STEP_READ)
            star_execute_fetched(comm, step->peer, step->length, 0);
    }
}

/* With an ERROR others may still wait for what this rank has not shown: they see that it has left. MOST: as
 * await has found. Returns the call's error. */
static int leave(const struct star_plan *plan, const struct star_route *route, int error, int64_t most)
{
    if (error == STAR_EXECUTE_APART)
        star_segment_part(route->segment);
    star_segment_leave(route->segment, error == MPI_SUCCESS && most != STAR_SEGMENT_NOTHING);
    if (star_execute_fetched != NULL && error == MPI_SUCCESS)
        tell_fetched(plan, route->whole);
    return error == MPI_SUCCESS && most > plan->vector ? MPI_ERR_TRUNCATE : error;
}

/* Packed in shared memory, blocks are cut anywhere; elements of reductions stay whole. */
static bool is_cut(const struct star_runner *runner, const struct star_buffers *buffers)
{
    return runner->plan->pieces && ((runner->uses[STAR_SENDBUF] && !buffers->send.dense) ||
                                    (runner->uses[STAR_RECVBUF] && !buffers->recv.dense));
}

/* Short calls take most of their time before anything is copied. Here all buffers are arrays of bytes, and
 * nothing is sent: there is nothing to look up. */
static bool is_plain(const struct star_runner *runner, const struct star_buffers *buffers)
{
    const struct star_side *side[] = {&buffers->send, &buffers->recv};
    bool plain = runner->plain;
    for (int i = 0; plain && i < STAR_TEMP; i++)
        plain = !runner->uses[i] || (side[i]->dense && side[i]->named && side[i]->base != NULL);
    return plain;
}

static void copy_plainly(char *to, const char *from, const struct star_step *step)
{
    for (int32_t i = 0; i < step->repeat; i++) {
        char *target = to + step->to_offset + i * step->to_stride;
        const char *source = from + step->from_offset + i * step->from_stride;
        if (target != source)
            memcpy(target, source, (size_t)step->length);
    }
}

static int run_step_plainly(const struct star_runner *runner, const struct star_buffers *buffers,
                            const struct star_route *route, const struct star_step *step, char *const base[],
                            int64_t *most)
{
    const struct star_side *typed = runner->uses[STAR_RECVBUF] ? &buffers->recv : &buffers->send;
    const char *from =
        step->from == STAR_SHARED ? star_segment_area(route->segment, step->peer) : base[step->from];
    switch ((enum star_step_kind)step->kind) {
    case STAR_STEP_POST:
        star_hand_post(route, runner->plan, step, *most);
        return MPI_SUCCESS;
    case STAR_STEP_AWAIT:
        return star_hand_await(route, step, most);
    case STAR_STEP_COPY:
        copy_plainly(base[step->to], from, step);
        return MPI_SUCCESS;
    case STAR_STEP_SHOW:
        star_shown_set(&star_segment_own_window(route->segment)->shown[step->from], from,
                       step->from_offset + step->length);
        return MPI_SUCCESS;
    case STAR_STEP_READ:
        return star_hand_read_step(route, step, base[step->to] + step->to_offset, most);
    default: /* a reduction, of a piece */
        return PMPI_Reduce_local(from + step->from_offset, base[step->to] + step->to_offset,
                                 (int)(step->length / typed->size), typed->type, buffers->op);
    }
}

static int run_plainly(const struct star_runner *runner, const struct star_buffers *buffers,
                       const struct star_route *route, int64_t *most)
{
    const struct star_plan *plan = runner->plan;
    char *const base[] = {buffers->send.base, buffers->recv.base, runner->temp,
                          star_segment_area(route->segment, plan->rank)};
    int error = MPI_SUCCESS;
    for (int32_t i = 0; error == MPI_SUCCESS && i < plan->count; i++)
        error = run_step_plainly(runner, buffers, route, &plan->steps[i], base, most);
    return error;
}

static int execute_plainly(const struct star_runner *runner, const struct star_buffers *buffers,
                           const struct star_route *route)
{
    int64_t most = 0;
    int error = enter(runner->plan, route);
    if (error)
        return error;
    error = run_plainly(runner, buffers, route, &most);
    return leave(runner->plan, route, error, most);
}

static int execute_shared(struct star_run *run, const struct star_buffers *buffers)
{
    const struct star_plan *plan = run->runner->plan;
    int error = enter(plan, &run->route);
    if (error)
        return error;
    run->side[STAR_SHARED] = star_side_packed(star_segment_area(run->route.segment, plan->rank));
    bool cut = is_cut(run->runner, buffers);
    error = cut ? MPI_SUCCESS : star_region_locate_all(run->runner, run->side);
    if (!error)
        error = cut ? run_staged(run) : run_steps(run, true);
    return leave(plan, &run->route, error, run->most);
}

void star_execute_refuse(const struct star_runner *runner, const struct star_route *route)
{
    if (star_plan_shares(runner->plan) && route->segment != NULL)
        star_segment_skip(route->segment, runner->plan->shared_bytes, runner->plan->meets);
}

/* Not in shared memory. */
static int prepare(struct star_run *run)
{
    struct star_runner *runner = run->runner;
    const struct star_plan *plan = runner->plan;
    bool gaps = runner->uses[STAR_RECVBUF] && !run->side[STAR_RECVBUF].dense && !plan->reduces;
    bool staged = gaps && !star_dialect_here()->receives_in_any_type;
    int error = MPI_SUCCESS;
    if (!staged && !plan->units) {
        error = star_region_locate_all(runner, run->side);
        staged = (gaps || plan->pieces) && error == MPI_ERR_INTERN;
    }
    return staged ? stage(run) : error;
}

static int check(struct star_run *run)
{
    int error = check_sides(run);
    if (!error && run->runner->plan->units)
        star_region_find_starts(run->runner, run->side);
    return error ? error : star_temporary_make(run);
}

/* After its last step. */
static int finish(const struct star_run *run, int error)
{
    return error || !run->staged ? error : unstage(run);
}

int star_execute(struct star_runner *runner, const struct star_buffers *buffers,
                 const struct star_route *route)
{
    if (is_plain(runner, buffers))
        return execute_plainly(runner, buffers, route);
    struct star_run run = {
        .runner = runner, .side = {buffers->send, buffers->recv}, .op = buffers->op, .route = *route};
    int error = check(&run);
    if (error)
        star_execute_refuse(runner, route);
    else if (star_plan_shares(runner->plan))
        return execute_shared(&run, buffers);
    if (!error)
        error = prepare(&run);
    if (!error)
        error = run_steps(&run, true);
    return finish(&run, error);
}

bool star_execute_in_pieces(const struct star_runner *runner)
{
    const struct star_plan *plan = runner->plan;
    for (int i = 0; i < plan->count; i++)
        if (plan->steps[i].kind == STAR_STEP_BARRIER)
            return false;
    return !star_plan_shares(plan);
}

/* Takes the steps that it can, and what comes behind the last one. */
static int go_on(struct star_run *run, bool waits, bool *done)
{
    *done = run->over;
    if (run->over)
        return MPI_SUCCESS;
    int error = run_steps(run, waits);
    *done = error == MPI_SUCCESS && run->next == run->runner->plan->count;
    if (*done)
        error = finish(run, error);
    run->over = *done || error != MPI_SUCCESS;
    return error;
}

int star_execute_begin(struct star_run *run, struct star_runner *runner, const struct star_buffers *buffers,
                       const struct star_route *route, bool *done)
{
    *run = (struct star_run){
        .runner = runner, .side = {buffers->send, buffers->recv}, .op = buffers->op, .route = *route};
    int error = check(run);
    if (!error)
        error = prepare(run);
    *done = false;
    if (error)
        run->next = runner->plan->count; /* nothing is under way */
    return error ? error : go_on(run, false, done);
}

int star_execute_progress(struct star_run *run, bool *done)
{
    return go_on(run, false, done);
}

int star_execute_finish(struct star_run *run)
{
    bool done;
    return go_on(run, true, &done);
}
