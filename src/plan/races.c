/* SPDX-License-Identifier: BSD-3-Clause
 * Vector clocks (Fidge, Mattern, 1988): each rank counts its steps, and knows of each other up to which step
 * that one has surely come. What it knows it leaves with each post; whoever awaits a post takes it over. A
 * step comes behind another if it knows of it. */
#include "plan/races.h"
#include "util/scratch.h"

#include <string.h>

/* One byte of an area, or of what is shown: the step of its owner that wrote it last, and of each rank that
 * read it last. */
struct cell {
    uint32_t written, *read;
};

enum { SHOWN = STAR_SHARED }; /* so many buffers can be: those before the area */
static const char *const names[STAR_BUFFERS] = {"send buffer", "receive buffer", "temporary",
                                                "shared memory"};

struct racer {
    const struct star_plan *plan;
    uint32_t *clock;  /* of each rank: the last step that this rank knows of */
    uint32_t *left;   /* after each call: its clock then */
    uint32_t *posted; /* after each post of all calls: its clock then */
    struct cell *cell;
    struct cell *own; /* of the bytes that it shows of its buffers; OWNED of them in all */
    int64_t base[SHOWN], length[SHOWN], owned;
    int64_t input;           /* where it lies in the receive buffer, or negative */
    uint32_t shown[SHOWN];   /* the step of this call that did; 0: none yet */
    int32_t at, posts, most; /* step and count in this call; the last count of a call */
    int call;
};

struct track {
    int ranks, calls, areas;
    bool meet;
    struct racer *racer;
    struct star_scratch scratch;
    struct star_why *why;
};

static int wrong(const struct track *track, const struct racer *racer, int round, const char *what,
                 int64_t byte, int buffer, int whom)
{
    return star_because(track->why, STAR_EWRONG,
                        "rank %d of %d, round %d: %s byte %lld of rank %d's %s: nothing orders the two",
                        racer->plan->rank, track->ranks, round, what, (long long)byte, whom, names[buffer]);
}

static struct cell *cell_of(const struct track *track, const struct racer *owner, int call, int64_t byte)
{
    return &owner->cell[(call % track->areas) * owner->plan->shared_bytes + byte];
}

static void learn(const struct track *track, struct racer *racer, const uint32_t *clock)
{
    for (int r = 0; r < track->ranks; r++)
        if (clock[r] > racer->clock[r])
            racer->clock[r] = clock[r];
}

static int read_area(const struct track *track, const struct racer *racer, const struct star_step *step,
                     int64_t from)
{
    int me = racer->plan->rank;
    const struct racer *owner = &track->racer[step->peer];
    for (int64_t i = from; i < from + step->length; i++) {
        struct cell *cell = cell_of(track, owner, racer->call, i);
        if (racer->clock[step->peer] < cell->written || cell->written == 0)
            return wrong(track, racer, step->round, "reads", i, STAR_SHARED, step->peer);
        cell->read[me] = racer->clock[me];
    }
    return 0;
}

/* May another rank still read it, as far as this one knows? */
static bool is_read(const struct track *track, const struct racer *racer, const struct cell *cell)
{
    bool read = false;
    for (int r = 0; r < track->ranks; r++)
        read = read || racer->clock[r] < cell->read[r];
    return read;
}

static int write_cell(const struct track *track, const struct racer *racer, const struct star_step *step,
                      struct cell *cell, int64_t byte)
{
    int me = racer->plan->rank;
    if (is_read(track, racer, cell))
        return wrong(track, racer, step->round, "writes what another rank may still read,", byte, step->to,
                     me);
    cell->written = racer->clock[me];
    return 0;
}

/* The cell of a byte of a buffer, if others may read that. */
static struct cell *own_cell(const struct racer *racer, int buffer, int64_t byte)
{
    return byte < racer->length[buffer] ? &racer->own[racer->base[buffer] + byte] : NULL;
}

static int write_to(const struct track *track, const struct racer *racer, const struct star_step *step,
                    int64_t to)
{
    int error = 0;
    for (int64_t i = to; !error && i < to + step->length; i++) {
        struct cell *cell =
            step->to == STAR_SHARED ? cell_of(track, racer, racer->call, i) : own_cell(racer, step->to, i);
        if (cell != NULL)
            error = write_cell(track, racer, step, cell, i);
    }
    return error;
}

