/* SPDX-License-Identifier: BSD-3-Clause
 * Curves as SVG: panels side by side, each with its axes and its legend. */
#pragma once

#include "plot/scale.h"
#include "plot/svg.h"

struct star_curve {
    char name[64]; /* or "" */
    const struct star_svg_point *at;
    int count, colour; /* as star_colour; curves of one colour belong together */
    bool dashed;
};

/* The axis is named NAME, if that is not NULL. LEAST: a logarithmic one begins there; an even one has it,
 * too. */
struct star_axis_of {
    const char *name;
    enum star_scaling scaling;
    enum star_unit unit;
    double least;
};

struct star_panel {
    const char *title;
    struct star_axis_of x, y;
    const struct star_curve *curves;
    int count;
};

void star_curves_svg(const struct star_panel *panels, int count, struct star_text *text);
