/* SPDX-License-Identifier: BSD-3-Clause
 * Streams: blocks, a few on their way at a time, for a while. Rank 0 says which streams run; all serve. */
#include "discover.h"
#include "util/clock.h"

#include <stdlib.h>

enum { BLOCK = 64 << 10, WINDOW = 16, BLOCKS_LEAST = 8, END_OF_SERVICE = -1 };
#define STREAM_SECONDS 0.6

static unsigned char block[WINDOW][BLOCK]; /* the first byte: is this one of the last WINDOW */

static void send_stream(const struct speakers *speakers, int to, int64_t end)
{
    MPI_Request request[WINDOW];
    int last = 0;
    for (int i = 0; i < WINDOW; i++)
        request[i] = MPI_REQUEST_NULL;
    for (int sent = 0; last < WINDOW; sent++) {
        int slot = sent % WINDOW;
        MPI_Wait(&request[slot], MPI_STATUS_IGNORE);
        last += last > 0 || (sent >= BLOCKS_LEAST && star_now() >= end);
        block[slot][0] = last > 0;
        MPI_Isend(block[slot], BLOCK, MPI_BYTE, to, 1, speakers->comm, &request[slot]);
    }
    for (int i = 0; i < WINDOW; i++)
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
}

/* Mbit/s from BEGIN to END: what comes later comes when other streams have ended. A stream that is too slow
 * for that counts whole. */
static double receive_stream(const struct speakers *speakers, int from, int64_t begin, int64_t end)
{
    MPI_Request request[WINDOW];
    int64_t now = begin, counted_at = begin;
    int count = 0, counted = 0;
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(block[i], BLOCK, MPI_BYTE, from, 1, speakers->comm, &request[i]);
    for (int last = 0; last < WINDOW; count++) {
        int slot = count % WINDOW;
        MPI_Wait(&request[slot], MPI_STATUS_IGNORE);
        now = star_now();
        if (now <= end || counted < BLOCKS_LEAST) {
            counted++;
            counted_at = now;
        }
        last += block[slot][0];
        if (!block[slot][0]) /* the last ones have their receives already */
            MPI_Irecv(block[slot], BLOCK, MPI_BYTE, from, 1, speakers->comm, &request[slot]);
    }
    return 8e3 * BLOCK * counted / (double)((counted_at > end ? counted_at : end) - begin);
}

/* STREAM: from, to of each, as ranks. MBPS: of each, on rank 0. */
static void run_streams(const struct speakers *speakers, const int *stream, int count, double *mbps)
{
    double mine[2] = {-1, 0}; /* which stream, how fast */
    MPI_Barrier(speakers->comm);
    int64_t begin = star_now(), end = begin + (int64_t)(STREAM_SECONDS * 1e9);
    for (int i = 0; i < count; i++) {
        if (stream[2 * (size_t)i] == speakers->rank)
            send_stream(speakers, stream[2 * (size_t)i + 1], end);
        if (stream[2 * (size_t)i + 1] == speakers->rank) {
            mine[0] = i;
            mine[1] = receive_stream(speakers, stream[2 * (size_t)i], begin, end);
        }
    }
    double *all = must(malloc(2 * (size_t)speakers->count * sizeof *all));
    MPI_Gather(mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, speakers->comm);
    for (int i = 0; speakers->rank == 0 && i < speakers->count; i++)
        if (all[2 * (size_t)i] >= 0)
            mbps[(int)all[2 * (size_t)i]] = all[2 * (size_t)i + 1];
    free(all);
}

struct service {
    const struct speakers *speakers;
    const int *rank; /* of each node that is a machine */
    int *stream, runs;
    int64_t begin;
};

/* For star_confirm, on rank 0. */
static int order(const struct star_stream *streams, int count, double *mbps, int left, void *context,
                 struct star_why *why)
{
    struct service *service = context;
    (void)why;
    progress(service->speakers, "streams", (double)service->runs / (service->runs + left), service->begin);
    service->runs++;
    for (int i = 0; i < count; i++) {
        service->stream[2 * (size_t)i] = service->rank[streams[i].from];
        service->stream[2 * (size_t)i + 1] = service->rank[streams[i].to];
    }
    MPI_Bcast(&count, 1, MPI_INT, 0, service->speakers->comm);
    MPI_Bcast(service->stream, 2 * count, MPI_INT, 0, service->speakers->comm);
    run_streams(service->speakers, service->stream, count, mbps);
    return 0;
}

static void serve(const struct speakers *speakers, int *stream)
{
    for (int count; MPI_Bcast(&count, 1, MPI_INT, 0, speakers->comm), count != END_OF_SERVICE;) {
        MPI_Bcast(stream, 2 * count, MPI_INT, 0, speakers->comm);
        run_streams(speakers, stream, count, NULL);
    }
}

int streams_confirm(const struct speakers *speakers, const int *rank, struct star_topology *topology,
                    struct star_why *why)
{
    int error = 0, end = END_OF_SERVICE;
    int *stream = must(malloc(2 * (size_t)speakers->count * sizeof *stream));
    if (speakers->rank > 0) {
        serve(speakers, stream);
    } else {
        struct service service = {speakers, rank, stream, 0, star_now()};
        struct star_streams streams = {order, &service};
        error = topology ? star_confirm(topology, &streams, why) : 0;
        MPI_Bcast(&end, 1, MPI_INT, 0, speakers->comm);
    }
    free(stream);
    return error;
}