/* What a rank shows is there in the same call alone, and behind its step that shows it. */
static int read_shown(const struct track *track, const struct racer *racer, const struct star_step *step)
{
    const struct racer *owner = &track->racer[step->peer];
    uint32_t shown = owner->shown[step->from], known = racer->clock[step->peer];
    if (owner->call != racer->call || shown == 0 || known < shown)
        return wrong(track, racer, step->round, "reads", step->from_offset, step->from, step->peer);
    for (int64_t i = step->from_offset; i < step->from_offset + step->length; i++) {
        struct cell *cell = own_cell(owner, step->from, i);
        if (known < cell->written)
            return wrong(track, racer, step->round, "reads", i, step->from, step->peer);
        cell->read[racer->plan->rank] = racer->clock[racer->plan->rank];
    }
    return 0;
}

/* The input in place is not copied onto itself. */
static bool is_there_already(const struct racer *racer, const struct star_step *step, int64_t from,
                             int64_t to)
{
    return step->kind == STAR_STEP_COPY && step->from == STAR_SENDBUF && step->to == STAR_RECVBUF &&
           racer->input >= 0 && racer->input + from == to;
}

static int touch(const struct track *track, const struct racer *racer, const struct star_step *step)
{
    int error = step->kind == STAR_STEP_READ ? read_shown(track, racer, step) : 0;
    for (int32_t i = 0; !error && i < step->repeat; i++) {
        int64_t from = step->from_offset + i * step->from_stride;
        int64_t to = step->to_offset + i * step->to_stride;
        if (step->from == STAR_SHARED)
            error = read_area(track, racer, step, from);
        if (!error && !is_there_already(racer, step, from, to))
            error = write_to(track, racer, step, to);
    }
    return error;
}

/* May the next call begin? Not before all have left the call that used its area last, where it is not the
 * calls themselves that see to it. */
static bool may_begin(const struct track *track, struct racer *racer)
{
    int last = racer->call - track->areas;
    if (track->meet || last < 0 || racer->at > 0)
        return true;
    for (int r = 0; r < track->ranks; r++)
        if (track->racer[r].call <= last)
            return false;
    for (int r = 0; r < track->ranks; r++)
        learn(track, racer, track->racer[r].left + (size_t)last * (size_t)track->ranks);
    return true;
}

/* The clock of a rank after post COUNT of CALL. */
static uint32_t *posted(const struct track *track, const struct racer *racer, int call, int32_t count)
{
    return racer->posted + ((size_t)call * (size_t)racer->most + (size_t)count - 1) * (size_t)track->ranks;
}

static int await(const struct track *track, struct racer *racer, const struct star_step *step)
{
    const struct racer *peer = &track->racer[step->peer];
    if (peer->call < racer->call || (peer->call == racer->call && peer->posts < step->repeat))
        return 0;
    if (step->repeat > peer->most) /* it has left the call, and never came so far */
        return star_because(track->why, STAR_EWRONG,
                            "rank %d of %d, round %d: awaits a count that never comes", racer->plan->rank,
                            track->ranks, step->round);
    learn(track, racer, posted(track, peer, racer->call, step->repeat));
    return 1;
}

/* 1: done; 0: not yet; negative: a race. */
static int take_step(const struct track *track, struct racer *racer)
{
    const struct star_step *step = &racer->plan->steps[racer->at];
    int error = 0;
    if (step->kind == STAR_STEP_AWAIT)
        return await(track, racer, step);
    racer->clock[racer->plan->rank]++;
    if (step->kind == STAR_STEP_COPY || step->kind == STAR_STEP_REDUCE || step->kind == STAR_STEP_READ)
        error = touch(track, racer, step);
    if (step->kind == STAR_STEP_SHOW)
        racer->shown[step->from] = racer->clock[racer->plan->rank];
    while (step->kind == STAR_STEP_POST && racer->posts < step->repeat)
        memcpy(posted(track, racer, racer->call, ++racer->posts), racer->clock,
               (size_t)track->ranks * sizeof *racer->clock);
    return error ? error : 1;
}

/* The program may write what was shown. */
static int leave(const struct track *track, struct racer *racer)
{
    for (int64_t i = 0; i < racer->owned; i++)
        if (is_read(track, racer, &racer->own[i]))
            return star_because(track->why, STAR_EWRONG,
                                "rank %d of %d: ends while another rank may still read what it shows",
                                racer->plan->rank, track->ranks);
    memcpy(racer->left + (size_t)racer->call * (size_t)track->ranks, racer->clock,
           (size_t)track->ranks * sizeof *racer->clock);
    memset(racer->shown, 0, sizeof racer->shown);
    racer->at = racer->posts = 0;
    racer->call++;
    return 0;
}

