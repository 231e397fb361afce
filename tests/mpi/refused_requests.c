/* SPDX-License-Identifier: BSD-3-Clause
 * Bad input to the functions of startune_patterns.h: each gives its error code, and one line on standard
 * error that names the function, the argument and the object. Nothing crashes. All
 * ranks make each mistake; the last one of a request's creation, one rank alone. */
#include "startune.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, wrong, lines;
static FILE *said;  /* what went to standard error */
static long before; /* where the call's line begins */

static void fail(int line, const char *what, const char *found)
{
    printf("rank %d: line %d: %s: %s\n", rank, line, what, found);
    wrong++;
}

/* One line that has both words, from one call. */
static void expect(int line, int code, int right, const char *function, const char *words)
{
    char text[2048] = "";
    fflush(stderr);
    fseek(said, before, SEEK_SET);
    size_t length = fread(text, 1, sizeof text - 1, said);
    text[length] = 0;
    before += (long)length;
    if (code != right)
        fail(line, "another error code", text);
    if (strncmp(text, "startune: error: ", 17) != 0 || strchr(text, '\n') != text + length - 1)
        fail(line, "not one line", text);
    if (strstr(text, function) == NULL || strstr(text, words) == NULL)
        fail(line, words, text);
    lines++;
}
#define REFUSED(right, words, function, ...) expect(__LINE__, function(__VA_ARGS__), right, #function, words)
#define GOOD(call)                                                                                           \
    do {                                                                                                     \
        if ((call) != STAR_SUCCESS)                                                                          \
            fail(__LINE__, "refused", #call);                                                                \
    } while (0)

static int nothing(STAR_Request request)
{
    (void)request;
    return 0;
}

static void attributes(void)
{
    STAR_Attribute attribute, freed, never = NULL;
    STAR_Attrset attrset;
    GOOD(STAR_Attribute_create(2, (int[]){1, 2}, NULL, "speed", &attribute));
    freed = attribute;
    REFUSED(STAR_ERR_ARG, "count is 0", STAR_Attribute_create, 0, (int[]){1}, NULL, "none", &attribute);
    REFUSED(STAR_ERR_ARG, "values is NULL", STAR_Attribute_create, 2, NULL, NULL, "none", &attribute);
    REFUSED(STAR_ERR_ARG, "are both 7", STAR_Attribute_create, 2, ((int[]){7, 7}), NULL, "twice", &attribute);
    REFUSED(STAR_ERR_ARG, "count is -1", STAR_Attrset_create, -1, &attribute, &attrset);
    REFUSED(STAR_ERR_ATTRIBUTE, "attributes[0] is no attribute", STAR_Attrset_create, 1, &never, &attrset);
    GOOD(STAR_Attribute_free(&attribute));
    REFUSED(STAR_ERR_ATTRIBUTE, "STAR_ATTRIBUTE_NULL", STAR_Attribute_free, &attribute);
    REFUSED(STAR_ERR_ATTRIBUTE, "has been freed", STAR_Attribute_free, &freed);
    REFUSED(STAR_ERR_ATTRIBUTE, "has been freed", STAR_Attrset_create, 1, &freed, &attrset);
    REFUSED(STAR_ERR_ATTRIBUTE, "another kind", STAR_Attribute_free,
            (STAR_Attribute *)(void *)&(STAR_Vmap){STAR_VMAP_NULL});
    REFUSED(STAR_ERR_ARG, "is NULL", STAR_Attribute_free, NULL);
}

static void functions(void)
{
    STAR_Attribute attribute;
    STAR_Attrset attrset;
    STAR_Function made, others[2];
    STAR_Fnctset fnctset;
    GOOD(STAR_Attribute_create(2, (int[]){1, 2}, NULL, "speed", &attribute));
    GOOD(STAR_Attrset_create(1, &attribute, &attrset));
    REFUSED(STAR_ERR_WORK, "function f", STAR_Function_create, NULL, attrset, (int[]){1}, "f", &made);
    REFUSED(STAR_ERR_WORK, "to wait with", STAR_Function_create_async, nothing, NULL, attrset, (int[]){1},
            "f", &made);
    REFUSED(STAR_ERR_ARG, "attribute speed has no such value", STAR_Function_create, nothing, attrset,
            (int[]){3}, "f", &made);
    REFUSED(STAR_ERR_ARG, "values is NULL", STAR_Function_create, nothing, attrset, NULL, "f", &made);
    REFUSED(STAR_ERR_ATTRSET, "attrset is no attribute-set", STAR_Function_create, nothing, NULL, NULL, "f",
            &made);
    GOOD(STAR_Function_create(nothing, attrset, (int[]){1}, "with", &others[0]));
    GOOD(STAR_Function_create(nothing, STAR_ATTRSET_NULL, NULL, "without", &others[1]));
    REFUSED(STAR_ERR_ATTRSET, "functions[1], without, has another attribute-set", STAR_Fnctset_create, 2,
            others, "mixed", &fnctset);
    REFUSED(STAR_ERR_ARG, "0 functions", STAR_Fnctset_create, 0, others, "empty", &fnctset);
    REFUSED(STAR_ERR_ARG, "257 functions", STAR_Fnctset_create, 257, others, "many", &fnctset);
    REFUSED(STAR_ERR_ARG, "0 functions", STAR_Fnctset_create_single, nothing, NULL, attrset, "none",
            ((int *[]){(int[]){1}, (int[]){2}}), 2, &fnctset);
    REFUSED(STAR_ERR_ATTRSET, "STAR_ATTRSET_NULL", STAR_Fnctset_create_single, nothing, NULL,
            STAR_ATTRSET_NULL, "none", NULL, 0, &fnctset);
    fnctset = STAR_FNCTSET_NEIGHBORHOOD;
    REFUSED(STAR_ERR_FNCTSET, "predefined", STAR_Fnctset_free, &fnctset);
    GOOD(STAR_Function_free(&others[0]));
    GOOD(STAR_Function_free(&others[1]));
    GOOD(STAR_Attrset_free(&attrset));
    GOOD(STAR_Attribute_free(&attribute));
}

static void vectors(void)
{
    static double data[64];
    int dims[] = {8, 8}, zero[] = {8, -1};
    STAR_Vmap vmap, list;
    STAR_Vector vector;
    MPI_Datatype gaps, woven;
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &gaps);
    MPI_Type_create_resized(gaps, 0, 2 * sizeof(double), &woven); /* as many bytes as it is wide */
    REFUSED(STAR_ERR_WIDTH, "width is -1", STAR_Vmap_halo_allocate, -1, &vmap);
    REFUSED(STAR_ERR_OP, "MPI_OP_NULL", STAR_Vmap_reduce_allocate, MPI_OP_NULL, &vmap);
    REFUSED(STAR_ERR_ARG, "counts is NULL", STAR_Vmap_list_allocate, 2, NULL, dims, &list);
    REFUSED(STAR_ERR_ARG, "counts[1] is -1", STAR_Vmap_list_allocate, 2, zero, dims, &list);
    GOOD(STAR_Vmap_halo_allocate(1, &vmap));
    REFUSED(STAR_ERR_NDIMS, "ndims is 0", STAR_Vector_register_generic, 0, dims, 0, vmap, MPI_DOUBLE, data,
            &vector);
    REFUSED(STAR_ERR_NDIMS, "ndims is 9", STAR_Vector_register_generic, 9, dims, 0, vmap, MPI_DOUBLE, data,
            &vector);
    REFUSED(STAR_ERR_DIMS, "dims is NULL", STAR_Vector_register_generic, 2, NULL, 0, vmap, MPI_DOUBLE, data,
            &vector);
    REFUSED(STAR_ERR_DIMS, "dims[1] is -1", STAR_Vector_register_generic, 2, zero, 0, vmap, MPI_DOUBLE, data,
            &vector);
    REFUSED(STAR_ERR_VALUES, "values is -2", STAR_Vector_register_generic, 2, dims, -2, vmap, MPI_DOUBLE,
            data, &vector);
    REFUSED(STAR_ERR_TYPE, "MPI_DATATYPE_NULL", STAR_Vector_register_generic, 2, dims, 0, vmap,
            MPI_DATATYPE_NULL, data, &vector);
    REFUSED(STAR_ERR_TYPE, "has gaps", STAR_Vector_register_generic, 2, dims, 0, vmap, gaps, data, &vector);
    REFUSED(STAR_ERR_TYPE, "has gaps", STAR_Vector_register_generic, 2, dims, 0, vmap, woven, data, &vector);
    REFUSED(STAR_ERR_DATA, "data is NULL", STAR_Vector_register_generic, 2, dims, 0, vmap, MPI_DOUBLE, NULL,
            &vector);
    REFUSED(STAR_ERR_DIMS, "dims[0] is 8: with a halo of 3 points", STAR_Vector_register, 2, dims, 3,
            MPI_DOUBLE, data, &vector);
    REFUSED(STAR_ERR_VMAP, "STAR_VMAP_NULL", STAR_Vector_register_generic, 2, dims, 0, STAR_VMAP_NULL,
            MPI_DOUBLE, data, &vector);
    GOOD(STAR_Vector_register(2, dims, 1, MPI_DOUBLE, data, &vector));
    REFUSED(STAR_ERR_DATA, "STAR_Vector_deregister takes it", STAR_Vector_free, &vector);
    GOOD(STAR_Vector_deregister(&vector));
    REFUSED(STAR_ERR_VECTOR, "STAR_VECTOR_NULL", STAR_Vector_deregister, &vector);
    GOOD(STAR_Vmap_free(&vmap));
    MPI_Type_free(&gaps);
    MPI_Type_free(&woven);
}

