/* SPDX-License-Identifier: BSD-3-Clause
 * What ordinary programs do around MPI_Alltoall: preloaded [ROUNDS [CYCLES]]. */
#include "program.h"

#include <string.h>

static int rounds = 30;

static void several_sizes(void)
{
    static const int counts[] = {1, 2, 7, 64, 333, 5000};
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            if (counts[i] < 1000 || round < 40)
                exchange("several sizes", MPI_COMM_WORLD, counts[i], round % 3 == 2, round);
}

static void many_sizes(void)
{
    for (int round = 0; round < 4; round++)
        for (int count = 1; count < 40; count++)
            exchange("many sizes", MPI_COMM_WORLD, count, 0, round);
}

/* Sub-communicators and the whole, in turn; and nobody but some of the ranks between. */
static void alternate(void)
{
    int rank;
    MPI_Comm half, reversed;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    for (int round = 0; round < rounds; round++) {
        exchange("whole", MPI_COMM_WORLD, 16, 0, round);
        exchange("halves in turn", half, 16, 0, round);
        if (rank % 2)
            exchange("odd ranks only", half, 5, 0, round);
        exchange("reversed ranks in turn", reversed, 16, round % 2, round);
    }
    MPI_Comm_free(&half);
    MPI_Comm_free(&reversed);
}

/* Short-lived communicators; some die after one call, some long after they are tuned. */
static void churn(int cycles)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int cycle = 0; cycle < cycles; cycle++) {
        MPI_Comm comm, inner = MPI_COMM_NULL;
        if (cycle % 3 == 0)
            MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm);
        else
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        int calls = cycle % 50 == 0 ? 90 : cycle % 7 == 0 ? 8 : cycle % 4;
        for (int call = 0; call < calls; call++)
            exchange("churn", comm, 1 + cycle % 5, 0, cycle + call);
        if (cycle % 10 == 0) {
            MPI_Comm_dup(comm, &inner); /* attributes must not follow */
            exchange("duplicate of a tuned one", inner, 3, 0, cycle);
        }
        MPI_Comm_free(&comm);
        if (inner != MPI_COMM_NULL) {
            exchange("duplicate that outlives it", inner, 3, 0, cycle);
            MPI_Comm_free(&inner);
        }
    }
}

/* The two groups differ in size where the ranks are more than two. */
static void inter_communicator(void)
{
    int rank, size, remote;
    MPI_Comm part, inter;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 5, &inter);
    MPI_Comm_remote_size(inter, &remote);
    int local, *out = malloc((size_t)remote * sizeof *out), *in = malloc((size_t)remote * sizeof *in);
    MPI_Comm_rank(part, &local);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < remote; i++)
            out[i] = number(local, i, rank == 0, round);
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, inter);
        for (int i = 0; i < remote; i++)
            if (in[i] != number(i, local, rank != 0, round))
                failed("inter-communicator", inter, 4);
    }
    free(out);
    free(in);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&part);
}

static void few_ranks(void)
{
    int rank;
    MPI_Comm alone, self;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    for (int round = 0; round < 20; round++) {
        exchange("MPI_COMM_SELF", MPI_COMM_SELF, 5, round % 2, round);
        exchange("one rank", alone, 5, round % 2, round);
        exchange("duplicate of MPI_COMM_SELF", self, 5, 0, round);
    }
    MPI_Comm_free(&alone);
    MPI_Comm_free(&self);
}

static void nothing_to_send(void)
{
    MPI_Datatype empty;
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    int untouched = 7;
    for (int round = 0; round < 10; round++) {
        MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD);
        MPI_Alltoall(&untouched, 0, MPI_DOUBLE, &untouched, 0, MPI_BYTE, MPI_COMM_WORLD);
        MPI_Alltoall(&round, 3, empty, &untouched, 5, empty, MPI_COMM_WORLD);
    }
    MPI_Type_free(&empty);
    if (untouched != 7)
        failed("zero counts", MPI_COMM_WORLD, 0);
}

