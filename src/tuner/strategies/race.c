/* SPDX-License-Identifier: BSD-3-Clause
 * The race: the method that is expected to be the fastest runs, and others are visited while that is worth
 * it. A visit is worth the gain that is to be expected of the candidate (expected improvement: Jones,
 * Schonlau and Welch, Journal of Global Optimization 1998), in as many calls as there may still be: who was
 * measured seldom, or in short visits, may turn out to be fast; who is surely slower is worth nothing. Each
 * visit of a candidate is twice as long as the one before it: a short one flatters methods in which ranks run
 * ahead of each other.
 *
 * A visit is made when it can be paid: all that was done so far, tuning included, may have cost at most the
 * budget more than native alone, and the visit that is under way, where nobody knows what it takes. Until
 * then the fastest known runs, and what it saves pays too; but who was only seen to be slower than native is
 * visited again before it runs, though it may be faster in the long run. */
#include "tuner/choose.h"
#include "tuner/evidence.h"
#include "tuner/memory.h"
#include "tuner/offer.h"
#include "tuner/tail.h"
#include "tuner/watch.h"

#include <math.h>

/* Counted calls of native at first: it is what the budget is a share of, but all others wait for them. */
enum { NATIVE_MOST = 3 };
/* A method may run alone so many times longer than it did before, native too while it waits: then it is
 * looked at, but not so often that agreeing takes more than this share; or, of native's time, which saves
 * nothing, half of the budget. */
enum { RUN_LONGER = 4 };
static const double share_of_looking = 0.05;

/* The part of the time that looking at CANDIDATE, which runs alone, may take. */
static double share_of(const struct star_tuning *tuning, int candidate)
{
    return candidate != 0 ? share_of_looking : fmin(share_of_looking, tuning->budget / 2);
}

/* How many of CALLS calls are timed. */
static int64_t timed_of(const struct star_decision *decision, int64_t calls)
{
    return decision->stride > 1 ? (calls - 1) / decision->stride + 1 : calls;
}

/* CANDIDATE runs for CALLS calls. */
static void go_on(const struct star_field *field, int candidate, double calls, enum star_reason reason,
                  int32_t delta, struct star_decision *decision)
{
    const struct star_evidence *all = &field->standing->visit[candidate].all;
    double seconds = star_expected(&field->expected[candidate]);
    int64_t most = (int64_t)field->tuning->iter * field->tuning->delta_most;
    *decision = (struct star_decision){.stage = STAR_MONITOR,
                                       .reason = (int32_t)reason,
                                       .delta = delta,
                                       .count = 1,
                                       .list = {(int16_t)candidate}};
    double share = share_of(field->tuning, candidate);
    if (candidate != 0 || reason == STAR_WAITS)
        calls = fmin(calls, fmax(RUN_LONGER * (double)all->longest, field->occasion / (share * seconds)));
    if (all->lately == 0) /* it may take far longer than it did */
        calls = 1;
    decision->calls = calls < 1 ? 1 : calls > (double)most ? most : (int64_t)calls;
    decision->stride = star_stride_of(field->tuning->sample, seconds);
    decision->calls = timed_of(decision, decision->calls);
}

/* What the budget gains by a call of the best, who may not be surely as fast as native. */
static double gain_of(const struct star_field *field)
{
    double gain = field->tuning->budget * field->surely;
    return field->best == 0 ? gain : gain + field->surely - field->seconds;
}

/* Runs the best until the budget has what OFFER needs, or until there is more to say of the best; or native,
 * where the budget would never have it else: it has been seen so little that it may be as fast, and may be
 * far slower. To ask again costs an occasion: so that they do not eat up what is saved, two of them are saved
 * besides; or, so that it may pay other visits as well, four. */
static void wait_for_budget(const struct star_field *field, const struct star_offer *offer,
                            struct star_decision *decision)
{
    double needed = offer->price - field->left + (star_agreeing_takes_long(field) ? 4 : 2) * field->occasion,
           gain = gain_of(field);
    bool native = gain <= 0 && star_was_measured(field->standing, 0) && !field->standing->shut_out[0];
    if (native)
        gain = field->tuning->budget * field->surely;
    go_on(field, native ? 0 : field->best, gain > 0 ? ceil(needed / gain) : INFINITY, STAR_WAITS,
          field->tuning->delta, decision);
}

/* Twice as long; what is remembered has been watched before, and begins as if in so long periods. */
static int32_t longer_period(const struct star_tuning *tuning, const struct star_decision *course)
{
    enum { REMEMBERED = 4 };
    bool remembered = course->reason == STAR_RECALLED && course->delta < REMEMBERED;
    int32_t delta = remembered ? REMEMBERED : course->delta;
    return delta > tuning->delta_most / 2 ? tuning->delta_most : 2 * delta;
}

