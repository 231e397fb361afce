/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/offer.h"
#include "tuner/expect.h"

#include <math.h>

/* Of a visit of a single call that one is counted, warmed up or not, where calls are long: otherwise to try
 * many methods costs twice as much. What a first call needs more, as for caches and pages, is little beside
 * it then: about as much as an occasion. */
static bool is_cold(const struct star_field *field, int64_t calls)
{
    static const double is_long = 4;
    return calls == 1 && is_long * field->occasion < field->native;
}

/* CALLS that are counted, and those that are not. */
static double all_calls(const struct star_field *field, int64_t calls)
{
    return (double)(calls + (is_cold(field, calls) ? 0 : field->tuning->warmup));
}

int64_t star_calls_of_visit(const struct star_field *field, int candidate)
{
    int64_t longest = field->standing->visit[candidate].all.lately;
    return longest == 0 ? 1 : longest > STAR_VISIT_MOST / 2 ? STAR_VISIT_MOST : 2 * longest;
}

/* Of a candidate that was not measured, beyond native's: hardly more than what a visit takes. */
static double at_most(const struct star_field *field, int candidate, double calls)
{
    static const double deviations = 2;
    const struct star_outlook *expected = &field->expected[candidate];
    return calls * fmax(exp(expected->mean + deviations * sqrt(expected->variance)) - field->native, 0);
}

/* What a visit of CALLS calls may save and cost, with so many AGREEMENTS; and a plan is made before the first
 * one. */
static struct star_offer offer_with(const struct star_field *field, int candidate, int64_t calls,
                                    int agreements)
{
    const struct star_standing *standing = field->standing;
    const struct star_outlook *expected = &field->expected[candidate];
    const struct star_evidence *evidence = &standing->visit[candidate].all;
    bool measured = star_was_measured(standing, candidate);
    double overlap = star_overlap(evidence, field->overlap),
           gain = star_expected_gain(expected, (1 - STAR_TIE) * field->seconds,
                                     measured || overlap > 0 ? calls : 0, overlap, field->noise),
           seconds = star_expected(expected), all = all_calls(field, calls),
           visit = star_expected_at_first(evidence, expected, overlap, all),
           besides = (agreements + !measured) * field->occasion,
           cost = all * fmax(visit - field->seconds, 0) + besides + (measured ? field->seconds : 0),
           surely = fmax(seconds, standing->visit[candidate].mean);
    return (struct star_offer){.candidate = candidate,
                               .calls = calls,
                               .cost = cost,
                               .worth = cost > 0 ? field->to_come * gain / cost : INFINITY,
                               .price = besides + (measured ? all * fmax(surely - field->native, 0) : 0)};
}

struct star_offer star_offer_of(const struct star_field *field, int candidate, int64_t calls)
{
    return offer_with(field, candidate, calls, 2);
}

struct star_offer star_offer_best(const struct star_field *field)
{
    struct star_offer best = {.candidate = -1, .worth = 1};
    for (int i = 0; i < field->standing->count; i++) {
        if (!star_field_is_open(field, i))
            continue;
        struct star_offer offer = star_offer_of(field, i, star_calls_of_visit(field, i));
        if (offer.worth > best.worth)
            best = offer;
    }
    return best;
}

/* The same of a visit beside those that are LISTED, of as many calls, that can be paid: of candidates that
 * were measured as those were, or not either. What nobody knows, the budget bears of one candidate alone. */
static struct star_offer next_offer(const struct star_field *field, const struct star_decision *listed)
{
    const struct star_standing *standing = field->standing;
    bool measured = star_was_measured(standing, listed->list[0]);
    struct star_offer best = {.candidate = -1, .worth = 1};
    for (int i = 0; i < standing->count; i++) {
        if (!star_field_is_open(field, i) || star_decision_lists(listed, i) ||
            star_was_measured(standing, i) != measured)
            continue;
        struct star_offer offer = offer_with(field, i, listed->calls, 0);
        if (!measured)
            offer.price += at_most(field, i, all_calls(field, listed->calls));
        if (offer.worth > best.worth && offer.price <= field->left)
            best = offer;
    }
    return best;
}

/* Candidates that were not measured are visited one by one, so that each may tell of the others, but where
 * agreeing takes longer. */
void star_offer_visit(struct star_field *field, const struct star_offer *first,
                      struct star_decision *decision)
{
    *decision = (struct star_decision){.stage = STAR_MEASURE,
                                       .reason = STAR_ROUND,
                                       .calls = first->calls,
                                       .delta = field->tuning->delta,
                                       .cold = is_cold(field, first->calls)};
    struct star_offer next = *first;
    bool several = star_was_measured(field->standing, first->candidate) || star_agreeing_takes_long(field);
    while (next.candidate >= 0) {
        decision->list[decision->count++] = (int16_t)next.candidate;
        field->left -= next.price;
        bool more = several && decision->count < STAR_LIST_MOST &&
                    (decision->count + 1) * decision->calls <= STAR_VISIT_MOST;
        next = more ? next_offer(field, decision) : (struct star_offer){.candidate = -1};
    }
}
