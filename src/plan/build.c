/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/build.h"
#include "plan/pace.h"
#include "util/grow.h"
#include "util/scratch.h"

#include <stdlib.h>

/* A step takes about so much in the draft, the plan and what runs it. */
enum { STEP_BYTES = 4 * sizeof(struct star_step) };

struct star_builder {
    struct star_draft draft;
    bool ended; /* the round has, and none has begun since */
    int64_t temp_limit;
    int error;
    const char *refusal;
    struct star_scratch scratch;
};

struct star_builder *star_builder_new(const struct star_shape *shape, int64_t temp_limit)
{
    struct star_builder *builder = calloc(1, sizeof *builder);
    if (builder == NULL)
        return NULL;
    builder->draft.rank = shape->rank;
    builder->draft.size = shape->size;
    builder->draft.rounds = 1;
    builder->draft.units = shape->units;
    builder->temp_limit = temp_limit;
    return builder;
}

/* Begins the round that follows the one that has ended. */
static void settle(struct star_builder *builder)
{
    builder->draft.rounds += builder->ended;
    builder->ended = false;
}

void star_build_round(struct star_builder *builder)
{
    settle(builder);
    builder->draft.rounds++;
}

void star_build_end(struct star_builder *builder)
{
    settle(builder);
    builder->ended = true;
}

/* Short pieces of long messages from many ranks may be millions of steps. */
static bool is_too_long(const struct star_builder *builder)
{
    return builder->draft.count >= star_plan_room(builder->temp_limit) / STEP_BYTES ||
           builder->draft.count >= INT32_MAX / 2;
}

static void add(struct star_builder *builder, struct star_step step)
{
    struct star_draft *draft = &builder->draft;
    settle(builder);
    if (builder->error || (step.length == 0 && step.channel == STAR_DATA) || step.repeat == 0)
        return;
    bool grows = (draft->count & (draft->count - 1)) == 0;
    if (grows && is_too_long(builder)) {
        builder->error = STAR_ELIMIT;
        return;
    }
    struct star_step *steps = star_grown(draft->steps, (size_t)draft->count, sizeof *steps);
    if (steps == NULL) {
        builder->error = STAR_EMEMORY;
        return;
    }
    draft->steps = steps;
    step.round = draft->rounds - 1;
    draft->steps[draft->count++] = step;
}

/* What moves LENGTH from one place to another; a step that has no such place ignores it. */
static struct star_step moving(enum star_step_kind kind, int peer, struct star_place from,
                               struct star_place to, int64_t length)
{
    return (struct star_step){.kind = (uint8_t)kind,
                              .peer = peer,
                              .from = (uint8_t)from.buffer,
                              .from_offset = from.offset,
                              .to = (uint8_t)to.buffer,
                              .to_offset = to.offset,
                              .length = length,
                              .repeat = 1};
}

static const struct star_place nowhere;

void star_build_send(struct star_builder *builder, int peer, struct star_place from, int64_t length)
{
    add(builder, moving(STAR_STEP_SEND, peer, from, nowhere, length));
}

void star_build_recv(struct star_builder *builder, int peer, struct star_place to, int64_t length)
{
    add(builder, moving(STAR_STEP_RECV, peer, nowhere, to, length));
}

void star_build_copy(struct star_builder *builder, struct star_place to, struct star_place from,
                     int64_t length)
{
    star_build_strided_copy(builder, to, 0, from, 0, length, 1);
}

void star_build_strided_copy(struct star_builder *builder, struct star_place to, int64_t to_stride,
                             struct star_place from, int64_t from_stride, int64_t length, int64_t repeat)
{
    int owner = from.buffer == STAR_SHARED ? builder->draft.rank : 0;
    struct star_step copy = moving(STAR_STEP_COPY, owner, from, to, length);
    copy.from_stride = from_stride;
    copy.to_stride = to_stride;
    copy.repeat = (int32_t)repeat;
    add(builder, copy);
}

void star_build_reduce(struct star_builder *builder, struct star_place to, struct star_place from,
                       int64_t length)
{
    builder->draft.reduces = true;
    add(builder, moving(STAR_STEP_REDUCE, 0, from, to, length));
}

void star_build_share(struct star_builder *builder, int64_t bytes)
{
    if (builder->draft.units && bytes > 1)
        star_build_refuse(builder, "blocks of different lengths in shared memory");
    if (bytes > STAR_SHARED_MOST)
        star_build_refuse(builder, "more shared memory than each rank has");
    builder->draft.shared_bytes = bytes;
}

/* In units a rank's area tells where each block is. */
static void tell_of_blocks(struct star_builder *builder, struct star_place place, int64_t blocks)
{
    enum { EACH = 2 * sizeof(int64_t) };
    if (place.buffer != STAR_SENDBUF || place.offset != 0)
        star_build_refuse(builder, "blocks shown of another buffer than the first");
    if (blocks > STAR_SHARED_MOST / EACH)
        star_build_refuse(builder, "more shared memory than each rank has");
    builder->draft.shared_bytes = blocks * EACH;
}