/* Has nothing happened for so long that a visit need not begin periods anew? */
static bool is_quiet(const struct star_tuning *tuning, const struct star_decision *course)
{
    return course->delta > tuning->delta || course->delta >= tuning->delta_most;
}

/* No visit is worth it. The next agreement comes so late that it takes a hundredth of the time until then at
 * most, and half of that where earlier runs have watched the methods too. */
static void monitor(const struct star_field *field, const struct star_decision *course,
                    struct star_decision *decision)
{
    const struct star_tuning *tuning = field->tuning;
    double share = field->standing->earlier > 0 ? 0.005 : 0.01;
    bool chance = course->stage == STAR_MEASURE && is_quiet(tuning, course) &&
                  !star_decision_lists(course, field->best), /* none that was given one took it */
        same = chance || (course->stage == STAR_MONITOR && course->list[0] == field->best);
    int32_t delta = same ? longer_period(tuning, course) : 1;
    double calls = (double)star_watch_period(tuning, (int64_t)delta * tuning->iter),
           enough = field->occasion / ((same ? share : 3 * share) * field->seconds);
    go_on(field, field->best, fmax(calls, ceil(enough)), same ? STAR_KEPT : STAR_SELECTED, delta, decision);
}

static void begin(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision)
{
    star_choose_alone(standing, tuning, decision);
    if (decision->calls > NATIVE_MOST)
        decision->calls = NATIVE_MOST;
}

/* How many times slower than the best one is that has no chance any more: a single call may have been
 * disturbed. */
static double hopeless(const struct star_visit *visit)
{
    return visit->ever > 1 ? 4 : 10;
}

/* Of those that never were, the one that is expected to be faster. */
static bool is_older(const struct star_field *field, int i, int other)
{
    const struct star_visit *visit = field->standing->visit;
    int64_t before = visit[other].all.at - visit[i].all.at;
    return before > 0 ||
           (before == 0 && star_expected(&field->expected[i]) < star_expected(&field->expected[other]));
}

/* Of those that are not hopeless the one that was measured longest ago, or never; −1: none. */
static int find_oldest(const struct star_field *field)
{
    const struct star_visit *visit = field->standing->visit;
    int oldest = -1;
    for (int i = 0; i < field->standing->count; i++)
        if (star_field_is_open(field, i) &&
            (!star_was_measured(field->standing, i) ||
             star_expected(&field->expected[i]) < hopeless(&visit[i]) * field->seconds) &&
            (oldest < 0 || is_older(field, i, oldest)))
            oldest = i;
    return oldest;
}

/* The machine may have changed in favour of one that has lost, or one that was never worth a visit may be the
 * fastest: after a long period in which nothing happened it has a chance, where all that were given one cost
 * little beside all calls; half of that where earlier runs have given some too. */
static bool give_chance(struct star_field *field, const struct star_decision *course,
                        struct star_decision *decision)
{
    struct star_standing *standing = field->standing;
    double share = standing->earlier > 0 ? 0.0025 : 0.005,
           spare = share * (double)standing->calls * standing->mean - standing->chances;
    bool may = course->reason == STAR_KEPT && is_quiet(field->tuning, course) && field->tuning->budget > 0;
    int oldest = may ? find_oldest(field) : -1;
    if (oldest < 0)
        return false;
    struct star_offer offer = star_offer_of(field, oldest, 1);
    if (offer.cost > spare || offer.price > field->left)
        return false;
    standing->chances += offer.cost;
    star_offer_visit(field, &offer, decision);
    decision->delta = course->delta; /* the next period need not be shorter for that */
    return true;
}

/* Whether native is to be measured anew: the budget is a share of what it takes, and so is what is said to be
 * saved, but its first calls were those of a program that had just begun, or of an earlier one, and count
 * little then. Thrice as long after its last visit as there was before it, in as many calls as cost little
 * beside all since: two at least, but for the first time, when one says much, and may cost more, but not
 * several. */
static bool look_at_native(struct star_field *field, const struct star_decision *course,
                           struct star_decision *decision)
{
    static const double share = 0.004, share_at_first = 0.01, of_several = 0.2, of_budget = 0.1,
                        of_before = 0.1;
    const struct star_tuning *tuning = field->tuning;
    struct star_evidence *native = &field->standing->visit[0].all;
    int64_t since = field->standing->calls - native->at;
    if (field->best == 0 || !star_was_measured(field->standing, 0) || field->standing->shut_out[0] ||
        since < 3 * native->at)
        return false;
    bool is_first = field->standing->visit[0].ever < 2;
    int64_t least = is_first ? 1 : 2;
    double part = is_first ? share_at_first : fmin(share, of_budget * tuning->budget),
           spare = part * (double)since * field->seconds;
    struct star_offer offer = star_offer_of(field, 0, star_calls_of_visit(field, 0));
    while (offer.cost > (is_first ? of_several : 1) * spare && offer.calls > least)
        offer = star_offer_of(field, 0, offer.calls / 2 > least ? offer.calls / 2 : least);
    if (offer.cost > spare)
        return false;
    native->weight *= of_before;
    star_offer_visit(field, &offer, decision);
    if (course->stage == STAR_MONITOR && course->list[0] == field->best)
        decision->delta = course->delta; /* the next period need not be shorter for that */
    return true;
}

