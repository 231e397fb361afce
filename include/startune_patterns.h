/* SPDX-License-Identifier: BSD-3-Clause
 * startune's requests: communication patterns that a program has and MPI does not name, tuned as collective
 * operations are. startune.h includes this header.
 *
 * A request is a process topology, the vectors that are communicated, and a function-set: functions that all
 * do the same in different ways. Starting the request runs one of them; while the program runs, startune
 * measures them, uses the fastest, and keeps watching. A predefined function-set exchanges halos
 * (STAR_FNCTSET_NEIGHBORHOOD), others are MPI's collective operations; a program can bring its own functions.
 *
 * The objects and their names are those of ADCL (Gabriel and Huang, HIPS 2007); adcl.h has ADCL's own names.
 *
 * Handles. Objects stand for themselves: what an object was made from may be freed before it. Freeing sets
 * the handle to its null handle. Handles fit into 32 bits.
 *
 * Errors. All functions return STAR_SUCCESS or an error code; what is wrong is said in one line on standard
 * error, which names the function, the argument and the object. Nothing is changed then. Below they are named
 * without STAR_ERR_.
 *
 * Collective. STAR_Request_create… (and STAR_Alltoall_init and so on), _run, _begin, _wait, _start_overlap,
 * _update, _restore and _free are collective over the communicator of the request's topology,
 * STAR_Timer_start and _stop over that of the timer's requests; all ranks call them in the same order, since
 * in any of them ranks may agree on what runs next. All other functions are local; timers get and lose
 * requests on all ranks alike.
 *
 * Threads. All functions may be called by any thread at the level that MPI was begun with; one object is used
 * by one thread at a time. */
#ifndef STARTUNE_PATTERNS_H
#define STARTUNE_PATTERNS_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct STAR_Attribute_object *STAR_Attribute;
typedef struct STAR_Attrset_object *STAR_Attrset;
typedef struct STAR_Function_object *STAR_Function;
typedef struct STAR_Fnctset_object *STAR_Fnctset;
typedef struct STAR_Vmap_object *STAR_Vmap;
typedef struct STAR_Vector_object *STAR_Vector;
typedef struct STAR_Topology_object *STAR_Topology;
typedef struct STAR_Request_object *STAR_Request;
typedef struct STAR_Timer_object *STAR_Timer;

/* A handle that was never set (zero) is none of these: it is an error wherever it is used. */
#define STAR_ATTRIBUTE_NULL ((STAR_Attribute)0x08000000)
#define STAR_ATTRSET_NULL   ((STAR_Attrset)0x10000000)
#define STAR_FUNCTION_NULL  ((STAR_Function)0x18000000)
#define STAR_FNCTSET_NULL   ((STAR_Fnctset)0x20000000)
#define STAR_VMAP_NULL      ((STAR_Vmap)0x28000000)
#define STAR_VECTOR_NULL    ((STAR_Vector)0x30000000)
#define STAR_TOPOLOGY_NULL  ((STAR_Topology)0x38000000)
#define STAR_REQUEST_NULL   ((STAR_Request)0x40000000)
#define STAR_TIMER_NULL     ((STAR_Timer)0x48000000)

/* Predefined function-sets; never freed. The neighborhood exchange, MPI's blocking collective operations, and
 * those that overlap computation: begun by STAR_Request_begin, done with STAR_Request_wait. */
