/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program that looks after its floating-point environment, whichever it has after MPI_Init: fpenv
 * [CALLS]. MPI leaves it alone; the program's functions that MPI calls find it; reductions round by it.
 * Prints digests of what was received, to be compared with another run's. */
#include "each.h"
#include "support/environment.h"

#include <fenv.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct environment own;
static int rank, size, asked; /* ASKED: how often the program's functions were called */

static void say(const char *what, uint64_t number)
{
    each_say(what, each_mix(number, (uint64_t)rank)); /* which may be the same on all ranks */
}

static void look(const char *where)
{
    if (!environment_is(&own))
        fprintf(stderr, "FAILED: rank %d: the environment is another one %s\n", rank, where);
}

/* What has occurred is what the program itself has let occur; but MPICH makes connections late, and
 * calculates then. */
#ifdef OPEN_MPI
enum { TELLING = FE_ALL_EXCEPT };
#else
enum { TELLING = FE_ALL_EXCEPT & ~FE_INEXACT };
#endif

static void look_at_flags(int flags, const char *where)
{
    int found = fetestexcept(TELLING);
    look(where);
    if (found != flags)
        fprintf(stderr, "FAILED: rank %d: exceptions %#x have occurred %s, not %#x\n", rank, found, where,
                flags);
    feclearexcept(FE_ALL_EXCEPT);
}