/* As far as it can go now. */
static int go(const struct track *track, struct racer *racer, bool *moved)
{
    while (racer->call < track->calls && may_begin(track, racer)) {
        while (racer->at < racer->plan->count) {
            int outcome = take_step(track, racer);
            if (outcome <= 0)
                return outcome;
            racer->at++;
            *moved = true;
        }
        int error = leave(track, racer);
        if (error)
            return error;
        *moved = true;
    }
    return 0;
}

static int go_all(const struct track *track)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = 0; r < track->ranks; r++) {
            int error = go(track, &track->racer[r], &moved);
            if (error)
                return error;
        }
    }
    for (int r = 0; r < track->ranks; r++)
        if (track->racer[r].call < track->calls)
            return star_because(track->why, STAR_EWRONG, "rank %d of %d, round %d: deadlock in shared memory",
                                r, track->ranks, track->racer[r].plan->steps[track->racer[r].at].round);
    return 0;
}

static struct cell *make_cells(struct track *track, size_t cells)
{
    size_t ranks = (size_t)track->ranks;
    struct cell *cell = star_scratch(&track->scratch, cells, sizeof *cell);
    uint32_t *read = star_scratch(&track->scratch, cells * ranks, sizeof *read);
    for (size_t i = 0; !track->scratch.failed && i < cells; i++)
        cell[i].read = read + i * ranks;
    return cell;
}

/* Buffers as far as they are shown, one behind the other; but the input in place is in the receive buffer. */
static void lay_buffers(struct racer *racer)
{
    int64_t *length = racer->length, at = racer->input;
    for (int32_t i = 0; i < racer->plan->count; i++) {
        const struct star_step *step = &racer->plan->steps[i];
        int64_t end = step->from_offset + step->length;
        if (step->kind == STAR_STEP_SHOW && end > length[step->from])
            length[step->from] = end;
    }
    if (at >= 0 && length[STAR_SENDBUF] > 0 && at + length[STAR_SENDBUF] > length[STAR_RECVBUF])
        length[STAR_RECVBUF] = at + length[STAR_SENDBUF];
    for (int buffer = 0; buffer < SHOWN; buffer++) {
        racer->base[buffer] = racer->owned;
        if (buffer != STAR_SENDBUF || at < 0)
            racer->owned += length[buffer];
    }
    if (at >= 0)
        racer->base[STAR_SENDBUF] = racer->base[STAR_RECVBUF] + at;
}

static bool make_racer(struct track *track, struct racer *racer, const struct star_plan *plan, int64_t at)
{
    size_t ranks = (size_t)track->ranks;
    racer->plan = plan;
    for (int32_t i = 0; i < plan->count; i++)
        if (plan->steps[i].kind == STAR_STEP_POST)
            racer->most = plan->steps[i].repeat;
    racer->input = at;
    lay_buffers(racer);
    racer->clock = star_scratch(&track->scratch, ranks, sizeof *racer->clock);
    racer->left = star_scratch(&track->scratch, ranks * (size_t)track->calls, sizeof *racer->left);
    racer->posted = star_scratch(&track->scratch, ranks * (size_t)track->calls * ((size_t)racer->most + 1),
                                 sizeof *racer->posted);
    racer->cell = make_cells(track, (size_t)track->areas * (size_t)plan->shared_bytes);
    racer->own = make_cells(track, (size_t)racer->owned);
    return !track->scratch.failed;
}

int star_races(const struct star_plan *const *plans, int ranks, const int64_t *in_place, bool meet,
               struct star_why *why)
{
    struct track track = {.ranks = ranks, .areas = meet ? STAR_AREAS_MEET : 1, .meet = meet, .why = why};
    track.calls = 2 * track.areas + 1;
    for (int r = 0; r < ranks; r++)
        if (plans[r]->shared_bytes != plans[0]->shared_bytes)
            return star_because(why, STAR_EWRONG, "rank %d of %d: has another area than rank 0", r, ranks);
    if (!star_plan_shares(plans[0]))
        return 0;
    track.racer = star_scratch(&track.scratch, (size_t)ranks, sizeof *track.racer);
    bool made = track.racer != NULL;
    for (int r = 0; made && r < ranks; r++)
        made = make_racer(&track, &track.racer[r], plans[r], in_place != NULL ? in_place[r] : -1);
    int error = made ? go_all(&track) : star_because(why, STAR_EMEMORY, "out of memory for a proof");
    star_scratch_free(&track.scratch);
    return error;
}
