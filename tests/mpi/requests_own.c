/* SPDX-License-Identifier: BSD-3-Clause
 * Scenarios of requests.c with functions of the program. */
#include "requests.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static int calls[8], seen[2];

static int slow(STAR_Request request)
{
    (void)request;
    calls[0]++;
    usleep(12000);
    return 0;
}

static int quick(STAR_Request request)
{
    GOOD(STAR_Request_get_value(request, 0, &seen[0]));
    GOOD(STAR_Request_get_value(request, 1, &seen[1]));
    calls[1]++;
    return 0;
}

static int middling(STAR_Request request)
{
    (void)request;
    calls[2]++;
    usleep(4000);
    return 0;
}

static STAR_Attrset make_attrset(void)
{
    char *names[] = {"ten", "eleven"};
    STAR_Attribute attributes[2];
    STAR_Attrset attrset;
    GOOD(STAR_Attribute_create(2, (int[]){10, 11}, names, "first", &attributes[0]));
    GOOD(STAR_Attribute_create(3, (int[]){20, 21, 22}, NULL, NULL, &attributes[1]));
    GOOD(STAR_Attrset_create(2, attributes, &attrset));
    GOOD(STAR_Attribute_free(&attributes[0]));
    GOOD(STAR_Attribute_free(&attributes[1]));
    return attrset;
}

static STAR_Request own_request(STAR_Fnctset *fnctset, STAR_Topology topology)
{
    STAR_Request request;
    GOOD(STAR_Request_create(STAR_VECTOR_NULL, topology, *fnctset, &request));
    GOOD(STAR_Fnctset_free(fnctset));
    return request;
}

static void own(void)
{
    STAR_Attrset attrset = make_attrset();
    STAR_Function functions[3];
    STAR_Fnctset fnctset;
    STAR_Topology topology;
    char name[STAR_MAX_NAME], value_name[STAR_MAX_NAME];
    int count, current, attributes, value, state;
    GOOD(STAR_Function_create(slow, attrset, (int[]){10, 20}, "slow", &functions[0]));
    GOOD(STAR_Function_create(quick, attrset, (int[]){11, 22}, "quick", &functions[1]));
    GOOD(STAR_Function_create(middling, attrset, (int[]){11, 21}, "middling", &functions[2]));
    GOOD(STAR_Fnctset_create(3, functions, "sleepers", &fnctset));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = own_request(&fnctset, topology);
    for (int i = 0; i < 3; i++)
        GOOD(STAR_Function_free(&functions[i]));
    GOOD(STAR_Attrset_free(&attrset));
    for (int run = 0; run < 400; run++)
        GOOD(STAR_Request_run(request));
    EXPECT(calls[0] + calls[1] + calls[2] == 400 && calls[1] > 300);
    EXPECT(seen[0] == 11 && seen[1] == 22);
    GOOD(STAR_Request_get_functions(request, &count, &current));
    EXPECT(count == 3 && current == 1);
    GOOD(STAR_Request_get_function(request, 1, name, &attributes));
    EXPECT(strcmp(name, "quick") == 0 && attributes == 2);
    GOOD(STAR_Request_get_attribute(request, 1, 0, name, &value, value_name));
    EXPECT(strcmp(name, "first") == 0 && value == 11 && strcmp(value_name, "eleven") == 0);
    GOOD(STAR_Request_get_attribute(request, 1, 1, name, &value, value_name));
    EXPECT(value == 22 && strcmp(value_name, "22") == 0);
    GOOD(STAR_Request_get_state(request, &state));
    EXPECT(state == 0);
    double filtered, mean, outliers;
    int told = STAR_Request_get_times(request, 0, &filtered, &mean, &outliers);
    EXPECT(rank == 0 ? told == STAR_SUCCESS && filtered > 0.012 && mean >= 0.012
                     : told == STAR_ERR_UNDEFINED);
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
}

static int uneven_calls;

static int even(STAR_Request request)
{
    (void)request;
    usleep(2000);
    return 0;
}

/* Less in the mean over ranks, and more where the program waits for it. */
static int uneven(STAR_Request request)
{
    (void)request;
    uneven_calls++;
    if (rank == 0)
        usleep(5000);
    return 0;
}

/* Of functions whose ranks' parts differ the slowest rank counts, as the program goes on when all are done.
 */
