/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations that overlap computation. Two ways: the MPI library's nonblocking operation, begun by
 * init, with as many calls of STAR_Request_progress passed on to the MPI library as the attribute `progress`
 * says; or the tuned blocking operation, all of it in init: that is the one call which all ranks make in one
 * order, while progress is called by some ranks more often than by others, or not at all. */
#include "patterns/collective.h"
#include "patterns/predefined.h"

#include <stdlib.h>

enum { NONBLOCKING, BLOCKING };
enum { BY_CALL, BY_PROGRESS, ATTRIBUTES };

/* Of so many calls of STAR_Request_progress one asks the MPI library. */
static const int rows[][ATTRIBUTES] = {{NONBLOCKING, 1}, {NONBLOCKING, 8}, {NONBLOCKING, 64}, {BLOCKING, 1}};
enum { ROWS = sizeof rows / sizeof *rows };

struct nonblocking {
    struct star_call call;
    MPI_Request request;
};

bool star_nonblocking_fill(struct star_fnctset *fnctset)
{
    static char *names[] = {"nonblocking", "blocking"}, *progress_names[] = {"each", "eighth", "rarely"};
    static char *row_names[] = {"nonblocking,progress=each", "nonblocking,progress=eighth",
                                "nonblocking,progress=rarely", "blocking"};
    STAR_Attribute attributes[ATTRIBUTES] = {STAR_ATTRIBUTE_NULL, STAR_ATTRIBUTE_NULL};
    STAR_Attribute_create(2, (int[]){NONBLOCKING, BLOCKING}, names, "call", &attributes[BY_CALL]);
    STAR_Attribute_create(3, (int[]){1, 8, 64}, progress_names, "progress", &attributes[BY_PROGRESS]);
    fnctset->attrset = star_predefined_attrset(ATTRIBUTES, attributes);
    for (int i = 0; fnctset->attrset != NULL && i < ROWS; i++)
        if (star_predefined_function(fnctset, row_names[i], rows[i], true) == NULL)
            return false;
    return fnctset->attrset != NULL;
}

static int make(struct star_request *request, const char *call)
{
    struct nonblocking *made = malloc(sizeof *made);
    request->state = made;
    if (made != NULL)
        *made = (struct nonblocking){.call = star_collective_call(request), .request = MPI_REQUEST_NULL};
    return star_request_agrees(request, made != NULL) ? STAR_SUCCESS : star_refuse_memory(call);
}

static int group(const struct star_function *function, int number)
{
    (void)function;
    return rows[number][BY_CALL];
}

static int begin(const struct star_call *c, MPI_Comm comm, MPI_Request *request)
{
    switch (c->operation) {
    case STAR_BCAST:
        return PMPI_Ibcast(c->recvbuf, (int)c->recvcount, c->recvtype, c->root, comm, request);
    case STAR_ALLTOALL:
        return PMPI_Ialltoall(c->sendbuf, (int)c->sendcount, c->sendtype, c->recvbuf, (int)c->recvcount,
                              c->recvtype, comm, request);
    case STAR_ALLGATHER:
        return PMPI_Iallgather(c->sendbuf, (int)c->sendcount, c->sendtype, c->recvbuf, (int)c->recvcount,
                               c->recvtype, comm, request);
    default:
        return PMPI_Ireduce(c->sendbuf, c->recvbuf, (int)c->recvcount, c->recvtype, c->op, c->root, comm,
                            request);
    }
}

static int init(struct star_request *request, int function, const char *call)
{
    struct nonblocking *state = request->state;
    int error = rows[function][BY_CALL] == BLOCKING ? star_collective_run(&state->call)
                                                    : begin(&state->call, request->comm, &state->request);
    return star_collective_result(request, error, call);
}

static int progress(struct star_request *request, int function, bool *done)
{
    struct nonblocking *state = request->state;
    int flag = rows[function][BY_CALL] == BLOCKING, error = MPI_SUCCESS;
    if (!flag && request->asked % rows[function][BY_PROGRESS] == 0)
        error = PMPI_Test(&state->request, &flag, MPI_STATUS_IGNORE);
    *done = flag != 0;
    return error == MPI_SUCCESS ? STAR_SUCCESS : STAR_ERR_INTERN;
}

static int wait_for(struct star_request *request, int function, const char *call)
{
    struct nonblocking *state = request->state;
    (void)function;
    return star_collective_result(request, PMPI_Wait(&state->request, MPI_STATUS_IGNORE), call);
}

static void free_state(struct star_request *request)
{
    free(request->state);
}

const struct star_pattern star_pattern_nonblocking = {.check = star_collective_check,
                                                      .make = make,
                                                      .group = group,
                                                      .init = init,
                                                      .progress = progress,
                                                      .wait = wait_for,
                                                      .free = free_state};