static void topologies(void)
{
    STAR_Topology topology;
    int there[] = {0}, nowhere[] = {99}, pairs;
    MPI_Comm world = MPI_COMM_WORLD;
    REFUSED(STAR_ERR_COMM, "MPI_COMM_NULL", STAR_Topology_create, MPI_COMM_NULL, &topology);
    REFUSED(STAR_ERR_COMM, "not Cartesian", STAR_Topology_create_extended, world, &topology);
    REFUSED(STAR_ERR_ARG, "topology is NULL", STAR_Topology_create, world, NULL);
    REFUSED(STAR_ERR_DIRECTION, "direction is 9", STAR_Topology_create_generic, 1, 1, there, there, NULL,
            NULL, 9, world, &topology);
    REFUSED(STAR_ERR_ARG, "right[0] is no rank", STAR_Topology_create_generic, 1, 1, there, nowhere, NULL,
            NULL, STAR_DIRECTION_BOTH, world, &topology);
    REFUSED(STAR_ERR_ARG, "pairs is 5", STAR_Topology_create_generic, 1, 5, there, there, NULL, NULL,
            STAR_DIRECTION_BOTH, world, &topology);
    REFUSED(STAR_ERR_ARG, "left is NULL", STAR_Topology_create_generic, 1, 1, NULL, there, NULL, NULL,
            STAR_DIRECTION_BOTH, world, &topology);
    REFUSED(STAR_ERR_NDIMS, "ndims is 0", STAR_Topology_get_cart_number_neighbors, 0, 0, &pairs);
    REFUSED(STAR_ERR_COMM, "not Cartesian", STAR_Topology_get_cart_neighbors, 1, there, nowhere, &pairs,
            world);
}

