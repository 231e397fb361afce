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
#include "tuner/expect.h"
#include "tuner/memory.h"
#include "tuner/tail.h"
#include "tuner/watch.h"

#include <math.h>

/* Counted calls of native at first: it is what the budget is a share of, but all others wait for them. */
enum { NATIVE_MOST = 3 };
/* Candidates in one list. */
enum { LIST_MOST = 4 };
/* So much of the calls so far are expected to come, and so many at least; fewer, where earlier runs have
 * tried what was worth it in as many calls as they had: exploring goes on where this one has had more. */
static const double share_to_come = 0.25, calls_to_come = 100, calls_to_come_again = 10;
/* What an agreement, or making a plan, takes, before any was made. */
static const double occasion_seconds = 5e-6;
/* Methods that are closer than this share are ties: the first one of them runs. */
static const double tie = 0.01;
/* A method may run alone so many times longer than it did before, native too while it waits: then it is
 * looked at, but not so often that agreeing takes more than this share; or, of native's time, which saves
 * nothing, half of the budget. */
enum { RUN_LONGER = 4 };
static const double share_of_looking = 0.05;

struct field {
    struct star_standing *standing;
    const struct star_tuning *tuning;
    struct star_outlook expected[STAR_CANDIDATES_MAX];
    int best, first;       /* who runs; and native, or the first that was measured where that cannot run */
    double native, surely; /* seconds of a call of native: in the mean, and at least, as nearly as is known */
    double seconds;        /* of a call of the best */
    double occasion, left; /* what an agreement takes, and what may be spent */
    double to_come;        /* calls */
    double overlap, noise; /* star_usual_overlap, star_evidence_noise */
    bool other[STAR_CANDIDATES_MAX]; /* it is another name of one that was measured, or stands before it */
};

struct offer {
    int candidate;
    int64_t calls;
    double cost;  /* seconds, beyond those of the best */
    double worth; /* the seconds that it may save, for each that it costs; 1 or less: not worth it */
    double price; /* what the budget must have, beyond what native would take */
};

/* False: nothing was measured. */
static bool find_native(struct field *field)
{
    const struct star_standing *standing = field->standing;
    int i = 0;
    while (i < standing->count && (standing->shut_out[i] || !star_was_measured(standing, i)))
        i++;
    if (i == standing->count)
        return false;
    field->first = i;
    field->native = exp(standing->visit[i].all.level);
    field->surely = field->native * exp(-sqrt(field->expected[i].variance));
    return true;
}

/* What agreeing, or making a plan, takes where a call of native takes NATIVE seconds. Where ranks may run
 * ahead nobody waits for an agreement, which seems to take nothing; but messages go to and fro, as in two
 * short calls. */
static double occasion(const struct star_standing *standing, double native)
{
    static const double short_call = 50e-6;
    double seen =
        standing->occasions > 0 ? standing->besides / (double)standing->occasions : occasion_seconds;
    return standing->ahead ? fmax(seen, 2 * fmin(native, short_call)) : seen;
}

/* The part of the time that looking at CANDIDATE, which runs alone, may take. */
static double share_of(const struct star_tuning *tuning, int candidate)
{
    return candidate != 0 ? share_of_looking : fmin(share_of_looking, tuning->budget / 2);
}

static double to_come(const struct star_standing *standing)
{
    double least = standing->earlier > 0 ? calls_to_come_again : calls_to_come;
    return fmax(share_to_come * ((double)standing->calls - standing->earlier), least);
}

/* What was seen of it so far, short visits and all, is no slower than native, with its long calls; or, once
 * visits do not get longer, what it is expected to take is not. */
static bool may_run(const struct field *field, int i)
{
    const struct star_standing *standing = field->standing;
    const struct star_evidence *all = &standing->visit[i].all;
    double native = fmax(field->native, star_expected(&field->expected[field->first]));
    if (i == field->first || standing->shut_out[i] || !star_was_measured(standing, i))
        return i == field->first;
    return exp(all->level) <= native ||
           (all->longest >= STAR_VISIT_MOST && star_expected(&field->expected[i]) <= native);
}

static bool is_as_fast(const struct field *field, int i, double least)
{
    return may_run(field, i) && star_expected(&field->expected[i]) <= (1 + tie) * least;
}

/* To run another one instead takes at least two agreements, which it must be faster by in the calls to come:
 * in a long run there are many, whatever earlier ones have tried. */
static bool may_stay(const struct field *field, int running, double least)
{
    double slower = may_run(field, running) ? star_expected(&field->expected[running]) - least : INFINITY,
           calls = fmax(share_to_come * (double)field->standing->calls, field->to_come);
    return slower * calls < 2 * field->occasion;
}

