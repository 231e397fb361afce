/* SPDX-License-Identifier: BSD-3-Clause
 * A program of many communicators, on each of which all ranks make the same calls; but other things, which
 * startune must look at, come earlier on some ranks than on others, or on some alone. Before enough calls
 * have come startune keeps only their number (runtime/brief.h): it must be the same on all ranks all the
 * same. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMMUNICATORS = 28, CALLS = 260, SOME = 7, MANY = 1000 };
static int rank, size, bad;

static void check(int right)
{
    bad += !right;
}

static void call(MPI_Comm comm, int number)
{
    int one = number + rank, sum = -1, all[16];
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    check(sum == size * number + size * (size - 1) / 2);
    if (number % 2 == 0) { /* long enough to be tuned soon */
        static int ones[MANY], sums[MANY];
        for (int i = 0; i < MANY; i++)
            ones[i] = i + rank;
        MPI_Allreduce(ones, sums, MANY, MPI_INT, MPI_SUM, comm);
        check(sums[number] == size * number + size * (size - 1) / 2);
    }
    if (number % 3 == 0) {
        MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, comm);
        for (int r = 0; r < size; r++)
            check(all[r] == number + r);
    }
    if (number % 5 == 0) {
        int told = rank == 1 ? number : -1;
        MPI_Bcast(&told, 1, MPI_INT, 1, comm);
        check(told == number);
    }
}

/* Ranks 0 to LAST alone make one. */
static void make_of_some(MPI_Comm comm, int last)
{
    MPI_Group all, some;
    MPI_Comm made;
    int range[1][3] = {{0, last, 1}};
    MPI_Comm_group(comm, &all);
    MPI_Group_range_incl(all, 1, range, &some);
    if (rank <= last) {
        MPI_Comm_create_group(comm, some, 5, &made);
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&all);
}

static int keep(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    return --*(int *)value >= 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* The program's own delete function refuses once that COMM is freed: it lives on. */
static void free_at_last(MPI_Comm *comm)
{
    int key, refuses = 1;
    MPI_Comm kept = *comm;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, keep, &key, NULL);
    MPI_Comm_set_attr(*comm, key, &refuses);
    MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD,
                            MPI_ERRORS_RETURN); /* which one is asked depends on the library */
    check(MPI_Comm_free(comm) != MPI_SUCCESS);
    *comm = kept;
    for (int number = 0; number < CALLS / 2; number++)
        call(*comm, number);
    check(MPI_Comm_free(comm) == MPI_SUCCESS);
    MPI_Comm_free_keyval(&key);
}

int main(int argc, char **argv)
{
    MPI_Comm made[COMMUNICATORS], child;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < COMMUNICATORS; i++)
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made[i]);
    for (int number = 0; number < CALLS; number++)
        for (int i = 0; i < COMMUNICATORS; i++) {
            call(made[i], number);
            if (number == SOME * (i % 5))
                make_of_some(made[i], i % size);
            if (number == 20 && i % 9 == 0) {
                MPI_Comm_dup(made[i], &child);
                for (int other = 0; other < 2 * SOME; other++)
                    call(child, other);
                free_at_last(&child);
            }
        }
    for (int i = 0; i < COMMUNICATORS; i++)
        MPI_Comm_free(&made[(i * (rank % 2 ? 1 : 3)) % COMMUNICATORS]);
    printf("rank %d: %d results wrong\n", rank, bad);
    MPI_Finalize();
    return bad != 0;
}
