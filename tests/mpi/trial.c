/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 96 };

void ground_open(struct ground *ground, MPI_Comm comm)
{
    *ground = (struct ground){.comm = comm};
    PMPI_Comm_rank(comm, &ground->state.rank);
    PMPI_Comm_size(comm, &ground->state.size);
    PMPI_Comm_dup(comm, &ground->state.private);
    PMPI_Comm_set_errhandler(ground->state.private, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

void ground_close(struct ground *ground)
{
    star_runners_free(&ground->state);
    PMPI_Comm_free(&ground->state.private);
}

/* What lies at a place of a rank's buffer at first. */
static char filling(int rank, int salt, int64_t place)
{
    uint64_t x =
        (uint64_t)place * 0x9e3779b97f4a7c15u + (uint64_t)(rank * 2 + salt + 1) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 29;
    x *= 0x94d049bb133111ebu;
    return (char)(x >> 56);
}

static void open_buffer(struct buffer *buffer, const struct layout *layout, int64_t elements, int rank,
                        int salt)
{
    int64_t low, high;
    layout_span(layout, elements, &low, &high);
    buffer->length = high - low + 2 * GUARD;
    size_t room = (size_t)buffer->length;
    buffer->region = malloc(room);
    buffer->before = malloc(room);
    buffer->after = malloc(room);
    for (int64_t i = 0; i < buffer->length; i++)
        buffer->before[i] = filling(rank, salt, i);
    memcpy(buffer->after, buffer->before, room);
    memcpy(buffer->region, buffer->before, room);
    buffer->start = buffer->region + GUARD - low;
}

static void close_buffer(struct buffer *buffer)
{
    free(buffer->region);
    free(buffer->before);
    free(buffer->after);
}

/* The blocks that rank FROM sends to us, where they must arrive. */
static void expect_from(struct scene *scene, int from)
{
    const struct trial *trial = scene->trial;
    const struct star_communicator *state = &scene->ground->state;
    struct layout theirs;
    layout_maker *make = trial->in_place ? trial->recv[from % 2] : trial->send[from % 2];
    make(&theirs, state->size, trial->bytes);
    int64_t elements = trial->bytes / theirs.size * state->size, low, high;
    layout_span(&theirs, elements, &low, &high);
    for (int64_t i = 0; i < trial->bytes; i++) {
        int64_t to = layout_place(&scene->recv, from * trial->bytes + i);
        scene->received.after[scene->received.start - scene->received.region + to] = filling(
            from, trial->in_place, GUARD - low + layout_place(&theirs, state->rank * trial->bytes + i));
    }
    layout_free(&theirs);
}

void scene_open(struct scene *scene, const struct trial *trial, struct ground *ground)
{
    int size = ground->state.size, rank = ground->state.rank;
    *scene = (struct scene){.trial = trial, .ground = ground};
    trial->send[rank % 2](&scene->send, size, trial->bytes);
    trial->recv[rank % 2](&scene->recv, size, trial->bytes);
    open_buffer(&scene->sent, &scene->send, trial->bytes / scene->send.size * size, rank, 0);
    open_buffer(&scene->received, &scene->recv, trial->bytes / scene->recv.size * size, rank, 1);
    for (int from = 0; from < size; from++)
        expect_from(scene, from);
    if (trial->absolute) {
        layout_make_absolute(&scene->send, scene->sent.start);
        layout_make_absolute(&scene->recv, scene->received.start);
    }
}

void scene_close(struct scene *scene)
{
    layout_free(&scene->send);
    layout_free(&scene->recv);
    close_buffer(&scene->sent);
    close_buffer(&scene->received);
}

static struct star_call call_of(const struct scene *scene)
{
    const struct trial *trial = scene->trial;
    struct star_call call = {.operation = STAR_ALLTOALL,
                             .sendbuf = trial->absolute ? MPI_BOTTOM : scene->sent.start,
                             .recvbuf = trial->absolute ? MPI_BOTTOM : scene->received.start,
                             .sendcount = (int)(trial->bytes / scene->send.size),
                             .recvcount = (int)(trial->bytes / scene->recv.size),
                             .sendtype = scene->send.type,
                             .recvtype = scene->recv.type,
                             .comm = scene->ground->comm};
    if (trial->in_place) {
        call.sendbuf = MPI_IN_PLACE;
        call.sendcount = 0;
        call.sendtype = MPI_DATATYPE_NULL;
    }
    return call;
}

static int complain(const struct scene *scene, const char *method, bool loud, const char *what, long long at)
{
    const struct trial *trial = scene->trial;
    const struct star_communicator *state = &scene->ground->state;
    if (loud)
        fprintf(stderr, "%s, P=%d, %lld bytes of %s%s%s, rank %d: %s %lld\n", method, state->size,
                (long long)trial->bytes, trial->name, trial->in_place ? ", in place" : "",
                trial->absolute ? ", MPI_BOTTOM" : "", state->rank, what, at);
    return SCENE_WRONG;
}

static int64_t first_difference(const struct buffer *buffer)
{
    int64_t i = 0;
    if (memcmp(buffer->region, buffer->after, (size_t)buffer->length) == 0)
        return -1;
    while (buffer->region[i] == buffer->after[i])
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
    at = first_difference(&scene->received);
    if (at < 0)
        return 0;
    bool touched = scene->received.before[at] != scene->received.after[at];
    return complain(scene, method, loud,
                    touched ? "the receive buffer is wrong at byte" : "written beside the data, at byte",
                    at - GUARD);
}

static void restore(struct buffer *buffer)
{
    memcpy(buffer->region, buffer->before, (size_t)buffer->length);
}

int scene_run_native(struct scene *scene, bool loud)
{
    struct star_call call = call_of(scene);
    restore(&scene->sent);
    restore(&scene->received);
    return judge(scene, "native", star_servers[call.operation].native(&call), loud);
}

int scene_run(struct scene *scene, const struct star_method *method, bool loud)
{
    char name[STAR_METHOD_TEXT];
    struct star_call call = call_of(scene);
    struct star_facts facts;
    star_method_format(method, name, sizeof name);
    restore(&scene->sent);
    restore(&scene->received);
    if (!star_servers[call.operation].facts(&call, &facts) || facts.bytes != scene->trial->bytes)
        return complain(scene, name, loud, "the facts of the call are wrong, bytes", facts.bytes);
    struct star_shared_runner *runner = star_runner_acquire(&scene->ground->state, method, &facts);
    if (runner == NULL)
        return complain(scene, name, loud, "no plan, bytes", facts.bytes);
    int error = star_runner_run(&scene->ground->state, runner, &call);
    star_runner_release(&scene->ground->state, runner);
    return judge(scene, name, error, loud);
}
