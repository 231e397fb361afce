/* SPDX-License-Identifier: BSD-3-Clause
 * The setting `checked`: before each call the ranks compare what they are about to do, on a duplicate of the
 * communicator, and where they differ the program ends with a message instead of hanging. */
#include "runtime/checked.h"
#include "algorithms/operations.h"
#include "runtime/agree.h"
#include "runtime/call.h"
#include "runtime/ledger.h"
#include "runtime/operations.h"
#include "runtime/operators.h"
#include "runtime/session.h"
#include "runtime/site.h"
#include "runtime/warn.h"
#include "util/hash.h"
#include "util/text.h"
#include "util/voice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What must be the same on all ranks; 0 where the operation has no such thing. */
enum { OPERATION, ROOT, OPERATOR, BYTES, ELEMENT, IN_PLACE, COUNTS, SAME, READABLE = SAME, SITE, SAID };
static const char *const names[SAME] = {"operation",          "root",         "operator", "number of bytes",
                                        "size of an element", "MPI_IN_PLACE", "counts"};

/* One rank's call, as rank 0 shows it. */
struct line {
    int world;
    char text[380];
};

/* The counts of a call, one for each rank, and the bytes of what they count; negative: no datatype. */
struct counted {
    const struct star_call *call;
    const void *counts;
    int64_t size;
    const MPI_Datatype *types; /* in place of SIZE */
};

static struct counted sent(const struct star_call *call)
{
    bool one = call->sendtypes == NULL;
    return (struct counted){call, call->sendcounts, one ? star_bytes_of(1, call->sendtype) : 0,
                            call->sendtypes};
}

static struct counted received(const struct star_call *call)
{
    bool one = call->recvtypes == NULL;
    return (struct counted){call, call->recvcounts, one ? star_bytes_of(1, call->recvtype) : 0,
                            call->recvtypes};
}

/* For rank K; negative: no count, or no datatype. */
static int64_t bytes_for(const struct counted *counted, int k)
{
    int64_t count = star_count_at(counted->call->large, counted->counts, k), bytes;
    if (counted->types != NULL)
        return count == 0 ? 0 : star_bytes_of(count, counted->types[k]);
    bool wrong = count < 0 || counted->size < 0 || __builtin_mul_overflow(count, counted->size, &bytes);
    return wrong ? -1 : bytes;
}

static int64_t total_of(const struct star_call *call, int size, int64_t *hash)
{
    struct counted counted = received(call);
    int64_t total = 0;
    *hash = 0;
    for (int k = 0; k < size; k++) {
        int64_t bytes = bytes_for(&counted, k);
        if (bytes < 0)
            return -1;
        total += bytes;
        *hash = (int64_t)star_hash_add((uint64_t)*hash, (uint64_t)bytes);
    }
    return total;
}

static bool receives_all(enum star_operation operation)
{
    return operation == STAR_ALLGATHERV || operation == STAR_REDUCE_SCATTER;
}

static int64_t bytes_said(const struct star_call *call, const struct star_communicator *state, int64_t *hash)
{
    bool root = call->root == state->rank, sends = false;
    if (receives_all(call->operation))
        return call->recvcounts ? total_of(call, state->size, hash) : -1;
    if (star_operations[call->operation].units || call->operation == STAR_BARRIER)
        return 0;
    if (call->operation == STAR_GATHER)
        sends = !root;
    else if (call->operation == STAR_SCATTER)
        sends = root;
    else if (call->operation == STAR_ALLTOALL || call->operation == STAR_ALLGATHER)
        sends = call->sendbuf != MPI_IN_PLACE;
    return sends ? star_bytes_of(call->sendcount, call->sendtype)
                 : star_bytes_of(call->recvcount, call->recvtype);
}

/* Can the counts that only this rank knows be compared with the others'? */
static bool is_readable(const struct star_call *call, const struct star_communicator *state)
{
    bool root = call->root == state->rank;
    if (call->operation == STAR_ALLTOALLV)
        return (call->sendcounts != NULL || call->sendbuf == MPI_IN_PLACE) && call->recvcounts != NULL;
    if (call->operation == STAR_ALLTOALLW)
        return (call->sendbuf == MPI_IN_PLACE || (call->sendcounts != NULL && call->sendtypes != NULL)) &&
               call->recvcounts != NULL && call->recvtypes != NULL;
    if (call->operation == STAR_GATHERV)
        return !root || call->recvcounts != NULL;
    if (call->operation == STAR_SCATTERV)
        return !root || call->sendcounts != NULL;
    return call->operation != STAR_ALLGATHERV || call->recvcounts != NULL;
}

