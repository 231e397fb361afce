/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/talk.h"
#include "algorithms/operations.h"
#include "runtime/call.h"
#include "runtime/pause.h"
#include "runtime/peers.h"
#include "runtime/repeat.h"
#include "runtime/session.h"
#include "util/fpenv.h"
#include "util/spare.h"

#include <stdlib.h>
#include <string.h>

/* Calls between two verdicts, at first and at most. Each is a message to all ranks; one that comes too late
 * leaves all with native. */
enum { GAP_LEAST = 2, GAP_MOST = 256 };

/* A verdict is awaited, which took so many calls when one was awaited before: about as many as the speaker is
 * ahead. All ranks know them. */
static void await_verdict(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    talk->since = state->calls;
    talk->point = state->calls + (talk->ahead / 2 > GAP_LEAST ? talk->ahead / 2 : GAP_LEAST);
}

static struct star_figure *figures_of(struct star_statement *statement)
{
    return (struct star_figure *)(void *)(statement + 1);
}

/* Rank 0 hears statements, and the speaker votes, of all others one after the other. */
static int rank_heard_next(const struct star_talk *talk, enum star_matter matter)
{
    int hearer = matter == STAR_STATEMENT ? 0 : talk->speaker;
    return talk->heard + (talk->heard >= hearer ? 1 : 0);
}

static void await_next(struct star_communicator *state, void *into, size_t bytes, enum star_matter matter)
{
    struct star_talk *talk = state->talk;
    star_peer_irecv(state, rank_heard_next(talk, matter), matter, into, bytes, &talk->coming);
}

static bool has_come(struct star_talk *talk, MPI_Status *status, int *error)
{
    return star_peer_is_done(&talk->coming, status, error);
}

/* What one more rank has said. */
static void add(struct star_talk *talk, bool whole)
{
    STAR_FPENV_DEFAULT;
    const struct star_statement *own = talk->own, *other = talk->other;
    struct star_heard *found = &talk->found;
    bool alike =
        whole && other->number == own->number && other->calls == own->calls && other->about == own->about;
    found->alike = found->alike && alike;
    found->able = found->able && alike && other->able != 0 && other->figures == own->figures;
    found->awake = found->awake && (!alike || other->awake != 0);
    found->same = found->same && (!alike || other->sites == own->sites);
    if (!found->able)
        return;
    struct star_figure *sums = figures_of(talk->own), *figures = figures_of(talk->other);
    for (int64_t i = 0; i < own->figures; i++) {
        sums[i].sum += figures[i].sum;
        sums[i].most = figures[i].most > sums[i].most ? figures[i].most : sums[i].most;
    }
}

/* Rank 0: all statements have come. */
static void judge(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    talk->outcome = (struct star_outcome){.number = talk->number, .given = 1};
    talk->topic->judge(state, talk->context, &talk->found, talk->found.able ? figures_of(talk->own) : NULL,
                       &talk->outcome);
    if (talk->speaker == 0)
        talk->ready = true;
    else
        star_peer_isend(state, talk->speaker, STAR_OUTCOME, &talk->outcome,
                        offsetof(struct star_outcome, payload) + (size_t)talk->outcome.bytes, &talk->sent);
}

static void collect_statements(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    MPI_Status status;
    int error, bytes;
    while (talk->heard + 1 < state->size && has_come(talk, &status, &error)) {
        bool good = error == MPI_SUCCESS && PMPI_Get_count(&status, MPI_BYTE, &bytes) == MPI_SUCCESS &&
                    bytes >= (int)sizeof *talk->other;
        add(talk, good && (size_t)bytes == sizeof *talk->other +
                                               (size_t)talk->other->figures * sizeof(struct star_figure));
        if (++talk->heard + 1 < state->size)
            await_next(state, talk->other, talk->room, STAR_STATEMENT);
        else
            judge(state);
    }
}

static void collect_votes(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    MPI_Status status;
    int error;
    while (!talk->ready && has_come(talk, &status, &error)) {
        bool good = error == MPI_SUCCESS && talk->others.number == talk->number;
        for (size_t i = 0; i < sizeof talk->vote.able / sizeof talk->vote.able[0]; i++)
            talk->vote.able[i] &= good ? talk->others.able[i] : 0;
        if (good && talk->others.idle_bytes > talk->vote.idle_bytes)
            talk->vote.idle_bytes = talk->others.idle_bytes;
        if (++talk->heard + 1 < state->size)
            await_next(state, &talk->others, sizeof talk->others, STAR_VOTE);
        else
            talk->ready = true;
    }
}

/* As far as it goes without waiting. */
static void progress(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    int error;
    MPI_Status status;
    if (talk->phase == STAR_ASKS && state->rank == 0 && talk->heard + 1 < state->size)
        collect_statements(state);
    if (talk->phase == STAR_ASKS && state->rank == talk->speaker && state->rank != 0 && !talk->ready)
        talk->ready =
            has_come(talk, &status, &error) && error == MPI_SUCCESS && talk->outcome.number == talk->number;
    if (talk->phase == STAR_MAKES && state->rank == talk->speaker)
        collect_votes(state);
    if (talk->sent != MPI_REQUEST_NULL)
        star_peer_is_done(&talk->sent, MPI_STATUS_IGNORE, &error);
}

