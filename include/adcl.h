/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's C interface (the Adaptive Data and Communication Library of the University of Houston) on top of
 * startune's requests: programs written for ADCL are compiled with this header and linked with startune.
 * What each function does, its STAR_ namesake in startune_patterns.h says; docs/reference/adcl.md, what
 * differs. */
#ifndef STARTUNE_ADCL_H
#define STARTUNE_ADCL_H

#include "startune.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ADCL_SUCCESS        STAR_SUCCESS
#define ADCL_NO_MEMORY      STAR_ERR_MEMORY
#define ADCL_ERROR_INTERNAL STAR_ERR_INTERN
#define ADCL_USER_ERROR     STAR_ERR_USER
#define ADCL_UNDEFINED      STAR_ERR_UNDEFINED
#define ADCL_NOT_FOUND      (-5)
#define ADCL_CHANGE_OCCURED (-6)
#define ADCL_CONTINUE       STAR_CONTINUE

#define ADCL_INVALID_ARG               STAR_ERR_ARG
#define ADCL_INVALID_NDIMS             STAR_ERR_NDIMS
#define ADCL_INVALID_DIMS              STAR_ERR_DIMS
#define ADCL_INVALID_HWIDTH            STAR_ERR_WIDTH
#define ADCL_INVALID_DAT               STAR_ERR_TYPE
#define ADCL_INVALID_DATA              STAR_ERR_DATA
#define ADCL_INVALID_VECTYPE           16
#define ADCL_INVALID_COMM              STAR_ERR_COMM
#define ADCL_INVALID_REQUEST           STAR_ERR_REQUEST
#define ADCL_INVALID_NC                STAR_ERR_VALUES
#define ADCL_INVALID_TYPE              20
#define ADCL_INVALID_TOPOLOGY          STAR_ERR_TOPOLOGY
#define ADCL_INVALID_ATTRIBUTE         STAR_ERR_ATTRIBUTE
#define ADCL_INVALID_ATTRSET           STAR_ERR_ATTRSET
#define ADCL_INVALID_FUNCTION          STAR_ERR_FUNCTION
#define ADCL_INVALID_WORK_FUNCTION_PTR STAR_ERR_WORK
#define ADCL_INVALID_FNCTSET           STAR_ERR_FNCTSET
#define ADCL_INVALID_VECTOR            STAR_ERR_VECTOR
#define ADCL_INVALID_DIRECTION         STAR_ERR_DIRECTION
#define ADCL_INVALID_VMAP              STAR_ERR_VMAP
#define ADCL_INVALID_OP                STAR_ERR_OP
#define ADCL_INVALID_EMETHOD           31
#define ADCL_INVALID_TIMER             STAR_ERR_TIMER

/* Of these no function takes one, but histories have vector types: the strategy is the setting `strategy`. */
#define ADCL_VECTOR_HALO      1
#define ADCL_VECTOR_ALL       2
#define ADCL_VECTOR_UP_TRIANG 3
#define ADCL_VECTOR_LO_TRIANG 4
#define ADCL_VECTOR_LIST      5
#define ADCL_VECTOR_ALLREDUCE 6
#define ADCL_VECTOR_INPLACE   7
#define ADCL_VECTOR_ALLTOALL  8
#define ADCL_VECTOR_REDUCE    9
#define ADCL_VECTYPE_NULL     (-10)
#define ADCL_BRUTE_FORCE      0
#define ADCL_PERF_HYPO        1
#define ADCL_TWOK_FACTORIAL   2

#define ADCL_CLOSEST 0
#define ADCL_WMV     1
#define ADCL_NBC     2
#define ADCL_SVM     3

#define ADCL_WORST_CLASS   0
#define ADCL_BEST_CLASS    1
#define ADCL_MAX_ATTRLEN   32
#define ADCL_MAX_NAMELEN   32
#define ADCL_MAX_ARRAYSIZE 32
#define TIME_TYPE          double

typedef STAR_Attribute ADCL_Attribute;
typedef STAR_Attrset ADCL_Attrset;
typedef STAR_Function ADCL_Function;
typedef STAR_Fnctset ADCL_Fnctset;
typedef STAR_Vmap ADCL_Vmap;
typedef STAR_Vector ADCL_Vector;
typedef STAR_Topology ADCL_Topology;
typedef STAR_Request ADCL_Request;
typedef STAR_Timer ADCL_Timer;

