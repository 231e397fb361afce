/* SPDX-License-Identifier: BSD-3-Clause
 * Programs in the manner of ADCL's own tests, in one: adcl NAME. They are written for ADCL's C interface and
 * know nothing of startune. Each prints "right: NAME" on rank 0. */
#include "adcl_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIM0   6
#define DIM1   8
#define HWIDTH 2
#define NC     3

/* The halo holds the neighbour's rank, where there is one; corners are not exchanged. */
static int check_2D(double ***data, const int *neighbors)
{
    for (int i = HWIDTH; i < DIM0 + HWIDTH; i++)
        for (int h = 0; h < HWIDTH; h++)
            for (int k = 0; k < NC; k++)
                if (data[i][h][k] != (neighbors[2] < 0 ? -1 : neighbors[2]) ||
                    data[i][DIM1 + HWIDTH + h][k] != (neighbors[3] < 0 ? -1 : neighbors[3]))
                    return 0;
    for (int j = HWIDTH; j < DIM1 + HWIDTH; j++)
        for (int h = 0; h < HWIDTH; h++)
            for (int k = 0; k < NC; k++)
                if (data[h][j][k] != (neighbors[0] < 0 ? -1 : neighbors[0]) ||
                    data[DIM0 + HWIDTH + h][j][k] != (neighbors[1] < 0 ? -1 : neighbors[1]))
                    return 0;
    return data[0][0][0] == -1;
}

static void set_2D(double ***data)
{
    for (int i = 0; i < DIM0 + 2 * HWIDTH; i++)
        for (int j = 0; j < DIM1 + 2 * HWIDTH; j++)
            for (int k = 0; k < NC; k++) {
                int inner = i >= HWIDTH && i < DIM0 + HWIDTH && j >= HWIDTH && j < DIM1 + HWIDTH;
                data[i][j][k] = inner ? rank : -1;
            }
}

/* Allocated vectors with several values a point, on a grid that is not periodic; two requests in a timer. */
static void two_dim(void)
{
    int dims[3] = {DIM0 + 2 * HWIDTH, DIM1 + 2 * HWIDTH, NC}, neighbors[4];
    int cdims[] = {0, 0}, periods[] = {0, 0};
    double ***data[2];
    ADCL_Vmap vmap;
    ADCL_Vector vec[2];
    ADCL_Topology topo;
    ADCL_Request req[2];
    ADCL_Timer timer;
    MPI_Comm cart_comm;

    MPI_Dims_create(size, 2, cdims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, cdims, periods, 0, &cart_comm);
    MPI_Cart_shift(cart_comm, 0, 1, &(neighbors[0]), &(neighbors[1]));
    MPI_Cart_shift(cart_comm, 1, 1, &(neighbors[2]), &(neighbors[3]));
    check(ADCL_Topology_create(cart_comm, &topo) == ADCL_SUCCESS, "topology");
    check(ADCL_Vmap_halo_allocate(HWIDTH, &vmap) == ADCL_SUCCESS, "vmap");
    for (int i = 0; i < 2; i++) {
        check(ADCL_Vector_allocate_generic(2, dims, NC, vmap, MPI_DOUBLE, &data[i], &vec[i]) == ADCL_SUCCESS,
              "vector");
        check(ADCL_Request_create(vec[i], topo, ADCL_FNCTSET_NEIGHBORHOOD, &req[i]) == ADCL_SUCCESS,
              "request");
    }
    check(ADCL_Timer_create(2, req, &timer) == ADCL_SUCCESS, "timer");
    for (int it = 0; it < 200; it++) {
        set_2D(data[0]);
        set_2D(data[1]);
        ADCL_Timer_start(timer);
        ADCL_Request_start(req[0]);
        ADCL_Request_start(req[1]);
        ADCL_Timer_stop(timer);
        check(check_2D(data[0], neighbors) && check_2D(data[1], neighbors), "halo");
    }
    ADCL_Timer_free(&timer);
    for (int i = 0; i < 2; i++) {
        ADCL_Request_free(&req[i]);
        ADCL_Vector_free(&vec[i]);
    }
    ADCL_Vmap_free(&vmap);
    ADCL_Topology_free(&topo);
    MPI_Comm_free(&cart_comm);
    check(timer == ADCL_TIMER_NULL && vec[0] == ADCL_VECTOR_NULL && topo == ADCL_TOPOLOGY_NULL,
          "null handles");
}

static void test_func_0(ADCL_Request req);
static void test_func_1(ADCL_Request req);
static void test_func_2(ADCL_Request req);
static void test_func_3(ADCL_Request req);