static void uneven_ranks(void)
{
    STAR_Function functions[2];
    STAR_Fnctset fnctset;
    STAR_Topology topology;
    GOOD(STAR_Function_create(even, STAR_ATTRSET_NULL, NULL, "even", &functions[0]));
    GOOD(STAR_Function_create(uneven, STAR_ATTRSET_NULL, NULL, "uneven", &functions[1]));
    GOOD(STAR_Fnctset_create(2, functions, "parts", &fnctset));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = own_request(&fnctset, topology);
    for (int run = 0; run < 500; run++) {
        GOOD(STAR_Request_run(request));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    EXPECT(uneven_calls > 0 && uneven_calls < 100);
    for (int i = 0; i < 2; i++)
        GOOD(STAR_Function_free(&functions[i]));
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
}

static int begun, waited, combinations[12];

static int begin_single(STAR_Request request)
{
    int first, second;
    GOOD(STAR_Request_get_value(request, 0, &first));
    GOOD(STAR_Request_get_value(request, 1, &second));
    combinations[(first - 10) * 3 + second - 20]++;
    begun++;
    return 0;
}

static int wait_single(STAR_Request request)
{
    (void)request;
    waited++;
    return 0;
}

/* Each combination of values but one is a function. */
static void single(void)
{
    STAR_Attrset attrset = make_attrset();
    STAR_Fnctset fnctset;
    STAR_Topology topology;
    int without[] = {10, 21}, *list[] = {without}, count, used = 0;
    char name[STAR_MAX_NAME];
    GOOD(STAR_Fnctset_create_single(begin_single, wait_single, attrset, "all", list, 1, &fnctset));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = own_request(&fnctset, topology);
    GOOD(STAR_Request_get_functions(request, &count, NULL));
    EXPECT(count == 5);
    GOOD(STAR_Request_get_function(request, 1, name, NULL));
    EXPECT(strcmp(name, "all ten 22") == 0);
    for (int run = 0; run < 500; run++) {
        GOOD(STAR_Request_begin(request));
        EXPECT(begun == run + 1 && waited == run);
        EXPECT(STAR_Request_progress(request) == STAR_CONTINUE);
        GOOD(STAR_Request_wait(request));
        EXPECT(waited == run + 1);
        GOOD(STAR_Request_wait(request)); /* as MPI_Wait: nothing is left */
        EXPECT(waited == run + 1);
    }
    for (int i = 0; i < 6; i++)
        used += combinations[i] > 0;
    EXPECT(used == 5 && combinations[1] == 0);
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
    GOOD(STAR_Attrset_free(&attrset));
}

/* Nobody tells when the program's function is done: a program that asks until it is comes to an end. */
static void asked_on_and_on(void)
{
    STAR_Attrset attrset = make_attrset();
    STAR_Fnctset fnctset;
    STAR_Topology topology;
    GOOD(STAR_Fnctset_create_single(begin_single, wait_single, attrset, "all", NULL, 0, &fnctset));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = own_request(&fnctset, topology);
    for (int run = 0; run < 10; run++) {
        int asked = 1;
        GOOD(STAR_Request_begin(request));
        while (STAR_Request_progress(request) == STAR_CONTINUE && asked < 100000)
            asked++;
        EXPECT(asked == 10000 && waited == run + 1);
        GOOD(STAR_Request_wait(request));
        EXPECT(waited == run + 1);
    }
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
    GOOD(STAR_Attrset_free(&attrset));
}

/* Without a topology each rank decides by itself, also where the others do not take part. */
static void alone(void)
{
    STAR_Function functions[2];
    STAR_Fnctset fnctset;
    int current;
    GOOD(STAR_Function_create(slow, STAR_ATTRSET_NULL, NULL, "slow", &functions[0]));
    GOOD(STAR_Function_create(middling, STAR_ATTRSET_NULL, NULL, "middling", &functions[1]));
    GOOD(STAR_Fnctset_create(2, functions, "sleepers", &fnctset));
    if (rank % 2 == 0) {
        STAR_Request request = own_request(&fnctset, STAR_TOPOLOGY_NULL);
        for (int run = 0; run < 200; run++)
            GOOD(STAR_Request_run(request));
        GOOD(STAR_Request_get_functions(request, &(int){0}, &current));
        EXPECT(current == 1);
        GOOD(STAR_Request_free(&request));
    }
}

/* ------ What the program says about times */

static int number_of(STAR_Request request)
{
    int current;
    GOOD(STAR_Request_get_functions(request, &(int){0}, &current));
    return current;
}

static int nothing(STAR_Request request)
{
    (void)request;
    return 0;
}

static STAR_Request nothings(STAR_Topology topology)
{
    STAR_Function functions[4];
    STAR_Fnctset fnctset;
    for (int i = 0; i < 4; i++)
        GOOD(STAR_Function_create(nothing, STAR_ATTRSET_NULL, NULL, NULL, &functions[i]));
    GOOD(STAR_Fnctset_create(4, functions, "nothings", &fnctset));
    return own_request(&fnctset, topology);
}

/* What the program says of function NUMBER: the third one is the best. */
static double seconds_of(int number)
{
    return number == 2 ? 0.001 : 0.002 + 0.001 * number;
}

static void told(void)
{
    STAR_Topology topology;
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = nothings(topology);
    for (int run = 0; run < 300; run++) {
        int number = number_of(request);
        GOOD(STAR_Request_run(request));
        GOOD(STAR_Request_update(request, seconds_of(number)));
    }
    EXPECT(number_of(request) == 2);
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
}

/* The program tells before it waits; of some ranks STAR_Request_progress has found the end by then. */
static void run_and_tell(STAR_Request request)
{
    GOOD(STAR_Request_begin(request));
    int number = number_of(request);
    if (rank % 2 == 1)
        GOOD(STAR_Request_progress(request));
    GOOD(STAR_Request_update(request, seconds_of(number)));
    GOOD(STAR_Request_wait(request));
}

/* No rank waits. */
static void run_and_leave(STAR_Request request)
{
    GOOD(STAR_Request_begin(request));
    int number = number_of(request);
    GOOD(STAR_Request_progress(request));
    GOOD(STAR_Request_update(request, seconds_of(number)));
}

/* One of the program's parts: they are not under way one within the other, and what it tells counts. */
static int tell_at_end(STAR_Request request)
{
    GOOD(STAR_Request_progress(request));
    GOOD(STAR_Request_wait(request));
    GOOD(STAR_Request_update(request, seconds_of(number_of(request))));
    return 0;
}

static void run_in_parts(STAR_Request request)
{
    GOOD(STAR_Request_start_overlap(request, NULL, NULL, tell_at_end));
}

/* Whoever finds the end of a run first, what the program says of it counts on all ranks. */
static void told_within(void)
{
    void (*const ways[])(STAR_Request request) = {run_and_tell, run_and_leave, run_in_parts};
    STAR_Topology topology;
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    for (int way = 0; way < 3; way++) {
        STAR_Request request = nothings(topology);
        for (int run = 0; run < 300; run++) {
            ways[way](request);
            MPI_Barrier(MPI_COMM_WORLD); /* ranks that count differently do not meet in it */
        }
        EXPECT(number_of(request) == 2);
        GOOD(STAR_Request_free(&request));
    }
    GOOD(STAR_Topology_free(&topology));
}

/* Now and then a rank's clock is wrong: that rank hears of it, and the run counts on all. */
static void told_wrong(void)
{
    STAR_Topology topology;
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = nothings(topology);
    for (int run = 0; run < 300; run++) {
        bool wrongly = run % 9 == 4 && rank == run / 18 % 2;
        GOOD(STAR_Request_begin(request));
        double seconds = wrongly ? (rank ? NAN : -1.0) : seconds_of(number_of(request));
        if (run % 2 == 0)
            GOOD(STAR_Request_wait(request));
        EXPECT(STAR_Request_update(request, seconds) == (wrongly ? STAR_ERR_ARG : STAR_SUCCESS));
        GOOD(STAR_Request_wait(request));
        MPI_Barrier(MPI_COMM_WORLD); /* ranks that count differently do not meet in it */
    }
    EXPECT(number_of(request) == 2);
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
}

/* Of the functions that were measured before, the best and the first take part. */
static void restored(void)
{
    STAR_Topology topology;
    bool used[4] = {false};
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = nothings(topology);
    GOOD(STAR_Request_restore(request, 3, (double[]){3, 2, 1}));
    for (int run = 0; run < 300; run++) {
        used[number_of(request)] = true;
        GOOD(STAR_Request_run(request));
    }
    EXPECT(used[0] && !used[1] && used[2] && used[3]);
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
}

/* The second one runs in all regions, and the first in each EVERYth; 0: they take turns. */
static bool is_in(int i, int region, int every)
{
    return every == 0 ? region % 2 == i : i == 1 || (region + 1) % every == 0;
}

/* Two requests, each of whose third function is the best by the time of the region; each other one takes UNIT
 * microseconds more than the one before. */
static void tune_by_regions(STAR_Request *requests, int regions, int every, unsigned unit)
{
    STAR_Timer timer;
    GOOD(STAR_Timer_create(2, requests, &timer));
    for (int region = 0; region < regions; region++) {
        GOOD(STAR_Timer_start(timer));
        for (int i = 0; i < 2; i++) {
            if (!is_in(i, region, every))
                continue;
            int number = number_of(requests[i]);
            GOOD(STAR_Request_run(requests[i]));
            usleep(number == 2 ? 50 : (4 + (unsigned)number) * unit);
        }
        GOOD(STAR_Timer_stop(timer));
    }
    GOOD(STAR_Timer_free(&timer));
}

static void by_regions(int regions, int every, unsigned unit)
{
    STAR_Topology topology;
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request requests[2] = {nothings(topology), nothings(topology)};
    tune_by_regions(requests, regions, every, unit);
    EXPECT((every > 1 || number_of(requests[0]) == 2) && number_of(requests[1]) == 2);
    for (int i = 0; i < 2; i++)
        GOOD(STAR_Request_free(&requests[i]));
    GOOD(STAR_Topology_free(&topology));
}

static void timers(void)
{
    by_regions(600, 1, 2000);
}

static void by_turns(void)
{
    by_regions(900, 0, 1000);
}

/* By regions without the first one nothing is known of it, and it does not keep the second one from being
 * tuned. */
static void seldom(void)
{
    by_regions(900, 10, 1000);
}

static int parts[3];

static int middle(STAR_Request request)
{
    parts[0]++;
    return STAR_Request_progress(request) == STAR_CONTINUE ? 0 : 1;
}

static int ending(STAR_Request request)
{
    (void)request;
    parts[1]++;
    return 0;
}

static int total(STAR_Request request)
{
    (void)request;
    parts[2]++;
    return 0;
}

/* Functions that overlap have the middle and the end, others the total. */
static void overlap(void)
{
    STAR_Function functions[2];
    STAR_Fnctset fnctset;
    STAR_Topology topology;
    GOOD(STAR_Function_create(nothing, STAR_ATTRSET_NULL, NULL, "whole", &functions[0]));
    GOOD(STAR_Function_create_async(nothing, nothing, STAR_ATTRSET_NULL, NULL, "halves", &functions[1]));
    GOOD(STAR_Fnctset_create(2, functions, "either", &fnctset));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Request request = own_request(&fnctset, topology);
    for (int run = 0; run < 300; run++) {
        int number = number_of(request), before[3];
        memcpy(before, parts, sizeof parts);
        GOOD(STAR_Request_start_overlap(request, middle, ending, total));
        EXPECT(parts[0] - before[0] == (number == 1) && parts[1] - before[1] == (number == 1) &&
               parts[2] - before[2] == (number == 0));
    }
    EXPECT(parts[0] > 0 && parts[2] > 0);
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Topology_free(&topology));
}

