/* SPDX-License-Identifier: BSD-3-Clause
 * What a program may do with each of MPI's collective operations: semantics SECTION [ROUNDS]. Prints numbers
 * that follow from all data received, to be compared with another run's; `every` and `large` also how many
 * calls there were that can be tuned, on communicators of more than one rank. */
#include "each.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rounds = 8, rank, size;
static const struct each_functions *functions = &each_mpi;
static long tunable[EACH_OPERATIONS];

/* MPICH's own reduce in place crashes at a root other than 0 past 512 elements. */
static const int counts[] = {1, 3, 40, 400};
enum { COUNTS = sizeof counts / sizeof *counts };

static uint64_t make(int which, enum each_form form, MPI_Comm comm, int count, int round)
{
    const struct each_call call = {
        .which = which, .form = form, .comm = comm, .count = count, .round = round};
    return each_make(functions, &call);
}

/* All operations and forms on COMM; one line for each where WHAT is said, else a number for all. */
static uint64_t all_on(MPI_Comm comm, const char *what, int times)
{
    uint64_t all = 0;
    for (int which = 0; which < EACH_OPERATIONS; which++) {
        uint64_t number = 0;
        char line[80];
        for (int round = 0; round < times; round++)
            for (int i = 0; i < COUNTS; i++)
                for (int form = 0; form < EACH_FORMS; form++) {
                    number = each_mix(number, make(which, (enum each_form)form, comm, counts[i], round));
                    tunable[which] += which != EACH_Alltoallv || form != EACH_IN_PLACE;
                }
        snprintf(line, sizeof line, "%s, %s", what ? what : "", each_name[which]);
        if (what)
            each_say(line, number);
        all = each_mix(all, number);
    }
    return all;
}

static void every(void)
{
    MPI_Pcontrol(2, "every", rounds); /* for tools; others do not look at it */
    all_on(MPI_COMM_WORLD, "every", rounds);
    for (int which = 0; rank == 0 && which < EACH_OPERATIONS; which++)
        printf("calls %s %ld\n", each_name[which], tunable[which]);
}

static void large(void)
{
#if MPI_VERSION >= 4
    functions = &each_large;
    every();
#endif
}

#if MPI_VERSION >= 4
/* A broadcast and an exchange of elements of TYPE, each two ints of which one begins SPREAD behind the other.
 */
static uint64_t exchange_of(MPI_Datatype type, int spread, int round)
{
    enum { COUNT = 3, ROOM = 2 * 2 * COUNT, MOST = 16 };
    int all[ROOM], out[MOST * ROOM], in[MOST * ROOM], root = round % size;
    uint64_t number = 0;
    for (int i = 0; i < MOST * ROOM; i++) {
        out[i] = 10000 * rank + i + round;
        in[i] = -1;
    }
    for (int i = 0; i < ROOM; i++)
        all[i] = rank == root ? 100 * round + i : -1;
    MPI_Bcast(all, COUNT, type, root, MPI_COMM_WORLD);
    MPI_Alltoall(out, COUNT, type, in, COUNT, type, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * COUNT; i++) {
        if (all[i * spread] != 100 * round + i * spread)
            fprintf(stderr, "FAILED: bcast of a type with large counts\n");
        for (int r = 0; r < size; r++) {
            int sent = (rank * 2 * COUNT + i) * spread, place = (r * 2 * COUNT + i) * spread;
            if (in[place] != 10000 * r + sent + round)
                fprintf(stderr, "FAILED: alltoall of a type with large counts\n");
            number = each_mix(number, (uint64_t)in[place]);
        }
    }
    return number;
}