static void describe(const struct star_call *call, const struct star_communicator *state, int64_t *said)
{
    const struct star_operation_info *info = &star_operations[call->operation];
    memset(said, 0, SAID * sizeof *said);
    said[OPERATION] = call->operation;
    said[ROOT] = info->rooted ? call->root : 0;
    said[BYTES] = bytes_said(call, state, &said[COUNTS]);
    /* Some ranks may do it in place and others not. */
    bool mixed = info->rooted || call->operation == STAR_BARRIER || call->operation == STAR_REDUCE_SCATTER ||
                 call->operation == STAR_SCAN || call->operation == STAR_EXSCAN;
    said[IN_PLACE] = !mixed && call->sendbuf == MPI_IN_PLACE;
    said[READABLE] = is_readable(call, state);
    said[SITE] = (int64_t)star_site_of(call->site);
    if (info->expected.reduces) {
        int number;
        star_operator_name(call->op, &number);
        said[OPERATOR] = number;
        said[ELEMENT] = star_bytes_of(1, call->recvtype);
    }
}

static void write_line(const struct star_call *call, const int64_t *said, struct line *line)
{
    const struct star_operation_info *info = &star_operations[call->operation];
    int number, at = snprintf(line->text, sizeof line->text, "%s", info->mpi);
    size_t room = sizeof line->text;
    char site[80];
    const char *op = info->expected.reduces ? star_operator_name(call->op, &number) : NULL;
    if (info->rooted)
        at += snprintf(line->text + at, room - (size_t)at, ", root %d", call->root);
    if (said[BYTES] < 0)
        at += snprintf(line->text + at, room - (size_t)at, ", arguments that MPI does not allow");
    else if (!info->units || receives_all(call->operation))
        at += snprintf(line->text + at, room - (size_t)at, ", %lld bytes", (long long)said[BYTES]);
    if (info->expected.reduces)
        at += snprintf(line->text + at, room - (size_t)at, " of %lld each, %s", (long long)said[ELEMENT],
                       op ? op : "an operator of the program's own");
    if (said[COUNTS] != 0)
        at += snprintf(line->text + at, room - (size_t)at, ", counts %08llx",
                       (unsigned long long)said[COUNTS] & 0xffffffffu);
    if (said[IN_PLACE])
        at += snprintf(line->text + at, room - (size_t)at, ", in place");
    star_site_name(call->site, site, sizeof site);
    snprintf(line->text + at, room - (size_t)at, ", called at %s", site);
}

/* "rank 1", "ranks 0, 2-5": those whose line is that of rank FIRST. */
static void write_ranks(const struct line *lines, int ranks, int first, char *text, size_t room)
{
    int at = snprintf(text, room, "%s", "rank ");
    int found = 0;
    for (int i = first; i < ranks && (size_t)at < room - 40; i++) {
        int last = i;
        if (strcmp(lines[i].text, lines[first].text) != 0)
            continue;
        while (last + 1 < ranks && strcmp(lines[last + 1].text, lines[first].text) == 0)
            last++;
        at += snprintf(text + at, room - (size_t)at, "%s%d", found++ ? ", " : "", i);
        if (last > i)
            at += snprintf(text + at, room - (size_t)at, "-%d", last);
        i = last;
    }
}

enum { PASSED_ON = 200000 }; /* microseconds that the launcher may need for it */

static void show(const char *all, int ranks, const char *headline)
{
    enum { LINES_MOST = 16 };
    const struct line *lines = (const struct line *)(const void *)all;
    struct star_text message = {0};
    bool renumbered = false;
    int shown = 0;
    star_text_add(&message, "%s\n", headline);
    for (int i = 0; i < ranks; i++) {
        char text[200];
        int earlier = 0;
        renumbered = renumbered || lines[i].world != i;
        while (strcmp(lines[earlier].text, lines[i].text) != 0)
            earlier++;
        if (earlier < i || shown++ >= LINES_MOST)
            continue;
        write_ranks(lines, ranks, i, text, sizeof text);
        star_text_add(&message, "startune:   %s: %s\n", text, lines[i].text);
    }
    if (renumbered) {
        star_text_add(&message, "startune:   they are");
        for (int i = 0; i < ranks && i < 2 * LINES_MOST; i++)
            star_text_add(&message, "%s %d", i ? "," : "", lines[i].world);
        star_text_add(&message, "%s of MPI_COMM_WORLD\n", ranks > 2 * LINES_MOST ? ", …" : "");
    }
    /* All at once: a launcher throws away what it has not passed on when a rank aborts. */
    fwrite(message.bytes ? message.bytes : "", 1, message.length, star_voice());
    star_text_free(&message);
    usleep(PASSED_ON);
}

static void end_program(const struct star_call *call, const struct star_communicator *state,
                        const int64_t *said, const char *what)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    char headline[400];
    struct line line;
    int length;
    memset(&line, 0, sizeof line);
    line.world = star_runtime.world_rank;
    write_line(call, said, &line);
    PMPI_Comm_get_name(call->comm, name, &length);
    snprintf(headline, sizeof headline,
             "startune: error: the %d ranks of a communicator%s%s call differently: %s", state->size,
             name[0] ? ", " : "", name, what);
    star_agree_show(state->checking, (const char *)&line, sizeof line, show, headline);
    PMPI_Abort(star_all(), 1);
}

