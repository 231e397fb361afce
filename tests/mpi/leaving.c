/* SPDX-License-Identifier: BSD-3-Clause
 * A program's error handler leaves MPI calls by longjmp: collective ones, and MPI_Comm_free, of which a
 * delete function of the program's refuses. The program goes on, on the same communicators and on others. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static int failures, refuses;

static void leave(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    longjmp(back, 1);
}

static void use(MPI_Comm comm, int times)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < times; i++) {
        int mine = rank + i, sum = -1, told = rank == i % size ? i : -1;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
        MPI_Bcast(&told, 1, MPI_INT, i % size, comm);
        if (sum != size * (size - 1) / 2 + size * i || told != i)
            failures++;
    }
}

static int delete (MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key, (void)value, (void)extra;
    use(comm, 2);
    return refuses ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* False: the handler left. */
static int call_wrongly(MPI_Comm comm, int which)
{
    int one = 1, sum;
    if (setjmp(back))
        return 0;
    if (which)
        MPI_Bcast(&one, 1, MPI_INT, 1 << 20, comm);
    else
        MPI_Allreduce(&one, &sum, 1, MPI_DATATYPE_NULL, MPI_SUM, comm);
    return 1;
}

static int free_it(MPI_Comm *comm)
{
    if (setjmp(back))
        return 0;
    MPI_Comm_free(comm);
    return 1;
}

static void use_deeper(MPI_Comm comm)
{
    volatile char room[2000]; /* of the stack, that the call which was left had */
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = 1;
    use(comm, 10);
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 24 }; /* more than startune keeps in mind */
    MPI_Errhandler handler;
    MPI_Comm mother;
    int key;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(leave, &handler);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &mother);
    MPI_Comm_set_errhandler(mother, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler); /* which MPICH calls where a delete function refuses */
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm comm;
        MPI_Comm_dup(mother, &comm);
        MPI_Comm_set_errhandler(comm, handler);
        if (round % 2)
            use(comm, 10);
        MPI_Comm_set_attr(comm, key, NULL);
        use(comm, 10);
        failures += call_wrongly(comm, round % 2);
        use(comm, 2);
        refuses = 1;
        failures += free_it(&comm);
        refuses = 0;
        use_deeper(mother);
        use_deeper(comm);
        failures += !free_it(&comm);
        use_deeper(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&mother);
    MPI_Comm_free_keyval(&key);
    MPI_Errhandler_free(&handler);
    if (failures)
        fprintf(stderr, "%d failures\n", failures);
    MPI_Finalize();
    return failures != 0;
}
