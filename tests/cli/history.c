/* SPDX-License-Identifier: BSD-3-Clause
 * history SIZE STEPS KIND [wrong]: a program in ADCL's manner whose function-set has a history of its own.
 * Blocks of SIZE x SIZE points on a grid that is as periodic as KIND says, which is also what its filter asks
 * for. With "wrong" it makes mistakes, too. It knows nothing of startune. Rank 0 says how often its functions
 * were called: "N written, N read, N filtered". */
#include "ADCL.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int written, read_in, filtered, errors;

static void check(int good, const char *what)
{
    if (!good) {
        errors++;
        printf("wrong: %s\n", what);
    }
}

/* They sleep, which more ranks than cores disturb little, and differ by more than a few time slices. */
static void direct(ADCL_Request req)
{
    (void)req;
    usleep(200);
}

static void by_rows(ADCL_Request req)
{
    (void)req;
    usleep(4000);
}

/* ------ What is remembered of a problem: its size, in one line, and its grid's first period in another */

struct criteria {
    char *name;
    int periodic;
};

static void write_entry(FILE *fp, ADCL_Hist hist)
{
    written++;
    fprintf(fp, "<SIZE>%d</SIZE>\n<PERIODIC>%d</PERIODIC>\n<FNCTSET>%s</FNCTSET>\n", hist->h_vdims[0],
            hist->h_tperiods[0], hist->h_fsname);
}

static void read_entry(FILE *fp, ADCL_Hist hist)
{
    char line[100];
    read_in++;
    check(hist->h_vdims == NULL && hist->h_tperiods == NULL, "the entry is empty");
    hist->h_vdims = malloc(sizeof(int));
    hist->h_tperiods = malloc(sizeof(int));
    check(fscanf(fp, "<SIZE>%d</SIZE>\n<PERIODIC>%d</PERIODIC>\n", hist->h_vdims, hist->h_tperiods) == 2,
          "entry");
    check(fgets(line, sizeof line, fp) != NULL && strcmp(line, "<FNCTSET>halo of mine</FNCTSET>\n") == 0,
          "name");
    check(fgets(line, sizeof line, fp) == NULL, "the entry ends");
}

static int filter(ADCL_Hist hist, void *filter_criteria)
{
    const struct criteria *criteria = filter_criteria;
    filtered++;
    check(strcmp(hist->h_fsname, "halo of mine") == 0 && hist->h_fsnum == 3, "function-set");
    check(hist->h_wfnum >= 0 && hist->h_perf[hist->h_wfnum] > 0, "winner's time");
    check(strcmp(hist->h_wfname, hist->h_wfnum == 0 ? "direct" : "by rows") == 0, "winner's name");
    check(hist->h_class[hist->h_wfnum] == ADCL_BEST_CLASS && hist->h_attrvals[0] == hist->h_wfnum + 7,
          "winner");
    return strcmp(hist->h_fsname, criteria->name) == 0 && hist->h_tperiods[0] == criteria->periodic;
}

static double distance(ADCL_Hist hist1, ADCL_Hist hist2)
{
    return fabs((double)hist1->h_vdims[0] - hist2->h_vdims[0]);
}

static int periodic;

static void set_criteria(ADCL_Request req, void *filter_criteria)
{
    struct criteria *criteria = filter_criteria;
    check(ADCL_Request_get_fsname(req, &criteria->name) == ADCL_SUCCESS, "name of the function-set");
    criteria->periodic = periodic;
}

static ADCL_Fnctset make_fnctset(void)
{
    static struct ADCL_hist_functions_s history = {read_entry, write_entry, filter, distance};
    int values[3] = {7, 8, 9};
    ADCL_Attribute attribute;
    ADCL_Attrset attrset;
    ADCL_Function functions[3];
    ADCL_Fnctset fnctset;
    ADCL_Attribute_create(3, values, NULL, "way", &attribute);
    ADCL_Attrset_create(1, &attribute, &attrset);
    ADCL_Function_create(direct, attrset, &values[0], "direct", &functions[0]);
    ADCL_Function_create(by_rows, attrset, &values[1], "by rows", &functions[1]);
    ADCL_Function_create(by_rows, attrset, &values[2], "by rows", &functions[2]);
    check(ADCL_Fnctset_create(3, functions, "halo of mine", &fnctset) == ADCL_SUCCESS, "function-set");
    check(ADCL_Fnctset_reg_hist_fnct(&history, fnctset) == ADCL_SUCCESS, "history functions");
    return fnctset;
}