#define STAR_FNCTSET_NEIGHBORHOOD         ((STAR_Fnctset)0x27fc0001)
#define STAR_FNCTSET_ALLTOALL             ((STAR_Fnctset)0x27fc0002)
#define STAR_FNCTSET_ALLTOALLV            ((STAR_Fnctset)0x27fc0003)
#define STAR_FNCTSET_ALLGATHER            ((STAR_Fnctset)0x27fc0004)
#define STAR_FNCTSET_ALLGATHERV           ((STAR_Fnctset)0x27fc0005)
#define STAR_FNCTSET_ALLREDUCE            ((STAR_Fnctset)0x27fc0006)
#define STAR_FNCTSET_BCAST                ((STAR_Fnctset)0x27fc0007)
#define STAR_FNCTSET_REDUCE               ((STAR_Fnctset)0x27fc0008)
#define STAR_FNCTSET_REDUCE_SCATTER_BLOCK ((STAR_Fnctset)0x27fc0009)
#define STAR_FNCTSET_REDUCE_SCATTER       ((STAR_Fnctset)0x27fc000a)
#define STAR_FNCTSET_GATHER               ((STAR_Fnctset)0x27fc000b)
#define STAR_FNCTSET_GATHERV              ((STAR_Fnctset)0x27fc000c)
#define STAR_FNCTSET_SCATTER              ((STAR_Fnctset)0x27fc000d)
#define STAR_FNCTSET_SCATTERV             ((STAR_Fnctset)0x27fc000e)
#define STAR_FNCTSET_SCAN                 ((STAR_Fnctset)0x27fc000f)
#define STAR_FNCTSET_EXSCAN               ((STAR_Fnctset)0x27fc0010)
#define STAR_FNCTSET_BARRIER              ((STAR_Fnctset)0x27fc0011)
#define STAR_FNCTSET_IBCAST               ((STAR_Fnctset)0x27fc0012)
#define STAR_FNCTSET_IALLTOALL            ((STAR_Fnctset)0x27fc0013)
#define STAR_FNCTSET_IALLGATHER           ((STAR_Fnctset)0x27fc0014)
#define STAR_FNCTSET_IREDUCE              ((STAR_Fnctset)0x27fc0015)

/* Error codes. Their numbers are ADCL's. */
enum {
    STAR_SUCCESS = 0,
    STAR_ERR_MEMORY = -1,
    STAR_ERR_INTERN = -2,    /* MPI failed, or a bound of startune was met */
    STAR_ERR_USER = -3,      /* a function of the program failed, or another rank's arguments are wrong */
    STAR_ERR_UNDEFINED = -4, /* not known yet, or not on this rank */
    STAR_CONTINUE = -7,      /* no error: STAR_Request_progress, while the request is not done */
    STAR_ERR_ARG = 10,
    STAR_ERR_NDIMS = 11,
    STAR_ERR_DIMS = 12,
    STAR_ERR_WIDTH = 13,
    STAR_ERR_TYPE = 14, /* the datatype */
    STAR_ERR_DATA = 15,
    STAR_ERR_COMM = 17,
    STAR_ERR_REQUEST = 18,
    STAR_ERR_VALUES = 19, /* the number of values of a point */
    STAR_ERR_TOPOLOGY = 21,
    STAR_ERR_ATTRIBUTE = 22,
    STAR_ERR_ATTRSET = 23,
    STAR_ERR_FUNCTION = 24,
    STAR_ERR_WORK = 25, /* the program's function that a function is made from */
    STAR_ERR_FNCTSET = 26,
    STAR_ERR_VECTOR = 27,
    STAR_ERR_DIRECTION = 28,
    STAR_ERR_VMAP = 29,
    STAR_ERR_OP = 30,
    STAR_ERR_TIMER = 32
};

enum { STAR_MAX_NAME = 64 }; /* of names, with the 0 at their end; longer ones are cut */

/* ------ Attributes, functions, function-sets */

/* A property of functions, and the COUNT values that it may have: different numbers. NAME, VALUE_NAMES or
 * one of these may be NULL: then numbers stand for them. Local. Errors: MEMORY, INTERN, ARG. */
int STAR_Attribute_create(int count, const int values[], char *const value_names[], const char *name,
                          STAR_Attribute *attribute);
/* Local. Errors: ARG, ATTRIBUTE. */
int STAR_Attribute_free(STAR_Attribute *attribute);

/* COUNT attributes, in this order. Local. Errors: MEMORY, INTERN, ARG, ATTRIBUTE. */
int STAR_Attrset_create(int count, const STAR_Attribute attributes[], STAR_Attrset *attrset);
/* Local. Errors: ARG, ATTRSET. */
int STAR_Attrset_free(STAR_Attrset *attrset);

/* What a program brings: does the work, or a part of it, for REQUEST. Returns 0, or a number that
 * STAR_Request_run reports. It may ask the request for its communicator, its data, and the values of the
 * attributes that it runs with; it must not start the request, or wait for it. */
typedef int STAR_Work(STAR_Request request);

/* A function, and the value that it has for each attribute of ATTRSET (or STAR_ATTRSET_NULL, and VALUES is
 * not looked at). Async: INIT begins, WAIT ends; the program may compute between the two. Local. Errors:
 * MEMORY, INTERN, ARG, ATTRSET, WORK. */
int STAR_Function_create(STAR_Work *work, STAR_Attrset attrset, const int values[], const char *name,
                         STAR_Function *function);
