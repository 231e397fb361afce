/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/agree.h"
#include "exec/own.h"
#include "runtime/idup.h"
#include "runtime/pause.h"
#include "runtime/session.h"
#include "runtime/watch.h"
#include "tuner/decision.h"
#include "tuner/inside.h"
#include "tuner/tuner.h"
#include "util/fpenv.h"
#include "util/settings.h"
#include "util/why.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The MPI library's operations, as startune's own waits need them: watched. */

/* The MPI library calls operators in whatever thread makes progress, and orders that by means that
 * ThreadSanitizer does not see: it is told. */
#ifdef __SANITIZE_THREAD__
void __tsan_acquire(void *address);
void __tsan_release(void *address);
static char order;
#define PASS_ON()   __tsan_release(&order)
#define TAKE_OVER() __tsan_acquire(&order)
#else
#define PASS_ON()   ((void)0)
#define TAKE_OVER() ((void)0)
#endif

static int finish(int error, MPI_Request *request)
{
    star_own(false);
    PASS_ON();
    if (error == MPI_SUCCESS)
        error = star_watch_wait(request);
    TAKE_OVER();
    return error;
}

static bool blocks(MPI_Comm comm)
{
    if (!star_runtime.agreed.blocking && !star_idup_is_known(comm))
        return false;
    star_own(true);
    PASS_ON();
    return true;
}

static int take_over(int error)
{
    star_own(false);
    TAKE_OVER();
    return error;
}

static int allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    if (blocks(comm))
        return take_over(star_native.Allreduce(mine, all, count, type, op, comm));
    star_own(true);
    return finish(STAR_BEGIN_ALLREDUCE(mine, all, count, type, op, comm, &request), &request);
}

static int reduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm)
{
    MPI_Request request;
    if (blocks(comm))
        return take_over(star_native.Reduce(mine, all, count, type, op, root, comm));
    star_own(true);
    return finish(STAR_BEGIN_REDUCE(mine, all, count, type, op, root, comm, &request), &request);
}

static int bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;
    if (blocks(comm))
        return take_over(star_native.Bcast(data, count, type, root, comm));
    star_own(true);
    return finish(STAR_BEGIN_BCAST(data, count, type, root, comm, &request), &request);
}

static int allgather(const void *mine, int count, MPI_Datatype type, void *all, MPI_Comm comm)
{
    MPI_Request request;
    if (blocks(comm))
        return take_over(star_native.Allgather(mine, count, type, all, count, type, comm));
    star_own(true);
    return finish(STAR_BEGIN_ALLGATHER(mine, count, type, all, count, type, comm, &request), &request);
}

bool star_agree_anew(MPI_Comm comm, bool ok, uint64_t sites, bool *same, bool *awake)
{
    /* The minimum of x and of ~x: equal on all ranks where the one is the complement of the other. */
    uint64_t mine[4] = {ok, sites, ~sites, !star_is_paused()}, all[4];
    if (allreduce(mine, all, 4, MPI_UINT64_T, MPI_MIN, comm) != MPI_SUCCESS) {
        *same = *awake = true;
        return false;
    }
    *same = all[1] == ~all[2];
    *awake = all[3] != 0;
    return all[0] != 0;
}

bool star_agree_when(MPI_Comm comm, int64_t *when, bool *awake)
{
    int64_t mine[2] = {-*when, !star_is_paused()}, all[2];
    *awake = true;
    if (allreduce(mine, all, 2, MPI_INT64_T, MPI_MIN, comm) != MPI_SUCCESS)
        return false;
    *when = -all[0];
    *awake = all[1] != 0;
    return true;
}

bool star_agree(MPI_Comm comm, bool ok, uint64_t sites, bool *same)
{
    bool awake;
    return star_agree_anew(comm, ok, sites, same, &awake);
}

static void reduce_figures(void *others, void *mine, int *count, MPI_Datatype *type)
{
    STAR_FPENV_DEFAULT;
    const struct star_figure *other = others;
    struct star_figure *own = mine;
    (void)type;
    TAKE_OVER();
    for (int i = 0; i < *count; i++)
        own[i] = (struct star_figure){own[i].sum + other[i].sum, fmax(own[i].most, other[i].most)};
    PASS_ON();
}

/* What MPI_SUM does, but not in the program's floating-point environment. */
static void add_up(void *others, void *mine, int *count, MPI_Datatype *type)
{
    STAR_FPENV_DEFAULT;
    const double *other = others;
    double *own = mine;
    (void)type;
    TAKE_OVER();
    for (int i = 0; i < *count; i++)
        own[i] += other[i];
    PASS_ON();
}

