/* SPDX-License-Identifier: BSD-3-Clause
 * Curves as SVG: panels side by side, each with its axes from 0 on. */
#ifndef STAR_MAP_CURVES_H
#define STAR_MAP_CURVES_H

#include "util/text.h"

struct star_curve_point {
    double x, y;
};

struct star_curve {
    char name[64];
    const struct star_curve_point *at;
    int count, colour; /* curves of one colour belong together */
    bool dashed;
};

struct star_panel {
    const char *title, *x, *y; /* Y and X name the axes */
    const struct star_curve *curves;
    int count;
};

void star_curves_svg(const struct star_panel *panels, int count, struct star_text *text);

#endif
