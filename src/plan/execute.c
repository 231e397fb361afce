/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/native.h"
#include "plan/region.h"

#include <stdlib.h>

#ifndef MPICH_VERSION
static const bool receives_in_any_type = true;
#else
/* MPICH 4.0 ends a message of over 8 KB with MPI_ERR_TRUNCATE when packed bytes arrive in a type with gaps.
 */
static const bool receives_in_any_type = false;
#endif

/* Bytes of the receive buffer that the plan fills, or that it touches at all, from its start. */
static int64_t receive_bytes(const struct star_plan *plan, bool filled)
{
    int64_t most = 0;
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        int64_t last = (int64_t)(step->repeat - 1), moved = step->kind == STAR_STEP_COPY ? last : 0;
        bool writes =
            step->kind == STAR_STEP_RECV || step->kind == STAR_STEP_COPY || step->kind == STAR_STEP_REDUCE;
        bool reads =
            step->kind == STAR_STEP_SEND || step->kind == STAR_STEP_COPY || step->kind == STAR_STEP_REDUCE;
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
        bool reads = step->kind == STAR_STEP_SEND || step->kind == STAR_STEP_COPY;
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
        if (both || step->kind == STAR_STEP_SEND)
            runner->uses[step->from] = true;
        if (both || step->kind == STAR_STEP_RECV)
            runner->uses[step->to] = true;
    }
}

static size_t fixed_bytes(const struct star_runner *runner)
{
    const struct star_plan *plan = runner->plan;
    size_t bytes = sizeof *runner + star_plan_bytes(plan) + (size_t)runner->cut_bytes;
    bytes += plan->units ? 0 : (size_t)plan->temp_bytes;
    bytes += plan->units || plan->reduces ? 0 : (size_t)receive_bytes(plan, false);
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
    size_t staged = plan->units || plan->reduces ? 0 : (size_t)receive_bytes(plan, false);
    runner->plan = plan;
    find_uses(runner);
    runner->recv_bytes = receive_bytes(plan, true);
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
    free(runner->grown);
    free(runner->grown_staged);
    free(runner);
}

size_t star_runner_bytes(const struct star_runner *runner)
{
    return runner->bytes + runner->grown_room + runner->grown_staged_room;
}

void star_runner_rest(struct star_runner *runner)
{
    free(runner->grown);
    free(runner->grown_staged);
    runner->grown = runner->grown_staged = NULL;
    runner->grown_room = runner->grown_staged_room = 0;
}

