/* SPDX-License-Identifier: BSD-3-Clause
 * Streams: blocks, a few on their way at a time, for a while. Rank 0 says which streams run; all serve.
 * Blocks are small, so that they come one by one, as links let them through; on fast links longer, so that
 * processors keep up. */
#include "streams.h"
#include "cli/common/progress.h"
#include "cli/helpers/measure/rank.h"
#include "topology/confirm.h"
#include "topology/infer_streams.h"
#include "topology/streams.h"
#include "topology/topology.h"
#include "util/clock.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK_LEAST = 16 << 10, BLOCK_MOST = 256 << 10, WINDOW = 8, BLOCKS_LEAST = 8 };
#define STREAM_SECONDS  0.15
#define WARM_UP_SECONDS 0.02
#define BLOCK_SECONDS   0.0005 /* about, at the fastest rate so far */
#define SECONDS_MOST    150.0  /* all streams of a call together */

static unsigned char block[WINDOW][BLOCK_MOST]; /* the first byte: is this one of the last WINDOW */

/* What rank 0 tells all: ORDER_COUNT streams, then from and to of each, as ranks. No stream: the end. */
enum { ORDER_COUNT, ORDER_BLOCK, ORDER_STREAMS };

struct service {
    const struct speakers *speakers;
    const char *phase;
    const int *rank; /* of each node; NULL: machines have the numbers of ranks */
    int *order;      /* see above */
    double fastest;  /* Mbit/s */
    int runs;
    int64_t begin;
};

static int64_t after(int64_t begin, double seconds)
{
    return begin + (int64_t)(seconds * 1e9);
}

static void send_stream(const struct service *service, int to, int64_t end)
{
    MPI_Request request[WINDOW];
    int last = 0, bytes = service->order[ORDER_BLOCK];
    for (int i = 0; i < WINDOW; i++)
        request[i] = MPI_REQUEST_NULL;
    for (int sent = 0; last < WINDOW; sent++) {
        int slot = sent % WINDOW;
        MPI_Wait(&request[slot], MPI_STATUS_IGNORE);
        last += last > 0 || (sent >= BLOCKS_LEAST && star_now() >= end);
        block[slot][0] = last > 0;
        MPI_Isend(block[slot], bytes, MPI_BYTE, to, 1, service->speakers->comm, &request[slot]);
    }
    for (int i = 0; i < WINDOW; i++)
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
}

/* Mbit/s from the warm-up to END: what comes later comes when other streams have ended. A stream that is too
 * slow for that counts until it has enough. */
static double receive_stream(const struct service *service, int from, int64_t begin, int64_t end)
{
    MPI_Request request[WINDOW];
    int64_t warm = after(begin, WARM_UP_SECONDS), until = end;
    int bytes = service->order[ORDER_BLOCK], counted = 0;
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(block[i], bytes, MPI_BYTE, from, 1, service->speakers->comm, &request[i]);
    for (int last = 0, slot = 0; last < WINDOW; slot = (slot + 1) % WINDOW) {
        MPI_Wait(&request[slot], MPI_STATUS_IGNORE);
        int64_t now = star_now();
        if (now > warm && (now <= end || counted < BLOCKS_LEAST)) {
            counted++;
            until = now > end ? now : end;
        }
        last += block[slot][0];
        if (!block[slot][0]) /* the last ones have their receives already */
            MPI_Irecv(block[slot], bytes, MPI_BYTE, from, 1, service->speakers->comm, &request[slot]);
    }
    return 8e3 * bytes * counted / (double)(until - warm);
}