/* What is wrong: each gives its code, and a line on standard error. */
static void mistake(ADCL_Request request, ADCL_Fnctset fnctset)
{
    static struct ADCL_hist_functions_s history = {read_entry, write_entry, filter, distance};
    struct ADCL_hist_criteria_s criteria = {NULL, NULL, 0};
    check(ADCL_Fnctset_reg_hist_fnct(NULL, fnctset) == ADCL_INVALID_ARG, "no functions");
    check(ADCL_Fnctset_reg_hist_fnct(&history, ADCL_FNCTSET_NULL) == ADCL_INVALID_FNCTSET, "no function-set");
    check(ADCL_Fnctset_reg_hist_fnct(&history, ADCL_FNCTSET_NEIGHBORHOOD) == ADCL_INVALID_FNCTSET,
          "predefined");
    check(ADCL_Request_reg_hist_criteria(request, NULL) == ADCL_INVALID_ARG, "no criteria");
    check(ADCL_Request_reg_hist_criteria(ADCL_REQUEST_NULL, &criteria) == ADCL_INVALID_REQUEST, "no request");
}

/* ADCL's own criteria, which the neighbourhood exchange has anyhow. */
static void neighborhood(ADCL_Vector vector, ADCL_Topology topology)
{
    ADCL_neighborhood_criteria_t criteria = {NULL, 0};
    struct ADCL_hist_criteria_s registered = {&criteria, ADCL_neighborhood_set_criteria, 0};
    ADCL_Request request;
    ADCL_Request_create(vector, topology, ADCL_FNCTSET_NEIGHBORHOOD, &request);
    check(ADCL_Request_reg_hist_criteria(request, &registered) == ADCL_SUCCESS,
          "the neighbourhood's criteria");
    check(strcmp(criteria.c_fsname, "neighborhood") == 0 && criteria.c_tndims == 2, "what they are");
    free(criteria.c_fsname);
    ADCL_Request_free(&request);
}

int main(int argc, char **argv)
{
    int rank, size = argc > 3 ? atoi(argv[1]) : 20, steps = argc > 3 ? atoi(argv[2]) : 10, grid[2] = {2, 2};
    periodic = argc > 3 ? atoi(argv[3]) : 0;
    int periods[2] = {periodic, periodic}, dims[2] = {size, size};
    double *block = calloc((size_t)size * (size_t)size, sizeof *block);
    struct criteria criteria;
    struct ADCL_hist_criteria_s registered = {&criteria, set_criteria, 0};
    ADCL_Vmap vmap;
    ADCL_Vector vector;
    ADCL_Topology topology;
    ADCL_Request request;
    MPI_Comm cart;
    MPI_Init(&argc, &argv);
    ADCL_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid, periods, 0, &cart);
    ADCL_Topology_create(cart, &topology);
    ADCL_Vmap_halo_allocate(1, &vmap);
    ADCL_Vector_register_generic(2, dims, 0, vmap, MPI_DOUBLE, block, &vector);
    ADCL_Fnctset fnctset = make_fnctset();
    check(ADCL_Request_create(vector, topology, fnctset, &request) == ADCL_SUCCESS, "request");
    if (argc > 4)
        mistake(request, fnctset);
    neighborhood(vector, topology);
    check(ADCL_Request_reg_hist_criteria(request, &registered) == ADCL_SUCCESS &&
              registered.hc_criteria_set == 1,
          "criteria");
    for (int i = 0; i < steps; i++)
        ADCL_Request_start(request);
    ADCL_Request_free(&request);
    free(criteria.name);
    free(block);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    if (rank == 0)
        printf("%d written, %d read, %d filtered\n", written, read_in, filtered);
    return errors > 0;
}
