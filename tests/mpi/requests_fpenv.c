/* SPDX-License-Identifier: BSD-3-Clause
 * Scenarios of requests.c whose program has a floating-point environment of its own: what it calls and what
 * calls it leave that alone, and times that are no numbers do no harm. */
#include "requests.h"
#include "support/environment.h"

#include <fenv.h>
#include <math.h>
#include <unistd.h>

static const char *const environments[] = {"invalid,divide,overflow", "up,flush",
                                           "invalid,divide,overflow,underflow,inexact,down"};
enum { ENVIRONMENTS = sizeof environments / sizeof *environments };
static struct environment own;
static int calls;

static int quick(STAR_Request request)
{
    (void)request;
    calls++;
    EXPECT(environment_is(&own));
    return 0;
}

static int slow(STAR_Request request)
{
    usleep(300);
    return quick(request);
}

static STAR_Request two_functions(STAR_Topology topology)
{
    STAR_Function functions[2];
    STAR_Fnctset fnctset;
    STAR_Request request;
    GOOD(STAR_Function_create(slow, STAR_ATTRSET_NULL, NULL, "slow", &functions[0]));
    GOOD(STAR_Function_create(quick, STAR_ATTRSET_NULL, NULL, "quick", &functions[1]));
    GOOD(STAR_Fnctset_create(2, functions, "two", &fnctset));
    GOOD(STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, &request));
    for (int i = 0; i < 2; i++)
        GOOD(STAR_Function_free(&functions[i]));
    GOOD(STAR_Fnctset_free(&fnctset));
    return request;
}

/* What has occurred is what the program has let occur: nothing, or all that does not trap. */
static void look_behind(int flags)
{
    EXPECT(environment_is(&own));
    EXPECT(fetestexcept(FE_ALL_EXCEPT) == flags);
}

static int let_occur(int run)
{
    int flags = run % 2 ? FE_ALL_EXCEPT & ~own.traps : 0;
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(flags);
    return fetestexcept(FE_ALL_EXCEPT);
}

static void run_until_chosen(void)
{
    STAR_Topology topology;
    STAR_Timer timer;
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request measured = two_functions(topology), timed = two_functions(topology);
    GOOD(STAR_Timer_create(1, &timed, &timer));
    for (int run = 0; run < 60; run++) {
        int flags = let_occur(run);
        GOOD(STAR_Request_run(measured));
        look_behind(flags);
        GOOD(STAR_Timer_start(timer));
        GOOD(STAR_Request_begin(timed));
        GOOD(STAR_Request_wait(timed));
        GOOD(STAR_Timer_stop(timer));
        look_behind(flags);
    }
    double filtered;
    int flags = let_occur(1), error = STAR_Request_get_times(measured, 1, &filtered, NULL, NULL);
    EXPECT(rank != 0 || (error == STAR_SUCCESS && filtered > 0));
    GOOD(STAR_Request_free(&measured));
    look_behind(flags);
    GOOD(STAR_Timer_free(&timer));
    GOOD(STAR_Request_free(&timed));
    GOOD(STAR_Topology_free(&topology));
}

/* A NaN that the program tells is refused; it is no exception, as the program has not calculated with it. */
static void tell_what_is_no_number(void)
{
    STAR_Topology topology;
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = two_functions(topology);
    for (int run = 0; run < 40; run++) {
        int flags = let_occur(run);
        GOOD(STAR_Request_run(request));
        EXPECT(STAR_Request_update(request, NAN) == STAR_ERR_ARG);
        look_behind(flags);
    }
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
}

static void floating_point(void)
{
    const struct environment usual = environment_now();
    for (int i = 0; i < ENVIRONMENTS; i++) {
        own = environment_of(environments[i]);
#ifndef OPEN_MPI
        own.traps &= ~FE_INEXACT; /* which MPICH itself meets where it makes connections */
#endif
        environment_set(&own);
        run_until_chosen();
        tell_what_is_no_number();
    }
    environment_set(&usual);
    EXPECT(calls > 0);
}

const struct scenario fpenv_scenarios[] = {{"floating-point", floating_point}, {NULL, NULL}};