/* Datatypes that were made with large counts, and what is made of them. */
static void large_types(void)
{
    MPI_Datatype types[4], pair;
    MPI_Type_contiguous_c(2, MPI_INT, &types[0]);
    MPI_Type_dup(types[0], &types[1]);
    MPI_Type_contiguous(1, types[1], &types[2]);
    MPI_Type_vector_c(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 4 * sizeof(int), &types[3]);
    MPI_Type_free(&pair);
    for (int i = 0; i < 4; i++) {
        uint64_t number = 0;
        MPI_Type_commit(&types[i]);
        for (int round = 0; round < 10 * rounds; round++)
            number = each_mix(number, exchange_of(types[i], i == 3 ? 2 : 1, round));
        each_say("a type with large counts", number);
        MPI_Type_free(&types[i]);
    }
}
#else
static void large_types(void)
{
}
#endif

/* Groups of one rank and of all others. */
static void inter(void)
{
    bool first = rank == 0;
    MPI_Comm part, both;
    MPI_Comm_split(MPI_COMM_WORLD, first, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, first ? 1 : 0, 5, &both);
    for (int sender = 0; sender < 2; sender++)
        for (int which = 0; which < EACH_OPERATIONS; which++) {
            uint64_t number = 0;
            for (int round = 0; round < rounds && which != EACH_Scan && which != EACH_Exscan; round++)
                for (int form = 0; form < EACH_FORMS; form++) {
                    const struct each_call call = {.which = which,
                                                   .form = (enum each_form)form,
                                                   .comm = both,
                                                   .sends = first == (sender == 0),
                                                   .count = 1 + round % 3,
                                                   .round = round};
                    number = each_mix(number, each_make(functions, &call));
                }
            each_say(each_name[which], number);
        }
    MPI_Comm_free(&both);
    MPI_Comm_free(&part);
}

static void few(void)
{
    MPI_Comm alone, self, pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &pair);
    all_on(MPI_COMM_SELF, "MPI_COMM_SELF", rounds);
    all_on(self, "duplicate of MPI_COMM_SELF", rounds);
    all_on(alone, "one rank", rounds);
    all_on(pair, "two ranks", rounds);
    MPI_Comm_free(&alone);
    MPI_Comm_free(&self);
    MPI_Comm_free(&pair);
}

/* Nothing to send, from nowhere to nowhere. */
static void empty(void)
{
    /* MPICH takes one buffer and one array of counts for both sides for a mistake, of any length. */
    int *zeros = calloc(2 * (size_t)size, sizeof *zeros), *none = zeros + size;
    for (int round = 0; round < 4 * rounds; round++) {
        int root = round % size;
        MPI_Comm comm = MPI_COMM_WORLD;
        MPI_Datatype type = round % 2 ? MPI_INT : MPI_DOUBLE;
        MPI_Alltoall(NULL, 0, type, NULL, 0, type, comm);
        MPI_Alltoallv(NULL, zeros, zeros, type, NULL, none, zeros, type, comm);
        MPI_Allgather(NULL, 0, type, NULL, 0, type, comm);
        MPI_Allgatherv(NULL, 0, type, NULL, zeros, zeros, type, comm);
        MPI_Allreduce(NULL, NULL, 0, type, MPI_SUM, comm);
        MPI_Bcast(NULL, 0, type, root, comm);
        MPI_Reduce(NULL, NULL, 0, type, MPI_SUM, root, comm);
        MPI_Reduce_scatter_block(NULL, NULL, 0, type, MPI_SUM, comm);
        MPI_Reduce_scatter(NULL, NULL, zeros, type, MPI_SUM, comm);
        MPI_Gather(NULL, 0, type, NULL, 0, type, root, comm);
        MPI_Gatherv(NULL, 0, type, NULL, zeros, zeros, type, root, comm);
        MPI_Scatter(NULL, 0, type, NULL, 0, type, root, comm);
        MPI_Scatterv(NULL, zeros, zeros, type, NULL, 0, type, root, comm);
        MPI_Scan(NULL, NULL, 0, type, MPI_SUM, comm);
        MPI_Exscan(NULL, NULL, 0, type, MPI_SUM, comm);
    }
    free(zeros);
    each_say("nothing", 0);
}

