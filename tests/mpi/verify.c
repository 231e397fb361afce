/* SPDX-License-Identifier: BSD-3-Clause
 * --verify against builders that are wrong on purpose, compiled into this test alone: whatever they do, the
 * program has native's result, and all ranks leave them out. On 4 ranks. */
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "check.h"
#include "plan/build.h"
#include "plan/plan.h"
#include "runtime/call.h"
#include "runtime/communicator.h"
#include "runtime/dispatch.h"
#include "runtime/report.h"
#include "runtime/rounding.h"
#include "runtime/session.h"
#include "runtime/signature.h"
#include "runtime/start.h"
#include "runtime/state.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/settings.h"
#include "util/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum slip {
    RIGHT,
    OTHER_BLOCK,   /* of rank 2 alone */
    BEHIND,        /* writes behind the receive buffer */
    INTO_SENDBUF,  /* leaves the result right */
    WHERE_LARGE,   /* wrong for blocks of 64 bytes and more */
    WHERE_ROOT_IS, /* of bcast: wrong for root 1 */
    LEFT_OUT,      /* of reductions: the last rank's numbers */
    SLIPS
};

static int failures, rank, size;

static void build_alltoall(struct star_builder *b, const struct star_shape *shape)
{
    int64_t n = shape->block;
    int me = shape->rank, all = shape->size;
    bool slips = me == 2 && (*shape->knob == OTHER_BLOCK || (*shape->knob == WHERE_LARGE && n >= 64));
    for (int i = 0; i < all; i++) {
        int64_t at = (slips ? (i + 1) % all : i) * n;
        if (i == me) {
            star_build_copy(b, star_at(STAR_RECVBUF, at), star_at(STAR_SENDBUF, i * n), n);
            continue;
        }
        star_build_recv(b, i, star_at(STAR_RECVBUF, at), n);
        star_build_send(b, i, star_at(STAR_SENDBUF, i * n), n);
    }
    star_build_round(b);
    if (*shape->knob == BEHIND && me == 2)
        star_build_copy(b, star_at(STAR_RECVBUF, all * n), star_at(STAR_RECVBUF, 0), n);
    if (*shape->knob == INTO_SENDBUF && me == 2)
        star_build_copy(b, star_at(STAR_SENDBUF, 0), star_at(STAR_RECVBUF, n), n);
}

static void build_bcast(struct star_builder *b, const struct star_shape *shape)
{
    int64_t n = shape->block, wrong = *shape->knob == WHERE_ROOT_IS && shape->root == 1 ? n / 2 : 0;
    if (shape->rank != shape->root)
        star_build_recv(b, shape->root, star_at(STAR_RECVBUF, 0), n - wrong);
    for (int i = 0; i < shape->size && shape->rank == shape->root; i++)
        if (i != shape->root)
            star_build_send(b, i, star_at(STAR_RECVBUF, 0), n - wrong);
}

/* Each rank has all vectors, and adds them up from the first to the last: not native's order. */
static void build_allreduce(struct star_builder *b, const struct star_shape *shape)
{
    int64_t n = shape->block;
    int me = shape->rank, all = shape->size;
    struct star_place page = star_build_temp(b, all * n);
    star_build_copy(b, star_at(STAR_TEMP, page.offset + me * n), star_at(STAR_SENDBUF, 0), n);
    for (int i = 0; i < all; i++)
        if (i != me) {
            star_build_recv(b, i, star_at(STAR_TEMP, page.offset + i * n), n);
            star_build_send(b, i, star_at(STAR_SENDBUF, 0), n);
        }
    star_build_round(b);
    for (int i = 1; i < all; i++)
        if (*shape->knob != LEFT_OUT || i != 1)
            star_build_reduce(b, star_at(STAR_TEMP, page.offset), star_at(STAR_TEMP, page.offset + i * n), n);
    star_build_copy(b, star_at(STAR_RECVBUF, 0), star_at(STAR_TEMP, page.offset), n);
    star_build_round(b);
    if (*shape->knob == BEHIND && me == 2)
        star_build_copy(b, star_at(STAR_RECVBUF, n), star_at(STAR_RECVBUF, 0), shape->granule);
}