/* Local. Errors: MEMORY, INTERN, ARG, ATTRSET, WORK. */
int STAR_Function_create_async(STAR_Work *init, STAR_Work *wait, STAR_Attrset attrset, const int values[],
                               const char *name, STAR_Function *function);
/* Local. Errors: ARG, FUNCTION. */
int STAR_Function_free(STAR_Function *function);

/* COUNT functions, 1 to 256, which all have the same attribute-set. The first is the one that others are
 * compared with: what a program would use without tuning. Local. Errors: MEMORY, INTERN, ARG, ATTRSET,
 * FUNCTION. */
int STAR_Fnctset_create(int count, const STAR_Function functions[], const char *name, STAR_Fnctset *fnctset);
/* One function for each combination of the values of ATTRSET but for the COUNT_WITHOUT ones in WITHOUT
 * (each as many values as there are attributes). All call INIT and WAIT (which may be NULL), which ask the
 * request for their values (STAR_Request_get_value). Local. Errors: MEMORY, INTERN, ARG, ATTRSET, WORK. */
int STAR_Fnctset_create_single(STAR_Work *init, STAR_Work *wait, STAR_Attrset attrset, const char *name,
                               int *const without[], int count_without, STAR_Fnctset *fnctset);
/* Local. Errors: ARG, FNCTSET. */
int STAR_Fnctset_free(STAR_Fnctset *fnctset);

/* ------ Vectors */

/* A vector map says what of a vector is communicated:
 *   halo       the halo, WIDTH points on each side of each dimension
 *   list       COUNTS[r] elements at element DISPLS[r] for each of SIZE ranks
 *   allreduce  all of it, reduced with OP; reduce: the same
 *   alltoall   SENDCOUNT elements to each rank, and RECVCOUNT from each
 *   all        all of it
 *   inplace    the receiving vector is the sending one too: MPI_IN_PLACE. It holds all that is sent; what
 *              reduce_scatter_block receives is in its beginning
 * Local. Errors: MEMORY, INTERN, ARG, WIDTH. */
int STAR_Vmap_halo_allocate(int width, STAR_Vmap *vmap);
/* Local. Errors: MEMORY, INTERN, ARG. */
int STAR_Vmap_list_allocate(int size, const int counts[], const int displs[], STAR_Vmap *vmap);
/* Local. Errors: MEMORY, INTERN, ARG, OP. */
int STAR_Vmap_allreduce_allocate(MPI_Op op, STAR_Vmap *vmap);
/* Local. Errors: MEMORY, INTERN, ARG, OP. */
int STAR_Vmap_reduce_allocate(MPI_Op op, STAR_Vmap *vmap);
/* Local. Errors: MEMORY, INTERN, ARG. */
int STAR_Vmap_alltoall_allocate(int sendcount, int recvcount, STAR_Vmap *vmap);
/* Local. Errors: MEMORY, INTERN, ARG. */
int STAR_Vmap_all_allocate(STAR_Vmap *vmap);
/* Local. Errors: MEMORY, INTERN, ARG. */
int STAR_Vmap_inplace_allocate(STAR_Vmap *vmap);
/* Local. Errors: ARG, VMAP. */
int STAR_Vmap_free(STAR_Vmap *vmap);

/* An array of the program, in C's order: DIMS[i] points in dimension i, halo on both sides included, and
 * up to 2,147,483,647 elements in all. VALUES is the number of elements of a point, which lie one behind
 * the other, or 0: one element. DATATYPE is that of an element, without gaps; it may be freed, but for
 * that of a map of reductions, which lives, as its operator does, as long as requests use it. The array
 * stays the program's; it must live as long as requests use it. With a map `inplace` DATA is MPI_IN_PLACE,
 * and nothing else is looked at. Local. Errors: MEMORY, INTERN, ARG, NDIMS, DIMS, TYPE, DATA, VALUES,
 * VMAP. */
int STAR_Vector_register_generic(int ndims, const int dims[], int values, STAR_Vmap vmap,
                                 MPI_Datatype datatype, void *data, STAR_Vector *vector);
/* The same with a halo of WIDTH points and one element a point. Local. Errors: MEMORY, INTERN, ARG, NDIMS,
 * DIMS, WIDTH, TYPE, DATA, VALUES. */
int STAR_Vector_register(int ndims, const int dims[], int width, MPI_Datatype datatype, void *data,
                         STAR_Vector *vector);
