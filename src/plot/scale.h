/* SPDX-License-Identifier: BSD-3-Clause
 * Scales: from numbers to places in a picture, with ticks at round ones. */
#pragma once

#include "util/text.h"

/* Even; by powers of ten; by powers of two. */
enum star_scaling { STAR_EVEN, STAR_DECADES, STAR_OCTAVES };
/* How the ticks are written: in one unit where the scale is even. */
enum star_unit { STAR_PLAIN, STAR_IN_BYTES, STAR_IN_SECONDS };

struct star_scale {
    enum star_scaling scaling;
    enum star_unit unit;
    double least, most; /* round numbers */
    double from, to;    /* and where they stand */
    double tick[32];
    int ticks;
};

/* From LEAST to MOST, or a little further, so that the ends are round. Logarithmic ones need positive
 * numbers; what is below their LEAST stands there. */
struct star_scale star_scale_make(enum star_scaling scaling, enum star_unit unit, double least, double most,
                                  double from, double to);
/* The same with ends that stay as they are. */
struct star_scale star_scale_exact(enum star_scaling scaling, enum star_unit unit, double least, double most,
                                   double from, double to);
double star_scale_at(const struct star_scale *scale, double value);
const char *star_scale_label(const struct star_scale *scale, int tick, char *buffer, size_t room);

/* Draws the scale below a picture whose middle is from TOP to BOTTOM, with grid lines; or at its left. NAME
 * may be NULL. */
void star_scale_below(const struct star_scale *scale, double top, double bottom, const char *name,
                      struct star_text *text);
void star_scale_left(const struct star_scale *scale, double left, double right, const char *name,
                     struct star_text *text);
