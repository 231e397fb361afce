/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/fact.h"
#include "util/quantile.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* A clock that was ahead must not make all else look old, nor one that was never set a fact. */
struct star_figures star_figures_until(struct star_figures figures, int64_t now)
{
    bool is_date = figures.date >= STAR_FACT_NEVER_SET && figures.date < now;
    figures.date = is_date || now < STAR_FACT_NEVER_SET ? figures.date : now;
    return figures;
}

struct star_figures star_figures_fade(struct star_figures figures, int64_t date)
{
    static const double day = 24 * 3600;
    if (date <= figures.date)
        return figures;
    double left = exp2(-(double)(date - figures.date) / day / STAR_FACT_HALF);
    figures.count *= left;
    figures.squares *= left;
    figures.date = date;
    return figures;
}

struct star_figures star_figures_limit(struct star_figures figures, double most)
{
    if (figures.count > most) {
        figures.squares *= most / figures.count;
        figures.count = most;
    }
    return figures;
}

/* Calls of two runs differ by so much at most, and single ones by more: a machine is busy, or a call held up.
 * Nothing makes a call faster by chance, but one alone may be slow: then another one must be as well. */
static bool contradict(const struct star_figures *known, const struct star_figures *news)
{
    static const double of_runs = 3, of_single_calls = 10;
    double most = of_runs * pow(of_single_calls, 1 / sqrt(fmax(news->count, 1)));
    return news->mean * most < known->mean || (news->count > 1 && news->least > most * known->mean);
}

struct star_figures star_figures_add(struct star_figures a, struct star_figures b)
{
    if (contradict(&a, &b))
        return star_figures_limit(b, STAR_FACT_MOST);
    int64_t date = a.date > b.date ? a.date : b.date;
    a = star_figures_fade(a, date);
    b = star_figures_fade(b, date);
    double count = a.count + b.count, apart = b.mean - a.mean;
    struct star_figures sum = {.count = count,
                               .mean = a.mean + apart * b.count / count,
                               .squares = a.squares + b.squares + apart * apart * a.count * b.count / count,
                               .least = fmin(a.least, b.least),
                               .date = date};
    return star_figures_limit(sum, STAR_FACT_MOST);
}

/* Of single calls. */
static struct star_figures figures_of_samples(const struct star_figures_seen *seen)
{
    struct star_figures figures = {.count = seen->count, .mean = seen->mean, .least = INFINITY};
    int kept = 0;
    for (int i = 0; i < seen->count; i++)
        figures.least = fmin(figures.least, seen->samples[i]);
    for (int i = 0; i < seen->count; i++)
        if (!star_is_outlier(seen->samples[i], figures.least)) {
            figures.squares += (seen->samples[i] - figures.mean) * (seen->samples[i] - figures.mean);
            kept++;
        }
    if (kept > 0)
        figures.squares *= (double)seen->count / kept;
    figures.least = fmin(figures.least, figures.mean);
    return figures;
}

bool star_figures_of(const struct star_figures_seen *seen, int64_t date, struct star_figures *figures)
{
    static const double expected_deviation = 0.1;
    if (seen->count == 0 && seen->watched_calls == 0)
        return false;
    *figures = (struct star_figures){.least = INFINITY};
    if (seen->count > 0)
        *figures = figures_of_samples(seen);
    if (seen->watched_calls > 0) {
        double calls = (double)seen->watched_calls, mean = seen->watched / calls;
        double deviation =
            seen->count > 1 ? sqrt(figures->squares / figures->count) : expected_deviation * mean;
        *figures = (struct star_figures){.count = calls,
                                         .mean = mean,
                                         .squares = calls * deviation * deviation,
                                         .least = fmin(figures->least, mean)};
    }
    *figures = star_figures_limit(*figures, STAR_FACT_RUN);
    figures->date = date;
    return figures->mean > 0;
}

/* Not empty, one line, ended within its room. */
static bool is_line(const char *text, size_t room)
{
    size_t length = strnlen(text, room);
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)text[i]))
            return false;
    return length > 0 && length < room;
}

/* And without a blank, at which messages are cut into words. */
static bool is_word(const char *text, size_t room)
{
    return is_line(text, room) && strchr(text, ' ') == NULL;
}

/* Of the squares the mean is bounded, which adding keeps: it bounds mean and deviation. */
bool star_figures_are_possible(const struct star_figures *figures)
{
    static const double rounding = 1e-9, seconds_most = 1e6, calls_most = 1e9;
    const struct star_figures *f = figures;
    return f->count > 0 && f->count <= calls_most && f->mean >= 0 && f->squares >= 0 && f->least >= 0 &&
           f->least <= f->mean * (1 + rounding) && f->date >= 0 &&
           f->mean * f->mean + f->squares / f->count <= seconds_most * seconds_most * (1 + rounding);
}

int star_fact_check(const struct star_fact *fact, struct star_why *why)
{
    if (!is_line(fact->machine, sizeof fact->machine))
        return star_because(why, STAR_EINPUT, "a fact whose machine has no name of one line");
    if (!is_word(fact->operation, sizeof fact->operation))
        return star_because(why, STAR_EINPUT, "a fact whose operation is not one word");
    if (!is_line(fact->method, sizeof fact->method)) /* a program's functions may have such names */
        return star_because(why, STAR_EINPUT, "a fact whose method has no name of one line");
    if (fact->ranks < 1 || fact->nodes < 1 || fact->nodes > fact->ranks || fact->bytes < -1)
        return star_because(why, STAR_EINPUT, "a fact of %s for %lld ranks on %lld nodes and %lld bytes",
                            fact->method, (long long)fact->ranks, (long long)fact->nodes,
                            (long long)fact->bytes);
    if (!star_figures_are_possible(&fact->figures))
        return star_because(why, STAR_EINPUT, "a fact of %s with impossible figures", fact->method);
    return 0;
}