/* Local. Errors: ARG, DATA, VECTOR. */
int STAR_Vector_deregister(STAR_Vector *vector);
/* The same with memory of startune, which is 0 at first: DATA is the address of a pointer of as many
 * levels as the array has dimensions (one more with VALUES > 0), as in `double **data`, so that data[i][j]
 * is an element. All elements lie in one piece from &data[0][0]… on. STAR_Vector_free frees it. Local.
 * Errors: MEMORY, INTERN, ARG, NDIMS, DIMS, TYPE, VALUES, VMAP. */
int STAR_Vector_allocate_generic(int ndims, const int dims[], int values, STAR_Vmap vmap,
                                 MPI_Datatype datatype, void *data, STAR_Vector *vector);
/* Local. Errors: MEMORY, INTERN, ARG, NDIMS, DIMS, WIDTH, TYPE, DATA, VALUES. */
int STAR_Vector_allocate(int ndims, const int dims[], int width, MPI_Datatype datatype, void *data,
                         STAR_Vector *vector);
/* Local. Errors: ARG, DATA, VECTOR. */
int STAR_Vector_free(STAR_Vector *vector);

/* ------ Topologies */

enum {
    STAR_DIRECTION_BOTH = 1,
    STAR_DIRECTION_LEFT_TO_RIGHT = 2, /* only from a left neighbour, and to the right one */
    STAR_DIRECTION_RIGHT_TO_LEFT = 3
};

/* The neighbours of a Cartesian communicator along its dimensions. Other communicators have no neighbours:
 * for collective operations and the program's own functions. COMM must live as long as requests use it.
 * Local. Errors: MEMORY, INTERN, ARG, COMM, TOPOLOGY. */
int STAR_Topology_create(MPI_Comm comm, STAR_Topology *topology);
/* And the diagonal neighbours. CART must be Cartesian. Local. Errors: MEMORY, INTERN, ARG, COMM, TOPOLOGY. */
int STAR_Topology_create_extended(MPI_Comm cart, STAR_Topology *topology);
/* Neighbours as they are listed: PAIRS pairs, in each a left and a right one (ranks of COMM, or
 * MPI_PROC_NULL). Pair i < NDIMS lies along dimension i; more pairs are the diagonals, in the order of
 * STAR_Topology_get_cart_neighbors. FLIP (0 or 1) and COORDS may be NULL; NDIMS 0: no neighbours. Local.
 * Errors: MEMORY, INTERN, ARG, NDIMS, COMM, DIRECTION. */
int STAR_Topology_create_generic(int ndims, int pairs, const int left[], const int right[], const int flip[],
                                 const int coords[], int direction, MPI_Comm comm, STAR_Topology *topology);
/* Local. Errors: ARG, TOPOLOGY. */
int STAR_Topology_free(STAR_Topology *topology);
/* Prints the topology as this rank sees it on standard output. Local. Errors: TOPOLOGY. */
int STAR_Topology_dump(STAR_Topology topology);
/* How many pairs a Cartesian communicator of NDIMS dimensions has, EXTENDED (1) or not (0). Local. Errors:
 * ARG, NDIMS. */
int STAR_Topology_get_cart_number_neighbors(int ndims, int extended, int *pairs);
/* The pairs of CART: those along its dimensions, or, where PAIRS is the number of the extended ones,
 * these. FLIP[i] is 1 where the coordinate that pairs take turns by is odd. Local. Errors: MEMORY, INTERN,
 * ARG, COMM, TOPOLOGY. */
int STAR_Topology_get_cart_neighbors(int pairs, int left[], int right[], int flip[], MPI_Comm cart);

/* ------ Requests */

/* VECTOR is sent and received: by a neighborhood exchange, of which the halo is received, by bcast, and by
 * the program's own functions. The topology of a neighborhood exchange has as many dimensions as the
 * vector; the vectors of a collective operation have the maps that the operation needs. For the program's
 * own functions VECTOR may be STAR_VECTOR_NULL and, where each rank decides by itself, TOPOLOGY may be
 * STAR_TOPOLOGY_NULL. Collective. Errors: MEMORY, INTERN, USER, ARG, DIMS, COMM, TOPOLOGY, FNCTSET,
 * VECTOR, VMAP. */
int STAR_Request_create(STAR_Vector vector, STAR_Topology topology, STAR_Fnctset fnctset,
                        STAR_Request *request);
