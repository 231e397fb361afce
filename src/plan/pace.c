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
    struct span *flights; /* the requests of each flight that its end waits for: a round is one, or several
                             when its messages move in pieces */
    int32_t flight;       /* that begins */
    int32_t waited;       /* flights complete so far */
    int32_t late;         /* sends that are waited for at the end, so far */
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

/* Waits for the flights before END that are not complete yet: their requests are neighbours. */
static void complete_flights(struct pacer *pacer, int32_t round, int64_t end)
{
    for (; pacer->waited < end; pacer->waited++)
        wait_for(pacer, round, pacer->flights[pacer->waited]);
}

static bool barrier_before(const struct pacer *pacer, int32_t round)
{
    int64_t sync = pacer->pacing.sync, rounds = pacer->draft->rounds;
    if (round == 0 || (sync < 0 && sync != STAR_SYNC_BARRIER) || sync == STAR_SYNC_NONE)
        return false;
    if (sync == STAR_SYNC_BARRIER)
        return true;
    /* Is ROUND the start of one of the N+1 stretches, floor(k R / (N+1)) for a k in 1…N? */
    int64_t k = (round * (sync + 1) + rounds - 1) / rounds;
    return k >= 1 && k <= sync && k * rounds / (sync + 1) == round;
}

/* Tells the senders of this round that it has begun here, and waits for the same from its receivers. */
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

static bool is_late(const struct star_step *step)
{
    return step->slot == STAR_SLOT_LATE;
}

static bool is_exchange(const struct star_step *step)
{
    return (step->kind == STAR_STEP_SEND || step->kind == STAR_STEP_RECV) && !is_late(step);
}

/* In how many pieces a step moves. */
static int64_t pieces_of(const struct star_step *step, int64_t segment)
{
    return segment > 0 && is_exchange(step) && step->length > segment ? (step->length - 1) / segment + 1 : 1;
}

/* Flights of a round. */
static int64_t flights_of(const struct star_step *steps, int32_t count, int64_t segment)
{
    int64_t most = 1;
    for (int32_t i = 0; i < count; i++) {
        int64_t pieces = pieces_of(&steps[i], segment);
        most = pieces > most ? pieces : most;
    }
    return most;
}

/* Starts the PIECE of STEP, if it has one, as the next request. */
static void post(struct pacer *pacer, struct star_step step, int64_t piece, int32_t *slot)
{
    int64_t segment = pacer->pacing.segment, from = piece * segment, pieces = pieces_of(&step, segment);
    if (piece >= pieces)
        return;
    step.length = piece + 1 == pieces ? step.length - from : segment;
    step.from_offset += from;
    step.to_offset += from;
    step.slot = is_late(&step) ? pacer->late++ : (*slot)++; /* late ones have the first slots */
    emit(pacer, step);
}

/* Waits for what must be complete before a flight, the first of ROUND or not, may begin. */
static void await(struct pacer *pacer, int32_t round, bool first)
{
    bool barrier = first && barrier_before(pacer, round);
    bool all = barrier || (first && pacer->pacing.forwards);
    complete_flights(pacer, round, all ? pacer->flight : pacer->flight - pacer->pacing.window + 1);
    if (barrier)
        emit(pacer, (struct star_step){.kind = STAR_STEP_BARRIER, .round = round});
}

static void pace_flight(struct pacer *pacer, int32_t round, const struct star_step *steps, int32_t count,
                        int64_t piece)
{
    struct star_plan *plan = pacer->plan;
    int32_t exchanges = 0;
    for (int32_t i = 0; i < count; i++)
        exchanges += is_exchange(&steps[i]) && piece < pieces_of(&steps[i], pacer->pacing.segment);
    await(pacer, round, piece == 0);
    /* A flight's own requests must be neighbours: the data first, then the tokens it sends. */
    int32_t first = plan->slots, slot = first;
    plan->slots += exchanges;
    for (int32_t i = 0; i < count; i++)
        if (steps[i].kind == STAR_STEP_RECV)
            post(pacer, steps[i], piece, &slot);
        else if (steps[i].kind != STAR_STEP_SEND && piece == 0)
            emit(pacer, steps[i]);
    struct span tokens = {0, 0};
    if (pacer->pacing.sync == STAR_SYNC_LIGHT && round > 0 && piece == 0 && count > 0)
        light_barrier(pacer, steps, count, &tokens);
    for (int32_t i = 0; i < count; i++)
        if (steps[i].kind == STAR_STEP_SEND)
            post(pacer, steps[i], piece, &slot);
    /* Tokens are complete when the peer has taken them, as it does before it sends: wait for both. */
    pacer->flights[pacer->flight++] =
        (struct span){first, tokens.count > 0 ? tokens.first + tokens.count - first : exchanges};
}