/* One rank's mistake is the others' error. */
static void expect_of_one(int line, int code, int right, const char *function, const char *words)
{
    const char *others = "another rank's arguments";
    expect(line, code, rank == 1 ? right : STAR_ERR_USER, function, rank == 1 ? words : others);
}

static void one_rank_alone(STAR_Vector flat, STAR_Vector cube, STAR_Topology grid)
{
    static const double times[] = {1};
    STAR_Fnctset set = STAR_FNCTSET_NEIGHBORHOOD;
    STAR_Request request;
    expect_of_one(__LINE__, STAR_Request_create(rank == 1 ? cube : flat, grid, set, &request), STAR_ERR_DIMS,
                  "STAR_Request_create", "dimensions");
    expect_of_one(__LINE__, STAR_Request_create(flat, grid, set, rank == 1 ? NULL : &request), STAR_ERR_ARG,
                  "STAR_Request_create", "request is NULL");
    GOOD(STAR_Request_create(flat, grid, set, &request));
    expect_of_one(__LINE__, STAR_Request_restore(request, 1, rank == 1 ? NULL : times), STAR_ERR_ARG,
                  "STAR_Request_restore", "filtered is NULL");
    GOOD(STAR_Request_free(&request));
}

/* Ten doubles, of which a list of two ranks wants sixteen. */
static void too_short_to_scatter(STAR_Topology plain)
{
    static double data[16];
    int ten = 10, eight = 8, counts[] = {8, 8}, places[] = {0, 0};
    STAR_Vmap sum, list;
    STAR_Vector send, receive;
    STAR_Request request;
    GOOD(STAR_Vmap_reduce_allocate(MPI_SUM, &sum));
    GOOD(STAR_Vmap_list_allocate(2, counts, places, &list));
    GOOD(STAR_Vector_register_generic(1, &ten, 0, sum, MPI_DOUBLE, data, &send));
    GOOD(STAR_Vector_register_generic(1, &eight, 0, list, MPI_DOUBLE, data, &receive));
    REFUSED(STAR_ERR_DIMS, "send has 10 elements, receive's list 16", STAR_Request_create_generic, send,
            receive, plain, STAR_FNCTSET_REDUCE_SCATTER, &request);
    GOOD(STAR_Vector_deregister(&send));
    GOOD(STAR_Vector_deregister(&receive));
    GOOD(STAR_Vmap_free(&sum));
    GOOD(STAR_Vmap_free(&list));
}