#define BROKEN(which, operation_of, builder)                                                                 \
    static const struct star_algorithm which = {.operation = operation_of,                                   \
                                                .name = "broken",                                            \
                                                .optimises = "nothing",                                      \
                                                .knobs = {{.name = "slip", .most = SLIPS}},                  \
                                                .build = builder};
BROKEN(broken_alltoall, STAR_ALLTOALL, build_alltoall)
BROKEN(broken_bcast, STAR_BCAST, build_bcast)
BROKEN(broken_allreduce, STAR_ALLREDUCE, build_allreduce)

static int serve(const struct star_call *call)
{
    struct star_communicator *state;
    if (star_communicator_of(call->comm, &state) != MPI_SUCCESS || state == NULL)
        return MPI_ERR_COMM;
    return star_dispatch(call, state);
}

static struct star_context *context_of(MPI_Comm comm)
{
    struct star_communicator *state;
    star_communicator_of(comm, &state);
    return state->contexts.first;
}

/* Numbers with gaps between them, which must stay as they are, at absolute addresses or not. */
static void alltoall(MPI_Comm comm, int count, bool in_place, bool bottom, int round)
{
    enum { MOST = 4 * 32 };
    int out[2 * MOST], in[2 * MOST + 8], pairs = size * count;
    MPI_Aint place;
    MPI_Datatype gaps, resized, absolute;
    for (int i = 0; i < 2 * pairs; i++) {
        out[i] = i % 2 ? -7 : rank * 1000 + i / 2 + round;
        in[i] = in_place ? out[i] : -9;
    }
    for (int i = 2 * pairs; i < 2 * pairs + 8; i++)
        in[i] = -5;
    PMPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gaps);
    PMPI_Get_address(in, &place);
    PMPI_Type_create_hindexed(1, (int[]){1}, &place, gaps, &absolute);
    PMPI_Type_create_resized(absolute, place, 2 * sizeof(int), &resized);
    PMPI_Type_commit(&gaps);
    PMPI_Type_commit(&resized);
    struct star_call call = {.operation = STAR_ALLTOALL,
                             .sendbuf = in_place ? MPI_IN_PLACE : out,
                             .sendcount = count,
                             .sendtype = gaps,
                             .recvbuf = bottom ? MPI_BOTTOM : in,
                             .recvcount = count,
                             .recvtype = bottom ? resized : gaps,
                             .comm = comm};
    int error = serve(&call), wrong = 0;
    for (int i = 0; i < 2 * pairs + 8; i++) {
        int from = i / 2 / count, k = i / 2 % count;
        int right = i >= 2 * pairs ? -5
                    : i % 2        ? (in_place ? -7 : -9)
                                   : from * 1000 + rank * count + k + round;
        wrong += in[i] != right;
        wrong += i < 2 * pairs && out[i] != (i % 2 ? -7 : rank * 1000 + i / 2 + round);
    }
    CHECK(error == MPI_SUCCESS && wrong == 0, "round %d: error %d, %d numbers are wrong", round, error,
          wrong);
    PMPI_Type_free(&gaps);
    PMPI_Type_free(&absolute);
    PMPI_Type_free(&resized);
}

static void bcast(MPI_Comm comm, int root, int round)
{
    int numbers[8];
    for (int i = 0; i < 8; i++)
        numbers[i] = rank == root ? i + round : -1;
    struct star_call call = {.operation = STAR_BCAST,
                             .recvbuf = numbers,
                             .recvcount = 8,
                             .recvtype = MPI_INT,
                             .root = root,
                             .comm = comm};
    int error = serve(&call);
    for (int i = 0; i < 8; i++)
        CHECK(!error && numbers[i] == i + round, "round %d, root %d: number %d is wrong", round, root, i);
}