/* The one that runs where changing cannot pay; else, of those that are as fast as the fastest, native, or the
 * one that runs, or the first. */
static int find_best(const struct field *field, int running)
{
    const struct star_standing *standing = field->standing;
    double least = INFINITY;
    int best = 0;
    for (int i = 0; i < standing->count; i++)
        if (may_run(field, i))
            least = fmin(least, star_expected(&field->expected[i]));
    if (running >= 0 && (may_stay(field, running, least) ||
                         (!is_as_fast(field, 0, least) && is_as_fast(field, running, least))))
        return running;
    while (best + 1 < standing->count && !is_as_fast(field, best, least))
        best++;
    return best;
}

static void find_other_names(struct field *field)
{
    const struct star_standing *standing = field->standing;
    bool measured[STAR_CANDIDATES_MAX] = {false};
    for (int i = 0; i < standing->count; i++)
        measured[standing->alike[i]] = measured[standing->alike[i]] || star_was_measured(standing, i);
    for (int i = 0; i < standing->count; i++)
        field->other[i] =
            !star_was_measured(standing, i) && (measured[standing->alike[i]] || standing->alike[i] != i);
}

/* Earlier runs have left it aside, though they expected so many calls to come, and the cost model, which told
 * them why, was not asked yet. */
static bool was_left_aside(const struct star_standing *standing, int i)
{
    return standing->earlier > 0 && !star_was_measured(standing, i) && !star_is_foreseen(standing, i) &&
           (double)standing->calls < calls_to_come;
}

/* May a visit of it tell anything new? */
static bool is_open(const struct field *field, int i)
{
    return i != field->best && !field->standing->shut_out[i] && !field->other[i] &&
           !was_left_aside(field->standing, i);
}

/* Who is to blame for long calls takes as much longer. Returns the seconds that these took so far. */
static double add_tails(struct field *field)
{
    const struct star_standing *standing = field->standing;
    double blamed = 0;
    for (int i = 0; i < standing->count; i++) {
        double more = star_tail_of(standing, i);
        field->expected[i].mean += log1p(more / star_expected(&field->expected[i]));
        blamed += i == 0 ? 0 : more * standing->visit[i].tail.ran;
    }
    return blamed;
}

/* What may be spent: the budget's share of what native would have taken, and what others saved. */
static double left_without_blame(const struct field *field)
{
    const struct star_standing *standing = field->standing;
    const struct star_account *since = &standing->since;
    double calls = (double)(standing->calls - since->calls),
           others = (double)(standing->others - since->others);
    return since->left + (field->tuning->budget * calls + others) * field->surely -
           (standing->seconds - since->seconds);
}

/* False: nothing was measured. */
static bool look(struct field *field, struct star_standing *standing, const struct star_tuning *tuning,
                 const struct star_decision *course)
{
    field->standing = standing;
    field->tuning = tuning;
    star_expect(standing, field->expected);
    double blamed = add_tails(field);
    if (!find_native(field))
        return false;
    field->occasion = occasion(standing, field->native);
    field->to_come = to_come(standing);
    field->best = find_best(field, course->stage == STAR_MONITOR ? course->list[0] : -1);
    find_other_names(field);
    field->seconds = star_expected(&field->expected[field->best]);
    field->overlap = star_usual_overlap(standing);
    field->noise = star_evidence_noise(standing);
    double left = left_without_blame(field);
    standing->looked = (struct star_account){left, standing->seconds, standing->calls, standing->others};
    standing->left = field->left = left - blamed;
    for (int i = 0; i < standing->count; i++)
        if (star_was_measured(standing, i))
            standing->estimate[i] = exp(standing->visit[i].all.level);
    return true;
}

static bool agreeing_takes_long(const struct field *field)
{
    return field->occasion > field->native;
}

/* Of a visit of a single call that one is counted, warmed up or not, where calls are long: otherwise to try
 * many methods costs twice as much. What a first call needs more, as for caches and pages, is little beside
 * it then: about as much as an occasion. */
static bool is_cold(const struct field *field, int64_t calls)
{
    static const double is_long = 4;
    return calls == 1 && is_long * field->occasion < field->native;
}

/* CALLS that are counted, and those that are not. */
static double all_calls(const struct field *field, int64_t calls)
{
    return (double)(calls + (is_cold(field, calls) ? 0 : field->tuning->warmup));
}

static int64_t calls_of_visit(const struct field *field, int candidate)
{
    int64_t longest = field->standing->visit[candidate].all.lately;
    return longest == 0 ? 1 : longest > STAR_VISIT_MOST / 2 ? STAR_VISIT_MOST : 2 * longest;
}

