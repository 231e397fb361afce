/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot/strips.h"
#include "plot/svg.h"

#include <math.h>

enum { TOP = 8, WIDTH = 520, FOOT = 42, GAP = 10, NAME_MOST = 330 };

void star_strips_open(struct star_strips *strips, const char *says, const char *const *names, int count,
                      const char *axis, double right)
{
    const struct star_scale x = strips->x;
    double left = 60, bottom = TOP + count * strips->height;
    for (int i = 0; i < count; i++)
        left = fmax(left, star_svg_width(names[i]));
    left = fmin(left, NAME_MOST) + 2 * GAP;
    strips->x = star_scale_make(x.scaling, x.unit, x.least, x.most, left, left + WIDTH);
    star_svg_open(strips->text, left + WIDTH + right, bottom + FOOT, says);
    star_scale_below(&strips->x, TOP, bottom, axis, strips->text);
    for (int i = 0; i < count; i++)
        star_svg_words(strips->text, left - GAP, star_strips_y(strips, i) + 4, STAR_END, names[i]);
}

double star_strips_y(const struct star_strips *strips, int row)
{
    return TOP + (row + 0.5) * strips->height;
}

void star_strips_bar(const struct star_strips *strips, int row, double from, double to, double below,
                     double high, const char *style, const char *title)
{
    double left = star_scale_at(&strips->x, from), right = star_scale_at(&strips->x, to);
    star_svg_box(strips->text, left, star_strips_y(strips, row) + below - high / 2, fmax(1, right - left),
                 high, style, title);
}

void star_strips_interval(const struct star_strips *strips, int row, double from, double to, double below)
{
    static const char style[] = "stroke=\"" STAR_INK "\"";
    double left = star_scale_at(&strips->x, from), right = star_scale_at(&strips->x, to);
    double y = star_strips_y(strips, row) + below;
    star_svg_line(strips->text, left, y, right, y, style);
    star_svg_line(strips->text, left, y - 3, left, y + 3, style);
    star_svg_line(strips->text, right, y - 3, right, y + 3, style);
}

void star_strips_close(const struct star_strips *strips)
{
    star_svg_close(strips->text);
}