static void name_differences(const bool *equal, char *text, size_t room)
{
    int at = 0;
    text[0] = 0;
    for (int i = 0; i < SAME && (size_t)at < room; i++)
        if (!equal[i])
            at += snprintf(text + at, room - (size_t)at, "%s%s", at ? ", " : "", names[i]);
        else
            continue;
    if (!equal[OPERATION])
        snprintf(text, room, "%s", names[OPERATION]); /* all the rest follows from it */
}

/* Of alltoallv and alltoallw: what each rank sends to this one against what it expects. */
static bool pairs_meet(const struct star_call *call, const struct star_communicator *state, int64_t *mine,
                       int64_t *theirs, char *text, size_t room)
{
    struct counted in = received(call), out = call->sendbuf == MPI_IN_PLACE ? in : sent(call);
    for (int k = 0; k < state->size; k++)
        mine[k] = bytes_for(&out, k);
    if (!star_agree_pairs(state->checking, mine, theirs))
        return true;
    for (int k = 0; k < state->size; k++)
        if (bytes_for(&in, k) != theirs[k]) {
            snprintf(text, room, "rank %d expects %lld bytes of rank %d, which sends %lld", state->rank,
                     (long long)bytes_for(&in, k), k, (long long)theirs[k]);
            return false;
        }
    return true;
}

/* Of the others: what the root's counts, or of allgatherv the rank's own, give it against what it says. */
static bool share_meets(const struct star_call *call, const struct star_communicator *state, int64_t *counts,
                        char *text, size_t room)
{
    bool sends = call->operation != STAR_SCATTERV, all_know = call->operation == STAR_ALLGATHERV;
    int64_t asked;
    if (all_know || call->root == state->rank) { /* others' datatype may be anything */
        struct counted counted = sends ? received(call) : sent(call);
        for (int k = 0; k < state->size; k++)
            counts[k] = bytes_for(&counted, k);
    }
    if (all_know)
        asked = counts[state->rank];
    else if (!star_agree_share(state->checking, call->root, counts, &asked))
        return true;
    if ((sends ? call->sendbuf : call->recvbuf) == MPI_IN_PLACE) /* the datatype may be anything */
        return true;
    int64_t own = sends ? star_bytes_of(call->sendcount, call->sendtype)
                        : star_bytes_of(call->recvcount, call->recvtype);
    if (own == asked)
        return true;
    snprintf(text, room, "rank %d %s %lld bytes where the counts say %lld", state->rank,
             sends ? "sends" : "expects", (long long)own, (long long)asked);
    return false;
}

/* Counts that differ from rank to rank: those of the sender against those of the receiver. */
static bool compare_counts(const struct star_call *call, const struct star_communicator *state, char *text,
                           int room)
{
    int64_t *mine = calloc((size_t)state->size, 2 * sizeof *mine);
    bool same, meet = true, root_exists = call->root >= 0 && call->root < state->size;
    size_t width = (size_t)room;
    if (star_agree(state->checking, mine != NULL && root_exists, 0, &same))
        meet = call->operation == STAR_ALLTOALLV || call->operation == STAR_ALLTOALLW
                   ? pairs_meet(call, state, mine, mine + state->size, text, width)
                   : share_meets(call, state, mine, text, width);
    free(mine);
    return star_agree_verdict(state->checking, !meet, text, room) < 0;
}

static bool make_duplicate(const struct star_call *call, struct star_communicator *state)
{
    struct star_agreed agreed;
    if (state->checking == MPI_COMM_NULL &&
        star_agree_private(call->comm, true, false, 0, &agreed, &state->checking) != MPI_SUCCESS) {
        state->checked = false;
        if (state->rank == 0)
            star_ledger_add_unchecked();
        star_warn(STAR_WARN_UNCHECKED, state->rank,
                  "no further communicator can be made: calls on the program's further ones are not checked");
    }
    return state->checking != MPI_COMM_NULL;
}

void star_check(const struct star_call *call, struct star_communicator *state)
{
    int64_t said[SAID], lowest[SAID];
    bool equal[SAID];
    char text[200] = "";
    if (!make_duplicate(call, state))
        return;
    describe(call, state, said);
    memcpy(lowest, said, sizeof said);
    if (!star_agree_equal(state->checking, lowest, equal, SAID))
        return;
    bool all_equal = true;
    for (int i = 0; i < SAME; i++)
        all_equal = all_equal && equal[i];
    if (!all_equal) {
        name_differences(equal, text, sizeof text);
        end_program(call, state, said, text);
    }
    bool has_counts = star_operations[call->operation].units && call->operation != STAR_REDUCE_SCATTER;
    if (has_counts && lowest[READABLE] && !compare_counts(call, state, text, sizeof text))
        end_program(call, state, said, text);
    if (state->rank == 0)
        star_ledger_add_compared();
    if (!equal[SITE]) {
        char site[80];
        star_site_name(call->site, site, sizeof site);
        star_warn(STAR_WARN_CALLERS, state->rank,
                  "ranks call %s from different places, rank 0 at %s: that may be meant, or may not",
                  star_operations[call->operation].mpi, site);
    }
}
