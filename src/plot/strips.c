/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot/strips.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TOP = 8, WIDTH = 430, FOOT = 42, GAP = 10, NAME_MOST = 400 };
static const double smaller = 0.82; /* what stands below a name */

void star_strips_widen(struct star_strips *strips, const char *name, const char *below, const char *note)
{
    double width = fmax(star_svg_width(name), smaller * star_svg_width(below));
    strips->name = fmin(fmax(strips->name, width), NAME_MOST);
    strips->note = fmax(strips->note, star_svg_width(note) + GAP);
}

void star_strips_open(struct star_strips *strips, const char *says, int count, const char *axis)
{
    const struct star_scale x = strips->x;
    double left = strips->name + 2 * GAP, bottom = TOP + count * strips->height;
    strips->x = star_scale_make(x.scaling, x.unit, x.least, x.most, left, left + WIDTH);
    star_svg_open(strips->text, left + WIDTH + 2 * GAP + strips->note, bottom + FOOT, says);
    star_scale_below(&strips->x, TOP, bottom, axis, strips->text);
}

/* The end of what is too long is left out. */
static const char *shorten(const char *name, char *buffer, size_t room)
{
    size_t length = strlen(name);
    if (star_svg_width(name) <= NAME_MOST)
        return name;
    do {
        length--;
        snprintf(buffer, room, "%.*s…", (int)length, name);
    } while (length > 0 && ((name[length] & 0xc0) == 0x80 || star_svg_width(buffer) > NAME_MOST));
    return buffer;
}

void star_strips_name(const struct star_strips *strips, int row, const char *name, const char *below)
{
    double x = strips->x.from - GAP, y = star_strips_y(strips, row) + 4;
    char buffer[400];
    star_svg_words(strips->text, x, below[0] ? y - 6 : y, STAR_END, shorten(name, buffer, sizeof buffer));
    if (below[0])
        star_svg_styled(strips->text, x, y + 5, STAR_END, "font-size=\"9\" fill=\"" STAR_QUIET "\"", below);
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
    if (to <= strips->x.most)
        star_svg_line(strips->text, right, y - 3, right, y + 3, style);
}

void star_strips_close(const struct star_strips *strips)
{
    star_svg_close(strips->text);
}