/* With a vector of its own for what is received; STAR_VECTOR_NULL: the sending one. All collective
 * operations but bcast and barrier need two arrays, or a sending vector (of scatter and scatterv the
 * receiving one, at the root) with a map `inplace`; two lists may be of different places in one array.
 * Rooted: bcast, reduce, gather and scatter, from and to rank ROOT of the topology's communicator.
 * Collective. Errors: MEMORY, INTERN, USER, ARG, DIMS, COMM, TOPOLOGY, FNCTSET, VECTOR, VMAP. */
int STAR_Request_create_generic(STAR_Vector send, STAR_Vector receive, STAR_Topology topology,
                                STAR_Fnctset fnctset, STAR_Request *request);
/* Collective. Errors: MEMORY, INTERN, USER, ARG, DIMS, COMM, TOPOLOGY, FNCTSET, VECTOR, VMAP. */
int STAR_Request_create_generic_rooted(STAR_Vector send, STAR_Vector receive, STAR_Topology topology,
                                       STAR_Fnctset fnctset, int root, STAR_Request *request);
/* All ranks of a communicator create, begin, wait for, update and free the requests of its topologies in one
 * order, and in no two threads at once, as with MPI's collective operations. Those that are alike learn
 * together: docs/how-to/own-patterns.md. */

/* Not while it is under way. Collective. Errors: INTERN, ARG, REQUEST. */
int STAR_Request_free(STAR_Request *request);

/* Runs the request, and returns when the vectors may be used again. Collective. Errors: MEMORY, INTERN,
 * USER, REQUEST, VECTOR. */
int STAR_Request_run(STAR_Request request);
/* The same in two halves, between which the program computes and leaves the vectors alone. What is
 * measured is the time from begin to wait, so that the function is chosen that overlaps best. Functions
 * that cannot overlap do all their work in one of the two. Collective. Errors: MEMORY, INTERN, USER,
 * REQUEST, VECTOR. */
int STAR_Request_begin(STAR_Request request);
/* Collective. Errors: INTERN, USER, REQUEST. */
int STAR_Request_wait(STAR_Request request);
/* Their first names, as ADCL's are: start runs and init begins, where MPI_Start begins. They stay. */
int STAR_Request_start(STAR_Request request);
int STAR_Request_init(STAR_Request request);
/* Between the two: lets the MPI library go on. STAR_CONTINUE, or STAR_SUCCESS when all is done, and the
 * vectors may be used again; STAR_Request_wait is then called for the measure's sake, or left out on all
 * ranks. It waits for no other rank, but for one case: of one-sided methods and of the program's own
 * functions nobody tells when they are done, so that from its 10,000th call in a run on it does what
 * STAR_Request_wait does. Local. Errors: INTERN, USER, REQUEST. */
int STAR_Request_progress(STAR_Request request);
/* begin, MIDDLE, wait, END; or, with a function that cannot overlap, all its work and then TOTAL. Each of
 * the three may be NULL. The request is under way until they have returned. Collective. Errors: MEMORY,
 * INTERN, USER, REQUEST, VECTOR. */
int STAR_Request_start_overlap(STAR_Request request, STAR_Work *middle, STAR_Work *end, STAR_Work *total);
/* The program's own measure of a run, in SECONDS: called once for each run, within it or behind it and
 * before the next one. From the first such call on the request is tuned by these alone. All ranks call it,
 * or none. What is no time (negative, no number, 1e9 or more) is an error, and counts as 0 seconds, so
 * that all ranks count the same runs. Collective. Errors: ARG, REQUEST. */
int STAR_Request_update(STAR_Request request, double seconds);

/* The communicator of its topology, and this rank's place in it. Local. Errors: ARG, REQUEST, TOPOLOGY. */
int STAR_Request_get_comm(STAR_Request request, MPI_Comm *comm, int *rank, int *size);
/* The arrays of its vectors; NULL where it has none. Local. Errors: ARG, REQUEST. */
int STAR_Request_get_data(STAR_Request request, void **send, void **receive);
/* The value of attribute number ATTRIBUTE of the function that runs. Local. Errors: ARG, REQUEST. */
int STAR_Request_get_value(STAR_Request request, int attribute, int *value);
/* 1 while functions are being compared, 0 once one is chosen. Local. Errors: ARG, REQUEST. */
int STAR_Request_get_state(STAR_Request request, int *state);
/* The name of its function-set. Local. Errors: ARG, REQUEST. */
int STAR_Request_get_fnctset_name(STAR_Request request, char name[STAR_MAX_NAME]);
/* Dimensions of its topology. Local. Errors: ARG, REQUEST, TOPOLOGY. */
int STAR_Request_get_ndims(STAR_Request request, int *ndims);
/* How many functions the request chooses from, and the one that runs, or would run next: numbers from 0. A
 * collective operation shows one: the method that startune uses for it now. Local. Errors: ARG, REQUEST. */
