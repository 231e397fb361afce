/* SPDX-License-Identifier: BSD-3-Clause
 * Every mock-up does what the MPI library's own routine does: on 1 to 7 ranks, from every root, in place and
 * not, for datatypes with gaps, also where ranks have different ones of one signature. None writes where it
 * sends from. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/repository.h"
#include "exec/native.h"
#include "exec/run.h"
#include "plan/plan.h"
#include "runtime/call.h"
#include "runtime/operations.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ROOM = 1 << 16, GUARD = 256 };

static struct {
    MPI_Datatype spread, lower, pair_spread;
    MPI_Op last; /* x op y is y: associative, but not commutative */
    MPI_Op add;  /* all ints of elements of the types above */
} made;
static int failures, runs, left_out;

static void take_last(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)count, (void)type;
}

static void add_ints(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint bound, extent;
    PMPI_Type_get_extent(*type, &bound, &extent);
    enum { END = INT32_MAX };
    static const int spread[] = {0, 8, END}, lower[] = {-8, END}, pair[] = {0, 4, 8, END};
    const int *places = *type == made.spread ? spread : *type == made.lower ? lower : pair;
    for (int i = 0; i < *count; i++)
        for (int k = 0; places[k] != END; k++) {
            unsigned a, b;
            memcpy(&a, (char *)in + i * extent + places[k], sizeof a);
            memcpy(&b, (char *)inout + i * extent + places[k], sizeof b);
            b += a;
            memcpy((char *)inout + i * extent + places[k], &b, sizeof b);
        }
}

static void make_types(void)
{
    MPI_Datatype inner;
    PMPI_Type_vector(2, 1, 2, MPI_INT, &made.spread); /* 8 bytes of 12 */
    PMPI_Type_commit(&made.spread);
    int one = 1;
    MPI_Aint place = -8;
    PMPI_Type_create_hindexed(1, &one, &place, MPI_INT, &inner);
    PMPI_Type_create_resized(inner, -8, 20, &made.lower);
    PMPI_Type_free(&inner);
    PMPI_Type_commit(&made.lower);
    PMPI_Type_create_resized(MPI_DOUBLE_INT, 0, 200, &inner);
    PMPI_Type_dup(inner, &made.pair_spread);
    PMPI_Type_free(&inner);
    PMPI_Type_commit(&made.pair_spread);
    PMPI_Op_create(take_last, 0, &made.last);
    PMPI_Op_create(add_ints, 1, &made.add);
}

/* One way to call: even ranks and odd ranks have a type of their own. */
struct way {
    const char *name;
    MPI_Datatype type[2];
    int scale[2]; /* elements of it for one of the other's signature */
    MPI_Op op;
    bool absolute; /* buffers are MPI_BOTTOM */
};

struct scene {
    const struct star_algorithm *row;
    const struct way *way;
    MPI_Comm comm;
    int size, rank, root, elements;
    bool in_place;
};

struct memory {
    char send[ROOM], recv[ROOM];
};
static struct memory before, expected;
static _Alignas(ROOM) struct memory found; /* whole pages, which can be made read-only */

static void fill(const struct scene *scene)
{
    for (int i = 0; i < ROOM; i++) {
        before.send[i] = (char)(i * 7 + scene->rank * 31 + i / 97);
        before.recv[i] = (char)(i * 5 + scene->rank * 17 + i / 89);
    }
    /* Numbers whose sums are exact, wherever elements lie. */
    if (scene->way->type[0] == MPI_DOUBLE)
        for (int i = 0; i < (int)(ROOM / sizeof(double)); i++) {
            double numbers[] = {i % 100 + scene->rank, i % 50 - scene->rank};
            memcpy(before.send + (size_t)i * sizeof(double), &numbers[0], sizeof(double));
            memcpy(before.recv + (size_t)i * sizeof(double), &numbers[1], sizeof(double));
        }
    for (int i = 0; scene->way->type[0] == MPI_DOUBLE_INT && i < ROOM / 16; i++) {
        double number = (i * 7 + scene->rank * 3) % 11;
        memcpy(before.send + i * 16, &number, sizeof number);
        memcpy(before.recv + i * 16, &number, sizeof number);
    }
}

