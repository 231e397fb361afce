/* SPDX-License-Identifier: BSD-3-Clause
 * The race: every candidate is visited, one of each group first, then those of the fastest groups; who is
 * surely slower than the fastest falls out; the others go on in rounds of visits twice as long, until one is
 * left or they are ties. A short visit flatters methods in which ranks run ahead of each other: a long one
 * shows what they do in the long run, and only a candidate's last visit counts.
 *
 * A visit is made when it can be paid: all that was done so far, tuning included, may have cost at most the
 * budget more than native alone, and the visit that is under way. Until then the fastest known runs, and what
 * it saves pays too. Once the race is over, those who fell out have another chance now and then. */
#include "tuner/strategy.h"
#include "util/quantile.h"

#include <math.h>

enum { ROUNDS = 5 };
/* Counted calls of native at first: it is what the budget is a share of, but all others wait for them. */
enum { NATIVE_MOST = 4 };
/* The first visits take so long at least: a few calls, where they are short. */
static const double scouting_seconds = 100e-6;
/* By how much calls differ, until that is known, and at most. */
static const double expected_deviation = 0.1, most_deviation = 0.5;
/* So many deviations of a difference are none of chance; methods that are closer than this share are ties. */
static const double sure = 3, tie = 0.01;
/* While the budget is awaited, another method than native must be so much faster: few calls have shown it. */
static const double worth = 0.05;
/* Times as slow: raced again when the chosen one gets slow; never given another chance, and that after one
 * visit only, which may have been disturbed. */
static const double near = 1.5, hopeless = 4, hopeless_once = 16;
/* Of a group, so many times as slow as the fastest: the rest of it is not visited. */
static const double poor = 2.5;

static int visit_calls(const struct star_standing *standing)
{
    enum { SCOUTING_MOST = STAR_VISIT_MOST / 4 };
    double native = star_standing_native(standing), enough = native > 0 ? ceil(scouting_seconds / native) : 1;
    int calls = enough > SCOUTING_MOST ? SCOUTING_MOST : (int)enough;
    calls <<= standing->round;
    return calls > STAR_VISIT_MOST ? STAR_VISIT_MOST : calls;
}

/* How much single calls differ, as a share: the median of the visits that can tell. */
static double noise(const struct star_standing *standing)
{
    enum { TELLING = 4, ENOUGH = 3 };
    double deviations[STAR_CANDIDATES_MAX];
    int count = 0;
    for (int i = 0; i < standing->count; i++)
        if (standing->visit[i].calls >= TELLING)
            deviations[count++] = standing->visit[i].deviation;
    while (count < ENOUGH)
        deviations[count++] = fmax(expected_deviation, standing->visit[0].deviation);
    star_sort(deviations, count);
    return fmin(star_quantile(deviations, count, 0.5), most_deviation);
}

static int fastest_runner(const struct star_standing *standing)
{
    int best = -1;
    for (int i = 0; i < standing->count; i++)
        if (star_standing_runs(standing, i) && !isnan(standing->estimate[i]) &&
            (best < 0 || standing->estimate[i] < standing->estimate[best]))
            best = i;
    return best;
}

/* What a candidate may take: what is remembered of it, or the least estimate in its group. */
static double expected(const struct star_standing *standing, int candidate)
{
    double least = INFINITY;
    bool known = false;
    for (int i = 0; i < standing->count; i++)
        if (standing->group[i] == standing->group[candidate] && standing->visit[i].visits > 0) {
            known = true;
            least = fmin(least, standing->estimate[i]);
        }
    return known && isnan(standing->remembered[candidate]) ? least : star_memory_promise(standing, candidate);
}

/* Were enough of its group visited, and all of them slow? It has another chance once the race is over. */
static bool is_of_poor_group(const struct star_standing *standing, int candidate, int best)
{
    enum { ENOUGH = 3 };
    int visited = 0;
    for (int i = 0; i < standing->count; i++)
        visited += standing->group[i] == standing->group[candidate] && standing->visit[i].visits > 0;
    return best >= 0 && visited >= ENOUGH && expected(standing, candidate) > poor * standing->estimate[best];
}