static double share(int of, int i, int round)
{
    return ((of + i) % 2 ? -1 : 1) * (1e9 / (of + i + 1)) + 1e-9 * round + (of == 2 ? 1e-7 : 0);
}

static void allreduce(MPI_Comm comm, bool in_place, MPI_Op op, int round)
{
    enum { N = 20 };
    double out[N], in[N + 1], native[N];
    for (int i = 0; i < N; i++)
        out[i] = share(rank, i, round), in[i] = out[i];
    in[N] = 4711;
    PMPI_Allreduce(out, native, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
    struct star_call call = {.operation = STAR_ALLREDUCE,
                             .sendbuf = in_place ? MPI_IN_PLACE : out,
                             .recvbuf = in,
                             .recvcount = N,
                             .recvtype = MPI_DOUBLE,
                             .op = op,
                             .comm = comm};
    int error = serve(&call);
    for (int i = 0; i < N; i++) {
        double bound = op == MPI_SUM ? 1e-5 : fabs(native[i]) * 1e-12;
        CHECK(!error && fabs(in[i] - native[i]) <= bound, "round %d: number %d is wrong", round, i);
        CHECK(in_place || out[i] == share(rank, i, round), "round %d: the input is changed", round);
    }
    CHECK(in[N] == 4711, "what lies behind is written");
}

/* Elements of the program's own: a double and an int each, that lie one in the other, the doubles of all in
 * front of the ints. Its operator adds the ones and keeps the greater of the others. */
enum { OWN = 6 };

static void add_and_keep(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        double *left = (double *)in + i, *right = (double *)inout + i;
        int *theirs = (int *)(void *)((double *)in + OWN) + 2 * i,
            *ours = (int *)(void *)((double *)inout + OWN) + 2 * i;
        *right += *left;
        *ours = *theirs > *ours ? *theirs : *ours;
    }
}

static MPI_Datatype own_type(void)
{
    MPI_Datatype pair, made;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, OWN * sizeof(double)},
                           (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &pair);
    MPI_Type_create_resized(pair, 0, sizeof(double), &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&pair);
    return made;
}

