/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/sharing.h"
#include "exec/segment.h"
#include "runtime/nodes.h"
#include "runtime/session.h"
#include "runtime/talk.h"
#include "util/hash.h"

#include <string.h>

static size_t tell_nothing(struct star_context *context, struct star_figure *figures)
{
    (void)context, (void)figures;
    return 0;
}

/* Rank 0 makes the memory, and all learn where it is. */
static void judge(struct star_communicator *state, struct star_context *context,
                  const struct star_heard *heard, const struct star_figure *sums,
                  struct star_outcome *outcome)
{
    struct star_nameless_key key = {0};
    (void)context, (void)sums;
    if (heard->able)
        state->coming =
            star_segment_lead(state->size, star_seat_here(state->size, star_runtime.crowded), &key);
    outcome->bytes = (int32_t)sizeof key;
    memcpy(outcome->payload, &key, sizeof key);
}
_Static_assert(sizeof(struct star_nameless_key) <= STAR_OUTCOME_MOST, "a key fits into an outcome");

static bool take(struct star_communicator *state, struct star_context *context,
                 const struct star_outcome *outcome)
{
    struct star_nameless_key key;
    (void)context;
    memcpy(&key, outcome->payload, sizeof key);
    if (key.made && state->rank > 0)
        state->coming = star_segment_join(state->size, state->rank,
                                          star_seat_here(state->size, star_runtime.crowded), &key);
    return key.made != 0;
}

static void make(struct star_communicator *state, struct star_context *context, struct star_vote *vote)
{
    (void)context;
    vote->able[0] = state->coming != NULL;
}

static void made(struct star_communicator *state, struct star_context *context, const struct star_vote *vote)
{
    (void)context;
    if (!vote->able[0]) {
        star_sharing_end(state);
        return;
    }
    star_segment_joined(state->coming);
    state->route.segment = state->coming;
    state->coming = NULL;
}

static const struct star_topic memory = {
    .tell = tell_nothing, .judge = judge, .take = take, .make = make, .made = made};

bool star_sharing_goes_on(struct star_communicator *state, int speaker)
{
    if (!star_runtime.settings.shared_memory || !star_nodes_are_one())
        return false;
    if (state->shares)
        return star_talk_goes_on(state) && state->talk->topic == &memory;
    if (!star_talk_goes_on(state)) {
        state->shares = true;
        star_talk_begin(state, &memory, NULL, star_hash_text(star_hash_empty, "memory"), speaker,
                        state->able && (int64_t)star_segment_room() <= star_memory_most());
    }
    return true;
}

void star_sharing_end(struct star_communicator *state)
{
    star_segment_free(state->coming);
    state->coming = NULL;
}
