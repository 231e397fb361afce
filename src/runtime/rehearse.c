/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/rehearse.h"
#include "runtime/peers.h"
#include "runtime/state.h"

/* What the speaker says in a round. */
enum kind { NOTHING, SOMETHING, OVER };
struct round {
    int64_t round, kind;
};

/* What a leaf says: did it find the round in time? */
struct answer {
    int64_t round, found;
};

static void hear_answers(struct star_communicator *state, struct star_rehearsal *rehearsal)
{
    struct answer answer;
    for (int rank = 0; rank < state->size; rank++)
        while (rank != state->rank && star_peer_take(state, rank, STAR_ANSWER, &answer, sizeof answer))
            if (answer.round >= rehearsal->first) {
                rehearsal->answers++;
                rehearsal->refused = rehearsal->refused || !answer.found;
            }
}

static bool is_rehearsed(const struct star_communicator *state, const struct star_rehearsal *rehearsal)
{
    return !rehearsal->refused && rehearsal->answers == (int64_t)STAR_REHEARSALS * (state->size - 1);
}

bool star_rehearse_speak(struct star_communicator *state, struct star_rehearsal *rehearsal, int speaker,
                         bool matters)
{
    int64_t round = rehearsal->round + 1;
    if (rehearsal->first == 0 || rehearsal->speaker != speaker)
        *rehearsal = (struct star_rehearsal){.speaker = speaker, .first = round};
    rehearsal->round = round;
    if (state->rank != speaker || rehearsal->silent)
        return false;
    hear_answers(state, rehearsal);
    bool says = matters && is_rehearsed(state, rehearsal);
    const struct round said = {.round = round,
                               .kind = rehearsal->refused ? OVER
                                       : says             ? SOMETHING
                                                          : NOTHING};
    rehearsal->silent = rehearsal->refused;
    for (int rank = 0; rank < state->size; rank++)
        if (rank != state->rank)
            star_peer_send(state, rank, STAR_REHEARSED, &said, sizeof said);
    return says;
}

/* Not in time, if it is not there yet. The last rehearsal may be the one in which the speaker says that there
 * is no more. */
static void rehearse(struct star_communicator *state, struct star_rehearsal *rehearsal)
{
    struct round said = {0};
    while (said.round < rehearsal->round &&
           star_peer_take(state, rehearsal->speaker, STAR_REHEARSED, &said, sizeof said))
        continue;
    const struct answer answer = {.round = rehearsal->round, .found = said.round == rehearsal->round};
    rehearsal->found += answer.found != 0;
    rehearsal->refused = !answer.found || said.kind == OVER;
    star_peer_send(state, rehearsal->speaker, STAR_ANSWER, &answer, sizeof answer);
}

bool star_rehearse_hear(struct star_communicator *state, struct star_rehearsal *rehearsal, bool awaited)
{
    struct round said = {0};
    if (rehearsal->refused || state->rank == rehearsal->speaker)
        return false;
    if (!awaited && rehearsal->found < STAR_REHEARSALS) {
        rehearse(state, rehearsal);
        return false;
    }
    while (said.round < rehearsal->round)
        if (star_peer_recv(state, rehearsal->speaker, STAR_REHEARSED, &said, sizeof said) != MPI_SUCCESS)
            return false;
    rehearsal->refused = said.kind == OVER;
    return said.kind == SOMETHING;
}