/* Of a candidate that was not measured, beyond native's: hardly more than what a visit takes. */
static double at_most(const struct field *field, int candidate, double calls)
{
    static const double deviations = 2;
    const struct star_outlook *expected = &field->expected[candidate];
    return calls * fmax(exp(expected->mean + deviations * sqrt(expected->variance)) - field->native, 0);
}

/* What a visit of CALLS calls may save and cost, with so many AGREEMENTS; and a plan is made before the first
 * one. */
static struct offer offer_with(const struct field *field, int candidate, int64_t calls, int agreements)
{
    const struct star_standing *standing = field->standing;
    const struct star_outlook *expected = &field->expected[candidate];
    const struct star_evidence *evidence = &standing->visit[candidate].all;
    bool measured = star_was_measured(standing, candidate);
    double overlap = star_overlap(evidence, field->overlap),
           gain = star_expected_gain(expected, (1 - tie) * field->seconds,
                                     measured || overlap > 0 ? calls : 0, overlap, field->noise),
           seconds = star_expected(expected), all = all_calls(field, calls),
           visit = star_expected_at_first(evidence, expected, overlap, all),
           besides = (agreements + !measured) * field->occasion,
           cost = all * fmax(visit - field->seconds, 0) + besides + (measured ? field->seconds : 0),
           surely = fmax(seconds, standing->visit[candidate].mean);
    return (struct offer){.candidate = candidate,
                          .calls = calls,
                          .cost = cost,
                          .worth = cost > 0 ? field->to_come * gain / cost : INFINITY,
                          .price = besides + (measured ? all * fmax(surely - field->native, 0) : 0)};
}

/* An agreement is before it, and one behind it. */
static struct offer offer_of(const struct field *field, int candidate, int64_t calls)
{
    return offer_with(field, candidate, calls, 2);
}

/* The visit that is worth most; its candidate is −1 if none is worth it. */
static struct offer best_offer(const struct field *field)
{
    struct offer best = {.candidate = -1, .worth = 1};
    for (int i = 0; i < field->standing->count; i++) {
        if (!is_open(field, i))
            continue;
        struct offer offer = offer_of(field, i, calls_of_visit(field, i));
        if (offer.worth > best.worth)
            best = offer;
    }
    return best;
}

/* The same of a visit beside those that are LISTED, of as many calls, that can be paid: of candidates that
 * were measured as those were, or not either. What nobody knows, the budget bears of one candidate alone. */
static struct offer next_offer(const struct field *field, const struct star_decision *listed)
{
    const struct star_standing *standing = field->standing;
    bool measured = star_was_measured(standing, listed->list[0]);
    struct offer best = {.candidate = -1, .worth = 1};
    for (int i = 0; i < standing->count; i++) {
        if (!is_open(field, i) || star_decision_lists(listed, i) ||
            star_was_measured(standing, i) != measured)
            continue;
        struct offer offer = offer_with(field, i, listed->calls, 0);
        if (!measured)
            offer.price += at_most(field, i, all_calls(field, listed->calls));
        if (offer.worth > best.worth && offer.price <= field->left)
            best = offer;
    }
    return best;
}

/* With the visit of FIRST, others of as many calls that can be paid as well. Candidates that were not
 * measured are visited one by one, so that each may tell of the others, but where agreeing takes longer. */
static void visit(struct field *field, const struct offer *first, struct star_decision *decision)
{
    *decision = (struct star_decision){.stage = STAR_MEASURE,
                                       .reason = STAR_ROUND,
                                       .calls = first->calls,
                                       .delta = field->tuning->delta,
                                       .cold = is_cold(field, first->calls)};
    struct offer next = *first;
    bool several = star_was_measured(field->standing, first->candidate) || agreeing_takes_long(field);
    while (next.candidate >= 0) {
        decision->list[decision->count++] = (int16_t)next.candidate;
        field->left -= next.price;
        bool more = several && decision->count < LIST_MOST &&
                    (decision->count + 1) * decision->calls <= STAR_VISIT_MOST;
        next = more ? next_offer(field, decision) : (struct offer){.candidate = -1};
    }
}

/* How many of CALLS calls are timed. */
static int64_t timed_of(const struct star_decision *decision, int64_t calls)
{
    return decision->stride > 1 ? (calls - 1) / decision->stride + 1 : calls;
}