/* The end of the round that begins with step BEGIN. */
static int32_t end_of_round(const struct star_draft *draft, int32_t begin, int32_t round)
{
    while (begin < draft->count && draft->steps[begin].round == round)
        begin++;
    return begin;
}

/* A draft without steps has none to count from. */
static const struct star_step *steps_from(const struct star_draft *draft, int32_t begin)
{
    return draft->count > 0 ? draft->steps + begin : NULL;
}

/* Flights of all rounds, upper bound of the steps that pacing makes of the draft's, and late sends. */
static void count_all(const struct star_draft *draft, struct star_pacing pacing, int64_t *flights,
                      int64_t *steps, int32_t *late)
{
    *flights = *steps = *late = 0;
    for (int32_t round = 0, begin = 0, end; round < draft->rounds; round++, begin = end) {
        end = end_of_round(draft, begin, round);
        *flights += flights_of(steps_from(draft, begin), end - begin, pacing.segment);
        for (int32_t i = begin; i < end; i++) {
            *steps += pieces_of(&draft->steps[i], pacing.segment);
            *late += is_late(&draft->steps[i]);
        }
    }
    int64_t light = pacing.sync == STAR_SYNC_LIGHT ? (int64_t)draft->count + draft->rounds : 0;
    *steps += 2 * *flights + light + 1;
}

/* A plan with room for so many steps, of which it has none yet. */
static struct star_plan *begin_plan(const struct star_draft *draft, int64_t steps, int32_t late)
{
    struct star_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return NULL;
    *plan = (struct star_plan){.steps = malloc((size_t)steps * sizeof *plan->steps),
                               .slots = late,
                               .rank = draft->rank,
                               .size = draft->size,
                               .rounds = draft->rounds,
                               .temp_bytes = draft->temp_bytes,
                               .shared_bytes = draft->shared_bytes,
                               .units = draft->units,
                               .reduces = draft->reduces,
                               .rotated = draft->rotated};
    if (plan->steps != NULL)
        return plan;
    star_plan_free(plan);
    return NULL;
}

static void pace_all(struct pacer *pacer, int32_t late)
{
    const struct star_draft *draft = pacer->draft;
    struct star_plan *plan = pacer->plan;
    for (int32_t round = 0, begin = 0, end; round < draft->rounds; round++, begin = end) {
        end = end_of_round(draft, begin, round);
        int64_t pieces = flights_of(steps_from(draft, begin), end - begin, pacer->pacing.segment);
        plan->pieces = plan->pieces || pieces > 1;
        for (int64_t piece = 0; piece < pieces; piece++)
            pace_flight(pacer, round, steps_from(draft, begin), end - begin, piece);
    }
    complete_flights(pacer, draft->rounds - 1, pacer->flight);
    wait_for(pacer, draft->rounds - 1, (struct span){0, late});
}

int star_pace(const struct star_draft *draft, struct star_pacing pacing, int64_t room,
              struct star_plan **plan)
{
    struct pacer pacer = {.draft = draft, .pacing = pacing};
    int64_t flights, steps;
    int32_t late;
    *plan = NULL;
    count_all(draft, pacing, &flights, &steps, &late);
    if (steps > INT32_MAX || steps > room / (int64_t)sizeof(struct star_step))
        return STAR_ELIMIT;
    pacer.flights = calloc((size_t)flights, sizeof *pacer.flights);
    pacer.plan = pacer.flights != NULL ? begin_plan(draft, steps, late) : NULL;
    if (pacer.plan != NULL) {
        pace_all(&pacer, late);
        struct star_step *fitted =
            realloc(pacer.plan->steps, ((size_t)pacer.plan->count + 1) * sizeof *fitted);
        if (fitted != NULL)
            pacer.plan->steps = fitted;
    }
    free(pacer.flights);
    *plan = pacer.plan;
    return pacer.plan != NULL ? 0 : STAR_EMEMORY;
}