/* The buffer as MPI_BOTTOM, with a datatype of its own. */
static void make_absolute(void **buffer, MPI_Datatype *type)
{
    int one = 1;
    MPI_Aint address, bound, extent;
    MPI_Datatype placed;
    PMPI_Get_address(*buffer, &address);
    PMPI_Type_get_extent(*type, &bound, &extent);
    PMPI_Type_create_hindexed(1, &one, &address, *type, &placed);
    PMPI_Type_create_resized(placed, address, extent, type);
    PMPI_Type_commit(type);
    PMPI_Type_free(&placed);
    *buffer = MPI_BOTTOM;
}

static void close_call(const struct scene *scene, struct star_call *call)
{
    if (scene->way->absolute) {
        PMPI_Type_free(&call->sendtype);
        PMPI_Type_free(&call->recvtype);
    }
}

static struct star_call call_of(const struct scene *scene, struct memory *memory)
{
    int mine = scene->rank % 2;
    bool root = scene->rank == scene->root || !star_operations[scene->row->operation].rooted;
    struct star_call call = {.operation = scene->row->operation,
                             .sendbuf = memory->send + GUARD,
                             .recvbuf = memory->recv + GUARD,
                             .sendcount = scene->elements * scene->way->scale[mine],
                             .recvcount = scene->elements * scene->way->scale[mine],
                             .sendtype = scene->way->type[mine],
                             .recvtype = scene->way->type[mine],
                             .op = scene->way->op,
                             .root = scene->root,
                             .comm = scene->comm};
    void *sent = memory->send + GUARD;
    if (scene->way->absolute) {
        make_absolute(&sent, &call.sendtype);
        make_absolute(&call.recvbuf, &call.recvtype);
        call.sendbuf = sent;
    }
    if (scene->in_place && root && call.operation == STAR_SCATTER)
        call.recvbuf = MPI_IN_PLACE;
    else if (scene->in_place && root && call.operation != STAR_BCAST)
        call.sendbuf = MPI_IN_PLACE;
    return call;
}

static void complain(const struct scene *scene, const char *what, int at)
{
    if (failures++ < 10)
        fprintf(stderr, "FAILED: %s:%s, P=%d, rank %d, root %d, %d of %s%s: %s %d\n",
                star_operations[scene->row->operation].name, scene->row->name, scene->size, scene->rank,
                scene->root, scene->elements, scene->way->name, scene->in_place ? ", in place" : "", what,
                at);
}

/* The mock-up as contexts run it; -1 where it leaves itself out. */
static int run_mockup(const struct scene *scene, struct star_communicator *state,
                      const struct star_call *call)
{
    struct star_method method = {.algorithm = scene->row};
    struct star_facts facts = {.granule = 1, .commutative = true};
    if (!star_servers[call->operation].facts(call, state, &facts))
        return -1;
    struct star_shape shape = star_shape_for(state, call->operation, &facts);
    if (star_method_applies(&method, &shape, NULL) != 0)
        return -1;
    struct star_shared_runner *runner = star_runner_acquire(state, &method, &facts);
    if (runner == NULL)
        return -1;
    memset(runner->scratch, 0x5a, (size_t)runner->scratch_bytes);
    int error = star_runner_run(state, runner, call, &facts);
    star_runner_release(state, runner);
    return error;
}

/* MPI leaves the rest of the input of a reduce-scatter in place undefined. */
static void forget_rest(const struct star_call *call)
{
    MPI_Aint bound, extent;
    PMPI_Type_get_extent(call->recvtype, &bound, &extent);
    int64_t end = GUARD + call->recvcount * extent + bound;
    memcpy(found.recv + end, expected.recv + end, (size_t)(ROOM - end));
}

static void run(const struct scene *scene, struct star_communicator *state)
{
    expected = found = before;
    struct star_call call = call_of(scene, &found);
    mprotect(found.send, ROOM, PROT_READ); /* as the program's constants are */
    int error = run_mockup(scene, state, &call);
    mprotect(found.send, ROOM, PROT_READ | PROT_WRITE);
    close_call(scene, &call);
    if (error < 0) {
        left_out++;
        return;
    }
    call = call_of(scene, &expected);
    star_servers[call.operation].native(&call);
    if (scene->in_place && call.operation == STAR_REDUCE_SCATTER_BLOCK)
        forget_rest(&call);
    close_call(scene, &call);
    runs++;
    if (error != MPI_SUCCESS)
        complain(scene, "error", error);
    if (memcmp(&found, &expected, sizeof found) == 0)
        return;
    int at = 0;
    while (found.send[at] == expected.send[at] && found.recv[at] == expected.recv[at])
        at++;
    complain(scene, "differs at byte", at - GUARD);
}

