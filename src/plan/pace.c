/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pace.h"

#include <stdlib.h>

struct span {
    int32_t first, count; /* request slots */
};

struct pacer {
    const struct star_draft *draft;
    struct star_pacing pacing;
    struct star_plan *plan;
    struct span *rounds; /* the requests of each round that its end waits for */
    int32_t waited;      /* rounds complete so far */
};

static void emit(struct pacer *pacer, struct star_step step)
{
    pacer->plan->steps[pacer->plan->count++] = step;
}

static void wait_for(struct pacer *pacer, int32_t round, struct span span)
{
    if (span.count > 0)
        emit(pacer, (struct star_step){
                        .kind = STAR_STEP_WAIT, .round = round, .slot = span.first, .repeat = span.count});
}

/* Waits for the rounds before END that are not complete yet: their requests are neighbours. */
static void complete_rounds(struct pacer *pacer, int32_t round, int32_t end)
{
    for (; pacer->waited < end; pacer->waited++)
        wait_for(pacer, round, pacer->rounds[pacer->waited]);
}

static bool barrier_before(const struct pacer *pacer, int32_t round)
{
    int64_t sync = pacer->pacing.sync, rounds = pacer->draft->rounds;
    if (round == 0 || sync == STAR_SYNC_NONE || sync == STAR_SYNC_LIGHT)
        return false;
    if (sync == STAR_SYNC_BARRIER)
        return true;
    /* Is ROUND the start of one of the N+1 stretches, floor(k R / (N+1)) for a k in 1…N? */
    int64_t k = (round * (sync + 1) + rounds - 1) / rounds;
    return k >= 1 && k <= sync && k * rounds / (sync + 1) == round;
}

/* Announces to the senders of this round that it has begun here, and waits for the same from its receivers.
 */
static void light_barrier(struct pacer *pacer, const struct star_step *steps, int32_t count, struct span *own)
{
    struct star_plan *plan = pacer->plan;
    int32_t round = steps[0].round;
    struct span tokens = {plan->slots, 0};
    for (int32_t i = 0; i < count; i++)
        if (steps[i].kind == STAR_STEP_SEND) {
            emit(pacer, (struct star_step){.kind = STAR_STEP_RECV,
                                           .channel = STAR_SYNC,
                                           .round = round,
                                           .peer = steps[i].peer,
                                           .slot = plan->slots++,
                                           .to = STAR_TEMP});
            tokens.count++;
        }
    own->first = plan->slots;
    for (int32_t i = 0; i < count; i++)
        if (steps[i].kind == STAR_STEP_RECV) {
            emit(pacer, (struct star_step){.kind = STAR_STEP_SEND,
                                           .channel = STAR_SYNC,
                                           .round = round,
                                           .peer = steps[i].peer,
                                           .slot = plan->slots++,
                                           .from = STAR_TEMP});
            own->count++;
        }
    wait_for(pacer, round, tokens);
}

static void post(struct pacer *pacer, struct star_step step, int32_t slot)
{
    step.slot = slot;
    emit(pacer, step);
}

static void pace_round(struct pacer *pacer, int32_t round, const struct star_step *steps, int32_t count)
{
    int32_t exchanges = 0;
    for (int32_t i = 0; i < count; i++)
        exchanges += steps[i].kind == STAR_STEP_SEND || steps[i].kind == STAR_STEP_RECV;

    if (barrier_before(pacer, round)) {
        complete_rounds(pacer, round, round);
        emit(pacer, (struct star_step){.kind = STAR_STEP_BARRIER, .round = round});
    } else if (round >= pacer->pacing.window) {
        complete_rounds(pacer, round, round - (int32_t)pacer->pacing.window + 1);
    }

    struct star_plan *plan = pacer->plan;
    bool light = pacer->pacing.sync == STAR_SYNC_LIGHT && round > 0;
    /* A round's own requests must be neighbours: the data first, then the tokens it sends. */
    int32_t data = plan->slots;
    plan->slots += exchanges;
    for (int32_t i = 0; i < count; i++)
        if (steps[i].kind == STAR_STEP_COPY || steps[i].kind == STAR_STEP_REDUCE)
            emit(pacer, steps[i]);
        else if (steps[i].kind == STAR_STEP_RECV)
            post(pacer, steps[i], data++);
    struct span tokens = {0, 0};
    if (light && count > 0)
        light_barrier(pacer, steps, count, &tokens);
    for (int32_t i = 0; i < count; i++)
        if (steps[i].kind == STAR_STEP_SEND)
            post(pacer, steps[i], data++);
    pacer->rounds[round] = (struct span){data - exchanges, exchanges};
    /* Tokens are complete when the peer has taken them, which it does before it sends: wait for both at once.
     */
    if (tokens.count > 0)
        pacer->rounds[round].count = tokens.first + tokens.count - pacer->rounds[round].first;
}

/* Upper bound of the steps that pacing adds to those of the draft. */
static size_t room_for(const struct star_draft *draft, struct star_pacing pacing)
{
    size_t rounds = (size_t)draft->rounds, steps = (size_t)draft->count;
    return steps + 2 * rounds + (pacing.sync == STAR_SYNC_LIGHT ? steps + rounds : 0);
}

struct star_plan *star_pace(const struct star_draft *draft, struct star_pacing pacing)
{
    struct pacer pacer = {.draft = draft, .pacing = pacing};
    struct star_plan *plan = calloc(1, sizeof *plan);
    pacer.plan = plan;
    pacer.rounds = calloc((size_t)draft->rounds, sizeof *pacer.rounds);
    if (plan != NULL)
        plan->steps = malloc(room_for(draft, pacing) * sizeof *plan->steps);
    if (plan == NULL || plan->steps == NULL || pacer.rounds == NULL) {
        star_plan_free(plan);
        free(pacer.rounds);
        return NULL;
    }
    plan->rank = draft->rank;
    plan->size = draft->size;
    plan->rounds = draft->rounds;
    plan->temp_bytes = draft->temp_bytes;
    plan->units = draft->units;
    plan->reduces = draft->reduces;
    plan->rotated = draft->rotated;
    int32_t begin = 0;
    for (int32_t round = 0; round < draft->rounds; round++) {
        int32_t end = begin;
        while (end < draft->count && draft->steps[end].round == round)
            end++;
        pace_round(&pacer, round, draft->steps + begin, end - begin);
        begin = end;
    }
    complete_rounds(&pacer, draft->rounds - 1, draft->rounds);
    free(pacer.rounds);
    struct star_step *fitted = realloc(plan->steps, ((size_t)plan->count + 1) * sizeof *fitted);
    if (fitted != NULL)
        plan->steps = fitted;
    return plan;
}