static void begin_making(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    talk->phase = STAR_MAKES;
    talk->heard = 0;
    talk->ready = talk->round = false;
    await_verdict(state);
    talk->vote = (struct star_vote){.number = talk->number};
    talk->topic->make(state, talk->context, &talk->vote);
    if (state->rank == talk->speaker)
        await_next(state, &talk->others, sizeof talk->others, STAR_VOTE);
    else
        star_peer_send(state, talk->speaker, STAR_VOTE, &talk->vote, sizeof talk->vote);
}

/* Room for a statement of FIGURES, and for another's. Without memory the rank says it is not able. */
static bool make_room(struct star_talk *talk, size_t figures)
{
    size_t room = sizeof *talk->own + figures * sizeof(struct star_figure);
    if (talk->room >= room)
        return true;
    struct star_statement *own = malloc(room), *other = malloc(room);
    if (own == NULL || other == NULL) {
        free(own);
        free(other);
        return false;
    }
    if (talk->own != talk->poor) {
        free(talk->own);
        free(talk->other);
    }
    talk->own = own;
    talk->other = other;
    talk->room = room;
    return true;
}

static void begin_asking(struct star_communicator *state, bool able)
{
    struct star_talk *talk = state->talk;
    size_t figures = talk->topic->tell(talk->context, NULL);
    able = make_room(talk, figures) && able;
    *talk->own = (struct star_statement){.number = talk->number,
                                         .calls = state->calls,
                                         .about = talk->about,
                                         .sites = state->sites,
                                         .able = able,
                                         .awake = !star_is_paused(),
                                         .figures = able ? (int64_t)figures : 0};
    if (able)
        talk->topic->tell(talk->context, figures_of(talk->own));
    talk->found =
        (struct star_heard){.able = able, .awake = talk->own->awake != 0, .same = true, .alike = true};
    if (state->rank == 0)
        await_next(state, talk->other, talk->room, STAR_STATEMENT);
    else
        star_peer_isend(state, 0, STAR_STATEMENT, talk->own,
                        sizeof *talk->own + (size_t)talk->own->figures * sizeof(struct star_figure),
                        &talk->sent);
    if (state->rank == talk->speaker && state->rank != 0)
        star_peer_irecv(state, 0, STAR_OUTCOME, &talk->outcome, sizeof talk->outcome, &talk->coming);
}

void star_talk_begin(struct star_communicator *state, const struct star_topic *topic,
                     struct star_context *context, uint64_t about, int speaker, bool able)
{
    struct star_talk *talk = state->talk;
    talk->number++;
    state->talked = true;
    talk->topic = topic;
    talk->context = context;
    talk->about = about;
    talk->speaker = speaker;
    talk->phase = STAR_ASKS;
    await_verdict(state);
    talk->heard = 0;
    talk->ready = talk->round = false;
    talk->sent = talk->coming = MPI_REQUEST_NULL;
    star_repeats_forget(state); /* until it ends, no call may go past it */
    if (topic->tell != NULL)
        begin_asking(state, able);
    else
        begin_making(state);
}

int star_awaited(const struct star_call *call)
{
    switch (call->operation) {
    case STAR_BCAST:
    case STAR_SCATTER:
    case STAR_SCATTERV:
        return call->root;
    case STAR_SCAN:
    case STAR_EXSCAN:
        return 0;
    default:
        return -1;
    }
}

/* A tree that messages climb has no more levels. */
static int64_t levels(const struct star_communicator *state)
{
    int64_t levels = 2;
    while (INT64_C(1) << levels < state->size)
        levels++;
    return levels;
}

/* Do messages that are not sent before they are awaited climb to the speaker? Where a rank has made LEVELS
 * such calls, the speaker has begun the first of them. A leaf of others may be through with any number. */
static bool climbs(const struct star_talk *talk, const struct star_call *call, const struct star_facts *facts)
{
    bool upwards = call->operation == STAR_REDUCE || call->operation == STAR_GATHER;
    return upwards && call->root == talk->speaker && facts->bytes > STAR_EAGER_MOST;
}

/* Do all wait for the speaker at this call, in any MPI library? */
static bool awaits_speaker(const struct star_talk *talk, const struct star_call *call)
{
    return star_operation_awaits_all(call->operation) || star_awaited(call) == talk->speaker;
}

static void send_to_all(struct star_communicator *state, const void *message, size_t bytes)
{
    for (int rank = 0; rank < state->size; rank++)
        if (rank != state->rank)
            star_peer_send(state, rank, STAR_VERDICT, message, bytes);
}

static void listen(struct star_communicator *state, void *message, size_t room)
{
    memset(message, 0, sizeof(int64_t)); /* no number of a talk, where MPI fails */
    star_peer_recv(state, state->talk->speaker, STAR_VERDICT, message, room);
}

