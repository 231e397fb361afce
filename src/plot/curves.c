/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 380, HEIGHT = 240, LEFT = 64, TOP = 34, BELOW = 46, LINE = 17, KEY = 34, GAP = 16 };

static double most_of(const struct star_panel *panel, bool of_x)
{
    double most = 0;
    for (int c = 0; c < panel->count; c++)
        for (int i = 0; i < panel->curves[c].count; i++)
            most = fmax(most, of_x ? panel->curves[c].at[i].x : panel->curves[c].at[i].y);
    return most;
}

static double panel_width(const struct star_panel *panel)
{
    double legend = 0;
    for (int c = 0; c < panel->count; c++)
        legend = fmax(legend, star_svg_width(panel->curves[c].name));
    return LEFT + WIDTH + (legend > 0 ? GAP + KEY + legend : 0) + GAP;
}

static const char *stroke_of(const struct star_curve *curve, char *style, size_t room)
{
    snprintf(style, room, "stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"%s",
             star_colour(curve->colour), curve->dashed ? " stroke-dasharray=\"6 4\"" : "");
    return style;
}

static void add_curve(const struct star_curve *curve, const struct star_scale *x, const struct star_scale *y,
                      struct star_text *text)
{
    char style[120], title[120];
    struct star_svg_point *at = calloc((size_t)curve->count + 1, sizeof *at);
    text->failed = text->failed || at == NULL;
    for (int i = 0; at && i < curve->count; i++)
        at[i] = (struct star_svg_point){star_scale_at(x, curve->at[i].x), star_scale_at(y, curve->at[i].y)};
    if (at != NULL)
        star_svg_path(text, at, curve->count, stroke_of(curve, style, sizeof style));
    snprintf(style, sizeof style, "fill=\"%s\"", star_colour(curve->colour));
    for (int i = 0; at && i < curve->count; i++) {
        snprintf(title, sizeof title, "%s%s%.4g, %.4g", curve->name, curve->name[0] ? ": " : "",
                 curve->at[i].x, curve->at[i].y);
        star_svg_dot(text, at[i].x, at[i].y, 2.5, style, title);
    }
    free(at);
}

/* A curve without a name, which is alone, needs none. */
static void add_legend(const struct star_panel *panel, double x, struct star_text *text)
{
    for (int c = 0; c < panel->count && panel->curves[c].name[0]; c++) {
        char style[120];
        double y = TOP + 10 + LINE * c;
        star_svg_line(text, x, y - 4, x + KEY - 8, y - 4, stroke_of(&panel->curves[c], style, sizeof style));
        star_svg_words(text, x + KEY, y, STAR_BEGIN, panel->curves[c].name);
    }
}

static void add_panel(const struct star_panel *panel, double left, struct star_text *text)
{
    int bottom = TOP + HEIGHT;
    struct star_scale x = star_scale_make(panel->x.scaling, panel->x.unit, panel->x.least,
                                          most_of(panel, true), left, left + WIDTH);
    struct star_scale y =
        star_scale_make(panel->y.scaling, panel->y.unit, panel->y.least, most_of(panel, false), bottom, TOP);
    star_scale_below(&x, TOP, bottom, panel->x.name, text);
    star_scale_left(&y, left, left + WIDTH, panel->y.name, text);
    star_svg_title(text, left, TOP - 16, panel->title);
    for (int c = 0; c < panel->count; c++)
        add_curve(&panel->curves[c], &x, &y, text);
    add_legend(panel, left + WIDTH + GAP, text);
}

void star_curves_svg(const struct star_panel *panels, int count, struct star_text *text)
{
    double width = 0, height = HEIGHT, left = LEFT;
    for (int p = 0; p < count; p++) {
        width += panel_width(&panels[p]);
        height = fmax(height, LINE * panels[p].count);
    }
    star_svg_open(text, width, TOP + height + BELOW, panels[0].title);
    for (int p = 0; p < count; p++) {
        add_panel(&panels[p], left, text);
        left += panel_width(&panels[p]);
    }
    star_svg_close(text);
}
