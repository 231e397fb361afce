/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot/curves.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>

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
    return LEFT + WIDTH + GAP + KEY + legend + GAP;
}

static void add_curve(const struct star_curve *curve, const struct star_scale *x, const struct star_scale *y,
                      struct star_text *text)
{
    const char *colour = star_colour(curve->colour);
    star_text_add(text,
                  "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"%s d=\"",
                  colour, curve->dashed ? " stroke-dasharray=\"6 4\"" : "");
    for (int i = 0; i < curve->count; i++)
        star_text_add(text, "%c%.1f %.1f", i == 0 ? 'M' : 'L', star_scale_at(x, curve->at[i].x),
                      star_scale_at(y, curve->at[i].y));
    star_text_add(text, "\"/>\n");
    for (int i = 0; i < curve->count; i++) {
        star_text_add(text, "<circle r=\"2.5\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\"><title>", colour,
                      star_scale_at(x, curve->at[i].x), star_scale_at(y, curve->at[i].y));
        star_text_escaped(text, curve->name);
        star_text_add(text, ": %.4g, %.4g</title></circle>\n", curve->at[i].x, curve->at[i].y);
    }
}

static void add_legend(const struct star_panel *panel, double x, struct star_text *text)
{
    for (int c = 0; c < panel->count; c++) {
        char style[80];
        double y = TOP + 10 + LINE * c;
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2\"%s",
                 star_colour(panel->curves[c].colour),
                 panel->curves[c].dashed ? " stroke-dasharray=\"6 4\"" : "");
        star_svg_line(text, x, y - 4, x + KEY - 8, y - 4, style);
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
    star_svg_styled(text, left, TOP - 16, STAR_BEGIN, "font-size=\"13\" font-weight=\"bold\"", panel->title);
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
