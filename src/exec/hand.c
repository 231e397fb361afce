/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/hand.h"
#include "exec/execute.h"
#include "exec/segment.h"

enum { LOOKS = 64 };

/* Whoever waits for a rank that waited for one that never came must know: it gets nothing, and has not met
 * all others. */
void star_hand_post(const struct star_route *route, const struct star_plan *plan,
                    const struct star_step *step, int64_t most)
{
    star_segment_post(route->segment, step->repeat, most == STAR_SEGMENT_NOTHING ? most : plan->vector);
}

/* Nothing has come in a while: will it? *BYTES are those of what a peer that has left never showed. */
static int look_around(const struct star_segment *segment, const struct star_step *step, int64_t *bytes)
{
    enum star_segment_peer peer = star_segment_look(segment, step->peer);
    bool parted = star_segment_is_parted(segment);
    if (step->kind == STAR_STEP_AWAIT && star_segment_has(segment, step->peer, step->repeat, bytes))
        return MPI_SUCCESS; /* just now */
    if (parted || peer == STAR_PEER_APART)
        return STAR_EXECUTE_APART;
    if (peer == STAR_PEER_LEFT)
        *bytes = STAR_SEGMENT_NOTHING;
    return MPI_SUCCESS;
}

/* Waits a while for the peer of STEP; others may need this rank. */
static int wait(const struct star_route *route, const struct star_step *step, int *turns, int64_t *bytes)
{
    int error = star_segment_wait(route->segment, turns, route->comm);
    bool looks = *turns % LOOKS == 0;
    if (!error && star_segment_answer(route->segment))
        *turns = 0;
    return !error && looks ? look_around(route->segment, step, bytes) : error;
}

int star_hand_await(const struct star_route *route, const struct star_step *step, int64_t *most)
{
    int error = MPI_SUCCESS, turns = 0;
    int64_t bytes = 0;
    while (!error && bytes != STAR_SEGMENT_NOTHING &&
           !star_segment_has(route->segment, step->peer, step->repeat, &bytes))
        error = wait(route, step, &turns, &bytes);
    *most = bytes > *most ? bytes : *most;
    return error;
}

int star_hand_read(const struct star_route *route, const struct star_step *step,
                   const struct star_shown *shown, int64_t offset, void *to, int64_t length, int64_t *most)
{
    const struct star_window *other = star_segment_window(route->segment, step->peer);
    int64_t done = 0, there = star_shown_bytes(shown) - offset;
    int error = MPI_SUCCESS, turns = 0;
    length = there < length ? there : length;
    if (*most != STAR_SEGMENT_NOTHING) /* else it may not be there to be read */
        done = star_window_read(other, shown, offset, to, length);
    /* What the system does not let this rank read, its owner hands over. */
    for (int64_t bytes; !error && done < length && *most != STAR_SEGMENT_NOTHING; done += bytes) {
        bytes = length - done < STAR_WINDOW_ROOM ? length - done : STAR_WINDOW_ROOM;
        star_segment_ask(route->segment, step->peer, shown, offset + done, bytes);
        while (!error && *most != STAR_SEGMENT_NOTHING &&
               !star_segment_take(route->segment, step->peer, (char *)to + done))
            error = wait(route, step, &turns, most);
    }
    return error;
}

int star_hand_read_step(const struct star_route *route, const struct star_step *step, void *to, int64_t *most)
{
    const struct star_window *other = star_segment_window(route->segment, step->peer);
    return star_hand_read(route, step, &other->shown[step->from], step->from_offset, to, step->length, most);
}
