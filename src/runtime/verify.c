/* SPDX-License-Identifier: BSD-3-Clause
 * The setting `verify`: a method runs on a copy of the program's receive buffer first, then native runs on
 * the buffer itself, and what they wrote is compared. */
#include "runtime/verify.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "exec/run.h"
#include "exec/side.h"
#include "plan/plan.h"
#include "runtime/agree.h"
#include "runtime/areas.h"
#include "runtime/call.h"
#include "runtime/ledger.h"
#include "runtime/operations.h"
#include "runtime/records.h"
#include "runtime/rounding.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/shadow.h"
#include "runtime/signature.h"
#include "runtime/warn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verification {
    const struct star_call *call;
    const struct star_communicator *state;
    struct star_areas areas;
    struct star_shadow shadow;
    enum star_comparison how;
    struct star_signature signature; /* of an element, for the program's operators */
    char *before;                    /* the packed bytes sent */
    double *weights; /* of reductions within a bound: of each element of the input, or each number of it */
    int64_t count;   /* of these */
    char *wrong;     /* empty: nothing was */
};

/* Where this rank's part of the result of a reduction begins, in elements of the input. */
static int64_t place_of_result(const struct verification *v)
{
    const struct star_call *call = v->call;
    int64_t place = 0;
    if (call->operation == STAR_REDUCE_SCATTER_BLOCK)
        return v->state->rank * call->recvcount;
    for (int k = 0; call->operation == STAR_REDUCE_SCATTER && k < v->state->rank; k++)
        place += star_count_at(call->large, call->recvcounts, k);
    return place;
}

/* How results are compared depends on nothing but the operator and the signature. */
static void choose_comparison(struct verification *v)
{
    bool reduces = star_operations[v->call->operation].expected.reduces;
    v->how = reduces ? star_comparison_of(v->call) : STAR_BITWISE;
    if (v->how == STAR_BY_NUMBERS && !star_signature_of(v->call->recvtype, &v->signature))
        v->how = STAR_NOT_COMPARED;
}

static int64_t weights_needed(const struct verification *v)
{
    int64_t numbers = v->how == STAR_WITHIN_BOUND ? 1 : v->how == STAR_BY_NUMBERS ? v->signature.numbers : 0;
    return numbers > 0 && v->areas.input.side.size > 0
               ? star_area_bytes(&v->areas.input) / v->areas.input.side.size * numbers
               : 0;
}

struct weighing {
    const struct verification *v;
    double *at;
};

static void weigh_piece(const char *packed, int64_t bytes, void *context)
{
    struct weighing *w = context;
    int64_t elements = bytes / w->v->signature.bytes;
    star_numbers_weights(&w->v->signature, packed, elements, w->at);
    w->at += elements * w->v->signature.numbers;
}

/* The program's numbers are still in place. */
static bool weigh(struct verification *v)
{
    struct weighing weighing = {v, v->weights};
    v->weights = weighing.at = malloc((size_t)v->count * sizeof *v->weights);
    if (v->weights == NULL)
        return false;
    if (v->how == STAR_BY_NUMBERS)
        return star_area_each(&v->areas.input, weigh_piece, &weighing, v->state->route.comm) == MPI_SUCCESS;
    star_rounding_weights(v->call, v->areas.input.side.base, v->count, v->weights);
    return true;
}

/* Everything that can fail on one rank alone, before any rank begins. */
static bool prepare(struct verification *v, const struct star_facts *facts)
{
    MPI_Comm comm = v->state->route.comm;
    choose_comparison(v);
    if (!star_areas_of(v->call, v->state, facts, &v->areas))
        return false;
    v->count = weights_needed(v);
    int64_t sent = star_area_bytes(&v->areas.sent),
            limit = star_runtime.settings.memory - sent - v->count * (int64_t)sizeof *v->weights;
    if (limit < 0)
        return false;
    v->before = malloc((size_t)sent + 1);
    return v->before != NULL && star_area_pack(&v->areas.sent, v->before, comm) == MPI_SUCCESS &&
           star_shadow_open(&v->shadow, &v->areas.received, &v->areas.other, facts->own_operator, limit,
                            comm) &&
           (v->count == 0 || weigh(v));
}

static void dispose(struct verification *v)
{
    free(v->before);
    free(v->weights);
    star_shadow_close(&v->shadow);
}

/* After the method has run, and before native does. */
static void judge_method(struct verification *v, int error)
{
    int64_t where;
    if (error != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length;
        PMPI_Error_string(error, text, &length);
        snprintf(v->wrong, STAR_VERDICT_TEXT, "it ends with %.100s", text);
    } else if (!star_area_is(&v->areas.sent, v->before, v->state->route.comm)) {
        snprintf(v->wrong, STAR_VERDICT_TEXT, "it changes the send buffer");
        star_area_unpack(&v->areas.sent, v->before, v->state->route.comm); /* native needs it as it was */
    } else if (!star_shadow_is_sound(&v->shadow, &where)) {
        snprintf(v->wrong, STAR_VERDICT_TEXT, "it writes at byte %lld of the receive buffer, %s",
                 (long long)where,
                 where < 0                  ? "in front of it"
                 : where >= v->shadow.bytes ? "behind its end"
                                            : "where nothing belongs");
    }
}

/* So many ranks' vectors are in this rank's result. With two the operator is called once, and in which order
 * is known where that matters; with one never. */
static bool is_exact(const struct verification *v, const struct star_facts *facts)
{
    const struct star_communicator *state = v->state;
    int ranks = v->call->operation == STAR_SCAN     ? state->rank + 1
                : v->call->operation == STAR_EXSCAN ? state->rank
                                                    : state->size;
    return ranks == 1 || (ranks == 2 && !facts->commutative);
}