bool star_agree_begin(void)
{
    return PMPI_Type_contiguous(sizeof(struct star_figure) / sizeof(double), MPI_DOUBLE,
                                &star_runtime.agreed.figure) == MPI_SUCCESS &&
           PMPI_Type_commit(&star_runtime.agreed.figure) == MPI_SUCCESS &&
           PMPI_Op_create(reduce_figures, 1, &star_runtime.agreed.figures) == MPI_SUCCESS &&
           PMPI_Op_create(add_up, 1, &star_runtime.agreed.sums) == MPI_SUCCESS;
}

void star_agree_end(void)
{
    PMPI_Op_free(&star_runtime.agreed.figures);
    PMPI_Op_free(&star_runtime.agreed.sums);
    PMPI_Type_free(&star_runtime.agreed.figure);
}

struct star_spread star_agree_tuner(MPI_Comm comm, int rank, int size, struct star_tuner *tuner,
                                    struct star_decision *decision)
{
    size_t paused = star_tuner_figures(tuner), told = paused + 1;
    struct star_figure *mine = star_tuner_scratch(tuner), *all = mine + told;
    memset(decision, 0, sizeof *decision); /* a decision that is none */
    star_tuner_tell(tuner, mine);
    mine[paused] = (struct star_figure){star_is_paused(), 0};
    int error =
        reduce(mine, all, (int)told, star_runtime.agreed.figure, star_runtime.agreed.figures, 0, comm);
    if (!error && rank == 0 && all[paused].sum > 0)
        star_tuner_rest(tuner, all, size, decision);
    else if (!error && rank == 0)
        star_tuner_decide(tuner, all, size, decision);
    decision->asked = rank == 0 ? star_tuner_asked(tuner) : 0;
    decision->least = rank == 0 ? star_tuner_least(tuner) : 0;
    struct star_spread spread = error ? (struct star_spread){0} : star_tuner_spread(tuner);
    if (!error)
        error = bcast(decision, (int)star_tuner_decision_bytes(tuner), MPI_BYTE, 0, comm);
    if (!error) {
        star_tuner_wait(tuner, decision->least);
        star_tuner_apply(tuner, decision);
    }
    return spread;
}

bool star_agree_most(MPI_Comm comm, bool ok, int64_t *value)
{
    uint64_t mine[2] = {ok, ~(uint64_t)*value}, all[2];
    if (allreduce(mine, all, 2, MPI_UINT64_T, MPI_MIN, comm) != MPI_SUCCESS)
        return false;
    *value = (int64_t)~all[1];
    return all[0] != 0;
}

bool star_agree_recollections(MPI_Comm comm, struct star_recollections *known)
{
    struct {
        int64_t count;
        double confidence;
    } head = {known->count, known->confidence};
    if (bcast(&head, (int)sizeof head, MPI_BYTE, 0, comm) != MPI_SUCCESS)
        return false;
    known->count = head.count;
    known->confidence = head.confidence;
    return head.count == 0 ||
           bcast(known->at, (int)((size_t)head.count * sizeof *known->at), MPI_BYTE, 0, comm) == MPI_SUCCESS;
}

bool star_agree_forecast(MPI_Comm comm, struct star_forecast_list *list)
{
    return bcast(list, (int)sizeof *list, MPI_BYTE, 0, comm) == MPI_SUCCESS;
}

/* Without MPI_Init there is no MPI_COMM_SELF. */
static int make_alone(MPI_Comm *made)
{
    if (star_runtime.session_world == MPI_COMM_NULL)
        return PMPI_Comm_dup(MPI_COMM_SELF, made);
    MPI_Group world = MPI_GROUP_NULL, alone = MPI_GROUP_NULL;
    int error = PMPI_Comm_group(star_all(), &world);
    if (!error)
        error = PMPI_Group_incl(world, 1, &star_runtime.world_rank, &alone);
    if (!error)
        error = PMPI_Comm_create_group(star_all(), alone, 0, made);
    if (alone != MPI_GROUP_NULL)
        PMPI_Group_free(&alone);
    if (world != MPI_GROUP_NULL)
        PMPI_Group_free(&world);
    return error;
}

