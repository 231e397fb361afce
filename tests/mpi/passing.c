/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program: types that are made for one call and freed, so that handles come again and mean
 * something else. passing ROUNDS: at each place of a call types of two lengths and five layouts come, and of
 * each length also MPI_INT; what differs by rank is the layout alone. Prints how many numbers are wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { INTS_MOST = 6, EXTENT = 16, RANKS_MOST = 16, LAYOUTS = 5, OPERATIONS = 5 };

/* INTS ints, of which each lies at its PLACE, in elements of EXTENT ints; or, NAMED, INTS elements of
 * MPI_INT. */
struct layout {
    MPI_Datatype type;
    int ints, count, extent, place[INTS_MOST];
};

static int rank, size, wrong;

static void make(struct layout *made, int ints, int which)
{
    int places[INTS_MOST];
    *made = (struct layout){.type = MPI_INT, .ints = ints, .count = which == 0 ? ints : 1, .extent = EXTENT};
    for (int i = 0; i < ints; i++)
        made->place[i] = which == 0   ? i
                         : which == 1 ? 2 * i
                         : which == 2 ? ints - 1 - i
                         : which == 3 ? i / 2 * 5 + i % 2
                                      : i + 3;
    if (which == 0) {
        made->extent = ints;
        return;
    }
    for (int i = 0; i < ints; i++)
        places[i] = made->place[i];
    MPI_Datatype inner;
    if (which == 1)
        MPI_Type_vector(ints, 1, 2, MPI_INT, &inner);
    else if (which == 3)
        MPI_Type_vector(ints / 2, 2, 5, MPI_INT, &inner);
    else
        MPI_Type_create_indexed_block(ints, 1, places, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, EXTENT * (MPI_Aint)sizeof(int), &made->type);
    MPI_Type_commit(&made->type);
    MPI_Type_free(&inner);
}

static int *at(const struct layout *layout, int *buffer, int block, int i)
{
    return &buffer[block * layout->extent + layout->place[i]];
}

/* What rank FROM sends to TO, as number I. */
static int value(int round, int from, int to, int i)
{
    return 10000 * round + 1000 * from + 10 * to + i;
}

static void call(int operation, const struct layout *out, int *from, const struct layout *in, int *to,
                 int root)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    if (operation == 0)
        MPI_Bcast(rank == root ? from : to, rank == root ? out->count : in->count,
                  rank == root ? out->type : in->type, root, comm);
    else if (operation == 1)
        MPI_Allgather(from, out->count, out->type, to, in->count, in->type, comm);
    else if (operation == 2)
        MPI_Alltoall(from, out->count, out->type, to, in->count, in->type, comm);
    else if (operation == 3)
        MPI_Scatter(from, out->count, out->type, to, in->count, in->type, root, comm);
    else
        MPI_Gather(from, out->count, out->type, to, in->count, in->type, root, comm);
}

static void pass(int round, int operation)
{
    static int from[RANKS_MOST * EXTENT], to[RANKS_MOST * EXTENT];
    int ints = round / 3 % 2 ? 4 : INTS_MOST, root = round / 7 % size;
    int every = operation == 1 || operation == 2, blocks = operation == 0 || operation == 3 ? 1 : size,
        right = 0;
    struct layout out, in;
    make(&out, ints, (round / 2 + rank) % LAYOUTS);
    make(&in, ints, (round / 5 + 2 * rank) % LAYOUTS);
    for (int k = 0; k < RANKS_MOST * EXTENT; k++)
        from[k] = to[k] = -1;
    for (int block = 0; block < size; block++) /* where all get the same, there is one */
        for (int i = 0; i < ints; i++)
            *at(&out, from, block, i) = value(round, rank, operation == 2 || operation == 3 ? block : 0, i);
    call(operation, &out, from, &in, to, root);
    if (every || operation == 3 || (rank == root) == (operation == 4))
        for (int block = 0; block < blocks; block++)
            for (int i = 0; i < ints; i++, right++) {
                int sender = blocks > 1 ? block : root, mine = operation == 2 || operation == 3 ? rank : 0;
                wrong += *at(&in, to, block, i) != value(round, sender, mine, i);
            }
    for (int k = 0; k < RANKS_MOST * EXTENT; k++) /* nothing lies elsewhere */
        right -= to[k] != -1;
    wrong += right != 0;
    if (out.type != MPI_INT)
        MPI_Type_free(&out.type);
    if (in.type != MPI_INT)
        MPI_Type_free(&in.type);
}

int main(int argc, char **argv)
{
    int all = 0, rounds = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MOST)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int round = 0; round < rounds; round++)
        for (int operation = 0; operation < OPERATIONS; operation++)
            pass(round, operation);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("passing: %d wrong\n", all);
    MPI_Finalize();
    return 0;
}