/* Of operations whose counts each rank knows alone: one rank has nothing, and says so in its own way. */
static void some_have_nothing(void)
{
    int *counted = calloc(3 * (size_t)size, sizeof *counted), *places = counted + size,
        *again = places + size;
    int *out = calloc((size_t)size, sizeof *out), *in = calloc((size_t)size, sizeof *in);
    for (int round = 0; round < 10 * rounds; round++) {
        bool idle = rank == round % size;
        int idler = round % size;
        for (int i = 0; i < size; i++) {
            counted[i] = again[i] = !idle && i != idler;
            places[i] = i;
            out[i] = rank * 100 + i + round;
        }
        /* The idle rank gives one address for both; nothing overlaps, as there is nothing. */
        void *same = round % 3 ? (void *)in : NULL;
        MPI_Alltoallv(idle ? same : out, counted, places, MPI_INT, idle ? same : in, again, places, MPI_INT,
                      MPI_COMM_WORLD);
        for (int i = 0; i < size; i++)
            if (counted[i] && in[i] != i * 100 + rank + round)
                fprintf(stderr, "FAILED: alltoallv where one rank has nothing\n");
    }
    uint64_t number = 0;
    for (int i = 0; i < size; i++)
        number = each_mix(number, (uint64_t)in[i]);
    each_say("one rank has nothing", number);
    free(counted);
    free(out);
    free(in);
}

/* One buffer for both, whose two halves are told apart by displacements alone; on one rank only. */
static void halves_of_one_buffer(void)
{
    int *counted = calloc(4 * (size_t)size, sizeof *counted), *low = counted + size, *high = low + size,
        *again = high + size;
    int *one = calloc(2 * (size_t)size, sizeof *one), *two = calloc(2 * (size_t)size, sizeof *two);
    for (int i = 0; i < size; i++) {
        counted[i] = again[i] = 1;
        low[i] = i;
        high[i] = size + i;
    }
    for (int round = 0; round < 10 * rounds; round++) {
        for (int i = 0; i < size; i++)
            one[i] = rank * 100 + i + round;
        int *into = rank == round % size ? one : two;
        MPI_Alltoallv(one, counted, low, MPI_INT, into, again, high, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < size; i++)
            if (into[size + i] != i * 100 + rank + round)
                fprintf(stderr, "FAILED: alltoallv in two halves of one buffer\n");
    }
    each_say("two halves of one buffer", 0);
    free(counted);
    free(one);
    free(two);
}

#ifdef OPEN_MPI
/* Exscan's receive buffer on rank 0 is of no significance: MPICH looks at it all the same. */
static void insignificant(void)
{
    uint64_t number = 0;
    for (int round = 0; round < 10 * rounds; round++) {
        int out[3] = {rank, rank + round, 7}, in[3] = {0, 0, 0};
        void *nowhere = round % 2 ? NULL : out;
        MPI_Exscan(out, rank == 0 ? nowhere : in, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        number = each_mix(number, (uint64_t)(in[0] + in[1] * 100 + in[2] * 10000));
    }
    each_say("exscan without a receive buffer on rank 0", number);
}
#else
static void insignificant(void)
{
}
#endif

/* Communicators that come and go; some die after one call, some long after they are tuned. */
static void churn(void)
{
    uint64_t number = 0;
    MPI_Group world, evens;
    int *even = malloc((size_t)size * sizeof *even), some = (size + 1) / 2;
    for (int i = 0; i < some; i++)
        even[i] = 2 * i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, some, even, &evens);
    for (int cycle = 0; cycle < 20 * rounds; cycle++) {
        MPI_Comm comm = MPI_COMM_NULL, inner;
        if (cycle % 3 == 0)
            MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm);
        else if (cycle % 3 == 1)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        else if (rank % 2 == 0)
            MPI_Comm_create_group(MPI_COMM_WORLD, evens, cycle, &comm);
        if (comm == MPI_COMM_NULL)
            continue;
        for (int call = 0; call < (cycle % 11 == 0 ? 6 : 1); call++)
            for (int which = 0; which < EACH_OPERATIONS; which++)
                number = each_mix(number, make(which, (enum each_form)(cycle % EACH_FORMS), comm, 5, call));
        MPI_Comm_dup(comm, &inner); /* attributes must not follow */
        MPI_Comm_free(&comm);
        number = each_mix(number, make(cycle % EACH_OPERATIONS, EACH_PLAIN, inner, 5, cycle));
        MPI_Comm_free(&inner);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&evens);
    free(even);
    each_say("communicators", number);
}

