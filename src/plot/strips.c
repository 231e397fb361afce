/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot/strips.h"
#include "plot/svg.h"

#include <math.h>

enum { TOP = 8, WIDTH = 520, FOOT = 42, GAP = 10, NAME_MOST = 330 };

void star_strips_widen(struct star_strips *strips, const char *name)
{
    strips->name = fmin(fmax(strips->name, star_svg_width(name)), NAME_MOST);
}

void star_strips_open(struct star_strips *strips, const char *says, int count, const char *axis, double right)
{
    const struct star_scale x = strips->x;
    double left = strips->name + 2 * GAP, bottom = TOP + count * strips->height;
    strips->x = star_scale_make(x.scaling, x.unit, x.least, x.most, left, left + WIDTH);
    star_svg_open(strips->text, left + WIDTH + right, bottom + FOOT, says);
    star_scale_below(&strips->x, TOP, bottom, axis, strips->text);
}

void star_strips_name(const struct star_strips *strips, int row, const char *name)
{
    star_svg_words(strips->text, strips->x.from - GAP, star_strips_y(strips, row) + 4, STAR_END, name);
}

void star_strips_note(const struct star_strips *strips, int row, const char *words)
{
    star_svg_words(strips->text, strips->x.to + GAP, star_strips_y(strips, row) + 4, STAR_BEGIN, words);
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