/* Functions with attributes; the second is the best. */
static void attrs(void)
{
    ADCL_Function funcs[4];
    ADCL_Fnctset fnctset;
    ADCL_Request request;
    ADCL_Topology topo;
    ADCL_Attribute attr[2];
    ADCL_Attrset attrset;
    ADCL_work_fnct_ptr *works[] = {test_func_0, test_func_1, test_func_2, test_func_3};
    int attr1vals[2] = {10, 11}, attr2vals[2] = {20, 21},
        funcvals[4][2] = {{10, 20}, {10, 21}, {11, 20}, {11, 21}};
    char *attr1vals_names[2] = {"attr1_val0", "attr1_val1"};
    char *function_name, **attrs_names, **attrs_values_names, *fsname;
    int attrs_num, *attrs_values_num, ret, tndims;
    double filtered_avg, unfiltered_avg, outliers_num;

    ADCL_Attribute_create(2, attr1vals, attr1vals_names, "first_attr", &attr[0]);
    ADCL_Attribute_create(2, attr2vals, NULL, NULL, &attr[1]);
    ADCL_Attrset_create(2, attr, &attrset);
    for (int i = 0; i < 4; i++)
        check(ADCL_Function_create(works[i], attrset, funcvals[i], i == 1 ? "best" : "other", &funcs[i]) ==
                  ADCL_SUCCESS,
              "function");
    ADCL_Fnctset_create(4, funcs, "trivial functions", &fnctset);
    ADCL_Topology_create_generic(0, 0, NULL, NULL, NULL, NULL, ADCL_DIRECTION_BOTH, MPI_COMM_WORLD, &topo);
    ADCL_Request_create(ADCL_VECTOR_NULL, topo, fnctset, &request);
    for (int i = 0; i < 100; i++)
        check(ADCL_Request_start(request) == ADCL_SUCCESS, "start");

    ADCL_Request_get_curr_function(request, &function_name, &attrs_names, &attrs_num, &attrs_values_names,
                                   &attrs_values_num);
    check(strcmp(function_name, "best") == 0 && attrs_num == 2, "winner");
    check(strcmp(attrs_names[0], "first_attr") == 0 && strcmp(attrs_values_names[0], "attr1_val0") == 0,
          "names");
    check(attrs_values_num[0] == 10 && attrs_values_num[1] == 21, "values");
    for (int k = 0; k < attrs_num; k++) {
        free(attrs_names[k]);
        free(attrs_values_names[k]);
    }
    free(function_name);
    free(attrs_names);
    free(attrs_values_names);
    free(attrs_values_num);
    ADCL_Request_get_fsname(request, &fsname);
    check(strcmp(fsname, "trivial functions") == 0, "fsname");
    free(fsname);
    check(ADCL_Request_get_tndims(request, &tndims) == ADCL_SUCCESS && tndims == 0, "tndims");
    ret = ADCL_Request_get_winner_stat(request, &filtered_avg, &unfiltered_avg, &outliers_num);
    check(rank != 0 ||
              (ret == ADCL_SUCCESS && filtered_avg >= 0.0002 && unfiltered_avg >= filtered_avg * 0.999),
          "statistics");

    ADCL_Request_free(&request);
    ADCL_Topology_free(&topo);
    ADCL_Fnctset_free(&fnctset);
    for (int i = 0; i < 4; i++)
        ADCL_Function_free(&funcs[i]);
    ADCL_Attrset_free(&attrset);
    ADCL_Attribute_free(&attr[0]);
    ADCL_Attribute_free(&attr[1]);
}

/* What was measured is saved, and a new request goes on from there. */
static void status(void)
{
    ADCL_Function funcs[3];
    ADCL_Fnctset fnctset;
    ADCL_Request request;
    ADCL_Topology topo;
    ADCL_work_fnct_ptr *works[] = {test_func_2, test_func_1, test_func_3};
    double *unfiltered, *filtered, *outliers;
    int tested, winner, state;
    for (int i = 0; i < 3; i++)
        ADCL_Function_create(works[i], ADCL_ATTRSET_NULL, NULL, "function", &funcs[i]);
    ADCL_Fnctset_create(3, funcs, NULL, &fnctset);
    ADCL_Topology_create(MPI_COMM_WORLD, &topo);
    ADCL_Request_create(ADCL_VECTOR_NULL, topo, fnctset, &request);
    for (int i = 0; i < 60; i++)
        ADCL_Request_start(request);
    check(ADCL_Request_save_status(request, &tested, &unfiltered, &filtered, &outliers, &winner) ==
              ADCL_SUCCESS,
          "save");
    check(tested == 3 && winner == 1 && filtered[1] < filtered[0] && filtered[0] >= 0.015, "saved");
    ADCL_Request_free(&request);
    ADCL_Request_create(ADCL_VECTOR_NULL, topo, fnctset, &request);
    check(ADCL_Request_restore_status(request, tested, unfiltered, filtered, outliers) == ADCL_SUCCESS,
          "restore");
    for (int i = 0; i < 60; i++)
        ADCL_Request_start(request);
    check(ADCL_Request_get_state(request, &state) == ADCL_SUCCESS && state == 0, "state");
    free(unfiltered);
    free(filtered);
    free(outliers);
    ADCL_Request_free(&request);
    ADCL_Topology_free(&topo);
    ADCL_Fnctset_free(&fnctset);
    for (int i = 0; i < 3; i++)
        ADCL_Function_free(&funcs[i]);
}