/* What is sent from where it is received, and MPI does not know: but for lists of different places, and where
 * nothing moves. */
static void one_array(STAR_Topology plain)
{
    static double data[16];
    int eight = 8, none = 0, counts[] = {2, 2}, low[] = {0, 2}, high[] = {4, 6};
    MPI_Comm world = MPI_COMM_WORLD;
    STAR_Vmap all, sum;
    STAR_Vector whole, again, reduced, empty;
    STAR_Request request;
    GOOD(STAR_Vmap_all_allocate(&all));
    GOOD(STAR_Vmap_reduce_allocate(MPI_SUM, &sum));
    GOOD(STAR_Vector_register_generic(1, &eight, 0, all, MPI_DOUBLE, data, &whole));
    GOOD(STAR_Vector_register_generic(1, &eight, 0, all, MPI_DOUBLE, data, &again));
    GOOD(STAR_Vector_register_generic(1, &eight, 0, sum, MPI_DOUBLE, data, &reduced));
    GOOD(STAR_Vector_register_generic(1, &none, 0, sum, MPI_DOUBLE, data, &empty));
    REFUSED(STAR_ERR_DATA, "a send vector with a map inplace", STAR_Request_create, reduced, plain,
            STAR_FNCTSET_ALLREDUCE, &request);
    REFUSED(STAR_ERR_DATA, "in the same memory", STAR_Request_create_generic, whole, again, plain,
            STAR_FNCTSET_ALLTOALL, &request);
    expect_of_one(
        __LINE__,
        STAR_Request_create_generic_rooted(whole, STAR_VECTOR_NULL, plain, STAR_FNCTSET_GATHER, 1, &request),
        STAR_ERR_DATA, "STAR_Request_create_generic_rooted", "in the same memory");
    expect(__LINE__,
           STAR_Alltoallv_init(data, counts, low, MPI_DOUBLE, data, counts, low, MPI_DOUBLE, world, &request),
           STAR_ERR_DATA, "", "function-set alltoallv needs two");
    GOOD(STAR_Alltoallv_init(data, counts, low, MPI_DOUBLE, data, counts, high, MPI_DOUBLE, world, &request));
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Request_create(empty, plain, STAR_FNCTSET_ALLREDUCE, &request));
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Request_create(whole, plain, STAR_FNCTSET_BCAST, &request));
    GOOD(STAR_Request_free(&request));
    STAR_Vector *const vectors[] = {&whole, &again, &reduced, &empty};
    for (int i = 0; i < 4; i++)
        GOOD(STAR_Vector_deregister(vectors[i]));
    GOOD(STAR_Vmap_free(&all));
    GOOD(STAR_Vmap_free(&sum));
}

/* Blocks that are more than MPI_INT counts in all: said of what the program gave. */
static void more_than_int(void)
{
    static double sent[16], received[16];
    int block = 1 << 30, counts[] = {INT_MAX, 1}, places[] = {1, 0};
    MPI_Comm world = MPI_COMM_WORLD;
    STAR_Request request;
    expect_of_one(
        __LINE__,
        STAR_Alltoall_init(sent, rank == 1 ? block : 1, MPI_DOUBLE, received, 1, MPI_DOUBLE, world, &request),
        STAR_ERR_DIMS, rank == 1 ? "STAR_Alltoall_init" : "STAR_Request_create",
        "sendbuf has 2147483648 elements");
    REFUSED(STAR_ERR_DIMS, "recvbuf has 2147483648 elements", STAR_Allgatherv_init, sent, 1, MPI_DOUBLE,
            received, counts, places, MPI_DOUBLE, world, &request);
    GOOD(STAR_Alltoall_init(MPI_IN_PLACE, block, MPI_DOUBLE, received, 1, MPI_DOUBLE, world, &request));
    GOOD(STAR_Request_free(&request));
}

