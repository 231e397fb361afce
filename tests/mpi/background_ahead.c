/* SPDX-License-Identifier: BSD-3-Clause
 * Of the program `background`: one rank begins many calls, and what else may come then, before any other rank
 * has begun the first of them. It waits for none of them before it lets them come. */
#include "background.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 9, ROUNDS = 2, TAG = 5 };

static int first; /* of all ranks */

static void come_after_first(void)
{
    int word;
    if (rank != first)
        MPI_Recv(&word, 1, MPI_INT, first, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void let_others_come(void)
{
    for (int r = 0; rank == first && r < size; r++)
        if (r != first)
            MPI_Ssend(&first, 1, MPI_INT, r, TAG, MPI_COMM_WORLD);
}

static void begin_all(struct work *work, int which, MPI_Comm comm, int units)
{
    for (int i = 0; i < AHEAD; i++)
        begin(&work[i], which, comm, i % size, units, (uint64_t)i);
}

static void end_all(struct work *work, const char *what)
{
    for (int i = AHEAD - 1; i >= 0; i--)
        wait_and_check(&work[i], what);
}

/* What comes behind them, and how it ends. */
struct deed {
    MPI_Comm comm, made;
    MPI_Request request;
    struct work more[WORK_KINDS];
    int count;
};

static void do_nothing(struct deed *deed)
{
    (void)deed;
}

static void end_more(struct deed *deed)
{
    for (int i = 0; i < deed->count; i++)
        wait_and_check(&deed->more[i], "behind many calls");
}

/* One of each kind. */
static void begin_each(struct deed *deed)
{
    for (int which = 0; which < WORK_KINDS; which++)
        begin(&deed->more[deed->count++], which, deed->comm, which % size, 3, 1);
}

/* Operators and datatypes of its own are freed at once. */
static void begin_with_own(struct deed *deed)
{
    static const enum work_kind those[] = {WORK_ALLREDUCE, WORK_REDUCE, WORK_SCAN, WORK_REDUCE_SCATTER_BLOCK};
    for (int i = 0; i < reduction_count && deed->count < WORK_KINDS; i++) {
        struct work_call call = {.which = those[i % 4],
                                 .comm = deed->comm,
                                 .units = 5,
                                 .seed = (uint64_t)i,
                                 .reduction = &reductions[i],
                                 .frees = true};
        if (work_is_possible(&call))
            work_begin(&deed->more[deed->count++], &call);
    }
}

/* An operator that is told the program's own datatype, and looks for that. */
static MPI_Datatype told;
static int strangers;
static void add_pairs(void *in, void *inout, int *count, MPI_Datatype *type)
{
    strangers += *type != told;
    for (int i = 0; i < 2 * *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

enum { TWICE = 2 };
static int pairs[TWICE][2], sums[TWICE][2];
static MPI_Request telling[TWICE];

static void begin_told(struct deed *deed)
{
    MPI_Op op;
    MPI_Datatype type;
    MPI_Op_create(add_pairs, 1, &op);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    told = type;
    for (int i = 0; i < TWICE; i++) {
        pairs[i][0] = rank + i;
        pairs[i][1] = 1;
        MPI_Iallreduce(pairs[i], sums[i], 1, type, op, deed->comm, &telling[i]);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    expect(op == MPI_OP_NULL && type == MPI_DATATYPE_NULL, "handles are null once they are freed", -1);
}

static void end_told(struct deed *deed)
{
    (void)deed;
    MPI_Waitall(TWICE, telling, MPI_STATUSES_IGNORE);
    for (int i = 0; i < TWICE; i++)
        expect(sums[i][0] == size * (size - 1) / 2 + i * size && sums[i][1] == size,
               "a reduction whose operator is freed", -1);
    expect(strangers == 0, "an operator is told the program's datatype", -1);
}

static void begin_idup(struct deed *deed)
{
    MPI_Comm_idup(deed->comm, &deed->made, &deed->request);
}

static void end_idup(struct deed *deed)
{
    struct work work;
    MPI_Wait(&deed->request, MPI_STATUS_IGNORE);
    begin(&work, WORK_ALLGATHER, deed->made, 0, 4, 2);
    wait_and_check(&work, "on a duplicate made behind many calls");
    MPI_Comm_free(&deed->made);
}

/* All are told at once that a call is wrong, or may not be. */
static void make_mistakes(struct deed *deed)
{
    int out = 1, in = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect(MPI_Ibcast(&in, 1, MPI_INT, size, deed->comm, &request) != MPI_SUCCESS, "a wrong root succeeds",
           WORK_BCAST);
    expect(MPI_Ireduce(&out, &in, 1, MPI_INT, MPI_OP_NULL, 0, deed->comm, &request) != MPI_SUCCESS,
           "no operator succeeds", WORK_REDUCE);
    expect(MPI_Iscan(&out, &in, 1, MPI_INT, MPI_MAXLOC, deed->comm, &request) != MPI_SUCCESS,
           "a wrong operator succeeds", WORK_SCAN);
    expect(MPI_Iscatter(&out, 1, MPI_DATATYPE_NULL, &in, 1, MPI_DATATYPE_NULL, 0, deed->comm, &request) !=
               MPI_SUCCESS,
           "no datatype succeeds", WORK_SCATTER);
    expect(request == MPI_REQUEST_NULL, "a wrong call leaves the request alone", -1);
    begin_each(deed);
    expect(size == 1 || MPI_Cancel(&deed->more[0].request) != MPI_SUCCESS, "to cancel a collective succeeds",
           0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Open MPI 4.1 itself crashes where a rank frees a communicator on which calls are under way. Where startune
 * puts calls off it lives on until they are over. */
static bool may_free_early(int which)
{
#ifdef OPEN_MPI
    const char *way = getenv("STARTUNE_NONBLOCKING");
    return which == WORK_ALLREDUCE && way != NULL && strcmp(way, "turns") == 0;
#else
    (void)which;
    return true;
#endif
}

static void free_early(struct deed *deed)
{
    if (rank == first)
        MPI_Comm_free(&deed->comm);
}

static const struct {
    void (*begin)(struct deed *deed), (*end)(struct deed *deed);
} deeds[] = {
    {do_nothing, do_nothing}, {begin_each, end_more},    {begin_with_own, end_more}, {begin_told, end_told},
    {begin_idup, end_idup},   {make_mistakes, end_more}, {free_early, do_nothing},
};

static void run_ahead(int which, int number, int units)
{
    struct work work[AHEAD];
    struct deed deed = {.count = 0, .comm = MPI_COMM_WORLD};
    if (deeds[number].begin == free_early)
        MPI_Comm_dup(MPI_COMM_WORLD, &deed.comm);
    come_after_first();
    begin_all(work, which, deed.comm, units);
    deeds[number].begin(&deed);
    let_others_come();
    deeds[number].end(&deed);
    end_all(work, "of which one rank has begun many");
    if (deed.comm != MPI_COMM_WORLD && deed.comm != MPI_COMM_NULL)
        MPI_Comm_free(&deed.comm);
}

void runs_far(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int number = 0; number < (int)(sizeof deeds / sizeof *deeds); number++)
            for (int which = 0; which < WORK_KINDS; which++) {
                first = round == 0 ? 0 : size - 1;
                if (deeds[number].begin != free_early || may_free_early(which))
                    run_ahead(which, number, 3);
            }
}

/* Collectives that make windows, files and communicators: the library calls others for them. */

static bool shares; /* not where MPICH is built without shared memory of its own */

static void find_whether_it_shares(void)
{
    MPI_Comm node;
    int ranks;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    shares = ranks == size;
}

static void make_window(MPI_Comm comm)
{
    int memory = -1, *given;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, comm, &window);
    MPI_Win_fence(0, window);
#ifdef OPEN_MPI /* MPICH 4.0 writes elsewhere */
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    expect(memory == (rank + size - 1) % size, "a put in a window made behind many calls", -1);
#endif
    MPI_Win_free(&window);
    MPI_Win_allocate(sizeof memory, 1, MPI_INFO_NULL, comm, &given, &window);
    MPI_Win_free(&window);
    if (shares) {
        MPI_Win_allocate_shared(sizeof memory, 1, MPI_INFO_NULL, comm, &given, &window);
        MPI_Win_free(&window);
    }
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window);
    MPI_Win_free(&window);
}

static void make_file(MPI_Comm comm)
{
    int word = -1;
    const char *name = getenv("BACKGROUND_FILE");
    MPI_File file;
    MPI_File_open(comm, name ? name : "background.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, (MPI_Offset)rank * 4, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_read_at_all(file, (MPI_Offset)rank * 4, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
    expect(word == rank, "a file opened behind many calls", -1);
    MPI_File_close(&file);
}

static void make_comms(MPI_Comm comm)
{
    MPI_Comm made[3];
    int color = rank < (size + 1) / 2, other = color ? (size + 1) / 2 : 0;
    MPI_Comm_dup(comm, &made[0]);
    MPI_Comm_split(made[0], color, rank, &made[1]);
    struct work work[AHEAD];
    begin_all(work, WORK_BARRIER, made[1], 1);
    if (size > 1) {
        MPI_Intercomm_create(made[1], 0, comm, other, TAG, &made[2]);
        MPI_Comm_free(&made[2]);
    }
    end_all(work, "before communicators are made");
    MPI_Comm_free(&made[0]);
    MPI_Comm_free(&made[1]);
}

static void call_blocking(MPI_Comm comm)
{
    for (int which = 0; which < WORK_KINDS; which++) {
        struct work work;
        struct work_call call = {
            .which = (enum work_kind)which, .blocking = true, .comm = comm, .units = 4, .seed = 1};
        work_begin(&work, &call);
        check(&work, "blocking, behind many calls");
    }
}

void makes_behind(void)
{
    static void (*const makers[])(MPI_Comm) = {make_window, make_file, make_comms, call_blocking};
    int from = size == 1; /* where Open MPI 4.1 makes no window */
    find_whether_it_shares();
    for (int round = 0; round < ROUNDS; round++)
        for (int number = from; number < 4; number++)
            for (int which = 0; which < WORK_KINDS; which++) {
                struct work work[AHEAD];
                MPI_Comm comm = MPI_COMM_WORLD;
                first = round == 0 ? 0 : size - 1;
                come_after_first();
                if (rank != first)
                    nap(1); /* now it makes something */
                begin_all(work, which, comm, 3);
                let_others_come();
                makers[number](comm);
                end_all(work, "before something is made");
            }
}

/* Ranks begin on several communicators in different orders, each many. */
void woven(void)
{
    enum { COMMS = 3 };
    MPI_Comm comms[COMMS];
    for (int c = 0; c < COMMS; c++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
    for (int which = 0; which < WORK_KINDS; which++) {
        struct work work[COMMS][AHEAD];
        first = which % size;
        come_after_first();
        for (int i = 0; i < COMMS; i++) {
            int c = (i * (1 + rank % 2) + rank) % COMMS;
            begin_all(work[c], (which + c) % WORK_KINDS, comms[c], 2 + 30 * c);
        }
        let_others_come();
        for (int i = 0; i < COMMS; i++) {
            int c = (i + 2 * rank) % COMMS;
            end_all(work[c], "woven");
        }
    }
    for (int c = 0; c < COMMS; c++)
        MPI_Comm_free(&comms[c]);
}