static void run_roots(struct scene *scene, struct star_communicator *state)
{
    static const int elements[] = {1, 5, 42};
    bool rooted = star_operations[scene->row->operation].rooted;
    for (int i = 0; i < (int)(sizeof elements / sizeof *elements); i++)
        for (scene->root = 0; scene->root < (rooted ? scene->size : 1);
             scene->root += scene->size < 4 ? 1 : scene->size - 1)
            for (int in_place = 0; in_place <= 1; in_place++) {
                scene->elements = elements[i];
                scene->in_place = in_place;
                run(scene, state);
            }
}

static void run_rows(struct scene *scene, struct star_communicator *state)
{
    const struct way moved[] = {
        {"int", {MPI_INT, MPI_INT}, {1, 1}, MPI_OP_NULL, false},
        {"double", {MPI_DOUBLE, MPI_DOUBLE}, {1, 1}, MPI_OP_NULL, false},
        {"two ints with a gap", {made.spread, made.spread}, {1, 1}, MPI_OP_NULL, false},
        {"lower bounds", {made.lower, made.lower}, {1, 1}, MPI_OP_NULL, false},
        {"different types", {MPI_INT, made.spread}, {2, 1}, MPI_OP_NULL, false},
        {"MPI_BOTTOM", {made.spread, made.spread}, {1, 1}, MPI_OP_NULL, true}};
    const struct way reduced[] = {
        {"int, sum", {MPI_INT, MPI_INT}, {1, 1}, MPI_SUM, false},
        {"double, sum", {MPI_DOUBLE, MPI_DOUBLE}, {1, 1}, MPI_SUM, false},
        {"pairs", {MPI_DOUBLE_INT, MPI_DOUBLE_INT}, {1, 1}, MPI_MINLOC, false},
        {"int, not commutative", {MPI_INT, MPI_INT}, {1, 1}, made.last, false},
        {"two ints with a gap, not commutative", {made.spread, made.spread}, {1, 1}, made.last, false},
        {"two ints with a gap", {made.spread, made.spread}, {1, 1}, made.add, false},
        {"lower bounds", {made.lower, made.lower}, {1, 1}, made.add, false},
        {"pairs far apart", {made.pair_spread, made.pair_spread}, {1, 1}, made.add, false}};
    for (int i = 0; i < star_repository_count; i++) {
        scene->row = star_repository[i];
        bool reduces = star_operations[scene->row->operation].expected.reduces;
        for (int k = 0; k < (reduces ? 8 : 6) && scene->row->mockup != STAR_MOCKUP_NONE; k++) {
            scene->way = reduces ? &reduced[k] : &moved[k];
            fill(scene);
            run_roots(scene, state);
        }
    }
}

static void run_ranks(int size)
{
    int world_rank;
    struct star_communicator state = {.size = size};
    struct scene scene = {.size = size};
    PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    PMPI_Comm_split(MPI_COMM_WORLD, world_rank < size ? 0 : MPI_UNDEFINED, 0, &scene.comm);
    if (scene.comm == MPI_COMM_NULL)
        return;
    PMPI_Comm_dup(scene.comm, &state.private);
    state.route = star_route_alone(state.private);
    PMPI_Comm_set_errhandler(state.private, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(scene.comm, &state.rank);
    scene.rank = state.rank;
    run_rows(&scene, &state);
    star_runners_free(&state);
    PMPI_Comm_free(&state.private);
    PMPI_Comm_free(&scene.comm);
}

int main(int argc, char **argv)
{
    int ranks, rank, all[3];
    star_native.Init(&argc, &argv);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    star_runtime.settings.memory = 1 << 26;
    make_types();
    for (int size = 1; size <= ranks; size++)
        run_ranks(size);
    int mine[] = {failures, runs, left_out};
    star_native.Allreduce(mine, all, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d runs of mock-ups, %d left out, %d failures\n", all[1], all[2], all[0]);
    PMPI_Type_free(&made.spread);
    PMPI_Type_free(&made.lower);
    PMPI_Type_free(&made.pair_spread);
    PMPI_Op_free(&made.last);
    PMPI_Op_free(&made.add);
    star_native.Finalize();
    return all[0] != 0 || all[1] == 0;
}