static void allreduce_own(MPI_Comm comm, bool in_place, int round)
{
    double out[2 * OWN], in[2 * OWN];
    MPI_Datatype type = own_type();
    MPI_Op op;
    MPI_Op_create(add_and_keep, true, &op);
    for (int i = 0; i < OWN; i++) {
        int numbers[2] = {rank == round % size ? 1000 + i : i, -7};
        out[i] = share(rank, i, round);
        memcpy(&out[OWN + i], numbers, sizeof numbers);
        in[i] = out[i];
        in[OWN + i] = out[OWN + i];
    }
    struct star_call call = {.operation = STAR_ALLREDUCE,
                             .sendbuf = in_place ? MPI_IN_PLACE : out,
                             .recvbuf = in,
                             .recvcount = OWN,
                             .recvtype = type,
                             .op = op,
                             .comm = comm};
    int error = serve(&call);
    for (int i = 0; i < OWN; i++) {
        double sum = 0;
        int numbers[2];
        for (int r = 0; r < size; r++)
            sum += share(r, i, round);
        memcpy(numbers, &in[OWN + i], sizeof numbers);
        CHECK(!error && fabs(in[i] - sum) <= 1e-5 && numbers[0] == 1000 + i && numbers[1] == -7,
              "round %d: element %d is wrong", round, i);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

static struct star_methods list_of(const struct star_algorithm *algorithm, int slip)
{
    struct star_methods list = {malloc(sizeof *list.at), 1};
    list.at[0] = (struct star_method){.algorithm = algorithm, .knob = {slip}};
    return list;
}

static void settings(const struct star_algorithm *algorithm, int slip, bool forced)
{
    struct star_settings *s = &star_runtime.settings;
    s->strategy = STAR_EXHAUSTIVE; /* so that each is tried soon */
    s->verify = 1;
    s->iter = 2;
    s->tune_after = 0;
    s->sample = 1;
    star_runtime.force = forced ? list_of(algorithm, slip) : (struct star_methods){0};
    star_runtime.only = list_of(algorithm, slip);
}

/* What the report says of it. */
static void expect_report(MPI_Comm comm, bool wrong)
{
    struct star_communicator *state;
    struct star_text text = {0};
    star_communicator_of(comm, &state);
    star_report_context(&text, state, context_of(comm));
    CHECK((strstr(text.bytes, "\"wrong\": true") != NULL) == wrong && strstr(text.bytes, ":broken") != NULL,
          "the report: %s", text.bytes);
    star_text_free(&text);
}

/* Of allreduce: from this way on the operator is the program's. */
enum { OWN_OPERATORS = 8 };

/* Calls of one kind on a communicator of its own; then whether the method was found wrong. */
static void expect_verdict(const struct star_algorithm *algorithm, int slip, bool forced, int way)
{
    MPI_Comm comm;
    settings(algorithm, slip, forced);
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_PROD, MPI_MIN};
    for (int round = 0; round < 14; round++) {
        if (algorithm == &broken_alltoall)
            alltoall(comm, 5, way % 2, way / 2, round);
        else if (algorithm == &broken_bcast)
            bcast(comm, round % 3, round);
        else if (way >= OWN_OPERATORS)
            allreduce_own(comm, way % 2, round);
        else
            allreduce(comm, way % 2, ops[way / 2], round);
    }
    struct star_context *context = context_of(comm);
    const char *kind = forced ? "forced" : "tuned";
    CHECK(context->uses[1].wrong == (slip != RIGHT) || (forced && slip == RIGHT),
          "%s, slip %d, way %d: it is%s found wrong", kind, slip, way, slip == RIGHT ? "" : " not");
    CHECK(slip == RIGHT || star_is_native(&context->candidates.at[context->current]), "%s: it still runs",
          kind);
    CHECK(slip != RIGHT || context->uses[forced ? 0 : 1].verified, "%s: it is not verified", kind);
    CHECK(forced || star_tuner_is_shut_out(context->subject.tuner, 1) == (slip != RIGHT),
          "slip %d: shut out or not", slip);
    expect_report(comm, slip != RIGHT);
    int64_t timed = context->subject.tally[forced ? 0 : 1].calls;
    CHECK(slip != RIGHT || timed > 0, "%s: a right method is not timed", kind);
    CHECK(slip == RIGHT || slip == WHERE_ROOT_IS || forced || timed == 0,
          "a verified call is taken for a sample");
    PMPI_Comm_free(&comm);
    star_methods_free(&star_runtime.force);
    star_methods_free(&star_runtime.only);
}

/* A size past the bound takes the method of the nearest: verified there, too. */
static void sizes_past_the_bound(void)
{
    settings(&broken_alltoall, WHERE_LARGE, true);
    star_runtime.settings.sizes = 1;
    for (int round = 0; round < 6; round++)
        alltoall(MPI_COMM_WORLD, round < 3 ? 5 : 20, false, false, round);
    struct star_context *context = context_of(MPI_COMM_WORLD);
    CHECK(context->candidates.count == 2 && context->uses[1].wrong && context->uses[1].verified,
          "it is not found wrong");
    star_runtime.settings.sizes = 16;
}

/* Where copies need more memory than there may be, the method runs unverified. */
static void too_large(void)
{
    MPI_Comm comm;
    settings(&broken_alltoall, RIGHT, false);
    star_runtime.settings.memory = 32;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int round = 0; round < 14; round++)
        alltoall(comm, 5, false, false, round);
    struct star_context *context = context_of(comm);
    CHECK(context->subject.tally[1].calls > 0 && !context->uses[1].wrong, "it does not run");
    PMPI_Comm_free(&comm);
}