/* Whom to visit next in this round; −1: all were. */
static int next_runner(const struct star_standing *standing, const struct star_decision *decision)
{
    int next = -1, best = fastest_runner(standing);
    double least = 0;
    for (int i = 0; i < standing->count; i++) {
        if (!star_standing_runs(standing, i) || standing->visit[i].visits > standing->round ||
            star_decision_lists(decision, i))
            continue;
        double seconds = standing->round == 0 ? expected(standing, i) : 0;
        if (standing->round == 0 && is_of_poor_group(standing, i, best))
            continue;
        if (next < 0 || seconds < least) {
            next = i;
            least = seconds;
        }
    }
    return next;
}

/* What agreeing, or making a plan, takes. */
static double occasion(const struct star_standing *standing)
{
    return standing->occasions > 0 ? standing->besides / (double)standing->occasions : 0;
}

/* What a visit would cost where calls would else take INSTEAD, as far as is known: its calls, and three
 * occasions: the agreement that is under way, the making of the plan, and the agreement after it. */
static double price(const struct star_standing *standing, const struct star_tuning *tuning, int candidate,
                    int64_t calls, double instead)
{
    const struct star_visit *visit = &standing->visit[candidate];
    double more = visit->visits > 0 ? visit->mean - instead : 0;
    return (more > 0 ? (double)(calls + tuning->warmup) * more : 0) + 3 * occasion(standing);
}

static double budget_left(const struct star_standing *standing, const struct star_tuning *tuning)
{
    return tuning->budget * (double)standing->calls * star_standing_native(standing) -
           star_standing_cost(standing);
}

/* Lists whom the budget allows to visit now: of those that were never visited one alone, as nobody knows what
 * it takes. */
static void list_runners(const struct star_standing *standing, const struct star_tuning *tuning,
                         struct star_decision *decision)
{
    int64_t calls = visit_calls(standing), all = (int64_t)standing->count * tuning->iter;
    int64_t most = (all > STAR_VISIT_MOST ? all : STAR_VISIT_MOST) / calls;
    double left = budget_left(standing, tuning), native = star_standing_native(standing);
    *decision = (struct star_decision){
        .stage = STAR_MEASURE, .reason = STAR_ROUND, .calls = calls, .delta = tuning->delta};
    bool known = true;
    for (int next; known && decision->count < most && (next = next_runner(standing, decision)) >= 0;) {
        double more = price(standing, tuning, next, calls, native);
        known = standing->visit[next].visits > 0;
        if (tuning->budget <= 0 || !(left >= more) || (!known && decision->count > 0))
            return;
        decision->list[decision->count++] = (int16_t)next;
        left -= more;
    }
}

/* Runs the fastest until NEEDED seconds are there. To ask again costs an occasion: so that they do not eat up
 * what is saved, the wait is as long as two of them at least. */
static void wait_for_budget(const struct star_standing *standing, const struct star_tuning *tuning,
                            double needed, struct star_decision *decision)
{
    int best = star_standing_fastest(standing, -1);
    bool better = best >= 0 && !(standing->estimate[best] > (1 - worth) * standing->estimate[0]);
    best = better || (best > 0 && standing->shut_out[0]) ? best : 0;
    int64_t most = (int64_t)tuning->iter * tuning->delta_most;
    double native = star_standing_native(standing), saved = native - standing->visit[best].mean,
           gain = tuning->budget * native + saved,
           calls = gain > 0 ? ceil((needed + 2 * occasion(standing)) / gain) : INFINITY;
    *decision = (struct star_decision){.stage = STAR_MONITOR,
                                       .reason = STAR_WAITS,
                                       .delta = tuning->delta,
                                       .count = 1,
                                       .list = {(int16_t)best}};
    decision->stride = star_strategy_stride(tuning, standing->estimate[best]);
    int64_t counted = calls < 1 ? 1 : calls > (double)most ? most : (int64_t)calls;
    decision->calls = decision->stride > 1 ? (counted - 1) / decision->stride + 1 : counted;
}

/* Who is surely slower than the fastest falls out. False: the race is over. */
static bool next_round(struct star_standing *standing, const struct star_tuning *tuning)
{
    int best = fastest_runner(standing), left = 0;
    if (best < 0)
        return false;
    double chance = sure * noise(standing) * sqrt(2.0 / visit_calls(standing)),
           bound = standing->estimate[best] * (1 + fmax(chance, tie));
    for (int i = 0; i < standing->count; i++) {
        /* Native was visited when the program had just begun. */
        bool again = i == 0 && standing->round == 0 && tuning->confirm;
        standing->out[i] = standing->out[i] || !(standing->estimate[i] <= bound || again);
        left += star_standing_runs(standing, i);
    }
    if (left < 2 || standing->round + 1 == ROUNDS)
        return false;
    standing->round++;
    return true;
}