void star_build_pull(struct star_builder *builder, struct star_place to, int peer, int64_t from,
                     int64_t length)
{
    add(builder, moving(STAR_STEP_COPY, peer, (struct star_place){STAR_SHARED, from}, to, length));
}

void star_build_pull_reduce(struct star_builder *builder, struct star_place to, int peer, int64_t from,
                            int64_t length)
{
    builder->draft.reduces = true;
    add(builder, moving(STAR_STEP_REDUCE, peer, (struct star_place){STAR_SHARED, from}, to, length));
}

static void hand_over(struct star_builder *builder, enum star_step_kind kind, int peer, int64_t count)
{
    if (count > STAR_POSTS_MOST)
        star_build_refuse(builder, "too many pieces in shared memory");
    else
        add(builder,
            (struct star_step){
                .kind = (uint8_t)kind, .channel = STAR_SYNC, .peer = peer, .repeat = (int32_t)count});
}

void star_build_post(struct star_builder *builder, int64_t count)
{
    hand_over(builder, STAR_STEP_POST, builder->draft.rank, count);
}

void star_build_await(struct star_builder *builder, int peer, int64_t count)
{
    hand_over(builder, STAR_STEP_AWAIT, peer, count);
}

void star_build_show(struct star_builder *builder, struct star_place place, int64_t length)
{
    if (builder->draft.units)
        tell_of_blocks(builder, place, length);
    add(builder, moving(STAR_STEP_SHOW, 0, place, nowhere, length));
}

void star_build_read(struct star_builder *builder, struct star_place to, int peer, struct star_place from,
                     int64_t length)
{
    add(builder, moving(STAR_STEP_READ, peer, from, to, length));
}

void star_build_tell(struct star_builder *builder, int peer)
{
    add(builder,
        (struct star_step){
            .kind = STAR_STEP_SEND, .channel = STAR_SYNC, .peer = peer, .from = STAR_TEMP, .repeat = 1});
}

void star_build_tell_early(struct star_builder *builder, int peer)
{
    add(builder, (struct star_step){.kind = STAR_STEP_SEND,
                                    .channel = STAR_SYNC,
                                    .peer = peer,
                                    .slot = STAR_SLOT_LATE,
                                    .from = STAR_TEMP,
                                    .repeat = 1});
}

void star_build_hear(struct star_builder *builder, int peer)
{
    add(builder,
        (struct star_step){
            .kind = STAR_STEP_RECV, .channel = STAR_SYNC, .peer = peer, .to = STAR_TEMP, .repeat = 1});
}

void *star_build_scratch(struct star_builder *builder, size_t bytes)
{
    void *memory = star_scratch(&builder->scratch, bytes, 1);
    builder->error = memory == NULL ? STAR_EMEMORY : builder->error;
    return memory;
}

void star_build_fail(struct star_builder *builder)
{
    builder->error = STAR_EMEMORY;
}

void star_build_refuse(struct star_builder *builder, const char *why)
{
    if (builder->error)
        return;
    builder->error = STAR_ENEEDS;
    builder->refusal = why;
}

struct star_place star_build_page(struct star_builder *builder, int64_t bytes, bool rotated)
{
    struct star_draft *draft = &builder->draft;
    struct star_place place = star_at(STAR_TEMP, draft->temp_bytes);
    if (!draft->units)
        return star_build_temp(builder, bytes);
    int64_t page = draft->temp_bytes / draft->size;
    if (page >= 64)
        star_build_refuse(builder, "more than 64 pages");
    else if (rotated)
        draft->rotated |= (uint64_t)1 << page;
    draft->temp_bytes += draft->size;
    return place;
}

struct star_place star_build_temp(struct star_builder *builder, int64_t bytes)
{
    struct star_draft *draft = &builder->draft;
    if (draft->units && bytes > 0)
        star_build_refuse(builder, "blocks of different lengths in a temporary");
    struct star_place place = star_at(STAR_TEMP, draft->temp_bytes);
    if (__builtin_add_overflow(draft->temp_bytes, bytes, &draft->temp_bytes) ||
        draft->temp_bytes > builder->temp_limit) {
        builder->error = builder->error ? builder->error : STAR_ELIMIT;
        draft->temp_bytes = place.offset;
    }
    return place;
}

int star_builder_finish(struct star_builder *builder, struct star_pacing pacing, struct star_plan **plan,
                        struct star_why *why)
{
    *plan = NULL;
    if (builder == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for a plan");
    int error = builder->error;
    if (error == 0)
        error = star_pace(&builder->draft, pacing, star_plan_room(builder->temp_limit), plan);
    if (error == STAR_ENEEDS)
        star_because(why, error, "%s", builder->refusal);
    else if (error == STAR_ELIMIT)
        star_because(why, error, "it needs more than %lld bytes of memory, temporary or for its steps",
                     (long long)builder->temp_limit);
    else if (error)
        star_because(why, error, "out of memory for a plan");
    star_scratch_free(&builder->scratch);
    free(builder->draft.steps);
    free(builder);
    return error;
}
