/* SPDX-License-Identifier: BSD-3-Clause
 * How the ranks of a communicator agree at operations that some of them may leave before others have come:
 * broadcasts, reductions to a root, scans. There nobody may wait for a rank that the MPI library would not
 * wait for: a root that broadcasts and then sends is waited for by receivers that have not come to the
 * broadcast. So a talk goes on beside the program's calls.
 *
 *   1. At the call at which a talk begins, the same on all ranks, each rank sends its statement to rank 0,
 *      which makes an outcome of them when all have come. Nobody waits for that.
 *   2. A verdict is given at a later call, whose number all ranks know and at which all wait for one rank,
 *      the speaker, in any MPI library: the root of a broadcast or a scatter, the first rank of a scan; and
 * at operations that nobody leaves before all have come. The speaker says what the outcome is, or that there
 * is none yet, and then the verdict is given at a later call again. The speaker waits for nobody.
 *   3. Where the outcome asks for plans, each rank makes its own and tells the speaker whether it could. All
 *      begin to use them with another verdict.
 *
 * Roots of reductions and gathers wait for the leaves, which wait for nobody: where only such operations
 * come, and are long, verdicts are given as rehearse.h says. In an alltoallw whoever has no block from rank 0
 * does not wait for it: where only that comes, or what is short, there are no verdicts, and native stays.
 *
 * One talk at a time goes on in a communicator. Its messages are as private as those of plans. */
#pragma once

#include "runtime/rehearse.h"
#include "runtime/state.h"
#include "tuner/decide.h"

/* Speakers and rank 0 have a message for each rank: more do not talk. */
enum { STAR_TALK_RANKS = 4096 };

/* What rank 0 finds out of all statements. */
struct star_heard {
    bool able, awake, same; /* all are; all come from the same call sites */
    bool alike;             /* they are about the same thing */
};

/* What becomes of a talk. */
enum { STAR_OUTCOME_MOST = 1024 };
struct star_outcome {
    int64_t number;
    int32_t given, bytes; /* GIVEN: 0 while there is none */
    char payload[STAR_OUTCOME_MOST];
};

/* Which candidates each rank has plans for, and the most bytes that idle ones take on any. */
struct star_vote {
    int64_t number, idle_bytes;
    uint64_t able[STAR_CANDIDATES_MAX / 64];
};

/* What a talk is about. All but JUDGE run on all ranks, at the same call. */
struct star_topic {
    /* This rank's figures, in FIGURES or, where that is NULL, their number. NULL: no statements are made, and
     * the talk begins with plans. */
    size_t (*tell)(struct star_context *context, struct star_figure *figures);
    /* Rank 0: fills the payload and bytes of OUTCOME. SUMS are the reduced figures; NULL where not all
     * statements are good. */
    void (*judge)(struct star_communicator *state, struct star_context *context,
                  const struct star_heard *heard, const struct star_figure *sums,
                  struct star_outcome *outcome);
    /* True: plans are to be made. */
    bool (*take)(struct star_communicator *state, struct star_context *context,
                 const struct star_outcome *outcome);
    void (*make)(struct star_communicator *state, struct star_context *context, struct star_vote *vote);
    void (*made)(struct star_communicator *state, struct star_context *context, const struct star_vote *vote);
};

/* What each rank says at first. FIGURES of them follow. */
struct star_statement {
    int64_t number, calls;
    uint64_t about, sites; /* hashes: of what it is about, and of the call sites so far */
    int32_t able, awake;
    int64_t figures;
};

enum star_talk_phase { STAR_SILENT, STAR_ASKS, STAR_MAKES };

struct star_talk {
    enum star_talk_phase phase;
    int speaker, heard; /* HEARD: messages from ranks up to that one have come */
    bool ready, said;   /* the speaker: what it is to say is there, and was said */
    bool round;         /* of a rehearsal, since which CLIMBED calls have climbed to the speaker */
    int64_t climbed;
    const struct star_topic *topic;
    struct star_context *context; /* NULL: this rank has no memory for it */
    uint64_t about;
    int64_t number;
    int64_t since, point;               /* calls: a verdict is awaited since then, and may come at POINT */
    int64_t ahead;                      /* so many calls the last verdict was awaited */
    MPI_Request sent, coming;           /* a statement, or rank 0's outcome; what comes next */
    struct star_heard found;            /* rank 0's */
    struct star_statement *own, *other; /* this rank's and, on rank 0, another's; or, without memory, POOR */
    size_t room;                        /* of each of the two, in bytes */
    struct star_statement poor[2];
    struct star_outcome outcome;
    struct star_vote vote, others;
    struct star_rehearsal rehearsal;
};

/* One for a communicator that is opened, which never fails but where there is no memory for very many; that
 * is given back when it closes. */
struct star_talk *star_talk_new(void);
/* Can the ranks of an open communicator talk at all? The same on all of them. Where it has a duplicate of its
 * own, that is made at an operation which awaits all. */
bool star_talk_is_possible(const struct star_communicator *state);

/* At a call of the root SPEAKER, at which all ranks begin it. ABOUT: a hash of what it is about. ABLE: is
 * this rank able? */
void star_talk_begin(struct star_communicator *state, const struct star_topic *topic,
                     struct star_context *context, uint64_t about, int speaker, bool able);
/* At each counted call on the communicator, before it: True: the talk has ended with it. */
bool star_talk_step(struct star_communicator *state, const struct star_call *call,
                    const struct star_facts *facts);
/* The communicator ends, and its talk, which is freed. */
void star_talk_end(struct star_communicator *state);

static inline bool star_talk_goes_on(const struct star_communicator *state)
{
    return state->talk != NULL && state->talk->phase != STAR_SILENT;
}

/* The rank that all others wait for in CALL, in any MPI library, or −1. */
int star_awaited(const struct star_call *call);
