/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/execute.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPEN_MPI
static const bool receives_in_any_type = true;
#else
/* MPICH 4.0 ends a message of over 8 KB with MPI_ERR_TRUNCATE when packed bytes arrive in a type with gaps.
 */
static const bool receives_in_any_type = false;
#endif

static int64_t received_bytes(const struct star_plan *plan)
{
    int64_t most = 0;
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        int64_t end = step->to_offset + step->length;
        if (step->kind == STAR_COPY)
            end += (step->repeat - 1) * step->to_stride;
        if ((step->kind == STAR_RECV || step->kind == STAR_COPY) && step->to == STAR_RECVBUF && end > most)
            most = end;
    }
    return most;
}

struct star_runner *star_runner_new(struct star_plan *plan)
{
    struct star_runner *runner = calloc(1, sizeof *runner);
    if (runner == NULL) {
        star_plan_free(plan);
        return NULL;
    }
    size_t slots = (size_t)plan->slots + 1;
    runner->plan = plan;
    runner->recv_bytes = received_bytes(plan);
    runner->temp = malloc((size_t)plan->temp_bytes + 1);
    runner->requests = malloc(slots * sizeof *runner->requests);
    runner->statuses = malloc(slots * sizeof *runner->statuses);
    runner->spots = malloc(((size_t)plan->count + 1) * sizeof *runner->spots);
    /* Made now, when ranks still agree on what they can; where it is not needed it is never touched. */
    if (!receives_in_any_type)
        runner->staged = malloc((size_t)runner->recv_bytes + 1);
    if (!runner->temp || !runner->requests || !runner->statuses || !runner->spots ||
        (!receives_in_any_type && !runner->staged)) {
        star_runner_free(runner);
        return NULL;
    }
    for (size_t i = 0; i < slots; i++)
        runner->requests[i] = MPI_REQUEST_NULL;
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
    free(runner);
}

size_t star_runner_bytes(const struct star_runner *runner)
{
    return sizeof *runner + star_plan_bytes(runner->plan) + (size_t)runner->plan->temp_bytes +
           ((size_t)runner->plan->slots + 1) * (sizeof *runner->requests + sizeof *runner->statuses) +
           ((size_t)runner->plan->count + 1) * sizeof *runner->spots;
}