struct testament {
    int cycle;
    uint64_t number;
};

/* While its attributes are deleted, a communicator can still be used. */
static int make_last(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)keyval, (void)extra;
    struct testament *last = value;
    last->number = make(last->cycle % EACH_OPERATIONS, EACH_PLAIN, comm, 5, last->cycle);
    return MPI_SUCCESS;
}

/* Communicators whose last call is made while they are freed. The next one may have the same handle, and has
 * another size. */
static void dying(void)
{
    uint64_t number = 0;
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, make_last, &keyval, NULL);
    for (int cycle = 0; cycle < 20 * rounds; cycle++) {
        struct testament last = {.cycle = cycle};
        bool early = rank % 2 == 0 || cycle % 3;
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, cycle % 2 && rank == 0, -rank, &comm);
        if (early)
            MPI_Comm_set_attr(comm, keyval, &last);
        for (int which = 0; which < EACH_OPERATIONS; which++)
            number = each_mix(number, make(which, EACH_PLAIN, comm, 5, cycle));
        if (!early)
            MPI_Comm_set_attr(comm, keyval, &last);
        if (cycle / 2 % 2)
            MPI_Comm_disconnect(&comm);
        else
            MPI_Comm_free(&comm);
        number = each_mix(number, last.number);
    }
    MPI_Comm_free_keyval(&keyval);
    each_say("last calls on communicators", number);
}

