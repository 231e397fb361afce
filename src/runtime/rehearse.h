/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts where nobody awaits the speaker: in long reductions to a root and long gathers leaves may be done
 * before the root comes, by as many calls as messages climb levels. The root speaks at one call, and the
 * leaves hear it so many calls later. Do they have to wait for it there? That may be a wait for a rank that
 * waits for them, if the MPI library sends what is long before it is awaited. So it is rehearsed first: a
 * leaf that comes there before the message says so, and never listens again; and the root says nothing that
 * matters until all leaves have found each rehearsal in time. Only then leaves wait. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { STAR_REHEARSALS = 4 };

/* Of one communicator and one speaker. */
struct star_rehearsal {
    int speaker;
    bool refused;                  /* this leaf listens no more; the speaker: one has said so */
    bool silent;                   /* the speaker has told all that there is nothing more to hear */
    int found;                     /* a leaf: so many rehearsals, in time */
    int64_t first, round, answers; /* rounds: since SPEAKER is it, and now; the speaker: answers that came */
};

struct star_communicator;

/* A round begins, at the same call of all ranks. Of another speaker than before all begins anew. MATTERS: the
 * speaker has something to say. True: it may, once it has. */
bool star_rehearse_speak(struct star_communicator *state, struct star_rehearsal *rehearsal, int speaker,
                         bool matters);
/* It is heard. AWAITED: at a call at which all wait for the speaker; that is no rehearsal, in which a message
 * may be too late. True: the speaker says something that matters, to all. */
bool star_rehearse_hear(struct star_communicator *state, struct star_rehearsal *rehearsal, bool awaited);
