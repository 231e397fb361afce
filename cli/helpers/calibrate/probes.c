/* SPDX-License-Identifier: BSD-3-Clause */
#include "probes.h"
#include "util/clock.h"
#include "util/quantile.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UPS = 3, SAMPLES = 31, OTHERS_MOST = 64 };

static double seconds_since(int64_t begin)
{
    return (double)(star_now() - begin) * 1e-9;
}

/* Rank 0's figure, to all. */
static double tell(const struct ranks *ranks, double figure)
{
    MPI_Bcast(&figure, 1, MPI_DOUBLE, 0, ranks->comm);
    return figure;
}

static double mean_over_ranks(const struct ranks *ranks, double mine)
{
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks->comm);
    return sum / ranks->count;
}

/* Half the median round trip of LENGTH bytes, TIMES measured, on rank 0. */
static double half_trip(const struct ranks *ranks, int peer, int length, int times)
{
    double samples[SAMPLES] = {0};
    for (int i = -WARM_UPS; i < times; i++) {
        int64_t begin = star_now();
        if (ranks->rank == 0) {
            MPI_Send(ranks->bytes, length, MPI_BYTE, peer, 0, ranks->comm);
            MPI_Recv(ranks->into, length, MPI_BYTE, peer, 0, ranks->comm, MPI_STATUS_IGNORE);
        } else if (ranks->rank == peer) {
            MPI_Recv(ranks->into, length, MPI_BYTE, 0, 0, ranks->comm, MPI_STATUS_IGNORE);
            MPI_Send(ranks->bytes, length, MPI_BYTE, 0, 0, ranks->comm);
        }
        if (i >= 0)
            samples[i] = seconds_since(begin) / 2;
    }
    MPI_Barrier(ranks->comm);
    return star_sort_median(samples, times);
}

double probe_trip(const struct ranks *ranks, int peer)
{
    return tell(ranks, half_trip(ranks, peer, 1, SAMPLES));
}

/* Seconds in which each rank exchanges a byte with each of OTHERS next ranks; with two ranks, so many with
 * the only one. The mean over the ranks, of the median. */
static double exchange(const struct ranks *ranks, int others)
{
    MPI_Request receives[OTHERS_MOST], sends[OTHERS_MOST];
    double samples[SAMPLES];
    int cycle = ranks->count - 1;
    for (int i = -WARM_UPS; i < SAMPLES; i++) {
        MPI_Barrier(ranks->comm);
        int64_t begin = star_now();
        for (int k = 0; k < others; k++) {
            int apart = 1 + k % cycle, to = (ranks->rank + apart) % ranks->count,
                from = (ranks->rank - apart + ranks->count) % ranks->count;
            MPI_Irecv(ranks->into + k, 1, MPI_BYTE, from, 0, ranks->comm, &receives[k]);
            MPI_Isend(ranks->bytes, 1, MPI_BYTE, to, 0, ranks->comm, &sends[k]);
        }
        for (int k = 0; k < others; k++) {
            MPI_Wait(&receives[k], MPI_STATUS_IGNORE);
            MPI_Wait(&sends[k], MPI_STATUS_IGNORE);
        }
        if (i >= 0)
            samples[i] = seconds_since(begin);
    }
    return mean_over_ranks(ranks, star_sort_median(samples, SAMPLES));
}

double probe_overhead(const struct ranks *ranks)
{
    int others = ranks->count > 2 ? ranks->count - 1 : OTHERS_MOST;
    if (others > OTHERS_MOST)
        others = OTHERS_MOST;
    double one = exchange(ranks, 1), all = exchange(ranks, others);
    return fmax(0, (all - one) / (others - 1));
}

/* Does MPI_Send of LENGTH bytes return while PEER sleeps, or only when it receives? */
static bool returns_early(const struct ranks *ranks, int peer, int length)
{
    const double asleep = 0.05;
    double spent = 0;
    MPI_Barrier(ranks->comm);
    if (ranks->rank == 0) {
        int64_t begin = star_now();
        MPI_Send(ranks->bytes, length, MPI_BYTE, peer, 0, ranks->comm);
        spent = seconds_since(begin);
    } else if (ranks->rank == peer) {
        nanosleep(&(struct timespec){.tv_nsec = (long)(asleep * 1e9)}, NULL);
        MPI_Recv(ranks->into, length, MPI_BYTE, 0, 0, ranks->comm, MPI_STATUS_IGNORE);
    }
    return tell(ranks, spent) < 0.8 * asleep;
}

/* Where the machine is busy it may be late once. */
static bool is_eager(const struct ranks *ranks, int peer, int length)
{
    bool early = false;
    for (int attempt = 0; !early && attempt < 2; attempt++)
        early = returns_early(ranks, peer, length);
    return early;
}

int64_t probe_eager(const struct ranks *ranks, int peer)
{
    const int step = 256;
    int64_t sure = 0, beyond = step;
    while (beyond <= ROOM && is_eager(ranks, peer, (int)beyond)) {
        sure = beyond;
        beyond *= 2;
    }
    if (beyond > ROOM)
        return ROOM;
    while (beyond - sure > step) {
        int64_t middle = sure + (beyond - sure) / 2;
        *(is_eager(ranks, peer, (int)middle) ? &sure : &beyond) = middle;
    }
    return sure;
}

double probe_bandwidth(const struct ranks *ranks, int peer)
{
    enum { TIMES = 5, SHORTER = ROOM / 4 };
    double shorter = half_trip(ranks, peer, SHORTER, TIMES), longer = half_trip(ranks, peer, ROOM, TIMES);
    double more = fmax(longer - shorter, longer / 4); /* noise must not make it nothing */
    return tell(ranks, (ROOM - SHORTER) / more);
}

/* Bytes a second of WORK, done by all ranks at the same time. */
static double speed_of(const struct ranks *ranks, void (*work)(const struct ranks *ranks))
{
    double samples[SAMPLES];
    for (int i = -WARM_UPS; i < SAMPLES; i++) {
        MPI_Barrier(ranks->comm);
        int64_t begin = star_now();
        work(ranks);
        if (i >= 0)
            samples[i] = seconds_since(begin);
    }
    return ROOM / mean_over_ranks(ranks, star_sort_median(samples, SAMPLES));
}

static void copy(const struct ranks *ranks)
{
    memcpy(ranks->into, ranks->bytes, ROOM);
}

static void reduce(const struct ranks *ranks)
{
    MPI_Reduce_local(ranks->bytes, ranks->into, ROOM / (int)sizeof(double), MPI_DOUBLE, MPI_SUM);
}

double probe_copy(const struct ranks *ranks)
{
    return speed_of(ranks, copy);
}

double probe_reduce(const struct ranks *ranks)
{
    return speed_of(ranks, reduce);
}