/* The first of those that are as fast as the fastest: native, where it is. */
static int winner(const struct star_standing *standing)
{
    int best = fastest_runner(standing), first = best;
    for (int i = best - 1; i >= 0; i--)
        if (star_standing_runs(standing, i) && standing->estimate[i] <= (1 + tie) * standing->estimate[best])
            first = i;
    return first < 0 ? 0 : first;
}

/* The next agreement comes so late that it takes a hundredth of the time until then at most. */
static void stretch(const struct star_standing *standing, const struct star_tuning *tuning,
                    struct star_decision *decision)
{
    static const double share = 0.01;
    double seconds = standing->estimate[decision->list[0]] * fmax(1, decision->stride),
           enough = seconds > 0 ? ceil(occasion(standing) / (share * seconds)) : 0,
           most = (double)tuning->iter * tuning->delta_most;
    if (enough > (double)decision->calls)
        decision->calls = (int64_t)fmin(enough, most);
}

static void monitor(const struct star_standing *standing, const struct star_tuning *tuning,
                    enum star_reason reason, int32_t delta, struct star_decision *decision)
{
    int best = winner(standing);
    *decision = (struct star_decision){.stage = STAR_MONITOR,
                                       .reason = (int32_t)reason,
                                       .calls = star_watch_period(tuning, (int64_t)delta * tuning->iter),
                                       .delta = delta,
                                       .count = 1,
                                       .list = {(int16_t)best}};
    decision->stride = star_strategy_stride(tuning, standing->estimate[best]);
    stretch(standing, tuning, decision);
}

static void move(struct star_standing *standing, const struct star_tuning *tuning,
                 struct star_decision *decision)
{
    static const struct star_decision none;
    int next = next_runner(standing, &none);
    while (next < 0 && next_round(standing, tuning))
        next = next_runner(standing, &none);
    if (next < 0) {
        standing->over = true;
        monitor(standing, tuning, STAR_SELECTED, 1, decision);
        return;
    }
    list_runners(standing, tuning, decision);
    if (decision->count == 0) {
        double native = star_standing_native(standing),
               cost = price(standing, tuning, next, visit_calls(standing), native),
               needed = cost - budget_left(standing, tuning);
        wait_for_budget(standing, tuning, needed, decision);
    }
}

static void begin(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision)
{
    standing->round = standing->reopened = 0;
    standing->over = false;
    star_strategy_begin_alone(standing, tuning, decision);
    if (decision->calls > NATIVE_MOST)
        decision->calls = NATIVE_MOST;
}

/* The chosen one got slow, or was never as fast as it seemed: it, native and all that were near it race
 * again, each time from longer visits on. */
static void reopen(struct star_standing *standing, const struct star_tuning *tuning, int chosen,
                   struct star_decision *decision)
{
    standing->over = false;
    standing->reopened++;
    standing->round = standing->reopened < ROUNDS ? standing->reopened : ROUNDS - 1;
    for (int i = 0; i < standing->count; i++) {
        bool close = standing->estimate[i] <= near * standing->estimate[chosen];
        standing->out[i] = !(close || i == 0);
        if (standing->visit[i].visits > 0)
            standing->visit[i].visits = standing->round;
    }
    move(standing, tuning, decision);
    if (decision->stage == STAR_MEASURE)
        decision->reason = STAR_OVERTAKEN;
}

static void advance(struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_decision *course, struct star_decision *decision)
{
    int best = fastest_runner(standing), other = course->count > 0 ? course->list[0] : -1;
    if (!standing->over)
        move(standing, tuning, decision);
    else if (other >= 0 && best >= 0 && standing->estimate[other] < standing->estimate[best])
        reopen(standing, tuning, other, decision); /* it had another chance, and took it */
    else
        monitor(standing, tuning, STAR_KEPT, course->delta, decision);
}