/* Collective: all ranks make the same mistake, and each hears of it. */
static void requests(MPI_Comm cart)
{
    static double data[64];
    int dims[] = {4, 4, 4}, long_dims[] = {3, 200000000};
    STAR_Vector flat, cube, huge; /* whose bytes are never touched */
    STAR_Vmap all;
    STAR_Vector whole;
    STAR_Topology plain, grid;
    STAR_Request request, freed;
    GOOD(STAR_Vector_register(2, dims, 1, MPI_DOUBLE, data, &flat));
    GOOD(STAR_Vector_register(3, dims, 1, MPI_DOUBLE, data, &cube));
    GOOD(STAR_Vector_register(2, long_dims, 1, MPI_DOUBLE, data, &huge));
    GOOD(STAR_Vmap_all_allocate(&all));
    GOOD(STAR_Vector_register_generic(2, dims, 0, all, MPI_DOUBLE, data, &whole));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &plain));
    GOOD(STAR_Topology_create(cart, &grid));
    REFUSED(STAR_ERR_DIMS, "send has 3 dimensions, the topology has 2", STAR_Request_create, cube, grid,
            STAR_FNCTSET_NEIGHBORHOOD, &request);
    REFUSED(STAR_ERR_VMAP, "vector map all", STAR_Request_create, whole, grid, STAR_FNCTSET_NEIGHBORHOOD,
            &request);
    REFUSED(STAR_ERR_COMM, "not Cartesian", STAR_Request_create, flat, plain, STAR_FNCTSET_NEIGHBORHOOD,
            &request);
    REFUSED(STAR_ERR_TOPOLOGY, "STAR_TOPOLOGY_NULL", STAR_Request_create, flat, STAR_TOPOLOGY_NULL,
            STAR_FNCTSET_NEIGHBORHOOD, &request);
    REFUSED(STAR_ERR_VECTOR, "STAR_VECTOR_NULL", STAR_Request_create, STAR_VECTOR_NULL, grid,
            STAR_FNCTSET_NEIGHBORHOOD, &request);
    REFUSED(STAR_ERR_FNCTSET, "STAR_FNCTSET_NULL", STAR_Request_create, flat, grid, STAR_FNCTSET_NULL,
            &request);
    REFUSED(STAR_ERR_TOPOLOGY, "topology is no topology", STAR_Request_create, flat, NULL,
            STAR_FNCTSET_NEIGHBORHOOD, &request);
    REFUSED(STAR_ERR_ARG, "root is 2", STAR_Request_create_generic_rooted, whole, whole, plain,
            STAR_FNCTSET_BCAST, 2, &request);
    REFUSED(STAR_ERR_VMAP, "needs reduce", STAR_Request_create, whole, plain, STAR_FNCTSET_ALLREDUCE,
            &request);
    one_rank_alone(flat, cube, grid);
    too_short_to_scatter(plain);
    one_array(plain);
    more_than_int();
    REFUSED(STAR_ERR_INTERN, "a side of the vector has 1599999984 bytes", STAR_Request_create, huge, grid,
            STAR_FNCTSET_NEIGHBORHOOD, &request);
    GOOD(STAR_Request_create(flat, grid, STAR_FNCTSET_NEIGHBORHOOD, &request));
    REFUSED(STAR_ERR_ARG, "count is 1000", STAR_Request_restore, request, 1000, (double[]){1});
    STAR_Timer timer;
    GOOD(STAR_Timer_create(1, &request, &timer));
    REFUSED(STAR_ERR_REQUEST, "has a timer", STAR_Request_restore, request, 1, (double[]){1});
    GOOD(STAR_Timer_free(&timer));
    freed = request;
    GOOD(STAR_Request_free(&request));
    REFUSED(STAR_ERR_REQUEST, "has been freed", STAR_Request_run, freed);
    REFUSED(STAR_ERR_REQUEST, "STAR_REQUEST_NULL", STAR_Request_run, request);
    REFUSED(STAR_ERR_REQUEST, "is no request", STAR_Request_wait, NULL);
    GOOD(STAR_Vector_deregister(&flat));
    GOOD(STAR_Vector_deregister(&cube));
    GOOD(STAR_Vector_deregister(&huge));
    GOOD(STAR_Vector_deregister(&whole));
    GOOD(STAR_Vmap_free(&all));
    GOOD(STAR_Topology_free(&plain));
    GOOD(STAR_Topology_free(&grid));
}

