/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/fact.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

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

struct star_figures star_figures_add(struct star_figures a, struct star_figures b)
{
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

int star_fact_check(const struct star_fact *fact, struct star_why *why)
{
    static const double rounding = 1e-9;
    const struct star_figures *f = &fact->figures;
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
    if (!(f->count > 0 && isfinite(f->count) && f->mean >= 0 && isfinite(f->mean) && f->squares >= 0 &&
          isfinite(f->squares) && f->least >= 0 && f->least <= f->mean * (1 + rounding) && f->date >= 0))
        return star_because(why, STAR_EINPUT, "a fact of %s with impossible figures", fact->method);
    return 0;
}