#define ADCL_ATTRIBUTE_NULL STAR_ATTRIBUTE_NULL
#define ADCL_ATTRSET_NULL   STAR_ATTRSET_NULL
#define ADCL_FUNCTION_NULL  STAR_FUNCTION_NULL
#define ADCL_FNCTSET_NULL   STAR_FNCTSET_NULL
#define ADCL_VMAP_NULL      STAR_VMAP_NULL
#define ADCL_VECTOR_NULL    STAR_VECTOR_NULL
#define ADCL_TOPOLOGY_NULL  STAR_TOPOLOGY_NULL
#define ADCL_REQUEST_NULL   STAR_REQUEST_NULL
#define ADCL_TIMER_NULL     STAR_TIMER_NULL
#define ADCL_NULL_FNCT_PTR  ((ADCL_work_fnct_ptr *)0)

#define ADCL_DIRECTION_BOTH          STAR_DIRECTION_BOTH
#define ADCL_DIRECTION_LEFT_TO_RIGHT STAR_DIRECTION_LEFT_TO_RIGHT
#define ADCL_DIRECTION_RIGHT_TO_LEFT STAR_DIRECTION_RIGHT_TO_LEFT

#define ADCL_FNCTSET_NEIGHBORHOOD STAR_FNCTSET_NEIGHBORHOOD
#define ADCL_FNCTSET_ALLGATHERV   STAR_FNCTSET_ALLGATHERV
#define ADCL_FNCTSET_ALLREDUCE    STAR_FNCTSET_ALLREDUCE
#define ADCL_FNCTSET_REDUCE       STAR_FNCTSET_REDUCE
#define ADCL_FNCTSET_ALLTOALL     STAR_FNCTSET_ALLTOALL
#define ADCL_FNCTSET_ALLTOALLV    STAR_FNCTSET_ALLTOALLV
#define ADCL_FNCTSET_IBCAST       STAR_FNCTSET_IBCAST
#define ADCL_FNCTSET_IALLTOALL    STAR_FNCTSET_IALLTOALL
#define ADCL_FNCTSET_IALLGATHER   STAR_FNCTSET_IALLGATHER
#define ADCL_FNCTSET_IREDUCE      STAR_FNCTSET_IREDUCE

/* ------ The same functions by other names */

#define ADCL_Attribute_create STAR_Attribute_create
#define ADCL_Attribute_free   STAR_Attribute_free
#define ADCL_Attrset_create   STAR_Attrset_create
#define ADCL_Attrset_free     STAR_Attrset_free
#define ADCL_Function_free    STAR_Function_free
#define ADCL_Fnctset_create   STAR_Fnctset_create
#define ADCL_Fnctset_free     STAR_Fnctset_free

#define ADCL_Vmap_halo_allocate      STAR_Vmap_halo_allocate
#define ADCL_Vmap_list_allocate      STAR_Vmap_list_allocate
#define ADCL_Vmap_allreduce_allocate STAR_Vmap_allreduce_allocate
#define ADCL_Vmap_reduce_allocate    STAR_Vmap_reduce_allocate
#define ADCL_Vmap_alltoall_allocate  STAR_Vmap_alltoall_allocate
#define ADCL_Vmap_all_allocate       STAR_Vmap_all_allocate
#define ADCL_Vmap_inplace_allocate   STAR_Vmap_inplace_allocate
#define ADCL_Vmap_free               STAR_Vmap_free

#define ADCL_Vector_allocate_generic STAR_Vector_allocate_generic
#define ADCL_Vector_register_generic STAR_Vector_register_generic
#define ADCL_Vector_free             STAR_Vector_free
#define ADCL_Vector_deregister       STAR_Vector_deregister

#define ADCL_Topology_create                    STAR_Topology_create
#define ADCL_Topology_create_extended           STAR_Topology_create_extended
#define ADCL_Topology_create_generic            STAR_Topology_create_generic
#define ADCL_Topology_free                      STAR_Topology_free
#define ADCL_Topology_dump                      STAR_Topology_dump
#define ADCL_Topology_get_cart_number_neighbors STAR_Topology_get_cart_number_neighbors
#define ADCL_Topology_get_cart_neighbors        STAR_Topology_get_cart_neighbors

#define ADCL_Request_create                STAR_Request_create
#define ADCL_Request_create_generic        STAR_Request_create_generic
#define ADCL_Request_create_generic_rooted STAR_Request_create_generic_rooted
#define ADCL_Request_free                  STAR_Request_free
#define ADCL_Request_start                 STAR_Request_run
#define ADCL_Request_init                  STAR_Request_begin
#define ADCL_Request_wait                  STAR_Request_wait
#define ADCL_Request_update                STAR_Request_update
#define ADCL_Request_get_comm              STAR_Request_get_comm
#define ADCL_Request_get_tndims            STAR_Request_get_ndims
#define ADCL_Request_get_state             STAR_Request_get_state

