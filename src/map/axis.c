/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/axis.h"
#include "map/choose.h"
#include "map/generate.h"

#include <math.h>
#include <stdlib.h>

int64_t star_axis_last(int64_t below, int64_t above)
{
    int64_t last = (int64_t)sqrt((below > 0 ? (double)below : 0.5) * (double)above);
    while (last > below && !star_map_is_nearer(below, last, above))
        last--;
    while (last + 1 < above && star_map_is_nearer(below, last + 1, above))
        last++;
    return last < below ? below : last;
}

/* The place by bisection: what the slots are made from. */
static int find_place(const struct star_axis *axis, int64_t value)
{
    int low = 0, high = axis->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (value > axis->last[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The least number of a slot that some number falls into. */
static int64_t least_of(int slot, int fine)
{
    int high = (slot - 1) >> fine, part = (slot - 1) & ((1 << fine) - 1);
    return slot == 0 ? 0 : (int64_t)((UINT64_C(1) << high) + ((uint64_t)part << high >> fine));
}

/* How many comparisons are needed in a slot, with slots of FINE bits. */
static int steps_with(const struct star_axis *axis, int fine, int slots)
{
    int most = 0;
    for (int slot = 0; slot + 1 < slots; slot++) {
        bool all_above = slot == star_axis_slot(STAR_AXIS_FINE_MOST, fine);
        int64_t greatest = all_above ? INT64_MAX : least_of(slot + 1, fine) - 1;
        int more = find_place(axis, greatest) - find_place(axis, least_of(slot, fine));
        most = more > most ? more : most;
    }
    return most;
}

/* Up to the slot of the first number of the last place: from there on, nothing changes any more. */
static int slots_with(const struct star_axis *axis, int fine)
{
    return axis->count < 2 ? 1 : star_axis_slot(axis->last[axis->count - 2] + 1, fine) + 2;
}

static int make_slots(struct star_axis *axis)
{
    enum { FINEST = 4 };
    axis->steps = steps_with(axis, 0, slots_with(axis, 0));
    for (int fine = 1; fine <= FINEST && axis->steps > 1; fine++) {
        int steps = steps_with(axis, fine, slots_with(axis, fine));
        if (steps < axis->steps) {
            axis->fine = fine;
            axis->steps = steps;
        }
    }
    axis->slots = slots_with(axis, axis->fine);
    axis->first = malloc((size_t)axis->slots * sizeof *axis->first);
    for (int slot = 0; axis->first && slot < axis->slots; slot++)
        axis->first[slot] = (uint16_t)find_place(axis, least_of(slot, axis->fine));
    return axis->first ? 0 : STAR_EMEMORY;
}

int star_axis_of_last(const int64_t *last, int count, struct star_axis *axis)
{
    *axis = (struct star_axis){.count = count};
    if (count < 1 || count > STAR_AXIS_MOST)
        return STAR_ELIMIT;
    axis->last = malloc((size_t)count * sizeof *axis->last);
    for (int i = 0; axis->last && i < count; i++)
        axis->last[i] = last[i];
    int error = axis->last ? make_slots(axis) : STAR_EMEMORY;
    if (error)
        star_axis_free(axis);
    return error;
}

int star_axis_make(const int64_t *values, int count, struct star_axis *axis)
{
    *axis = (struct star_axis){0};
    if (count < 1 || count > STAR_AXIS_MOST)
        return STAR_ELIMIT;
    int64_t *last = malloc((size_t)count * sizeof *last);
    if (last == NULL)
        return STAR_EMEMORY;
    for (int i = 0; i + 1 < count; i++)
        last[i] = star_axis_last(values[i], values[i + 1]);
    last[count - 1] = INT64_MAX;
    int error = star_axis_of_last(last, count, axis);
    free(last);
    return error;
}

void star_axis_free(struct star_axis *axis)
{
    free(axis->last);
    free(axis->first);
    *axis = (struct star_axis){0};
}

size_t star_axis_bytes(const struct star_axis *axis)
{
    return (size_t)axis->count * sizeof *axis->last + (size_t)axis->slots * sizeof *axis->first;
}

void star_axis_generate(const struct star_axis *axis, const char *name, struct star_text *text)
{
    int64_t *first = malloc((size_t)axis->slots * sizeof *first);
    for (int i = 0; first && i < axis->slots; i++)
        first[i] = axis->first[i];
    if (axis->steps > 0)
        star_generate_array(text, name, "last", axis->last, axis->count);
    star_generate_array(text, name, "first", first, first ? axis->slots : 0);
    text->failed = text->failed || first == NULL;
    free(first);
    star_text_add(text, "\nstatic inline int %s_place(long long number)\n{\n", name);
    star_text_add(text,
                  "    unsigned long long value = number < 1 ? 0 : (unsigned long long)number;\n"
                  "    union {\n        double number;\n        unsigned long long bits;\n"
                  "    } as = {(double)(number < %lld ? number : %lld)};\n",
                  (long long)STAR_AXIS_FINE_MOST, (long long)STAR_AXIS_FINE_MOST);
    star_text_add(text,
                  "    int slot = number < 1 ? 0 : (int)(as.bits >> %d) - %d;\n"
                  "    int place = %s_first[slot < %d ? slot : %d];\n",
                  52 - axis->fine, (1023 << axis->fine) - 1, name, axis->slots, axis->slots - 1);
    for (int i = 0; i < axis->steps; i++) /* a subtraction: compilers make a branch of a comparison */
        star_text_add(text, "    place += (int)(((unsigned long long)%s_last[place] - value) >> 63);\n",
                      name);
    star_text_add(text,
                  axis->steps > 0 ? "    return place;\n}\n" : "    (void)value;\n    return place;\n}\n");
}