/* Two requests on one vector: the second is refused while the first is under way, and right behind it. */
static void in_flight(MPI_Comm cart)
{
    static double data[16];
    int dims[] = {4, 4};
    STAR_Vector vector;
    STAR_Topology grid;
    STAR_Request requests[2];
    STAR_Timer timer, other;
    GOOD(STAR_Vector_register(2, dims, 1, MPI_DOUBLE, data, &vector));
    GOOD(STAR_Topology_create(cart, &grid));
    for (int i = 0; i < 2; i++)
        GOOD(STAR_Request_create(vector, grid, STAR_FNCTSET_NEIGHBORHOOD, &requests[i]));
    GOOD(STAR_Request_begin(requests[0]));
    REFUSED(STAR_ERR_VECTOR, "under way in another request", STAR_Request_run, requests[1]);
    REFUSED(STAR_ERR_REQUEST, "under way already", STAR_Request_run, requests[0]);
    REFUSED(STAR_ERR_REQUEST, "under way already", STAR_Request_begin, requests[0]);
    REFUSED(STAR_ERR_REQUEST, "under way", STAR_Request_free, &requests[0]);
    REFUSED(STAR_ERR_REQUEST, "under way", STAR_Timer_create, 1, requests, &timer);
    GOOD(STAR_Request_wait(requests[0]));
    GOOD(STAR_Request_run(requests[1]));
    GOOD(STAR_Timer_create(1, requests, &timer));
    REFUSED(STAR_ERR_REQUEST, "has a timer already", STAR_Timer_create, 1, requests, &other);
    REFUSED(STAR_ERR_TIMER, "does not run", STAR_Timer_stop, timer);
    GOOD(STAR_Timer_start(timer));
    REFUSED(STAR_ERR_TIMER, "runs already", STAR_Timer_start, timer);
    REFUSED(STAR_ERR_REQUEST, "none of the timer's", STAR_Timer_remove_request, timer, requests[1]);
    REFUSED(STAR_ERR_ARG, "seconds is -1", STAR_Request_update, requests[0], -1);
    REFUSED(STAR_ERR_FUNCTION, "function is 1000", STAR_Request_get_function, requests[0], 1000,
            (char[STAR_MAX_NAME]){0}, NULL);
    REFUSED(STAR_ERR_ARG, "attribute is 3", STAR_Request_get_value, requests[0], 3, &(int){0});
    GOOD(STAR_Timer_free(&timer));
    REFUSED(STAR_ERR_TIMER, "STAR_TIMER_NULL", STAR_Timer_start, timer);
    for (int i = 0; i < 2; i++)
        GOOD(STAR_Request_free(&requests[i]));
    GOOD(STAR_Vector_deregister(&vector));
    GOOD(STAR_Topology_free(&grid));
}

static STAR_Request started;

static int fails(STAR_Request request)
{
    (void)request;
    return 42;
}

static int starts_itself(STAR_Request request)
{
    return STAR_Request_run(request) == STAR_ERR_REQUEST ? 0 : 1;
}

static int waits_for_itself(STAR_Request request)
{
    bool right =
        STAR_Request_progress(request) == STAR_CONTINUE && STAR_Request_wait(request) == STAR_ERR_REQUEST;
    return right ? 0 : 1;
}

/* A function of the program that fails is named. One that starts its own request, or waits for it, is
 * refused. */