#define ADCL_Timer_create         STAR_Timer_create
#define ADCL_Timer_free           STAR_Timer_free
#define ADCL_Timer_add_request    STAR_Timer_add_request
#define ADCL_Timer_remove_request STAR_Timer_remove_request
#define ADCL_Timer_start          STAR_Timer_start
#define ADCL_Timer_stop           STAR_Timer_stop

#define ADCL_Reduce_init     STAR_Reduce_init
#define ADCL_Allreduce_init  STAR_Allreduce_init
#define ADCL_Alltoall_init   STAR_Alltoall_init
#define ADCL_Alltoallv_init  STAR_Alltoallv_init
#define ADCL_Allgatherv_init STAR_Allgatherv_init
#define ADCL_Ibcast_init     STAR_Ibcast_init
#define ADCL_Ialltoall_init  STAR_Ialltoall_init
#define ADCL_Iallgather_init STAR_Iallgather_init
#define ADCL_Ireduce_init    STAR_Ireduce_init

/* ------ What has other arguments */

/* Nothing needs to be begun or ended. Local. */
int ADCL_Init(void);
int ADCL_Finalize(void);
int ADCL_Timer_commit(ADCL_Timer timer);

/* ADCL's functions return nothing. */
typedef void ADCL_work_fnct_ptr(ADCL_Request request);

int ADCL_Function_create(ADCL_work_fnct_ptr *work, ADCL_Attrset attrset, const int *values, const char *name,
                         ADCL_Function *function);
int ADCL_Function_create_async(ADCL_work_fnct_ptr *init, ADCL_work_fnct_ptr *wait, ADCL_Attrset attrset,
                               const int *values, const char *name, ADCL_Function *function);
int ADCL_Fnctset_create_single(ADCL_work_fnct_ptr *init, ADCL_work_fnct_ptr *wait, ADCL_Attrset attrset,
                               const char *name, int **without, int count_without, ADCL_Fnctset *fnctset);
int ADCL_Request_start_overlap(ADCL_Request request, ADCL_work_fnct_ptr *middle, ADCL_work_fnct_ptr *end,
                               ADCL_work_fnct_ptr *total);

/* DEPTH is not looked at: what tuning chooses is how often calls are passed on, not from where. */
int ADCL_Request_progress(ADCL_Request request, int depth);

/* With the width of the halo instead of a map, as in the slides of 2007: (ndims, dims, width, datatype, data,
 * vector); or, as between these and the last version, with the number of values in front of the width. */
#define ADCL_Vector_register(...)                                                                            \
    ADCL_EIGHTH(__VA_ARGS__, ADCL_Vector_register_values, STAR_Vector_register, 0)(__VA_ARGS__)
#define ADCL_Vector_allocate(...)                                                                            \
    ADCL_EIGHTH(__VA_ARGS__, ADCL_Vector_allocate_values, STAR_Vector_allocate, 0)(__VA_ARGS__)
#define ADCL_EIGHTH(a, b, c, d, e, f, g, chosen, ...) chosen
int ADCL_Vector_register_values(int ndims, const int *dims, int values, int width, MPI_Datatype datatype,
                                void *data, ADCL_Vector *vector);
int ADCL_Vector_allocate_values(int ndims, const int *dims, int values, int width, MPI_Datatype datatype,
                                void *data, ADCL_Vector *vector);

/* What these return in arrays and texts is the caller's, to be freed with free(); every pointer may be NULL.
 * Times are known on rank 0 alone: elsewhere, and where nothing is measured yet, ADCL_UNDEFINED. */
int ADCL_Request_get_fsname(ADCL_Request request, char **name);
int ADCL_Request_get_curr_function(ADCL_Request request, char **function, char ***attributes, int *count,
                                   char ***value_names, int **values);
int ADCL_Request_get_winner_stat(ADCL_Request request, double *filtered, double *unfiltered,
                                 double *outliers);
/* The functions with a filtered average from FILTERED up to a hundredth of a second more. */
int ADCL_Request_get_functions_with_average(ADCL_Request request, double filtered, int *count,
                                            char ***functions, char ***attributes, int *attributes_count,
                                            char ****value_names, int ***values);
/* What was measured of the first TESTED functions; 0 for those of them that were not. Collective. */
int ADCL_Request_save_status(ADCL_Request request, int *tested, double **unfiltered, double **filtered,
                             double **outliers, int *winner);
