/* SPDX-License-Identifier: BSD-3-Clause
 * One call of each collective operation, for ordinary programs: by MPI's functions, or by others that take
 * the same arguments. What the call leaves in memory becomes a number, to be compared with another run's. */
#ifndef TESTS_EACH_H
#define TESTS_EACH_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#define EACH_OPERATION(X)                                                                                    \
    X(Alltoall)                                                                                              \
    X(Alltoallv)                                                                                             \
    X(Alltoallw)                                                                                             \
    X(Allgather)                                                                                             \
    X(Allgatherv)                                                                                            \
    X(Allreduce)                                                                                             \
    X(Bcast)                                                                                                 \
    X(Reduce)                                                                                                \
    X(Reduce_scatter_block)                                                                                  \
    X(Reduce_scatter)                                                                                        \
    X(Gather)                                                                                                \
    X(Gatherv)                                                                                               \
    X(Scatter)                                                                                               \
    X(Scatterv)                                                                                              \
    X(Scan)                                                                                                  \
    X(Exscan)                                                                                                \
    X(Barrier)

#define EACH_NUMBER(name) EACH_##name,
enum { EACH_OPERATION(EACH_NUMBER) EACH_OPERATIONS };
#undef EACH_NUMBER

#define EACH_FUNCTION(name) __typeof__(MPI_##name) *name;
struct each_functions {
    EACH_OPERATION(EACH_FUNCTION)
};
#undef EACH_FUNCTION
extern const struct each_functions each_mpi;
#if MPI_VERSION >= 4
extern const struct each_functions each_large; /* by the bindings with large counts */
#endif

enum each_form {
    EACH_PLAIN,
    EACH_IN_PLACE, /* where the operation and the communicator know it */
    EACH_SPREAD,   /* sent from a datatype with gaps; not of reductions */
    EACH_COMPOSED, /* reductions by an operator of the program, which does not commute */
    EACH_FORMS
};

struct each_call {
    int which;
    enum each_form form;
    MPI_Comm comm;
    bool sends;       /* an inter-communicator: of the group that holds the root */
    int count, round; /* elements for a pair of ranks; root, data and uneven counts follow from ROUND */
    bool short_lived; /* datatype and operator are made for the call, and freed right behind it */
    void *memory;     /* for the buffers, which the program may touch between open(true) and open(false); */
    void (*open)(bool open); /* NULL: they are ordinary ones */
};

extern const char *const each_name[EACH_OPERATIONS];
bool each_reduces(int which);
/* Makes the call; its number on this rank. Says FAILED where the send buffer is changed. */
uint64_t each_make(const struct each_functions *functions, const struct each_call *call);
/* The datatype and the operator that calls share which make none of their own. */
void each_begin(void);
void each_end(void);
/* Rank 0 of MPI_COMM_WORLD prints WHAT and the numbers of all ranks, as one; uses no collective operation. */
void each_say(const char *what, uint64_t number);
uint64_t each_mix(uint64_t number, uint64_t with);

#endif