/* COUNT elements of TYPE as one element of a type of ours, where an int cannot count them. */
static int make_large(int64_t count, MPI_Datatype type, int64_t extent, MPI_Datatype *large)
{
    enum { CHUNK = 1 << 30 };
    MPI_Datatype chunk = MPI_DATATYPE_NULL, parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, (MPI_Aint)(count / CHUNK * CHUNK * extent)};
    int error = PMPI_Type_contiguous(CHUNK, type, &chunk);
    if (!error)
        error = PMPI_Type_contiguous((int)(count / CHUNK), chunk, &parts[0]);
    if (!error)
        error = PMPI_Type_contiguous((int)(count % CHUNK), type, &parts[1]);
    if (!error)
        error = PMPI_Type_create_struct(2, lengths, places, parts, large);
    if (!error)
        error = PMPI_Type_commit(large);
    MPI_Datatype *made[] = {&chunk, &parts[0], &parts[1]};
    for (int i = 0; i < 3; i++)
        if (*made[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(made[i]);
    return error;
}

static struct star_layout layout_of(const struct star_side *sides)
{
    struct star_layout layout;
    memset(&layout, 0, sizeof layout); /* compared byte by byte */
    for (int i = 0; i < STAR_TEMP; i++) {
        layout.size[i] = sides[i].size;
        layout.extent[i] = sides[i].extent;
        layout.dense[i] = sides[i].dense;
    }
    return layout;
}

static int locate(const struct star_side *side, int64_t offset, int64_t length, struct star_spot *spot)
{
    bool whole = side->size > 0 && offset % side->size == 0 && length % side->size == 0;
    *spot = (struct star_spot){.from_base = offset, .count = length, .packed = true};
    if (whole)
        *spot =
            (struct star_spot){.from_base = offset / side->size * side->extent, .count = length / side->size};
    return whole || side->dense || length == 0 ? MPI_SUCCESS : MPI_ERR_INTERN;
}

/* Finds the spots of all messages anew where the datatypes' layout is not that of the last call. */
static int locate_all(struct star_runner *runner, const struct star_side *sides)
{
    struct star_layout layout = layout_of(sides);
    if (memcmp(&layout, &runner->layout, sizeof layout) == 0)
        return MPI_SUCCESS;
    int error = MPI_SUCCESS;
    for (int32_t i = 0; error == MPI_SUCCESS && i < runner->plan->count; i++) {
        const struct star_step *step = &runner->plan->steps[i];
        if (step->kind == STAR_SEND)
            error = locate(&sides[step->from], step->from_offset, step->length, &runner->spots[i]);
        else if (step->kind == STAR_RECV)
            error = locate(&sides[step->to], step->to_offset, step->length, &runner->spots[i]);
    }
    runner->layout = error == MPI_SUCCESS ? layout : (struct star_layout){0};
    return error;
}

static int start(struct star_runner *runner, const struct star_step *step, const struct star_side *sides,
                 MPI_Comm comm)
{
    bool sends = step->kind == STAR_SEND;
    const struct star_spot *spot = &runner->spots[step - runner->plan->steps];
    const struct star_side *side = &sides[sends ? step->from : step->to];
    /* The base may be MPI_BOTTOM: no pointer arithmetic. */
    void *at = (void *)((uintptr_t)side->base + (uintptr_t)spot->from_base);
    MPI_Datatype type = spot->packed ? MPI_PACKED : side->type;
    MPI_Request *request = &runner->requests[step->slot];
    int64_t count = spot->count;
    bool large = count > INT_MAX;
    if (large) {
        int error = make_large(count, type, spot->packed ? 1 : side->extent, &type);
        if (error != MPI_SUCCESS)
            return error;
        count = 1;
    }
    int error = sends ? PMPI_Isend(at, (int)count, type, step->peer, step->channel, comm, request)
                      : PMPI_Irecv(at, (int)count, type, step->peer, step->channel, comm, request);
    if (large)
        PMPI_Type_free(&type);
    return error;
}

int star_side_check(const struct star_side *side, MPI_Comm comm)
{
    if (side->dense && side->base == NULL)
        return MPI_ERR_BUFFER;
    return side->named ? MPI_SUCCESS : PMPI_Send(side->base, 1, side->type, MPI_PROC_NULL, 0, comm);
}

/* Between two datatypes with gaps: a message to oneself, which needs no memory in between. */
static int copy_typed(const struct star_side *to, int64_t to_offset, const struct star_side *from,
                      int64_t from_offset, int64_t length, MPI_Comm comm)
{
    struct star_spot source, target;
    int self, error = locate(from, from_offset, length, &source);
    if (!error)
        error = locate(to, to_offset, length, &target);
    if (!error && (source.count > INT_MAX || target.count > INT_MAX))
        error = MPI_ERR_COUNT;
    if (!error)
        error = PMPI_Comm_rank(comm, &self);
    if (error)
        return error;
    return PMPI_Sendrecv((void *)((uintptr_t)from->base + (uintptr_t)source.from_base), (int)source.count,
                         from->type, self, STAR_DATA,
                         (void *)((uintptr_t)to->base + (uintptr_t)target.from_base), (int)target.count,
                         to->type, self, STAR_DATA, comm, MPI_STATUS_IGNORE);
}

static int copy(const struct star_step *step, const struct star_side *sides, MPI_Comm comm)
{
    const struct star_side *to = &sides[step->to], *from = &sides[step->from];
    int error = 0;
    for (int32_t i = 0; !error && i < step->repeat; i++) {
        int64_t to_offset = step->to_offset + i * step->to_stride;
        int64_t from_offset = step->from_offset + i * step->from_stride;
        error = to->dense || from->dense
                    ? star_side_copy(*to, to_offset, *from, from_offset, step->length, comm)
                    : copy_typed(to, to_offset, from, from_offset, step->length, comm);
    }
    return error;
}

#ifdef OPEN_MPI
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

static int run_plan(struct star_runner *runner, struct star_side send, struct star_side recv, MPI_Comm comm)
{
    const struct star_side sides[STAR_BUFFERS] = {send, recv, star_side_packed(runner->temp)};
    const struct star_step *step = runner->plan->steps, *end = step + runner->plan->count;
    int error = star_side_check(&sides[STAR_SENDBUF], comm);
    if (!error)
        error = star_side_check(&sides[STAR_RECVBUF], comm);
    if (!error)
        error = locate_all(runner, sides);
    for (; error == MPI_SUCCESS && step < end; step++) {
        switch ((enum star_step_kind)step->kind) {
        case STAR_SEND:
        case STAR_RECV:
            error = start(runner, step, sides, comm);
            break;
        case STAR_COPY:
            error = copy(step, sides, comm);
            break;
        case STAR_WAIT:
            error = wait(runner, step);
            break;
        case STAR_BARRIER:
            error = PMPI_Barrier(comm);
            break;
        }
    }
    if (error != MPI_SUCCESS)
        abandon(runner);
    return error;
}

int star_execute(struct star_runner *runner, struct star_side send, struct star_side recv, MPI_Comm comm)
{
    if (receives_in_any_type || recv.dense)
        return run_plan(runner, send, recv, comm);
    int error = star_side_check(&recv, comm);
    if (!error)
        error = run_plan(runner, send, star_side_packed(runner->staged), comm);
    return error ? error
                 : star_side_copy(recv, 0, star_side_packed(runner->staged), 0, runner->recv_bytes, comm);
}