static int state_of(STAR_Request request)
{
    int state = -1;
    GOOD(STAR_Request_get_state(request, &state));
    return state;
}

static void run_often(STAR_Request request, int runs)
{
    for (int run = 0; run < runs; run++)
        GOOD(STAR_Request_run(request));
}

/* In a timer's region the request learns anew. */
static void expect_anew(STAR_Request request)
{
    STAR_Timer timer;
    GOOD(STAR_Timer_create(1, &request, &timer));
    GOOD(STAR_Timer_start(timer));
    EXPECT(state_of(request) == 1);
    run_often(request, 1);
    GOOD(STAR_Timer_stop(timer));
    GOOD(STAR_Timer_free(&timer));
}

/* What one request learns, those that are alike know; others do not: with another vector, on another
 * communicator, measured by a timer. */
static void expect_alike(STAR_Fnctset fnctset, STAR_Topology topology, STAR_Topology twin, STAR_Vector vector)
{
    STAR_Request first, second, wide, other;
    GOOD(STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, &first));
    EXPECT(state_of(first) == 1);
    run_often(first, 60);
    EXPECT(state_of(first) == 0 && number_of(first) == 1);
    GOOD(STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, &second));
    GOOD(STAR_Request_create(vector, topology, fnctset, &wide));
    GOOD(STAR_Request_create(STAR_VECTOR_NULL, twin, fnctset, &other));
    EXPECT(state_of(second) == 0 && number_of(second) == 1);
    EXPECT(state_of(wide) == 1 && state_of(other) == 1);
    int before = calls[0];
    GOOD(STAR_Request_free(&first)); /* what it learnt stays with those that are left */
    run_often(second, 20);
    EXPECT(calls[0] == before);
    run_often(wide, 1);
    EXPECT(calls[0] == before + 1);
    expect_anew(second);
    GOOD(STAR_Request_free(&second));
    GOOD(STAR_Request_free(&wide));
    GOOD(STAR_Request_free(&other));
}