/* The speaker says what there is; a vote without number, or an outcome that is none, if nothing is yet. */
static void speak(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    const struct star_outcome no_outcome = {.number = talk->number};
    const struct star_vote no_votes = {0};
    talk->said = talk->ready;
    if (talk->phase == STAR_MAKES) {
        send_to_all(state, talk->ready ? &talk->vote : &no_votes, sizeof no_votes);
        return;
    }
    const struct star_outcome *outcome = talk->ready ? &talk->outcome : &no_outcome;
    send_to_all(state, outcome, offsetof(struct star_outcome, payload) + (size_t)outcome->bytes);
}

/* False: the speaker had nothing to say yet. */
static bool hear(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    if (state->rank == talk->speaker)
        return talk->said;
    if (talk->phase == STAR_MAKES) {
        listen(state, &talk->others, sizeof talk->others);
        talk->vote = talk->others;
        return talk->others.number == talk->number;
    }
    listen(state, &talk->outcome, sizeof talk->outcome);
    return talk->outcome.number == talk->number && talk->outcome.given != 0;
}

static void wait_longer(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    int64_t gap = (state->calls - talk->since) / 4;
    talk->point = state->calls + (gap < GAP_LEAST ? GAP_LEAST : gap < GAP_MOST ? gap : GAP_MOST);
}

/* A round of a rehearsal begins at this call. */
static void begin_round(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    talk->round = true;
    talk->climbed = 1;
    talk->said = false;
    if (star_rehearse_speak(state, &talk->rehearsal, talk->speaker, talk->ready))
        speak(state);
}

/* A round goes on. Is it heard at this call? */
static bool is_heard(struct star_communicator *state, const struct star_call *call,
                     const struct star_facts *facts, bool *said)
{
    struct star_talk *talk = state->talk;
    bool awaited = awaits_speaker(talk, call);
    if (!awaited && talk->climbed < levels(state)) {
        talk->climbed += climbs(talk, call, facts);
        return false;
    }
    talk->round = false;
    *said = state->rank == talk->speaker
                ? talk->said
                : star_rehearse_hear(state, &talk->rehearsal, awaited) && hear(state);
    return true;
}

/* Is a verdict given at this call? Then *SAID: there is something in it. */
static bool is_given(struct star_communicator *state, const struct star_call *call,
                     const struct star_facts *facts, bool *said)
{
    struct star_talk *talk = state->talk;
    if (talk->round)
        return is_heard(state, call, facts, said);
    if (state->calls < talk->point)
        return false;
    if (!awaits_speaker(talk, call)) {
        if (climbs(talk, call, facts))
            begin_round(state);
        return false;
    }
    if (state->rank == talk->speaker)
        speak(state);
    *said = hear(state);
    if (*said)
        talk->ahead = state->calls - talk->since;
    return true;
}

bool star_talk_step(struct star_communicator *state, const struct star_call *call,
                    const struct star_facts *facts)
{
    struct star_talk *talk = state->talk;
    if (talk == NULL || talk->phase == STAR_SILENT)
        return false;
    bool asks = talk->phase == STAR_ASKS, said;
    progress(state);
    if (!is_given(state, call, facts, &said))
        return false;
    if (!said) {
        wait_longer(state);
        return false;
    }
    /* The communicator may stay native, and have no talk any more. */
    bool makes = asks && talk->topic->take(state, talk->context, &talk->outcome);
    if (state->talk == NULL)
        return false;
    if (makes) {
        begin_making(state);
        return false;
    }
    if (!asks)
        talk->topic->made(state, talk->context, &talk->vote);
    talk->phase = STAR_SILENT;
    return true;
}

/* Whoever is not heard yet is never heard. */
static void stop_hearing(struct star_talk *talk)
{
    if (talk->phase == STAR_SILENT || talk->coming == MPI_REQUEST_NULL)
        return;
    star_peer_cancel(&talk->coming);
}

/* Has what this rank said left it? Nobody waits for that, and its tags are never used again. */
static bool has_said_all(struct star_talk *talk)
{
    int error;
    return talk->phase == STAR_SILENT || talk->sent == MPI_REQUEST_NULL ||
           star_peer_is_done(&talk->sent, MPI_STATUS_IGNORE, &error);
}

bool star_talk_is_possible(const struct star_communicator *state)
{
    bool reached =
        star_runtime.messages != MPI_COMM_NULL ? state->id > 0 && state->route.tag >= 0 : state->tuned;
    return reached && state->size <= STAR_TALK_RANKS && state->talk != NULL;
}

STAR_SPARES(struct star_talk, spare, 32);

struct star_talk *star_talk_new(void)
{
    struct star_talk *talk = star_spare_new(&spare);
    if (talk == NULL)
        return NULL;
    talk->own = &talk->poor[0];
    talk->other = &talk->poor[1];
    talk->room = sizeof talk->poor[0];
    return talk;
}

void star_talk_end(struct star_communicator *state)
{
    struct star_talk *talk = state->talk;
    if (talk == NULL)
        return;
    state->talk = NULL;
    stop_hearing(talk);
    if (!has_said_all(talk))
        return; /* the message lies in this memory, which stays */
    if (talk->own != talk->poor) {
        free(talk->own);
        free(talk->other);
    }
    star_spare_free(&spare, talk);
}