bool star_agree_alone(MPI_Comm *made)
{
    return make_alone(made) == MPI_SUCCESS &&
           PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

/* Where ranks are more than processors it is waited for as all else is: a library that polls without giving
 * its processor away takes a hundred times as long for MPI_Comm_dup. Elsewhere that takes the least: Open MPI
 * needs more than twice as long in the background. */
int star_agree_messages(MPI_Comm *made)
{
    MPI_Request request;
    int error = star_runtime.agreed.blocking ? PMPI_Comm_dup(star_all(), made)
                                             : finish(PMPI_Comm_idup(star_all(), made, &request), &request);
    if (!error)
        PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN); /* a rank that cannot goes on with the others */
    return error;
}

bool star_agree_greeting(struct star_greeting *greeting)
{
    /* The most of x and of ~x: equal on all ranks where the one is the complement of the other. */
    enum {
        SETTINGS,
        OTHER_SETTINGS,
        HOST,
        OTHER_HOST,
        UNABLE,
        THREADS,
        CROWDED,
        CRAMPED,
        KNOWN,
        HANDED,
        ALL = HANDED + STAR_HANDED
    };
    bool leads = star_runtime.world_rank == 0;
    uint64_t all[ALL] = {greeting->settings, ~greeting->settings, greeting->host,
                         ~greeting->host,    greeting->unable,    greeting->threads,
                         greeting->crowded,  greeting->cramped,   leads && greeting->known};
    for (int i = 0; leads && i < STAR_HANDED; i++)
        all[HANDED + i] = (uint64_t)(greeting->handed[i] + 1);
    if (allreduce(MPI_IN_PLACE, all, ALL, MPI_UINT64_T, MPI_MAX, star_world()) != MPI_SUCCESS)
        return false;
    greeting->differ = all[SETTINGS] != ~all[OTHER_SETTINGS];
    greeting->apart = all[HOST] != ~all[OTHER_HOST];
    greeting->unable = all[UNABLE] != 0;
    greeting->threads = all[THREADS] != 0;
    greeting->crowded = all[CROWDED] != 0;
    greeting->cramped = all[CRAMPED] != 0;
    greeting->known = all[KNOWN] != 0;
    for (int i = 0; i < STAR_HANDED; i++)
        greeting->handed[i] = (int64_t)all[HANDED + i] - 1;
    return true;
}

bool star_agree_hosts(struct star_rank_host own, struct star_rank_host *all)
{
    return allgather(&own, (int)sizeof own, MPI_BYTE, all, star_world()) == MPI_SUCCESS;
}

bool star_agree_lengths(int64_t *lengths, int count)
{
    return bcast(lengths, count, MPI_INT64_T, 0, star_world()) == MPI_SUCCESS;
}

/* In pieces, so that a rank without memory takes part. */
bool star_agree_text(struct star_text *text, int64_t length)
{
    enum { PIECE = 1 << 14 };
    char lost[PIECE];
    bool shared = true;
    if (star_runtime.world_rank != 0 && length > 0) /* for nothing no rank is short of memory */
        star_text_extend(text, (size_t)length);
    for (int64_t at = 0; shared && at < length; at += PIECE)
        shared =
            bcast(text->failed ? lost : text->bytes + at, (int)(length - at < PIECE ? length - at : PIECE),
                  MPI_CHAR, 0, star_world()) == MPI_SUCCESS;
    return shared;
}

bool star_agree_places(int machine, int *all, char *host, int room, int *missing, int *first)
{
    if (allgather(&machine, 1, MPI_INT, all, star_world()))
        return false;
    *missing = *first = 0;
    for (int r = star_runtime.world_size - 1; r >= 0; r--)
        if (all[r] < 0) {
            ++*missing;
            *first = r;
        }
    return *missing == 0 || bcast(host, room, MPI_CHAR, *first, star_world()) == MPI_SUCCESS;
}

bool star_agree_settings(struct star_settings *settings, bool *usable, bool *differ)
{
    struct {
        struct star_settings settings;
        int usable;
    } first;
    memset(&first, 0, sizeof first);
    first.settings = *settings;
    first.usable = *usable;
    bool shared = bcast(&first, (int)sizeof first, MPI_BYTE, 0, star_world()) == MPI_SUCCESS;
    *differ = shared && memcmp(settings, &first.settings, sizeof *settings) != 0;
    if (shared)
        *settings = first.settings;
    *usable = shared && first.usable != 0;
    return shared;
}

bool star_agree_counts(int64_t *counts, int count)
{
    return allreduce(MPI_IN_PLACE, counts, count, MPI_INT64_T, MPI_SUM, star_world()) == MPI_SUCCESS;
}