static int post(const struct star_run *run, const struct star_step *step, struct star_region region)
{
    MPI_Request *request = &run->runner->requests[step->slot];
    int error = star_region_count_as_one(&region), count = (int)region.count;
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
    if (!run->runner->plan->units)
        return post(run, step,
                    star_region_of_spot(side, &run->runner->spots[step - run->runner->plan->steps]));
    struct star_region region;
    int error = star_region_of_units(run->runner, run->side, buffer,
                                     sends ? step->from_offset : step->to_offset, step->length, &region);
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

/* Between two datatypes with gaps: a message to oneself, which needs no memory in between. */
static int copy_typed(const struct star_side *to, int64_t to_offset, const struct star_side *from,
                      int64_t from_offset, int64_t length, const struct star_route *route)
{
    struct star_spot source, target;
    int tag = route->tag + STAR_DATA, self, error = star_region_locate(from, from_offset, length, &source);
    if (!error)
        error = star_region_locate(to, to_offset, length, &target);
    if (!error)
        error = PMPI_Comm_rank(route->comm, &self);
    if (error)
        return error;
    struct star_region out = star_region_of_spot(from, &source), in = star_region_of_spot(to, &target);
    error = star_region_count_as_one(&out);
    if (!error)
        error = star_region_count_as_one(&in);
    if (!error)
        error = PMPI_Sendrecv(out.at, (int)out.count, out.type, self, tag, in.at, (int)in.count, in.type,
                              self, tag, route->comm, MPI_STATUS_IGNORE);
    star_region_free(&out);
    star_region_free(&in);
    return error;
}

static void *address_of(const struct star_side *side, int64_t offset)
{
    int64_t inside = side->dense && side->size > 0 ? offset % side->size : 0;
    return star_shifted(side->base, side->size > 0 ? offset / side->size * side->extent + inside : 0);
}

static int copy_bytes(const struct star_run *run, const struct star_side *to, int64_t to_offset,
                      const struct star_side *from, int64_t from_offset, int64_t length)
{
    /* The program's input in place is where it belongs already. */
    if (address_of(to, to_offset) == address_of(from, from_offset) && to->type == from->type)
        return MPI_SUCCESS;
    bool packs = (to->dense || star_side_packs(to)) && (from->dense || star_side_packs(from));
    return packs && (to->dense || from->dense)
               ? star_side_copy(*to, to_offset, *from, from_offset, length, run->route.comm)
               : copy_typed(to, to_offset, from, from_offset, length, &run->route);
}

static int copy_unit(const struct star_run *run, const struct star_step *step, int64_t to, int64_t from)
{
    struct star_region target, source;
    int error = star_region_of_units(run->runner, run->side, step->from, from, 1, &source);
    if (!error)
        error = star_region_of_units(run->runner, run->side, step->to, to, 1, &target);
    if (error)
        return error;
    struct star_side into = run->side[step->to], out = run->side[step->from];
    into.base = target.at;
    out.base = source.at;
    return copy_bytes(run, &into, 0, &out, 0, source.count * out.size);
}

static int copy(const struct star_run *run, const struct star_step *step)
{
    int error = MPI_SUCCESS;
    for (int32_t i = 0; !error && i < step->repeat; i++) {
        int64_t to = step->to_offset + i * step->to_stride, from = step->from_offset + i * step->from_stride;
        if (!run->runner->plan->units)
            error = copy_bytes(run, &run->side[step->to], to, &run->side[step->from], from, step->length);
        for (int64_t k = 0; run->runner->plan->units && !error && k < step->length; k++)
            error = copy_unit(run, step, to + k, from + k);
    }
    return error;
}

static int reduce(const struct star_run *run, const struct star_step *step)
{
    const struct star_side *from = &run->side[step->from], *to = &run->side[step->to];
    struct star_region source = {
        .at = address_of(from, step->from_offset), .type = to->type, .extent = to->extent};
    struct star_region target = source;
    int error = MPI_SUCCESS;
    if (run->runner->plan->units) {
        error = star_region_of_units(run->runner, run->side, step->from, step->from_offset, step->length,
                                     &source);
        if (!error)
            error = star_region_of_units(run->runner, run->side, step->to, step->to_offset, step->length,
                                         &target);
    } else {
        target.at = address_of(to, step->to_offset);
        source.count = to->size > 0 ? step->length / to->size : 0;
    }
    for (int64_t done = 0; !error && done < source.count; done += INT_MAX) {
        int64_t left = source.count - done;
        error = PMPI_Reduce_local(star_shifted(source.at, done * source.extent),
                                  star_shifted(target.at, done * source.extent),
                                  (int)(left < INT_MAX ? left : INT_MAX), target.type, run->op);
    }
    return error;
}

#ifndef MPICH_VERSION
static int wait(struct star_runner *runner, const struct star_step *step)
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
#else
/* MPICH raises an error of MPI_Waitall on MPI_COMM_WORLD, and that of MPI_Wait on the request's communicator.
 */
static int wait(struct star_runner *runner, const struct star_step *step)
{
    int error = MPI_SUCCESS;
    for (int32_t i = step->slot + step->repeat - 1; error == MPI_SUCCESS && i >= step->slot; i--)
        error = PMPI_Wait(&runner->requests[i], MPI_STATUS_IGNORE);
    return error;
}
#endif

/* After an error: gives up what is still under way, as MPI leaves it undefined. */
static void abandon(struct star_runner *runner)
{
    for (int32_t i = 0; i < runner->plan->slots; i++)
        if (runner->requests[i] != MPI_REQUEST_NULL) {
            PMPI_Cancel(&runner->requests[i]);
            PMPI_Request_free(&runner->requests[i]);
        }
}

static int grow(char **memory, size_t *room, size_t needed)
{
    if (needed <= *room)
        return MPI_SUCCESS;
    free(*memory);
    *memory = malloc(needed);
    *room = *memory ? needed : 0;
    return *memory ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* The temporary: packed bytes, or, for reductions, elements of the program's datatype. */
static int make_temporary(struct star_run *run)
{
    struct star_runner *runner = run->runner;
    const struct star_plan *plan = runner->plan;
    const struct star_side *typed = &run->side[runner->uses[STAR_SENDBUF] ? STAR_SENDBUF : STAR_RECVBUF];
    struct star_side *temp = &run->side[STAR_TEMP];
    *temp = star_side_packed(runner->temp);
    if (plan->temp_bytes == 0)
        return MPI_SUCCESS;
    int64_t elements = plan->units ? plan->temp_bytes / plan->size * runner->starts[plan->size]
                                   : plan->temp_bytes / (plan->reduces && typed->size > 0 ? typed->size : 1);
    if (!plan->reduces) {
        if (!plan->units)
            return MPI_SUCCESS;
        temp->scale = run->side[STAR_RECVBUF].size;
        int error = grow(&runner->grown, &runner->grown_room, (size_t)(elements * temp->scale) + 1);
        temp->base = runner->grown;
        return error;
    }
    *temp = *typed;
    temp->base = runner->temp;
    temp->counts = temp->displs = NULL;
    temp->scale = 1;
    if (typed->dense && !plan->units)
        return MPI_SUCCESS;
    MPI_Count bound = 0, extent = typed->size;
    int error = typed->dense ? MPI_SUCCESS : PMPI_Type_get_true_extent_x(typed->type, &bound, &extent);
    int64_t last = elements > 0 ? (elements - 1) * typed->extent : 0;
    if (!error)
        error = grow(&runner->grown, &runner->grown_room, (size_t)((last < 0 ? -last : last) + extent) + 1);
    temp->base = star_shifted(runner->grown, (last < 0 ? -last : 0) - bound);
    return error;
}

static int check_sides(const struct star_run *run)
{
    int error = MPI_SUCCESS;
    for (int i = 0; !error && i < STAR_TEMP; i++) {
        const struct star_side *side = &run->side[i];
        /* Where all blocks are empty, MPI allows NULL; where they are not, region_of_units sees it. */
        bool nowhere = run->runner->plan->units && side->base == NULL;
        if (run->runner->uses[i] && !nowhere)
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
        error = PMPI_Test(&runner->requests[i], &flag, MPI_STATUS_IGNORE);
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
            error = copy(run, step);
            break;
        case STAR_STEP_REDUCE:
            error = reduce(run, step);
            break;
        case STAR_STEP_WAIT:
            error = waits ? wait(runner, step) : try_wait(runner, step, &over);
            break;
        case STAR_STEP_BARRIER:
            error = star_native.Barrier(run->route.whole);
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
            error = copy_bytes(run, &block, 0, staged, behind, bytes);
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
    int error = copy_bytes(run, &packed, 0, send, 0, run->runner->cut_bytes);
    *send = packed;
    return error;
}

/* Receives packed bytes, and unpacks them at the end. */
static int run_staged(struct star_run *run)
{
    struct star_runner *runner = run->runner;
    struct star_side recv = run->side[STAR_RECVBUF], *staged = &run->side[STAR_RECVBUF];
    bool units = runner->plan->units;
    int error = pack_input(run);
    *staged = star_side_packed(runner->staged);
    if (units) {
        staged->counts = recv.counts;
        staged->wide = recv.wide;
        staged->count = recv.count;
        staged->scale = recv.size;
        int64_t elements = recv.counts ? runner->starts[runner->plan->size] : recv.count;
        error = grow(&runner->grown_staged, &runner->grown_staged_room, (size_t)(elements * recv.size) + 1);
        staged->base = runner->grown_staged;
    }
    const struct star_side packed = *staged;
    if (!error && runner->plan->input_in_recv)
        error = copy_bytes(run, &packed, 0, &recv, 0, receive_bytes(runner->plan, false));
    if (!error && !units)
        error = star_region_locate_all(runner, run->side);
    if (!error)
        error = run_steps(run, true);
    if (error)
        return error;
    return units ? unstage_units(run, &recv, &packed)
                 : copy_bytes(run, &recv, 0, &packed, 0, runner->recv_bytes);
}

int star_execute(struct star_runner *runner, const struct star_buffers *buffers,
                 const struct star_route *route)
{
    struct star_run run = {
        .runner = runner, .side = {buffers->send, buffers->recv}, .op = buffers->op, .route = *route};
    const struct star_side *recv = &run.side[STAR_RECVBUF];
    const struct star_plan *plan = runner->plan;
    int error = check_sides(&run);
    if (!error && plan->units)
        star_region_find_starts(runner, run.side);
    if (!error)
        error = make_temporary(&run);
    bool gaps = runner->uses[STAR_RECVBUF] && !recv->dense && !plan->reduces;
    bool staged = !error && gaps && !receives_in_any_type;
    if (!error && !staged && !plan->units) {
        error = star_region_locate_all(runner, run.side);
        staged = (gaps || plan->pieces) && error == MPI_ERR_INTERN;
    }
    if (staged)
        return run_staged(&run);
    return error ? error : run_steps(&run, true);
}

bool star_execute_in_pieces(const struct star_runner *runner, const struct star_buffers *buffers)
{
    const struct star_plan *plan = runner->plan;
    const struct star_side *side[] = {&buffers->send, &buffers->recv};
    for (int i = 0; i < STAR_TEMP; i++)
        if (runner->uses[i] && !side[i]->dense)
            return false;
    for (int i = 0; i < plan->count; i++)
        if (plan->steps[i].kind == STAR_STEP_BARRIER)
            return false;
    return !plan->units;
}

int star_execute_begin(struct star_run *run, struct star_runner *runner, const struct star_buffers *buffers,
                       const struct star_route *route)
{
    *run = (struct star_run){
        .runner = runner, .side = {buffers->send, buffers->recv}, .op = buffers->op, .route = *route};
    int error = check_sides(run);
    if (!error)
        error = make_temporary(run);
    if (!error)
        error = star_region_locate_all(runner, run->side);
    if (error)
        run->next = runner->plan->count; /* nothing is under way */
    return error ? error : run_steps(run, false);
}

int star_execute_progress(struct star_run *run, bool *done)
{
    int error = run_steps(run, false);
    *done = error == MPI_SUCCESS && run->next == run->runner->plan->count;
    return error;
}

int star_execute_finish(struct star_run *run)
{
    return run_steps(run, true);
}