static int total_calls, init_calls, wait_calls;

static void init_test_func(ADCL_Request req)
{
    MPI_Comm comm;
    int r, s;
    check(ADCL_Request_get_comm(req, &comm, &r, &s) == ADCL_SUCCESS && r == rank && s == size, "comm");
    init_calls++;
}

static void wait_test_func(ADCL_Request req)
{
    (void)req;
    wait_calls++;
}

static void total_func(ADCL_Request req)
{
    (void)req;
    total_calls++;
}

/* One function for all combinations of attributes, and overlap. */
static void single(void)
{
    ADCL_Attribute attr[2];
    ADCL_Attrset attrset;
    ADCL_Fnctset fnctset;
    ADCL_Topology topo;
    ADCL_Request request;
    int attr1vals[2] = {10, 11}, attr2vals[3] = {20, 21, 22};
    ADCL_Attribute_create(2, attr1vals, NULL, "first_attr ", &attr[0]);
    ADCL_Attribute_create(3, attr2vals, NULL, "second_attr", &attr[1]);
    ADCL_Attrset_create(2, attr, &attrset);
    check(ADCL_Fnctset_create_single((ADCL_work_fnct_ptr *)init_test_func,
                                     (ADCL_work_fnct_ptr *)wait_test_func, attrset, "test function", NULL, 0,
                                     &fnctset) == ADCL_SUCCESS,
          "single");
    ADCL_Topology_create_generic(0, 0, NULL, NULL, NULL, NULL, ADCL_DIRECTION_BOTH, MPI_COMM_WORLD, &topo);
    ADCL_Request_create(ADCL_VECTOR_NULL, topo, fnctset, &request);
    for (int i = 0; i < 50; i++)
        ADCL_Request_start(request);
    check(init_calls == 50 && wait_calls == 50, "calls");
    for (int i = 0; i < 50; i++)
        ADCL_Request_start_overlap(request, total_func, ADCL_NULL_FNCT_PTR, total_func);
    check(init_calls == 100 && wait_calls == 100 && total_calls == 50, "overlap");
    ADCL_Request_free(&request);
    ADCL_Topology_free(&topo);
    ADCL_Fnctset_free(&fnctset);
    ADCL_Attrset_free(&attrset);
    ADCL_Attribute_free(&attr[0]);
    ADCL_Attribute_free(&attr[1]);
}

/* The interfaces that take MPI's arguments. The broadcast is asked for until it is over, as ADCL's test does.
 */
static void highlevel(void)
{
    enum { COUNT = 16 };
    double *sdata = calloc((size_t)(COUNT * size), sizeof(double)),
           *rdata = calloc((size_t)(COUNT * size), sizeof(double));
    ADCL_Request request;
    ADCL_Timer timer;
    check(ADCL_Alltoall_init(sdata, COUNT, MPI_DOUBLE, rdata, COUNT, MPI_DOUBLE, MPI_COMM_WORLD, &request) ==
              ADCL_SUCCESS,
          "alltoall_init");
    ADCL_Timer_create(1, &request, &timer);
    for (int it = 0; it < 50; it++) {
        ADCL_Timer_start(timer);
        for (int i = 0; i < COUNT * size; i++)
            sdata[i] = rank * 1000 + i + it;
        check(ADCL_Request_start(request) == ADCL_SUCCESS, "alltoall");
        for (int i = 0; i < COUNT * size; i++)
            check((int)rdata[i] == i / COUNT * 1000 + rank * COUNT + i % COUNT + it, "alltoall's data");
        ADCL_Timer_stop(timer);
    }
    ADCL_Timer_free(&timer);
    ADCL_Request_free(&request);
    check(ADCL_Ibcast_init(sdata, COUNT, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request) == ADCL_SUCCESS,
          "ibcast_init");
    for (int it = 0; it < 350; it++) {
        int err = ADCL_CONTINUE;
        for (int i = 0; i < COUNT; i++)
            sdata[i] = rank == 0 ? it + i : -1;
        check(ADCL_Request_init(request) == ADCL_SUCCESS, "init");
        while (err == ADCL_CONTINUE)
            err = ADCL_Request_progress(request, 0);
        check(err == ADCL_SUCCESS && ADCL_Request_wait(request) == ADCL_SUCCESS, "wait");
        for (int i = 0; i < COUNT; i++)
            check(sdata[i] == it + i, "ibcast's data");
    }
    ADCL_Request_free(&request);
    free(sdata);
    free(rdata);
}

static void test_func_0(ADCL_Request req)
{
    (void)req;
    usleep(12000);
}

static void test_func_1(ADCL_Request req)
{
    (void)req;
    usleep(200);
}

static void test_func_2(ADCL_Request req)
{
    (void)req;
    usleep(15000);
}

static void test_func_3(ADCL_Request req)
{
    (void)req;
    usleep(20000);
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {{"two-dim", two_dim},     {"attrs", attrs},
                                              {"status", status},       {"single", single},
                                              {"highlevel", highlevel}, {NULL, NULL}};
    return run_program(argc, argv, programs);
}