/* The COUNT texts of one rank in a row, and their lengths, 0 of those that have failed or do not fit. */
static char *pack_texts(struct star_text *const *texts, int count, int *lengths, int *total)
{
    *total = 0;
    for (int i = 0; i < count; i++) {
        bool fits = !texts[i]->failed && texts[i]->length <= (size_t)(INT_MAX - *total);
        lengths[i] = fits ? (int)texts[i]->length : 0;
        *total += lengths[i];
    }
    char *packed = malloc((size_t)*total + 1), *at = packed;
    for (int i = 0; packed != NULL && i < count; i++)
        if (lengths[i] > 0) {
            memcpy(at, texts[i]->bytes, (size_t)lengths[i]);
            at += lengths[i];
        }
    return packed;
}

/* What rank 0 needs to receive all ranks' texts. What does not fit is left out, and not sent. */
struct gathering {
    int *lengths, *whole, *places; /* of each rank: of each text; of all; where these go */
    char *all;
    int64_t total;
};

static bool make_gathering(struct gathering *gathering, int size, int count)
{
    gathering->lengths = calloc((size_t)size * (size_t)count, sizeof *gathering->lengths);
    gathering->whole = calloc((size_t)size, sizeof *gathering->whole);
    gathering->places = calloc((size_t)size, sizeof *gathering->places);
    return gathering->lengths != NULL && gathering->whole != NULL && gathering->places != NULL;
}

static bool place_texts(struct gathering *gathering, int size, int count)
{
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < count; i++)
            gathering->whole[r] += gathering->lengths[r * count + i];
        if (gathering->total + gathering->whole[r] > INT_MAX)
            gathering->whole[r] = 0;
        gathering->places[r] = (int)gathering->total;
        gathering->total += gathering->whole[r];
    }
    gathering->all = malloc((size_t)gathering->total + 1);
    for (int r = 0; gathering->all == NULL && r < size; r++)
        gathering->whole[r] = 0;
    return gathering->all != NULL;
}

/* On rank 0, of all ranks: the first text of each behind the other, and so on. */
static void unpack_texts(const struct gathering *gathering, int size, struct star_text *const *texts,
                         int count)
{
    for (int i = 0; i < count; i++)
        star_text_free(texts[i]);
    for (int r = 0; r < size; r++) {
        const char *at = gathering->all + gathering->places[r];
        for (int i = 0; gathering->whole[r] > 0 && i < count; i++) {
            int length = gathering->lengths[r * count + i];
            if (length > 0)
                star_text_append(texts[i], at, (size_t)length);
            at += length;
        }
    }
}

static void free_gathering(struct gathering *gathering)
{
    free(gathering->lengths);
    free(gathering->whole);
    free(gathering->places);
    free(gathering->all);
}

/* GATHERING is made, on rank 0. */
static void gather(struct gathering *gathering, struct star_text *const *texts, int count)
{
    enum { MOST = 16 };
    int size, own[MOST], length, leads = star_runtime.world_rank == 0;
    PMPI_Comm_size(star_world(), &size);
    char *packed = pack_texts(texts, count, own, &length);
    if (packed == NULL)
        memset(own, 0, sizeof own);
    star_native.Gather(own, count, MPI_INT, gathering->lengths, count, MPI_INT, 0, star_world());
    bool fits = leads && place_texts(gathering, size, count);
    star_native.Scatter(gathering->whole, 1, MPI_INT, &length, 1, MPI_INT, 0, star_world());
    star_native.Gatherv(packed, length, MPI_CHAR, gathering->all, gathering->whole, gathering->places,
                        MPI_CHAR, 0, star_world());
    if (fits)
        unpack_texts(gathering, size, texts, count);
    free(packed);
}

void star_agree_collect(struct star_text *const *texts, int count, double *sums, int adding)
{
    enum { MOST = 16 };
    double all[MOST + 2] = {0};
    struct gathering gathering = {0};
    bool leads = star_runtime.world_rank == 0;
    int size;
    PMPI_Comm_size(star_world(), &size);
    for (int i = 0; i < adding; i++)
        all[i] = sums[i];
    for (int i = 0; i < count && !leads; i++)
        all[adding] += (double)texts[i]->length; /* most programs' ranks but the first have nothing to tell */
    all[adding + 1] = leads && !make_gathering(&gathering, size, count);
    star_agree_sums(star_world(), all, adding + 2);
    for (int i = 0; i < adding; i++)
        sums[i] = all[i];
    if (all[adding] > 0 && all[adding + 1] == 0)
        gather(&gathering, texts, count);
    free_gathering(&gathering);
}

