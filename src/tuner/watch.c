/* SPDX-License-Identifier: BSD-3-Clause
 * Has the chosen method become slower? By a cumulative sum (CUSUM; Page: Continuous Inspection Schemes,
 * Biometrika 1954) over periods: each adds by how many standard deviations it was slower than usual, less
 * half of one, and three at most, so that it takes three in a row, of which the later ones are short, and no
 * disturbance that passes is enough. What is usual, and how much periods differ, is learned from those that
 * were. Or by a fixed factor over the second best, as STAR-MPI does. */
#include "tuner/watch.h"

#include <math.h>

/* In deviations: what a period adds at most, less what is allowed for; and the sum that is a change. */
static const double most_of_period = 3, allowance = 0.5, change = 7.5;
/* Periods differ by so much at least: smaller changes are not worth another race. */
static const double least_spread = 0.04;
enum { LEVEL_MEMORY = 8, SPREAD_MEMORY = 16 };

static double clipped(double value, double most)
{
    return fmax(fmin(value, most), -most);
}

/* Of the weight that the latest of COUNT periods has. */
static double share(int count, int memory)
{
    return 1.0 / (2 + (count < memory ? count : memory));
}

static void learn(struct star_watch *watch, double more)
{
    double squares = watch->spread * watch->spread, seen = more * more;
    watch->level *= exp(share(watch->periods, LEVEL_MEMORY) * more);
    watch->spread =
        fmax(sqrt(squares + share(watch->periods, SPREAD_MEMORY) * (seen - squares)), least_spread);
    watch->periods++;
}

/* SECONDS: of the period. Was only its end slow, a short period tells soon whether that lasts. */
static enum star_verdict by_change(struct star_watch *watch, double seconds, double lately)
{
    double most = most_of_period * watch->spread, more = clipped(log(seconds / watch->level), most);
    bool ends_badly = log(lately / watch->level) > most;
    watch->sum = fmax(0, watch->sum + more / watch->spread - allowance);
    if (watch->sum >= change - 1e-9)
        return STAR_CHANGED;
    if (more > 0 && watch->sum >= change / 3 - 1e-9)
        return STAR_DOUBTFUL;
    learn(watch, more);
    return ends_badly ? STAR_DOUBTFUL : STAR_AS_USUAL;
}

static void begin(struct star_watch *watch, int candidate, double seconds)
{
    *watch = (struct star_watch){.candidate = candidate, .level = seconds, .spread = least_spread};
}

enum star_verdict star_watch_judge(struct star_standing *standing, const struct star_tuning *tuning,
                                   int candidate, double average, double lately)
{
    struct star_watch *watch = &standing->watch;
    double expected = standing->estimate[candidate], seconds = fmin(average, lately);
    if (tuning->watch == STAR_WATCH_EPSILON) {
        double bound = star_watch_bound(standing, tuning, candidate);
        return average < bound ? STAR_AS_USUAL : lately < bound ? STAR_DOUBTFUL : STAR_CHANGED;
    }
    if (!(seconds > 0))
        return STAR_AS_USUAL;
    if (watch->candidate != candidate)
        begin(watch, candidate, expected > 0 ? expected : seconds);
    enum star_verdict verdict = by_change(watch, seconds, lately);
    if (verdict == STAR_CHANGED)
        watch->candidate = -1;
    return verdict;
}

double star_watch_bound(const struct star_standing *standing, const struct star_tuning *tuning, int candidate)
{
    int second = star_standing_fastest(standing, candidate);
    return second < 0 ? INFINITY : (1 + tuning->epsilon) * standing->estimate[second];
}

int32_t star_watch_closer(const struct star_tuning *tuning, const struct star_decision *course)
{
    bool again = tuning->watch == STAR_WATCH_CHANGE && course->reason == STAR_DISTURBED;
    return !again                                   ? tuning->delta
           : course->delta > tuning->delta_most / 2 ? tuning->delta_most
                                                    : 2 * course->delta;
}

int64_t star_watch_period(const struct star_tuning *tuning, int64_t calls)
{
    enum { MOST = 2048 };
    int64_t most = tuning->iter > MOST ? tuning->iter : MOST;
    return tuning->watch == STAR_WATCH_CHANGE && calls > most ? most : calls;
}
