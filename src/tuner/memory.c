/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/memory.h"
#include "util/seconds.h"

void star_memory_correct(struct star_standing *standing, int i, double seconds)
{
    double known = standing->remembered[i];
    if (known > 0 && seconds > 0 && (seconds > STAR_MEMORY_FAR * known || STAR_MEMORY_FAR * seconds < known))
        standing->remembered[i] = seconds;
}

double star_memory_promise(const struct star_standing *standing, int i)
{
    double native = standing->remembered[0], own = standing->remembered[i];
    return star_is_known(own) ? own : star_is_known(native) ? native : 0;
}

static bool is_before(const struct star_standing *standing, int i, int j)
{
    return j > 0 && (i == 0 || star_memory_promise(standing, i) < star_memory_promise(standing, j));
}

void star_memory_order(const struct star_standing *standing, struct star_decision *decision)
{
    int16_t *list = decision->list;
    for (int i = 1; i < decision->count; i++)
        for (int j = i; j > 0 && is_before(standing, list[j], list[j - 1]); j--) {
            int16_t later = list[j - 1];
            list[j - 1] = list[j];
            list[j] = later;
        }
}