/* Who was visited less often than I, or, of as many visits, is faster. */
static bool comes_before(const struct star_standing *standing, int j, int i)
{
    int32_t of_j = standing->visit[j].visits, of_i = standing->visit[i].visits;
    return of_j < of_i || (of_j == of_i && standing->estimate[j] < standing->estimate[i]);
}

/* Of those that fell out, or that an earlier run has told nothing of, the one that was visited least often,
 * and of those the fastest; −1: nobody. */
static int another_chance(const struct star_standing *standing, int chosen)
{
    int next = -1;
    for (int i = 0; i < standing->count; i++) {
        bool unknown = standing->visit[i].visits == 0;
        double bound = standing->visit[i].visits > 1 ? hopeless : hopeless_once;
        if (i == chosen || standing->shut_out[i] ||
            !(unknown || standing->estimate[i] < bound * standing->estimate[chosen]))
            continue;
        if (next < 0 || comes_before(standing, i, next))
            next = i;
    }
    return next;
}

/* Goes on with the chosen one, after another chance for one that fell out, where that costs little beside the
 * period that has passed; or after the first visit of one that the race has left out. */
static void keep(const struct star_standing *standing, const struct star_tuning *tuning,
                 const struct star_decision *course, struct star_decision *decision)
{
    enum { CALLS_ENOUGH = STAR_VISIT_MOST / 4 };
    static const double share = 0.01, share_of_unknown = 0.05;
    int next = another_chance(standing, course->list[0]);
    star_strategy_keep(tuning, course, decision);
    stretch(standing, tuning, decision);
    if (next < 0 || tuning->budget <= 0)
        return;
    bool unknown = standing->visit[next].visits == 0;
    double chosen = standing->visit[course->list[0]].mean, left = budget_left(standing, tuning),
           seconds = (double)course->calls * standing->mean,
           spare = fmin((unknown ? share_of_unknown : share) * seconds, left);
    /* A shorter visit than its last might flatter it. Of what nobody knows one call may be much. */
    int32_t last = standing->visit[next].calls, calls = last > CALLS_ENOUGH ? last : CALLS_ENOUGH;
    if (unknown) {
        last = calls = 1;
        spare -= fmax(0, 2 * (expected(standing, next) - chosen));
    }
    if (price(standing, tuning, next, calls, chosen) > spare)
        calls = last;
    if (price(standing, tuning, next, calls, chosen) > spare)
        return;
    if (unknown) /* the others need not wait the longer for that */
        decision->delta = course->delta;
    decision->stage = STAR_MEASURE;
    decision->reason = STAR_ROUND;
    decision->calls = calls;
    decision->stride = 0;
    decision->list[0] = (int16_t)next;
}

/* In its first period the chosen one shows whether it is as fast as its visits said. */
static enum star_verdict judge(struct star_standing *standing, const struct star_tuning *tuning,
                               const struct star_decision *course, double average, double lately)
{
    int chosen = course->list[0];
    double bound = star_watch_bound(standing, tuning, chosen);
    enum star_verdict verdict = star_watch_judge(standing, tuning, chosen, average, lately);
    return course->reason == STAR_SELECTED && average >= bound && lately >= bound ? STAR_CHANGED : verdict;
}

static void adapt(struct star_standing *standing, const struct star_tuning *tuning,
                  const struct star_decision *course, double average, double lately,
                  struct star_decision *decision)
{
    int chosen = course->list[0];
    enum star_verdict verdict =
        standing->over ? judge(standing, tuning, course, average, lately) : STAR_AS_USUAL;
    standing->estimate[chosen] = standing->over ? fmin(average, lately) : average;
    standing->visit[chosen].mean = standing->mean;
    if (!standing->over) {
        move(standing, tuning, decision);
    } else if (verdict == STAR_CHANGED) {
        reopen(standing, tuning, chosen, decision);
    } else if (verdict == STAR_DOUBTFUL) {
        monitor(standing, tuning, STAR_DISTURBED, star_watch_closer(tuning, course), decision);
        decision->list[0] = (int16_t)chosen;
    } else {
        keep(standing, tuning, course, decision);
    }
}

const struct star_way star_race = {.first = begin,
                                   .select = advance,
                                   .adapt = adapt,
                                   .estimator = STAR_MAX_OF_FILTERED_MEAN,
                                   .watch = STAR_WATCH_CHANGE};