/* Each rank its own type, made for one call and freed at once. */
static void short_lived_types(void)
{
    enum { BLOCK = 6 };
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *out = malloc((size_t)size * BLOCK * sizeof *out),
        *in = malloc((size_t)size * 2 * BLOCK * sizeof *in);
    for (int round = 0; round < 10 * rounds; round++) {
        MPI_Datatype pieces, spread;
        int per = rank % 2 ? 2 : 3;
        MPI_Type_contiguous(per, MPI_INT, &pieces);
        MPI_Type_commit(&pieces);
        MPI_Type_vector(BLOCK, 1, 2, MPI_INT, &spread);
        MPI_Datatype wide;
        MPI_Type_create_resized(spread, 0, (MPI_Aint)(2 * BLOCK * sizeof *in), &wide);
        MPI_Type_free(&spread);
        MPI_Type_commit(&wide);
        memset(in, 0, (size_t)size * 2 * BLOCK * sizeof *in);
        for (int i = 0; i < size * BLOCK; i++)
            out[i] = number(rank, i / BLOCK, i % BLOCK, round);
        MPI_Alltoall(out, BLOCK / per, pieces, in, 1, wide, MPI_COMM_WORLD);
        MPI_Type_free(&pieces);
        MPI_Type_free(&wide);
        int wrong = 0;
        for (int i = 0; i < size * BLOCK; i++)
            wrong += in[2 * i] != number(i / BLOCK, rank, i % BLOCK, round) || in[2 * i + 1] != 0;
        if (wrong)
            failed("types freed after use", MPI_COMM_WORLD, (int)(BLOCK * sizeof *in));
    }
    free(out);
    free(in);
}

/* Nonblocking operations stay under way on the same communicator. */
static void beside_nonblocking(void)
{
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *out = malloc((size_t)size * sizeof *out), *in = malloc((size_t)size * sizeof *in);
    for (int round = 0; round < rounds; round++) {
        MPI_Request requests[2];
        MPI_Status statuses[2];
        int one = rank + round, sum = 0;
        for (int i = 0; i < size; i++)
            out[i] = number(rank, i, 0, round);
        MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
        exchange("beside Ialltoall", MPI_COMM_WORLD, 1, 0, round);
        MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
        exchange("beside Ialltoall and Iallreduce", MPI_COMM_WORLD, 300, 0, round);
        MPI_Waitall(2, requests, statuses);
        for (int i = 0; i < size; i++)
            if (in[i] != number(i, rank, 0, round))
                failed("Ialltoall beside", MPI_COMM_WORLD, 4);
        if (sum != size * (size - 1) / 2 + size * round)
            failed("Iallreduce beside", MPI_COMM_WORLD, 4);
    }
    free(out);
    free(in);
}

/* Receives that any message would match; only the program's own may. */
static void wildcard_receives(void)
{
    int size, rank, pending;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    for (int round = 0; size > 1 && round < rounds; round++) {
        int came[2] = {-1, -1}, sent = rank * 100 + round;
        MPI_Request request;
        MPI_Status status;
        MPI_Irecv(came, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
        for (int call = 0; call < 8; call++)
            exchange("under a wildcard receive", comm, 1 + call % 2 * 99, call == 7, round);
        MPI_Test(&request, &pending, &status);
        if (pending)
            failed("a wildcard receive took a message that is not the program's", comm, 0);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &pending, &status);
        if (pending)
            failed("a message that is not the program's stands on its communicator", comm, 0);
        MPI_Barrier(comm);
        MPI_Send(&sent, 1, MPI_INT, (rank + 1) % size, 99 + round, comm);
        MPI_Wait(&request, &status);
        int from = (rank + size - 1) % size;
        if (status.MPI_SOURCE != from || status.MPI_TAG != 99 + round || came[0] != from * 100 + round ||
            came[1] != -1)
            failed("the program's own message", comm, 4);
    }
    MPI_Comm_free(&comm);
}

/* The program's own attribute functions and error handlers stay its own. */
static int deleted;
static int count_deletion(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static void own_attributes(void)
{
    int key, found, value = 5, *got;
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletion, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int round = 0; round < rounds; round++)
        exchange("with attributes", comm, 2, 0, round);
    MPI_Comm_get_attr(comm, key, &got, &found);
    MPI_Comm_get_errhandler(comm, &handler);
    if (!found || got != &value || handler != MPI_ERRORS_RETURN || deleted != 0)
        failed("own attributes and handlers", comm, 8);
    MPI_Comm_free(&comm);
    if (deleted != 1)
        failed("own attribute's deletion", MPI_COMM_WORLD, 8);
    MPI_Comm_free_keyval(&key);
}

int main(int argc, char **argv)
{
    int size, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1)
        rounds = atoi(argv[1]);
    several_sizes();
    many_sizes();
    alternate();
    churn(argc > 2 ? atoi(argv[2]) : 60);
    inter_communicator();
    few_ranks();
    nothing_to_send();
    short_lived_types();
    beside_nonblocking();
    wildcard_receives();
    own_attributes();
    if (rank == 0)
        printf("preloaded: %d ranks, %d rounds, done\n", size, rounds);
    return finish();
}