int STAR_Request_get_functions(STAR_Request request, int *count, int *current);
/* The name of one of them, and how many attributes it has. Local. Errors: ARG, REQUEST, FUNCTION. */
int STAR_Request_get_function(STAR_Request request, int function, char name[STAR_MAX_NAME], int *attributes);
/* Attribute number ATTRIBUTE of it, and its value. Local. Errors: ARG, REQUEST, FUNCTION. */
int STAR_Request_get_attribute(STAR_Request request, int function, int attribute, char name[STAR_MAX_NAME],
                               int *value, char value_name[STAR_MAX_NAME]);
/* What was measured of it when it last was: seconds of a run, without outliers (samples of three times the
 * least or more, unless they are most) and with them, and the share of outliers. Known on rank 0; on
 * others, and of a function that was not measured, STAR_ERR_UNDEFINED. Local. Errors: UNDEFINED, ARG,
 * REQUEST, FUNCTION. */
int STAR_Request_get_times(STAR_Request request, int function, double *filtered, double *mean,
                           double *outliers);
/* Before the first run: of the COUNT first functions those that were measured in an earlier run (rank 0's
 * FILTERED seconds; 0: it was not) do not take part, but for the best of them and the first one.
 * Collective. Errors: MEMORY, INTERN, USER, ARG, REQUEST. */
int STAR_Request_restore(STAR_Request request, int count, const double filtered[]);

/* ------ Requests for MPI's operations, from MPI's own arguments */

/* As the MPI functions of these names take them, without gaps in datatypes, and up to 2,147,483,647 elements
 * in all of a buffer, as in a vector; MPI_IN_PLACE is allowed. The first five are
 * STAR_Request_create_generic… with vectors that they make. Collective. Errors: those of
 * STAR_Vector_register_generic, STAR_Topology_create and STAR_Request_create_generic. */
int STAR_Reduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                     MPI_Comm comm, STAR_Request *request);
int STAR_Allreduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, STAR_Request *request);
int STAR_Alltoall_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, STAR_Request *request);
int STAR_Alltoallv_init(void *sendbuf, const int sendcounts[], const int senddispls[], MPI_Datatype sendtype,
                        void *recvbuf, const int recvcounts[], const int recvdispls[], MPI_Datatype recvtype,
                        MPI_Comm comm, STAR_Request *request);
int STAR_Allgatherv_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                         STAR_Request *request);
/* Those that overlap computation. */
int STAR_Ibcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                     STAR_Request *request);
int STAR_Ialltoall_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, MPI_Comm comm, STAR_Request *request);
int STAR_Iallgather_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, MPI_Comm comm, STAR_Request *request);
int STAR_Ireduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                      MPI_Comm comm, STAR_Request *request);

/* ------ Timers */

/* The COUNT requests, which may have no other timer, are tuned by the time from STAR_Timer_start to
 * STAR_Timer_stop. Of several, one at a time is tuned, with those like it, while the others stay with what
 * they have. All ranks of the requests' communicators, which must be congruent, start and stop the timer
 * alike; it may not be started or stopped while one of them is under way. Collective operations are tuned
 * by their own times even so. Local. Errors: MEMORY, INTERN, ARG, REQUEST, TOPOLOGY. */
int STAR_Timer_create(int count, const STAR_Request requests[], STAR_Timer *timer);
/* Local. Errors: MEMORY, REQUEST, TOPOLOGY, TIMER. */
int STAR_Timer_add_request(STAR_Timer timer, STAR_Request request);
/* Local. Errors: REQUEST, TIMER. */
int STAR_Timer_remove_request(STAR_Timer timer, STAR_Request request);
/* Collective. Errors: MEMORY, TIMER. */
int STAR_Timer_start(STAR_Timer timer);
/* Collective. Errors: TIMER. */
int STAR_Timer_stop(STAR_Timer timer);
/* Its requests are tuned by their own times again. Local. Errors: ARG, TIMER. */
int STAR_Timer_free(STAR_Timer *timer);

#ifdef __cplusplus
}
#endif

#endif