/* Nonblocking operations stay under way while others run on the same communicator. */
static void nonblocking(void)
{
    enum { MANY = 300 };
    uint64_t number = 0;
    int sum[MANY], own[MANY], everyone[64], root_says[MANY];
    for (int round = 0; round < rounds; round++)
        for (int which = 0; which < EACH_OPERATIONS; which++) {
            MPI_Request requests[4];
            MPI_Status statuses[4];
            for (int i = 0; i < MANY; i++) {
                own[i] = rank * 7 + i + round;
                root_says[i] = rank == 0 ? i + round : -1;
            }
            MPI_Iallreduce(own, sum, MANY, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
            MPI_Ibcast(root_says, MANY, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
            number = each_mix(number, make(which, EACH_PLAIN, MPI_COMM_WORLD, 3, round));
            MPI_Iallgather(&rank, 1, MPI_INT, everyone, 1, MPI_INT, MPI_COMM_WORLD, &requests[2]);
            MPI_Ibarrier(MPI_COMM_WORLD, &requests[3]);
            number = each_mix(number, make(which, EACH_COMPOSED, MPI_COMM_WORLD, 700, round));
            MPI_Waitall(4, requests, statuses);
            for (int i = 0; i < MANY; i++)
                number = each_mix(each_mix(number, (uint64_t)sum[i]), (uint64_t)root_says[i]);
            for (int i = 0; i < size; i++)
                number = each_mix(number, (uint64_t)everyone[i]);
        }
    each_say("beside nonblocking ones", number);
}

struct thread {
    MPI_Comm comm;
    int first;
    uint64_t number;
};

/* Threads begin with different operations. */
static void *run_thread(void *argument)
{
    struct thread *thread = argument;
    for (int round = 0; round < 5 * rounds; round++)
        for (int i = 0; i < EACH_OPERATIONS; i++)
            for (int form = 0; form < EACH_FORMS; form++)
                thread->number = each_mix(thread->number, make((thread->first + i) % EACH_OPERATIONS,
                                                               (enum each_form)form, thread->comm, 9, round));
    return NULL;
}

static void threads(void)
{
    struct thread both[2] = {{.first = 0}, {.first = EACH_OPERATIONS / 2}};
    pthread_t running[2];
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &both[i].comm);
    for (int i = 0; i < 2; i++)
        pthread_create(&running[i], NULL, run_thread, &both[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(running[i], NULL);
        MPI_Comm_free(&both[i].comm);
        each_say("a thread", both[i].number);
    }
}

/* Datatypes and operators that live for one call. */
static void short_lived(void)
{
    uint64_t number = 0;
    for (int round = 0; round < 1000 * rounds; round++) {
        struct each_call call = {.which = round % EACH_OPERATIONS,
                                 .form = round / EACH_OPERATIONS % 2 ? EACH_SPREAD : EACH_COMPOSED,
                                 .comm = MPI_COMM_WORLD,
                                 .count = 4,
                                 .round = round,
                                 .short_lived = true};
        number = each_mix(number, each_make(functions, &call));
    }
    each_say("short-lived types and operators", number);
}

/* Collective input and output call collective operations inside: the MPI library's own. */
static void files(void)
{
    enum { LENGTH = 1000 };
    MPI_File file;
    MPI_Datatype stripes;
    int out[LENGTH], in[LENGTH];
    const char *name = getenv("SEMANTICS_FILE");
    uint64_t number = 0;
    MPI_Type_vector(LENGTH / 10, 10, 10 * size, MPI_INT, &stripes);
    MPI_Type_commit(&stripes);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < LENGTH; i++)
            out[i] = rank * LENGTH + i + round;
        int error =
            MPI_File_open(MPI_COMM_WORLD, name ? name : "semantics.data",
                          MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
        if (error != MPI_SUCCESS) {
            fprintf(stderr, "FAILED: MPI_File_open\n");
            break;
        }
        MPI_File_set_view(file, (MPI_Offset)(rank * 10 * (int)sizeof *out), MPI_INT, stripes, "native",
                          MPI_INFO_NULL);
        MPI_File_write_at_all(file, 0, out, LENGTH, MPI_INT, MPI_STATUS_IGNORE);
        number = each_mix(number, make(EACH_Allreduce, EACH_PLAIN, MPI_COMM_WORLD, 5, round));
        MPI_File_sync(file);
        MPI_File_read_at_all(file, 0, in, LENGTH, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
        if (memcmp(in, out, sizeof in) != 0)
            fprintf(stderr, "FAILED: what is read is not what was written\n");
    }
    MPI_Type_free(&stripes);
    each_say("files", number);
    if (rank == 0)
        printf("calls Allreduce %d\n", rounds);
}

static const struct {
    const char *name;
    void (*run)(void);
} sections[] = {
    {"every", every},
    {"insignificant", insignificant},
    {"large", large},
    {"large_types", large_types},
    {"inter", inter},
    {"few", few},
    {"empty", empty},
    {"nothing", some_have_nothing},
    {"churn", churn},
    {"dying", dying},
    {"files", files},
    {"nonblocking", nonblocking},
    {"threads", threads},
    {"lived", short_lived},
    {"halves", halves_of_one_buffer},
};

int main(int argc, char **argv)
{
    int provided;
    bool threaded = argc > 1 && strcmp(argv[1], "threads") == 0;
    MPI_Init_thread(&argc, &argv, threaded ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2)
        rounds = atoi(argv[2]);
    each_begin();
    bool able = !threaded || provided == MPI_THREAD_MULTIPLE;
    for (size_t i = 0; able && i < sizeof sections / sizeof *sections; i++)
        if (argc > 1 && strcmp(argv[1], sections[i].name) == 0)
            sections[i].run();
    each_end();
    MPI_Finalize();
    return able ? 0 : 77;
}