int ADCL_Request_restore_status(ADCL_Request request, int tested, const double *unfiltered,
                                const double *filtered, const double *outliers);

/* ------ History of a program's own function-sets: see docs/how-to/own-patterns.md */

/* What is known of a problem: of the one of a new request without its solution, or of a remembered one. The
 * arrays and texts are of malloc: they are freed with it. */
struct ADCL_hist_s {
    int h_id, h_findex, h_refcnt; /* not used; 1 */
    int h_np;                     /* ranks */
    int h_tndims, *h_tperiods;    /* of the grid: dimensions; of each, whether it is periodic */
    int h_vndims, *h_vdims;       /* of the vector: dimensions; of each, how many points */
    int h_nc;                     /* values of a point */
    int h_vectype;                /* ADCL_VECTOR_HALO, … */
    int h_hwidth;                 /* of the halo, in points */
    int *h_rcnts, *h_displ;       /* H_NP zeros: vectors with counts of each rank have no history */
    MPI_Op h_op;                  /* of reductions; or MPI_OP_NULL */
    int h_inplace;                /* 0: vectors in place have no history */
    int h_asmaxnum, *h_attrvals;  /* attributes; their values for the fastest function */
    char *h_fsname, *h_wfname;    /* function-set; its fastest function, */
    int h_wfnum, h_fsnum;         /* which is this one (-1: there is none) of so many */
    double *h_perf;               /* of each function: seconds; 0: not known */
    int *h_class;                 /* ADCL_BEST_CLASS: it was at most */
    int h_perf_win;               /* so many percent slower than the fastest */
    double *h_distances;          /* these are not used: NULL, and -1 */
    int *h_relations;
    double h_dmax, *h_mean, *h_variance;
};
typedef struct ADCL_hist_s ADCL_hist_t;
typedef struct ADCL_hist_s *ADCL_Hist;

/* Of what HF_WRITER writes, HF_READER, which gets an empty one, must be able to make the same again. A filter
 * returns other than 0 for a problem that may be compared with the new one, and HF_DISTANCE how far two of
 * them are from each other: 0 for the same. They are called on rank 0 alone, and start no requests. */
typedef void ADCL_hist_reader(FILE *file, ADCL_Hist hist);
typedef void ADCL_hist_writer(FILE *file, ADCL_Hist hist);
typedef int ADCL_hist_filter(ADCL_Hist hist, void *filter_criteria);
typedef double ADCL_hist_distance(ADCL_Hist a, ADCL_Hist b);
typedef void ADCL_hist_set_criteria(ADCL_Request request, void *filter_criteria);
struct ADCL_hist_functions_s {
    ADCL_hist_reader *hf_reader;
    ADCL_hist_writer *hf_writer;
    ADCL_hist_filter *hf_filter;
    ADCL_hist_distance *hf_distance;
};
typedef struct ADCL_hist_functions_s ADCL_hist_functions_t;
typedef struct ADCL_hist_functions_s *ADCL_Hist_functions;
struct ADCL_hist_criteria_s {
    void *hc_filter_criteria;
    ADCL_hist_set_criteria *hc_set_criteria; /* fills in what HC_FILTER_CRITERIA points at; or NULL */
    int hc_criteria_set;                     /* 0: that is still to be done */
};
typedef struct ADCL_hist_criteria_s ADCL_hist_criteria_t;
typedef struct ADCL_hist_criteria_s *ADCL_Hist_criteria;

/* Requests of FNCTSET are remembered from now on. Without writer nothing is, and without one of the others
 * nothing is looked up. The functions are copied. Local. ADCL_INVALID_FNCTSET: it is a predefined one. */
int ADCL_Fnctset_reg_hist_fnct(ADCL_Hist_functions hist_functions, ADCL_Fnctset fnctset);
/* Looks up what is remembered of problems like the request's, before its first run. The criteria stay the
 * program's, and are not needed afterwards. Collective over the topology. */
int ADCL_Request_reg_hist_criteria(ADCL_Request req, ADCL_Hist_criteria hist_criteria);

/* ADCL's criteria for the neighbourhood exchange. FILTER_CRITERIA is such a struct; its name, which is set
 * here, is the caller's, to be freed with free(). */
struct ADCL_neighborhood_criteria_s {
    char *c_fsname;
    int c_tndims;
};
typedef struct ADCL_neighborhood_criteria_s ADCL_neighborhood_criteria_t;
void ADCL_neighborhood_set_criteria(ADCL_Request req, void *filter_criteria);

#ifdef __cplusplus
}
#endif

#endif
