/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/execute.h"

#include <limits.h>
#include <stdlib.h>

struct star_runner *star_runner_new(struct star_plan *plan)
{
    struct star_runner *runner = calloc(1, sizeof *runner);
    if (runner == NULL) {
        star_plan_free(plan);
        return NULL;
    }
    size_t slots = (size_t)plan->slots + 1;
    runner->plan = plan;
    runner->temp = malloc((size_t)plan->temp_bytes + 1);
    runner->requests = malloc(slots * sizeof *runner->requests);
    runner->statuses = malloc(slots * sizeof *runner->statuses);
    if (!runner->temp || !runner->requests || !runner->statuses) {
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
    free(runner);
}

size_t star_runner_bytes(const struct star_runner *runner)
{
    return sizeof *runner + star_plan_bytes(runner->plan) + (size_t)runner->plan->temp_bytes +
           ((size_t)runner->plan->slots + 1) * (sizeof *runner->requests + sizeof *runner->statuses);
}

struct message {
    void *at;
    int count;
    MPI_Datatype type;
    bool made; /* the type is ours to free */
};

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

/* The elements that the bytes are; or, inside of an element of a dense type, the packed bytes themselves. */
static int locate(const struct star_side *side, int64_t offset, int64_t length, struct message *message)
{
    bool whole = side->size > 0 && offset % side->size == 0 && length % side->size == 0;
    int64_t count = length, extent = 1;
    *message = (struct message){.type = MPI_PACKED};
    if (length > 0 && !whole && !side->dense)
        return MPI_ERR_INTERN;
    if (whole) {
        count = length / side->size;
        extent = side->extent;
        message->type = side->type;
        offset = offset / side->size * extent;
    }
    message->at = (void *)((uintptr_t)side->base + (uintptr_t)offset); /* the base may be MPI_BOTTOM */
    message->count = (int)count;
    if (count <= INT_MAX)
        return 0;
    message->count = 1;
    message->made = true;
    return make_large(count, message->type, extent, &message->type);
}

static int start(struct star_runner *runner, const struct star_step *step, const struct star_side *sides,
                 MPI_Comm comm)
{
    struct message m;
    MPI_Request *request = &runner->requests[step->slot];
    bool sends = step->kind == STAR_SEND;
    int error = sends ? locate(&sides[step->from], step->from_offset, step->length, &m)
                      : locate(&sides[step->to], step->to_offset, step->length, &m);
    if (!error)
        error = sends ? PMPI_Isend(m.at, m.count, m.type, step->peer, step->channel, comm, request)
                      : PMPI_Irecv(m.at, m.count, m.type, step->peer, step->channel, comm, request);
    if (m.made)
        PMPI_Type_free(&m.type);
    return error;
}

static int copy(const struct star_step *step, const struct star_side *sides, MPI_Comm comm)
{
    int error = 0;
    for (int32_t i = 0; !error && i < step->repeat; i++)
        error = star_side_copy(sides[step->to], step->to_offset + i * step->to_stride, sides[step->from],
                               step->from_offset + i * step->from_stride, step->length, comm);
    return error;
}

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

/* After an error: gives up what is still under way, as MPI leaves it undefined. */
static void abandon(struct star_runner *runner)
{
    for (int32_t i = 0; i < runner->plan->slots; i++)
        if (runner->requests[i] != MPI_REQUEST_NULL) {
            PMPI_Cancel(&runner->requests[i]);
            PMPI_Request_free(&runner->requests[i]);
        }
}

int star_execute(struct star_runner *runner, struct star_side send, struct star_side recv, MPI_Comm comm)
{
    const struct star_side sides[STAR_BUFFERS] = {send, recv, star_side_packed(runner->temp)};
    const struct star_step *step = runner->plan->steps, *end = step + runner->plan->count;
    int error = MPI_SUCCESS;
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
