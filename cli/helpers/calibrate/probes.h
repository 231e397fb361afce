/* SPDX-License-Identifier: BSD-3-Clause
 * What the cost model charges (plan/cost.h), measured between the
 * ranks of a communicator. All are collective over it and return the same on all ranks. */
#pragma once

#include <mpi.h>
#include <stdint.h>

struct ranks {
    MPI_Comm comm;
    int rank, count;
    char *bytes; /* ROOM of them, for whatever a measurement sends; and as many to receive */
    char *into;
};
enum { ROOM = 1 << 20 };

/* Seconds of a message of one byte from rank 0 to PEER: half the median round trip. */
double probe_trip(const struct ranks *ranks, int peer);
/* Seconds that a message costs its sender's processor and its receiver's, together: all ranks exchange a byte
 * with one other, then with all others; what each more costs. Two ranks: what each more to the same one
 * costs. So it counts that hosts may share processors, and that a rank has many to talk to. */
double probe_overhead(const struct ranks *ranks);
/* The most bytes, up to ROOM, that rank 0's MPI_Send to PEER returns from before PEER receives. */
int64_t probe_eager(const struct ranks *ranks, int peer);
/* Bytes a second from rank 0 to PEER: what more of them cost in a long message. */
double probe_bandwidth(const struct ranks *ranks, int peer);
/* Bytes a second of a copy, and of a sum of doubles, while all ranks do the same. */
double probe_copy(const struct ranks *ranks);
double probe_reduce(const struct ranks *ranks);