/* Of exceptions that would trap none may be pending. */
static int choose_flags(int round)
{
    static const int each[] = {0, FE_INVALID, FE_DIVBYZERO | FE_INEXACT, FE_OVERFLOW, FE_UNDERFLOW};
    int flags = each[round % (int)(sizeof each / sizeof *each)] & ~own.traps;
    fexcept_t all;
    fegetexceptflag(&all, FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    if (flags != 0)
        feraiseexcept(flags);
    return fetestexcept(TELLING);
}

static void add(void *left, void *right, int *count, MPI_Datatype *type)
{
    const double *a = left;
    double *b = right;
    (void)type;
    asked++;
    look("in an operator");
    for (int i = 0; i < *count; i++)
        b[i] = a[i] + b[i];
}

/* Each operation in each form, of integers: nothing in it is an exception. */
static void every_operation(int rounds)
{
    uint64_t number = 0;
    for (int round = 0; round < rounds; round++)
        for (int which = 0; which < EACH_OPERATIONS; which++)
            for (int form = 0; form < EACH_FORMS; form++) {
                const struct each_call call = {.which = which,
                                               .form = (enum each_form)form,
                                               .comm = MPI_COMM_WORLD,
                                               .count = 1 << 2 * (round % 4),
                                               .round = round};
                int flags = choose_flags(round);
                number = each_mix(number, each_make(&each_mpi, &call));
                look_at_flags(flags, each_name[which]);
            }
    say("every operation", number);
}

/* Each reduction of OUT to IN. */
static void reduce(int which, const double *out, double *in, int count, MPI_Op op)
{
    int counts[64];
    for (int r = 0; r < size; r++)
        counts[r] = count;
    switch (which) {
    case 0:
        MPI_Allreduce(out, in, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Reduce(out, in, count, MPI_DOUBLE, op, 0, MPI_COMM_WORLD);
        if (rank != 0)
            memset(in, 0, (size_t)count * sizeof *in);
        break;
    case 2:
        MPI_Scan(out, in, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
        break;
    case 3:
        MPI_Reduce_scatter_block(out, in, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
        break;
    default:
        MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, op, MPI_COMM_WORLD);
    }
}
enum { REDUCTIONS = 5, MOST = 600 };

static uint64_t digest(uint64_t number, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        number = each_mix(number, bits);
    }
    return number;
}

/* Ranks 0 and 1 alone have something: whatever the order, there is one addition, and it rounds as the program
 * wants it. */
static void rounding(const char *what, double first, double second, MPI_Op op, int calls)
{
    static double out[64 * MOST], in[MOST];
    volatile double one = first, other = second, sum = one + other;
    uint64_t number = 0;
    for (int i = 0; i < size * MOST; i++)
        out[i] = rank == 0 ? one : rank == 1 ? other : 0;
    for (int call = 0; call < calls; call++)
        for (int which = 0; which < REDUCTIONS; which++) {
            int count = call % 3 == 0 ? 1 : call % 3 == 1 ? 40 : MOST;
            reduce(which, out, in, count, op);
            look("behind a reduction");
            number = digest(number, in, count);
            if (which == 0 && memcmp(&in[count - 1], (const double *)&sum, sizeof sum) != 0)
                fprintf(stderr, "FAILED: rank %d: %a + %a is %a, and the reduction says %a\n", rank, one,
                        other, sum, in[count - 1]);
        }
    feclearexcept(FE_ALL_EXCEPT);
    say(what, number);
}

/* What the MPI library does in the background is the program's, too. */
static void in_the_background(int calls)
{
    double out[MOST], in[MOST], exact[8] = {1, 2, 3}, sums[8];
    uint64_t number = 0;
    for (int i = 0; i < MOST; i++)
        out[i] = (rank + 1) / (i + 3.0);
    for (int call = 0; call < calls; call++) {
        MPI_Request request;
        MPI_Iallreduce(out, in, MOST, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Allreduce(exact, sums, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        look("behind a nonblocking reduction");
        number = digest(digest(number, in, MOST), sums, 3);
    }
    feclearexcept(FE_ALL_EXCEPT);
    say("in the background", number);
}

static int delete_attribute(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    asked++;
    look("in an attribute's delete function");
    return MPI_SUCCESS;
}

static void handle_error(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    asked++;
    look("in an error handler");
}

/* They become tuned, meet an error, and end. */
static void communicators(int rounds)
{
    int keyval, number = 0;
    MPI_Errhandler handler;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &keyval, NULL);
    MPI_Comm_create_errhandler(handle_error, &handler);
    for (int round = 0; round < rounds; round++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_attr(comm, keyval, &number);
        MPI_Comm_set_errhandler(comm, handler);
        int flags = choose_flags(round);
        for (int call = 0; call < 12; call++)
            MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, comm);
        MPI_Bcast(&number, -1, MPI_INT, 0, comm);
        MPI_Comm_free(&comm);
        look_at_flags(flags, "behind a communicator");
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_free_keyval(&keyval);
}

/* As many calls as a choice takes, and its being watched. */
static void many(int calls)
{
    double x = 1, y = 0;
    int out[64] = {0}, in[64], flags = choose_flags(1);
    for (int call = 0; call < calls; call++) {
        MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (call % 16 == 0)
            MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    }
    look_at_flags(flags, "behind many calls");
    say("many", (uint64_t)y);
}

int main(int argc, char **argv)
{
    MPI_Op op;
    MPI_Init(&argc, &argv);
    int calls = argc > 1 ? atoi(argv[1]) : 3000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(add, 1, &op);
    own = environment_now();
    each_begin();
    many(calls);
    every_operation(calls / 100);
    communicators(6);
    bool exact = !(own.traps & (FE_INEXACT | FE_UNDERFLOW));
    rounding("exact", 3, 4, op, calls / 20);
    if (exact) {
        rounding("rounded", 1, DBL_EPSILON / 1024, MPI_SUM, calls / 20);
        rounding("rounded the other way", -1, DBL_EPSILON / 1024, op, calls / 60);
        rounding("small", 1.5 * DBL_MIN, -DBL_MIN, MPI_SUM, calls / 60);
        in_the_background(calls / 60);
    }
    if (asked == 0)
        fprintf(stderr, "FAILED: none of the program's functions was called\n");
    each_end();
    MPI_Op_free(&op);
    MPI_Finalize();
    look("behind MPI_Finalize");
    return 0;
}