struct comparing {
    const struct verification *v;
    int64_t done, wrong; /* elements compared so far; the first one that differs, or −1 */
    bool exact;
};

static void compare_piece(const char *copy, const char *program, int64_t bytes, void *context)
{
    struct comparing *c = context;
    const struct star_signature *signature = &c->v->signature;
    const double *weights = c->v->weights;
    int64_t elements = bytes / signature->bytes, first = place_of_result(c->v) + c->done;
    if (c->wrong >= 0)
        return;
    if (weights != NULL)
        weights += first * signature->numbers;
    int64_t where = star_numbers_compare(signature, copy, program, elements, weights, c->exact);
    c->wrong = where < 0 ? -1 : c->done + where;
    c->done += elements;
}

static void judge_own(struct verification *v, const struct star_facts *facts)
{
    struct comparing comparing = {.v = v, .wrong = -1, .exact = is_exact(v, facts)};
    star_shadow_each(&v->shadow, &v->areas.received, compare_piece, &comparing, v->state->route.comm);
    if (comparing.wrong >= 0)
        snprintf(v->wrong, STAR_VERDICT_TEXT,
                 "element %lld of its result is not native's, or the program's operator depends on the order",
                 (long long)comparing.wrong);
}

static void judge_bits(struct verification *v)
{
    int64_t where;
    if (!star_shadow_is_result(&v->shadow, &where))
        snprintf(v->wrong, STAR_VERDICT_TEXT, "byte %lld of its result is not native's", (long long)where);
}

static void judge_rounded(struct verification *v)
{
    const char *native = v->areas.received.side.base;
    int64_t where = star_rounding_compare(v->call, star_shadow_at(&v->shadow, native), native,
                                          star_area_bytes(&v->areas.received) / v->areas.received.side.size,
                                          v->weights + place_of_result(v), v->state->size);
    if (where >= 0)
        snprintf(v->wrong, STAR_VERDICT_TEXT,
                 "number %lld of its result is further from native's than rounding explains",
                 (long long)where);
}

static void judge_result(struct verification *v, const struct star_facts *facts)
{
    if (v->wrong[0] || v->areas.received.blocks == 0)
        return;
    switch (v->how) {
    case STAR_BITWISE:
        judge_bits(v);
        break;
    case STAR_WITHIN_BOUND:
        judge_rounded(v);
        break;
    case STAR_BY_NUMBERS:
        judge_own(v, facts);
        break;
    case STAR_NOT_COMPARED:
        break;
    }
}

/* "MPI_Alltoall of 40 bytes on 4 ranks". */
static const char *name_call(const struct verification *v, const struct star_facts *facts, char *text,
                             size_t room)
{
    const char *mpi = star_operations[v->call->operation].mpi;
    if (facts->bytes < 0)
        snprintf(text, room, "%s on %d ranks", mpi, v->state->size);
    else
        snprintf(text, room, "%s of %lld bytes on %d ranks", mpi, (long long)facts->bytes, v->state->size);
    return text;
}

/* The method on the copy, then native; MPI error code of native. */
static int run_both(struct verification *v, struct star_communicator *state,
                    struct star_shared_runner *runner, const struct star_facts *facts)
{
    struct star_call on_copy = *v->call;
    if (v->weights != NULL)
        star_agree_sums(state->route.whole, v->weights, v->count);
    if (v->shadow.copy != NULL)
        on_copy.recvbuf = star_shadow_at(&v->shadow, v->call->recvbuf);
    judge_method(v, star_runner_run(state, runner, &on_copy, facts));
    int error = star_servers[v->call->operation].native(v->call);
    if (error == MPI_SUCCESS)
        judge_result(v, facts);
    else
        v->wrong[0] = 0; /* the call itself is wrong */
    return error;
}

/* What the summary says of it. */
static void remember(const struct verification *v, const struct star_method *method, bool able, bool right)
{
    struct star_verified verified = {.uses = able, .wrong = !right, .unable = !able};
    if (v->state->rank != 0)
        return;
    star_method_format(method, verified.method, sizeof verified.method);
    verified.rounded = able && right && v->count > 0;
    verified.around = able && right && v->how == STAR_NOT_COMPARED;
    star_ledger_add_verified(&verified);
}

bool star_verify(struct star_communicator *state, struct star_shared_runner *runner,
                 const struct star_call *call, const struct star_facts *facts, int *error, bool *right)
{
    char wrong[STAR_VERDICT_TEXT] = "", name[STAR_METHOD_TEXT], which[100];
    struct verification v = {.call = call, .state = state, .wrong = wrong};
    bool same, prepared = prepare(&v, facts);
    uint64_t weights = (uint64_t)v.count; /* which are added up: as many on all ranks */
    bool able = star_agree(state->route.whole, prepared, weights, &same) && same;
    *right = true;
    name_call(&v, facts, which, sizeof which);
    if (!able) {
        star_warn(STAR_WARN_UNVERIFIED, state->rank,
                  "%s is not verified: the copies need more memory than there is, or than the setting memory "
                  "allows",
                  which);
    } else {
        *error = run_both(&v, state, runner, facts);
        int first = star_agree_verdict(state->route.whole, wrong[0] != 0, wrong, sizeof wrong);
        *right = first < 0;
        if (!*right)
            star_warn_each(state->rank, "%s is wrong: %s: on rank %d %s; all ranks leave it out",
                           star_method_format(&runner->method, name, sizeof name), which, first, wrong);
    }
    remember(&v, &runner->method, able, *right);
    dispose(&v);
    return able;
}