static void alike(void)
{
    STAR_Function functions[2];
    STAR_Fnctset fnctset;
    STAR_Topology topologies[2];
    MPI_Comm twin;
    STAR_Vector vector;
    static double data[9];
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    GOOD(STAR_Function_create(slow, STAR_ATTRSET_NULL, NULL, "slow", &functions[0]));
    GOOD(STAR_Function_create(middling, STAR_ATTRSET_NULL, NULL, "middling", &functions[1]));
    GOOD(STAR_Fnctset_create(2, functions, "sleepers", &fnctset));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topologies[0]));
    GOOD(STAR_Topology_create(twin, &topologies[1]));
    GOOD(STAR_Vector_register(2, (int[]){3, 3}, 1, MPI_DOUBLE, data, &vector));
    expect_alike(fnctset, topologies[0], topologies[1], vector);
    GOOD(STAR_Vector_deregister(&vector));
    GOOD(STAR_Fnctset_free(&fnctset));
    for (int i = 0; i < 2; i++) {
        GOOD(STAR_Function_free(&functions[i]));
        GOOD(STAR_Topology_free(&topologies[i]));
    }
    MPI_Comm_free(&twin);
}

/* Several that are alike, under way at once: when ranks come to another function for all, some still run the
 * one before. */
static void alike_at_once(void)
{
    enum { ALIKE = 4 };
    STAR_Topology topology;
    STAR_Fnctset fnctset;
    STAR_Function functions[2];
    STAR_Request requests[ALIKE];
    GOOD(STAR_Function_create_async(nothing, nothing, STAR_ATTRSET_NULL, NULL, "first", &functions[0]));
    GOOD(STAR_Function_create_async(nothing, nothing, STAR_ATTRSET_NULL, NULL, "second", &functions[1]));
    GOOD(STAR_Fnctset_create(2, functions, "nothings", &fnctset));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    for (int i = 0; i < ALIKE; i++)
        GOOD(STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, &requests[i]));
    bool differed = false;
    for (int run = 0; run < 200 || (run < 20000 && state_of(requests[0]) != 0); run++) {
        for (int i = 0; i < ALIKE; i++)
            GOOD(STAR_Request_begin(requests[i]));
        for (int i = 0; i < ALIKE; i++) {
            GOOD(STAR_Request_wait(requests[i]));
            differed = differed || number_of(requests[i]) != number_of(requests[ALIKE - 1]);
        }
        EXPECT(number_of(requests[0]) == number_of(requests[ALIKE - 1]));
    }
    EXPECT(differed && state_of(requests[0]) == 0);
    for (int i = 0; i < ALIKE; i++)
        GOOD(STAR_Request_free(&requests[i]));
    for (int i = 0; i < 2; i++)
        GOOD(STAR_Function_free(&functions[i]));
    GOOD(STAR_Fnctset_free(&fnctset));
    GOOD(STAR_Topology_free(&topology));
}

const struct scenario own_scenarios[] = {{"own", own},
                                         {"uneven-ranks", uneven_ranks},
                                         {"single", single},
                                         {"asked-on-and-on", asked_on_and_on},
                                         {"alone", alone},
                                         {"told", told},
                                         {"told-within", told_within},
                                         {"told-wrong", told_wrong},
                                         {"restored", restored},
                                         {"timers", timers},
                                         {"by-turns", by_turns},
                                         {"seldom", seldom},
                                         {"overlap", overlap},
                                         {"alike", alike},
                                         {"alike-at-once", alike_at_once},
                                         {NULL, NULL}};
