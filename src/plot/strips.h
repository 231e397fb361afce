/* SPDX-License-Identifier: BSD-3-Clause
 * Strips: rows with their names at the left, above one scale. What is drawn in the rows is the caller's. */
#pragma once

#include "plot/scale.h"

struct star_strips {
    struct star_text *text;
    struct star_scale x;
    double height;     /* of a row */
    double name, note; /* the widths of the longest ones; star_strips_widen finds them */
};

/* A row's NAME, what stands below it, smaller, and words behind the scale; each may be "". */
void star_strips_widen(struct star_strips *strips, const char *name, const char *below, const char *note);
/* Opens a picture of COUNT rows; SAYS is its title. STRIPS has the text, the height, and of its scale what
 * star_scale_make needs. */
void star_strips_open(struct star_strips *strips, const char *says, int count, const char *axis);
void star_strips_name(const struct star_strips *strips, int row, const char *name, const char *below);
/* Words behind the scale. */
void star_strips_note(const struct star_strips *strips, int row, const char *words);
/* The middle of a row. */
double star_strips_y(const struct star_strips *strips, int row);
/* A bar in a row, from one value to another, HIGH pixels high and BELOW its middle; TITLE as star_svg_box. */
void star_strips_bar(const struct star_strips *strips, int row, double from, double to, double below,
                     double high, const char *style, const char *title);
/* A line from one value to another with ends, as intervals have; none where it goes on behind the scale. */
void star_strips_interval(const struct star_strips *strips, int row, double from, double to, double below);
void star_strips_close(const struct star_strips *strips);
