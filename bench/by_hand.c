/* SPDX-License-Identifier: BSD-3-Clause */
#include "by_hand.h"

#include <string.h>

enum { SEGMENT = 65536 };

void alltoall_simple(const struct work *w)
{
    size_t bytes = (size_t)w->bytes;
    int count = 0;
    memcpy(w->recv + (size_t)w->rank * bytes, w->send + (size_t)w->rank * bytes, bytes);
    for (int i = 1; i < w->size; i++) {
        int from = (w->rank - i + w->size) % w->size;
        MPI_Irecv(w->recv + (size_t)from * bytes, w->bytes, MPI_BYTE, from, 0, w->comm,
                  &w->requests[count++]);
    }
    for (int i = 1; i < w->size; i++) {
        int to = (w->rank + i) % w->size;
        MPI_Isend(w->send + (size_t)to * bytes, w->bytes, MPI_BYTE, to, 0, w->comm, &w->requests[count++]);
    }
    MPI_Waitall(count, w->requests, MPI_STATUSES_IGNORE);
}

/* In the order of ranks: the lower one's sum is the left operand. */
void allreduce_doubling(const struct work *w)
{
    int count = w->bytes / (int)sizeof(double);
    char *sum = w->recv, *other = w->spare;
    memcpy(sum, w->send, (size_t)w->bytes);
    for (int distance = 1; distance < w->size; distance *= 2) {
        int peer = w->rank ^ distance;
        MPI_Irecv(other, count, MPI_DOUBLE, peer, 0, w->comm, &w->requests[0]);
        MPI_Isend(sum, count, MPI_DOUBLE, peer, 0, w->comm, &w->requests[1]);
        MPI_Waitall(2, w->requests, MPI_STATUSES_IGNORE);
        if (peer > w->rank) {
            char *former = sum;
            sum = other;
            other = former;
        }
        MPI_Reduce_local(other, sum, count, MPI_DOUBLE, MPI_SUM);
    }
    if (sum != w->recv)
        memcpy(w->recv, sum, (size_t)w->bytes);
}

/* Sums are formed beside the receive buffer: there the input lies, where the program says MPI_IN_PLACE. */
void allreduce_ring(const struct work *w)
{
    size_t block = (size_t)w->bytes / (size_t)w->size;
    int count = (int)(block / sizeof(double)), ahead = (w->rank + 1) % w->size,
        behind = (w->rank + w->size - 1) % w->size;
    const char *from = w->send;
    for (int i = 0; i + 1 < w->size; i++) {
        size_t sent = (size_t)((w->rank - i + w->size) % w->size) * block,
               got = (size_t)((w->rank - i - 1 + w->size) % w->size) * block;
        MPI_Sendrecv(from + sent, count, MPI_DOUBLE, ahead, 0, w->spare + got, count, MPI_DOUBLE, behind, 0,
                     w->comm, MPI_STATUS_IGNORE);
        MPI_Reduce_local(w->send + got, w->spare + got, count, MPI_DOUBLE, MPI_SUM);
        from = w->spare;
    }
    memcpy(w->recv + (size_t)ahead * block, w->spare + (size_t)ahead * block, block);
    for (int i = 0; i + 1 < w->size; i++) {
        size_t sent = (size_t)((w->rank + 1 - i + w->size) % w->size) * block,
               got = (size_t)((w->rank - i + w->size) % w->size) * block;
        MPI_Sendrecv(w->recv + sent, count, MPI_DOUBLE, ahead, 0, w->recv + got, count, MPI_DOUBLE, behind, 0,
                     w->comm, MPI_STATUS_IGNORE);
    }
}

void bcast_binomial(const struct work *w)
{
    int distance = 1, count = 0;
    while (distance < w->size && (w->rank & distance) == 0)
        distance *= 2;
    if (w->rank != 0)
        MPI_Recv(w->recv, w->bytes, MPI_BYTE, w->rank - distance, 0, w->comm, MPI_STATUS_IGNORE);
    for (distance /= 2; distance > 0; distance /= 2)
        if (w->rank + distance < w->size)
            MPI_Isend(w->recv, w->bytes, MPI_BYTE, w->rank + distance, 0, w->comm, &w->requests[count++]);
    MPI_Waitall(count, w->requests, MPI_STATUSES_IGNORE);
}

static int segment_of(const struct work *w, int at)
{
    return at + SEGMENT < w->bytes ? SEGMENT : w->bytes - at;
}

/* While a segment is received, the one before it is sent on. */
void bcast_chain(const struct work *w)
{
    MPI_Request incoming = MPI_REQUEST_NULL, outgoing = MPI_REQUEST_NULL;
    int receives = w->rank > 0, sends = w->rank + 1 < w->size;
    for (int at = 0; at < w->bytes + SEGMENT; at += SEGMENT) {
        MPI_Wait(&incoming, MPI_STATUS_IGNORE);
        if (receives && at < w->bytes)
            MPI_Irecv(w->recv + at, segment_of(w, at), MPI_BYTE, w->rank - 1, 0, w->comm, &incoming);
        MPI_Wait(&outgoing, MPI_STATUS_IGNORE);
        if (sends && at >= SEGMENT)
            MPI_Isend(w->recv + at - SEGMENT, segment_of(w, at - SEGMENT), MPI_BYTE, w->rank + 1, 0, w->comm,
                      &outgoing);
    }
    MPI_Wait(&outgoing, MPI_STATUS_IGNORE);
}
