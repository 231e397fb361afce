/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/field.h"
#include "tuner/evidence.h"
#include "tuner/expect.h"
#include "tuner/tail.h"

#include <math.h>

/* So much of the calls so far are expected to come, and so many at least; fewer, where earlier runs have
 * tried what was worth it in as many calls as they had: exploring goes on where this one has had more. */
static const double share_to_come = 0.25, calls_to_come = 100, calls_to_come_again = 10;
/* What an agreement, or making a plan, takes, before any was made. */
static const double occasion_seconds = 5e-6;

/* False: nothing was measured. */
static bool find_native(struct star_field *field)
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

/* Where ranks may run ahead nobody waits for an agreement, which seems to take nothing; but messages go to
 * and fro, as in two short calls. */
double star_occasion(const struct star_standing *standing, double native)
{
    static const double short_call = 50e-6;
    double seen =
        standing->occasions > 0 ? standing->besides / (double)standing->occasions : occasion_seconds;
    return standing->ahead ? fmax(seen, 2 * fmin(native, short_call)) : seen;
}

static double to_come(const struct star_standing *standing)
{
    double least = standing->earlier > 0 ? calls_to_come_again : calls_to_come;
    return fmax(share_to_come * ((double)standing->calls - standing->earlier), least);
}

/* What was seen of it so far, short visits and all, is no slower than native, with its long calls; or, once
 * visits do not get longer, what it is expected to take is not. */
static bool may_run(const struct star_field *field, int i)
{
    const struct star_standing *standing = field->standing;
    const struct star_evidence *all = &standing->visit[i].all;
    double native = fmax(field->native, star_expected(&field->expected[field->first]));
    if (i == field->first || standing->shut_out[i] || !star_was_measured(standing, i))
        return i == field->first;
    return exp(all->level) <= native ||
           (all->longest >= STAR_VISIT_MOST && star_expected(&field->expected[i]) <= native);
}

static bool is_as_fast(const struct star_field *field, int i, double least)
{
    return may_run(field, i) && star_expected(&field->expected[i]) <= (1 + STAR_TIE) * least;
}

/* To run another one instead takes at least two agreements, which it must be faster by in the calls to come:
 * in a long run there are many, whatever earlier ones have tried. */
static bool may_stay(const struct star_field *field, int running, double least)
{
    double slower = may_run(field, running) ? star_expected(&field->expected[running]) - least : INFINITY,
           calls = fmax(share_to_come * (double)field->standing->calls, field->to_come);
    return slower * calls < 2 * field->occasion;
}

/* The one that runs where changing cannot pay; else, of those that are as fast as the fastest, native, or the
 * one that runs, or the first. */
static int find_best(const struct star_field *field, int running)
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

static void find_other_names(struct star_field *field)
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

bool star_field_is_open(const struct star_field *field, int i)
{
    return i != field->best && !field->standing->shut_out[i] && !field->other[i] &&
           !was_left_aside(field->standing, i);
}

/* Who is to blame for long calls takes as much longer. Returns the seconds that these took so far. */
static double add_tails(struct star_field *field)
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
static double left_without_blame(const struct star_field *field)
{
    const struct star_standing *standing = field->standing;
    const struct star_account *since = &standing->since;
    double calls = (double)(standing->calls - since->calls),
           others = (double)(standing->others - since->others);
    return since->left + (field->tuning->budget * calls + others) * field->surely -
           (standing->seconds - since->seconds);
}

bool star_field_look(struct star_field *field, struct star_standing *standing,
                     const struct star_tuning *tuning, const struct star_decision *course)
{
    field->standing = standing;
    field->tuning = tuning;
    star_expect(standing, field->expected);
    double blamed = add_tails(field);
    if (!find_native(field))
        return false;
    field->occasion = star_occasion(standing, field->native);
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

bool star_agreeing_takes_long(const struct star_field *field)
{
    return field->occasion > field->native;
}