/* CANDIDATE runs for CALLS calls. */
static void go_on(const struct field *field, int candidate, double calls, enum star_reason reason,
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
static double gain_of(const struct field *field)
{
    double gain = field->tuning->budget * field->surely;
    return field->best == 0 ? gain : gain + field->surely - field->seconds;
}

/* Runs the best until the budget has what OFFER needs, or until there is more to say of the best; or native,
 * where the budget would never have it else: it has been seen so little that it may be as fast, and may be
 * far slower. To ask again costs an occasion: so that they do not eat up what is saved, two of them are saved
 * besides; or, so that it may pay other visits as well, four. */
static void wait_for_budget(const struct field *field, const struct offer *offer,
                            struct star_decision *decision)
{
    double needed = offer->price - field->left + (agreeing_takes_long(field) ? 4 : 2) * field->occasion,
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
static void monitor(const struct field *field, const struct star_decision *course,
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
static bool is_older(const struct field *field, int i, int other)
{
    const struct star_visit *visit = field->standing->visit;
    int64_t before = visit[other].all.at - visit[i].all.at;
    return before > 0 ||
           (before == 0 && star_expected(&field->expected[i]) < star_expected(&field->expected[other]));
}

/* Of those that are not hopeless the one that was measured longest ago, or never; −1: none. */
static int find_oldest(const struct field *field)
{
    const struct star_visit *visit = field->standing->visit;
    int oldest = -1;
    for (int i = 0; i < field->standing->count; i++)
        if (is_open(field, i) &&
            (!star_was_measured(field->standing, i) ||
             star_expected(&field->expected[i]) < hopeless(&visit[i]) * field->seconds) &&
            (oldest < 0 || is_older(field, i, oldest)))
            oldest = i;
    return oldest;
}

/* The machine may have changed in favour of one that has lost, or one that was never worth a visit may be the
 * fastest: after a long period in which nothing happened it has a chance, where all that were given one cost
 * little beside all calls; half of that where earlier runs have given some too. */
static bool give_chance(struct field *field, const struct star_decision *course,
                        struct star_decision *decision)
{
    struct star_standing *standing = field->standing;
    double share = standing->earlier > 0 ? 0.0025 : 0.005,
           spare = share * (double)standing->calls * standing->mean - standing->chances;
    bool may = course->reason == STAR_KEPT && is_quiet(field->tuning, course) && field->tuning->budget > 0;
    int oldest = may ? find_oldest(field) : -1;
    if (oldest < 0)
        return false;
    struct offer offer = offer_of(field, oldest, 1);
    if (offer.cost > spare || offer.price > field->left)
        return false;
    standing->chances += offer.cost;
    visit(field, &offer, decision);
    decision->delta = course->delta; /* the next period need not be shorter for that */
    return true;
}

/* Whether native is to be measured anew: the budget is a share of what it takes, and so is what is said to be
 * saved, but its first calls were those of a program that had just begun, or of an earlier one, and count
 * little then. Thrice as long after its last visit as there was before it, in as many calls as cost little
 * beside all since: two at least, but for the first time, when one says much, and may cost more, but not
 * several. */
static bool look_at_native(struct field *field, const struct star_decision *course,
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
    struct offer offer = offer_of(field, 0, calls_of_visit(field, 0));
    while (offer.cost > (is_first ? of_several : 1) * spare && offer.calls > least)
        offer = offer_of(field, 0, offer.calls / 2 > least ? offer.calls / 2 : least);
    if (offer.cost > spare)
        return false;
    native->weight *= of_before;
    visit(field, &offer, decision);
    if (course->stage == STAR_MONITOR && course->list[0] == field->best)
        decision->delta = course->delta; /* the next period need not be shorter for that */
    return true;
}

/* Long calls that make the best one slower than native usually is may be noise that native would meet as
 * well: it runs until that is known. */
static bool look_for_noise(struct field *field, const struct star_decision *course,
                           struct star_decision *decision)
{
    const struct star_standing *standing = field->standing;
    if (!star_was_measured(standing, 0) || standing->shut_out[0])
        return false;
    int64_t calls = star_tail_unknown(standing, field->best, field->native);
    if (calls <= 0)
        return false;
    struct offer offer = offer_of(field, 0, calls);
    visit(field, &offer, decision);
    decision->delta = course->delta;
    return true;
}

static void decide(struct star_standing *standing, const struct star_tuning *tuning,
                   const struct star_decision *course, struct star_decision *decision)
{
    struct field field;
    if (!look(&field, standing, tuning, course)) {
        begin(standing, tuning, decision); /* the first one could not be run */
        return;
    }
    struct offer offer = {.candidate = -1};
    star_tails_forgive(standing, field.left);
    if (tuning->budget > 0 &&
        (look_for_noise(&field, course, decision) || look_at_native(&field, course, decision)))
        return;
    if (tuning->budget > 0)
        offer = best_offer(&field);
    if (offer.candidate >= 0 && (offer.price <= field.left || standing->owing))
        visit(&field, &offer, decision);
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
           enough = seconds > 0 ? occasion(standing, standing->usual) / seconds : INFINITY;
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
                                   .list_most = LIST_MOST,
                                   .estimator = STAR_MAX_OF_FILTERED_MEAN,
                                   .watch = STAR_WATCH_CHANGE};