/* Long calls that make the best one slower than native usually is may be noise that native would meet as
 * well: it runs until that is known. */
static bool look_for_noise(struct star_field *field, const struct star_decision *course,
                           struct star_decision *decision)
{
    const struct star_standing *standing = field->standing;
    if (!star_was_measured(standing, 0) || standing->shut_out[0])
        return false;
    int64_t calls = star_tail_unknown(standing, field->best, field->native);
    if (calls <= 0)
        return false;
    struct star_offer offer = star_offer_of(field, 0, calls);
    star_offer_visit(field, &offer, decision);
    decision->delta = course->delta;
    return true;
}

static void decide(struct star_standing *standing, const struct star_tuning *tuning,
                   const struct star_decision *course, struct star_decision *decision)
{
    struct star_field field;
    if (!star_field_look(&field, standing, tuning, course)) {
        begin(standing, tuning, decision); /* the first one could not be run */
        return;
    }
    struct star_offer offer = {.candidate = -1};
    star_tails_forgive(standing, field.left);
    if (tuning->budget > 0 &&
        (look_for_noise(&field, course, decision) || look_at_native(&field, course, decision)))
        return;
    if (tuning->budget > 0)
        offer = star_offer_best(&field);
    if (offer.candidate >= 0 && (offer.price <= field.left || standing->owing))
        star_offer_visit(&field, &offer, decision);
    else if (offer.candidate >= 0)
        wait_for_budget(&field, &offer, decision);
    else if (!give_chance(&field, course, decision))
        monitor(&field, course, decision);
}

static void advance(struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_decision *course, struct star_decision *decision)
{
    for (int i = 0; i < course->count; i++) {
        struct star_visit *visit = &standing->visit[course->list[i]];
        star_memory_correct(standing, course->list[i], visit->later);
        star_evidence_note(standing, course->list[i], visit->later, course->calls, course->calls);
        visit->all.at = standing->calls; /* though the note says nothing, as of calls that took no time */
    }
    decide(standing, tuning, course, decision);
}

/* So many calls that agreeing takes no more than its share, at least. */
static int64_t closer_period(const struct star_standing *standing, const struct star_tuning *tuning,
                             const struct star_decision *decision)
{
    int64_t most = (int64_t)tuning->iter * tuning->delta_most,
            calls = star_watch_period(tuning, (int64_t)decision->delta * tuning->iter);
    double seconds = share_of(tuning, decision->list[0]) * standing->usual,
           enough = seconds > 0 ? star_occasion(standing, standing->usual) / seconds : INFINITY;
    int64_t longest = most > calls ? most : calls;
    return enough < (double)calls ? calls : enough < (double)longest ? (int64_t)enough : longest;
}

/* A period in which the chosen one was disturbed tells nothing of it. Is it slower for good, so may all be.
 */
static void adapt(struct star_standing *standing, const struct star_tuning *tuning,
                  const struct star_decision *course, double average, double lately,
                  struct star_decision *decision)
{
    int chosen = course->list[0];
    /* What is known of it are means over ranks, and watched is the slowest one: its first period is what is
     * usual. */
    if (tuning->watch == STAR_WATCH_CHANGE && standing->watch.candidate != chosen)
        standing->estimate[chosen] = fmin(average, lately);
    enum star_verdict verdict = course->reason == STAR_WAITS
                                    ? STAR_AS_USUAL
                                    : star_watch_judge(standing, tuning, chosen, average, lately);
    if (verdict == STAR_DOUBTFUL) {
        *decision = *course;
        decision->reason = STAR_DISTURBED;
        decision->delta = star_watch_closer(tuning, course);
        decision->calls = timed_of(decision, closer_period(standing, tuning, decision));
        return;
    }
    if (verdict == STAR_CHANGED)
        star_evidence_doubt(standing);
    star_evidence_note(standing, chosen, standing->usual, course->calls, star_decision_row(course));
    standing->visit[chosen].mean = standing->mean;
    decide(standing, tuning, course, decision);
    if (verdict == STAR_CHANGED && (decision->stage == STAR_MEASURE || decision->list[0] == chosen))
        decision->reason = STAR_OVERTAKEN; /* else another one is selected */
}

const struct star_way star_race = {.first = begin,
                                   .select = advance,
                                   .adapt = adapt,
                                   .by_forecasts = true,
                                   .visit_most = STAR_VISIT_MOST,
                                   .list_most = STAR_LIST_MOST,
                                   .estimator = STAR_MAX_OF_FILTERED_MEAN,
                                   .watch = STAR_WATCH_CHANGE};