/* The streams of the order. MBPS: of each, on rank 0. */
static void run_streams(const struct service *service, double *mbps)
{
    const struct speakers *speakers = service->speakers;
    const int *stream = service->order + ORDER_STREAMS;
    double mine[2] = {-1, 0}; /* which stream, how fast */
    MPI_Barrier(speakers->comm);
    int64_t begin = star_now(), end = after(begin, STREAM_SECONDS);
    for (int i = 0; i < service->order[ORDER_COUNT]; i++) {
        int from = stream[2 * (size_t)i], to = stream[2 * (size_t)i + 1];
        if (from == speakers->rank)
            send_stream(service, to, end);
        if (to == speakers->rank) {
            mine[0] = i;
            mine[1] = receive_stream(service, from, begin, end);
        }
    }
    double *all = must(malloc(2 * (size_t)speakers->count * sizeof *all));
    MPI_Gather(mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, speakers->comm);
    for (int i = 0; speakers->rank == 0 && i < speakers->count; i++)
        if (all[2 * (size_t)i] >= 0)
            mbps[(int)all[2 * (size_t)i]] = all[2 * (size_t)i + 1];
    free(all);
}

static int order_length(const struct speakers *speakers)
{
    return ORDER_STREAMS + 2 * speakers->count;
}

static int block_for(double mbps)
{
    double bytes = mbps * 1e6 / 8 * BLOCK_SECONDS;
    return (int)fmin(fmax(bytes, BLOCK_LEAST), BLOCK_MOST);
}

/* For those who ask for streams, on rank 0. */
static int run(const struct star_stream *streams, int count, double *mbps, int left, void *context,
               struct star_why *why)
{
    struct service *service = context;
    int *order = service->order;
    if (star_now() >= after(service->begin, SECONDS_MOST))
        return star_because(why, STAR_ENEEDS, "%d runs of streams took more than %g s, and about %d are left",
                            service->runs, SECONDS_MOST, left);
    cli_progress(service->phase, (double)service->runs / (service->runs + left), service->begin);
    service->runs++;
    order[ORDER_COUNT] = count;
    order[ORDER_BLOCK] = block_for(service->fastest);
    for (int i = 0; i < count; i++) {
        int *stream = &order[ORDER_STREAMS + 2 * (size_t)i], from = streams[i].from, to = streams[i].to;
        stream[0] = service->rank ? service->rank[from] : from;
        stream[1] = service->rank ? service->rank[to] : to;
    }
    MPI_Bcast(order, order_length(service->speakers), MPI_INT, 0, service->speakers->comm);
    run_streams(service, mbps);
    for (int i = 0; i < count; i++)
        service->fastest = fmax(service->fastest, mbps[i]);
    return 0;
}

/* The others' part. */
static void serve(struct service *service)
{
    do {
        MPI_Bcast(service->order, order_length(service->speakers), MPI_INT, 0, service->speakers->comm);
        run_streams(service, NULL);
    } while (service->order[ORDER_COUNT] > 0);
}

static struct service begin(const struct speakers *speakers, const char *phase, const int *rank)
{
    return (struct service){.speakers = speakers,
                            .phase = phase,
                            .rank = rank,
                            .order = must(calloc((size_t)order_length(speakers), sizeof(int))),
                            .begin = star_now()};
}

/* On rank 0 also tells the others that it was the last. */
static void end(struct service *service)
{
    if (service->speakers->rank == 0) {
        service->order[ORDER_COUNT] = 0;
        MPI_Bcast(service->order, order_length(service->speakers), MPI_INT, 0, service->speakers->comm);
        run_streams(service, NULL);
    }
    free(service->order);
}

int streams_infer(const struct speakers *speakers, const struct star_trips *trips,
                  struct star_topology **topology, struct star_why *why)
{
    struct service service = begin(speakers, "shared links", NULL);
    struct star_streams streams = {run, &service};
    int error = 0;
    if (speakers->rank > 0)
        serve(&service);
    else
        error = star_infer_streams(trips, &streams, topology, why);
    end(&service);
    return error;
}

int streams_confirm(const struct speakers *speakers, const int *rank, struct star_topology *topology,
                    struct star_why *why)
{
    struct service service = begin(speakers, "bandwidths", rank);
    struct star_streams streams = {run, &service};
    int error = 0;
    if (speakers->rank > 0)
        serve(&service);
    else if (topology != NULL)
        error = star_confirm(topology, &streams, why);
    end(&service);
    return error;
}