/* Errors in here must not reach the program's handler: what fails on one rank leaves the communicator native
 * on all. */
int star_agree_private(MPI_Comm comm, bool ok, bool tuning, uint64_t sites, struct star_agreed *agreed,
                       MPI_Comm *made)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    bool same_still;
    *made = MPI_COMM_NULL;
    ok = PMPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS && ok;
    ok = PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) == MPI_SUCCESS && ok;
    ok = PMPI_Comm_group(comm, &group) == MPI_SUCCESS && ok;
    agreed->able = star_agree_anew(comm, ok, sites, &agreed->same, &agreed->awake);
    if (agreed->able && (agreed->awake || !tuning)) {
        int error = PMPI_Comm_create(comm, group, made);
        if (!error && *made != MPI_COMM_NULL)
            error = PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
        ok = star_agree(comm, !error && *made != MPI_COMM_NULL, 0, &same_still);
        if (!ok && *made != MPI_COMM_NULL)
            PMPI_Comm_free(made);
    }
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (handler != MPI_ERRHANDLER_NULL) {
        PMPI_Comm_set_errhandler(comm, handler);
        PMPI_Errhandler_free(&handler);
    }
    return *made == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_SUCCESS;
}

bool star_agree_equal(MPI_Comm comm, int64_t *mine, bool *equal, int count)
{
    enum { MOST = 16 };
    int64_t both[2 * MOST] = {0}, all[2 * MOST];
    for (int i = 0; i < count; i++) {
        both[i] = mine[i];
        both[count + i] = ~mine[i]; /* its minimum is the complement of the maximum */
    }
    if (allreduce(both, all, 2 * count, MPI_INT64_T, MPI_MIN, comm) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < count; i++) {
        equal[i] = all[i] == ~all[count + i];
        mine[i] = all[i];
    }
    return true;
}

int star_agree_verdict(MPI_Comm comm, bool wrong, char *text, int room)
{
    int rank, mine = INT_MAX, first;
    PMPI_Comm_rank(comm, &rank);
    if (wrong)
        mine = rank;
    if (allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS || first == INT_MAX)
        return -1;
    bcast(text, room, MPI_CHAR, first, comm);
    return first;
}

int star_agree_error(MPI_Comm comm, int error, struct star_why *why)
{
    int worst;
    if (allreduce(&error, &worst, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS)
        return star_because(why, STAR_ESYSTEM, "MPI failed while ranks agreed");
    struct star_why unread;
    struct star_why *text = why ? why : &unread;
    if (worst != 0)
        star_agree_verdict(comm, error == worst, text->text, (int)sizeof text->text);
    return worst;
}

void star_agree_sums(MPI_Comm comm, double *values, int64_t count)
{
    enum { MOST = 1 << 20 };
    for (int64_t i = 0; i < count; i += MOST)
        allreduce(MPI_IN_PLACE, values + i, (int)(count - i < MOST ? count - i : MOST), MPI_DOUBLE,
                  star_runtime.agreed.sums, comm);
}

bool star_agree_pairs(MPI_Comm comm, const int64_t *mine, int64_t *theirs)
{
    star_own(true);
    int error = star_native.Alltoall(mine, 1, MPI_INT64_T, theirs, 1, MPI_INT64_T, comm);
    star_own(false);
    return error == MPI_SUCCESS;
}

bool star_agree_share(MPI_Comm comm, int root, const int64_t *all, int64_t *mine)
{
    star_own(true);
    int error = star_native.Scatter(all, 1, MPI_INT64_T, mine, 1, MPI_INT64_T, root, comm);
    star_own(false);
    return error == MPI_SUCCESS;
}

void star_agree_show(MPI_Comm comm, const char *mine, int room,
                     void (*show)(const char *all, int ranks, const char *headline), const char *headline)
{
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    char *all = rank == 0 ? calloc((size_t)size, (size_t)room) : NULL;
    int fits = rank != 0 || all != NULL;
    bcast(&fits, 1, MPI_INT, 0, comm);
    star_own(true);
    if (fits)
        star_native.Gather(mine, room, MPI_CHAR, all, room, MPI_CHAR, 0, comm);
    if (rank == 0)
        show(fits ? all : mine, fits ? size : 1, headline);
    free(all);
    star_native.Barrier(comm);
    star_own(false);
}
