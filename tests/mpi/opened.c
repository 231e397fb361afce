/* SPDX-License-Identifier: BSD-3-Clause
 * A program that is not linked with MPI, and opens it as Julia does: opened LIBRARY NEXT CALLS. NEXT is the
 * tool of next.c, opened for what its own view of the modules is. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char *what)
{
    if (!holds)
        fprintf(stderr, "FAILED: %s\n", what);
}

static void *function(void *library, const char *name)
{
    dlerror();
    void *found = dlsym(library, name);
    const char *error = dlerror();
    if (found != NULL && error == NULL)
        return found;
    fprintf(stderr, "FAILED: %s: %s\n", name, error != NULL ? error : "no error");
    exit(1);
}

/* Each module sees what it sees without startune. */
static void check_views(void *library, void *next)
{
    void *(*ask)(void *, const char *), *(*own)(void *, const char *) = dlsym;
    *(void **)&ask = function(next, "next_asks");
    check(ask(RTLD_DEFAULT, "next_asks") == function(next, "next_asks"), "a module does not see itself");
    check(own(RTLD_DEFAULT, "next_asks") == NULL, "all see a module that was opened for one");
    check(ask(RTLD_NEXT, "next_asks") == NULL, "a module is next to itself");
    check(ask(RTLD_NEXT, "dlsym") != NULL, "what a module needs is not next to it");
    check(own(RTLD_NEXT, "MPI_Allreduce") == own(RTLD_DEFAULT, "MPI_Allreduce"), "not the next one");
    check(ask(next, "MPI_Allreduce") == function(next, "MPI_Allreduce") &&
              ask(next, "MPI_Allreduce") != function(library, "MPI_Allreduce"),
          "a tool's function is not its own");
    check(own(library, "MPI_No_such") == NULL, "there is what there is not");
    const char *error = dlerror();
    check(error != NULL && strstr(error, "undefined symbol: MPI_No_such") != NULL, "another error");
    check(function(library, "MPI_Wtime") != NULL && function(library, "PMPI_Wtime") != NULL,
          "no other functions");
}

int main(int argc, char **argv)
{
    enum { COUNT = 64 };
    int rank, ranks, own[COUNT], most[COUNT];
    if (argc != 4)
        return 2;
    void *library = dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
    void *next = dlopen(argv[2], RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL || next == NULL) {
        fprintf(stderr, "FAILED: %s\n", dlerror());
        return 1;
    }
#define FUNCTION(name)                                                                                       \
    __typeof__(MPI_##name) *name;                                                                            \
    *(void **)&name = function(library, "MPI_" #name);
    FUNCTION(Init)
    FUNCTION(Comm_rank)
    FUNCTION(Comm_size)
    FUNCTION(Allreduce)
    FUNCTION(Finalize)
#ifdef OPEN_MPI
    MPI_Comm world = function(library, "ompi_mpi_comm_world");
    MPI_Datatype number = function(library, "ompi_mpi_int");
    MPI_Op max = function(library, "ompi_mpi_op_max");
#else
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype number = MPI_INT;
    MPI_Op max = MPI_MAX;
#endif
    check_views(library, next);
    Init(&argc, &argv);
    Comm_rank(world, &rank);
    Comm_size(world, &ranks);
    for (int call = 0; call < atoi(argv[3]); call++) {
        for (int i = 0; i < COUNT; i++)
            own[i] = rank * 100 + call + i;
        Allreduce(own, most, COUNT, number, max, world);
        for (int i = 0; i < COUNT; i++)
            check(most[i] == (ranks - 1) * 100 + call + i, "a wrong maximum");
    }
    if (rank == 0)
        printf("%s calls, the last: %d to %d\n", argv[3], most[0], most[COUNT - 1]);
    Finalize();
    return 0;
}