/* What numbers an element is, whatever it was made of. */
static void signatures(void)
{
    static struct star_signature found; /* 6 KB */
    MPI_Datatype own = own_type(), many, rows, odd;
    MPI_Type_contiguous(3, own, &many);
    MPI_Type_vector(5, 2, 7, MPI_DOUBLE, &rows);
    MPI_Type_create_struct(2, (int[]){2, 1}, (MPI_Aint[]){0, 96}, (MPI_Datatype[]){MPI_DOUBLE_INT, MPI_CHAR},
                           &odd);
    CHECK(star_signature_of(MPI_INT, &found) && found.runs == 1 && found.numbers == 0 && found.bytes == 4,
          "an int");
    CHECK(star_signature_of(MPI_C_DOUBLE_COMPLEX, &found) && found.runs == 1 && found.numbers == 2,
          "a complex number");
    CHECK(star_signature_of(rows, &found) && found.runs == 1 && found.numbers == 10 && found.bytes == 80,
          "a vector");
    CHECK(star_signature_of(many, &found) && found.runs == 6 && found.numbers == 3 && found.bytes == 36,
          "three structs: %d runs", found.runs);
    CHECK(star_signature_of(odd, &found) && found.runs == 4 && found.run[3].count == 5 && found.numbers == 2,
          "pairs: %d runs", found.runs);
    MPI_Type_free(&many);
    MPI_Type_contiguous(STAR_SIGNATURE_MOST, own, &many);
    CHECK(!star_signature_of(many, &found) && found.runs == 0, "too many runs");
    MPI_Type_free(&own);
    MPI_Type_free(&many);
    MPI_Type_free(&rows);
    MPI_Type_free(&odd);
}

/* How far apart the program's numbers may be. */
static void numbers(void)
{
    static struct star_signature pair;
    MPI_Datatype own = own_type();
    char native[12], result[12];
    double x = 3, nearly = 3 * (1 + 1e-9), far = 3.1, weights[1] = {5}, nothing[1] = {INFINITY};
    int i = 4, j = 5;
    CHECK(star_signature_of(own, &pair), "a pair");
    memcpy(native, &x, 8);
    memcpy(native + 8, &i, 4);
    memcpy(result, native, 12);
    CHECK(star_numbers_compare(&pair, result, native, 1, weights, true) < 0, "the same is not");
    memcpy(result, &nearly, 8);
    CHECK(star_numbers_compare(&pair, result, native, 1, weights, false) < 0, "rounding is wrong");
    CHECK(star_numbers_compare(&pair, result, native, 1, weights, true) == 0, "rounding where there is none");
    memcpy(result, &far, 8);
    CHECK(star_numbers_compare(&pair, result, native, 1, weights, false) == 0, "another number is right");
    CHECK(star_numbers_compare(&pair, result, native, 1, nothing, false) < 0, "an infinite bound is none");
    memcpy(result, native, 12);
    memcpy(result + 8, &j, 4);
    CHECK(star_numbers_compare(&pair, result, native, 1, nothing, false) == 0, "another int is right");
    MPI_Type_free(&own);
}

int main(int argc, char **argv)
{
    int all;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    check_begin();
    signatures();
    numbers();
    for (int forced = 0; forced < 2; forced++) {
        for (int way = 0; way < 4; way++) {
            expect_verdict(&broken_alltoall, RIGHT, forced, way);
            expect_verdict(&broken_alltoall, OTHER_BLOCK, forced, way);
            expect_verdict(&broken_alltoall, BEHIND, forced, way);
        }
        expect_verdict(&broken_alltoall, INTO_SENDBUF, forced, 0);
        expect_verdict(&broken_bcast, RIGHT, forced, 0);
        expect_verdict(&broken_bcast, WHERE_ROOT_IS, forced, 0);
        for (int way = 0; way < OWN_OPERATORS + 2; way++) {
            expect_verdict(&broken_allreduce, RIGHT, forced, way);
            if (way < OWN_OPERATORS) /* what lies behind may be the operator's */
                expect_verdict(&broken_allreduce, BEHIND, forced, way);
            expect_verdict(&broken_allreduce, LEFT_OUT, forced, way);
        }
    }
    sizes_past_the_bound();
    too_large();
    star_finish();
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Finalize();
    return all != 0;
}