static void failing(void)
{
    STAR_Function function;
    STAR_Fnctset fnctset;
    STAR_Topology topology;
    STAR_Work *const works[] = {fails, starts_itself, waits_for_itself};
    const char *const said_of[] = {"", "starts its own request", "waits for its own request"};
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    for (int i = 0; i < 3; i++) {
        GOOD(STAR_Function_create(works[i], STAR_ATTRSET_NULL, NULL, i ? "eager" : "broken", &function));
        GOOD(STAR_Fnctset_create(1, &function, "mine", &fnctset));
        GOOD(STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, &started));
        if (i == 0)
            REFUSED(STAR_ERR_USER, "function broken of function-set mine returned 42", STAR_Request_run,
                    started);
        else
            expect(__LINE__, STAR_Request_run(started), STAR_SUCCESS, "STAR_Request_", said_of[i]);
        GOOD(STAR_Request_free(&started));
        GOOD(STAR_Fnctset_free(&fnctset));
        GOOD(STAR_Function_free(&function));
    }
    GOOD(STAR_Topology_free(&topology));
}

static int starts_again(STAR_Request request)
{
    REFUSED(STAR_ERR_REQUEST, "under way already", STAR_Request_run, request);
    REFUSED(STAR_ERR_REQUEST, "under way already", STAR_Request_start_overlap, request, starts_again, NULL,
            NULL);
    REFUSED(STAR_ERR_REQUEST, "under way", STAR_Request_free, &request);
    return 0;
}

/* While one of the program's parts of an overlapped run is called, the request is under way. */
static void in_parts(void)
{
    STAR_Function function;
    STAR_Fnctset fnctset;
    STAR_Topology topology;
    STAR_Request request;
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    GOOD(STAR_Function_create_async(nothing, nothing, STAR_ATTRSET_NULL, NULL, "halves", &function));
    GOOD(STAR_Fnctset_create(1, &function, "mine", &fnctset));
    GOOD(STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, &request));
    GOOD(STAR_Request_start_overlap(request, starts_again, starts_again, NULL));
    GOOD(STAR_Request_run(request));
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Fnctset_free(&fnctset));
    GOOD(STAR_Function_free(&function));
    GOOD(STAR_Topology_free(&topology));
}

/* Before MPI_Init, and after MPI_Finalize. */
static void without_mpi(const char *when)
{
    STAR_Topology topology;
    STAR_Vector vector;
    static double data[10];
    REFUSED(STAR_ERR_INTERN, when, STAR_Topology_create, MPI_COMM_WORLD, &topology);
    REFUSED(STAR_ERR_INTERN, when, STAR_Vector_register, 1, ((int[]){10}), 1, MPI_DOUBLE, data, &vector);
}

/* What the program does not free in time. */
static STAR_Request forget(MPI_Comm cart)
{
    static double data[10][10];
    STAR_Topology topology;
    STAR_Vector vector;
    STAR_Request request;
    GOOD(STAR_Topology_create(cart, &topology));
    GOOD(STAR_Vector_register(2, (int[]){10, 10}, 1, MPI_DOUBLE, data, &vector));
    GOOD(STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, &request));
    GOOD(STAR_Request_run(request));
    return request;
}

/* Begins the program anew, whose standard error is a file from the first. */
static int begin_anew(char **argv)
{
    char name[] = "/tmp/refused-XXXXXX", number[16];
    int file = mkstemp(name);
    unlink(name);
    snprintf(number, sizeof number, "%d", file);
    if (file < 0 || dup2(file, STDERR_FILENO) < 0 || setenv("REFUSED", number, 1) != 0)
        return 1;
    execv("/proc/self/exe", argv);
    return 1;
}

int main(int argc, char **argv)
{
    int size, all;
    MPI_Comm cart;
    const char *number = getenv("REFUSED");
    if (number == NULL)
        return begin_anew(argv);
    said = fdopen(atoi(number), "r+");
    if (said == NULL)
        return 1;
    without_mpi("before MPI_Init");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){size, 1}, (int[]){1, 1}, 0, &cart);
    attributes();
    functions();
    vectors();
    topologies();
    requests(cart);
    in_flight(cart);
    failing();
    in_parts();
    STAR_Request request = forget(cart);
    MPI_Comm_free(&cart);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    fseek(said, 0, SEEK_END); /* behind what the MPI library says of what is left */
    before = ftell(said);
    wrong = 0;
    without_mpi("after MPI_Finalize");
    REFUSED(STAR_ERR_INTERN, "after MPI_Finalize", STAR_Request_free, &request);
    if (rank == 0 && all + wrong == 0)
        printf("right: %d refusals\n", lines);
    return all + wrong != 0;
}
