/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/curves.h"

#include <math.h>

enum { WIDTH = 330, HEIGHT = 220, LEFT = 52, TOP = 30, BELOW = 44, LINE = 13, TICKS = 5 };

/* An axis from 0 to TICKS steps of 1, 2 or 5 times a power of ten, of which the last is past MOST. */
static double step_for(double most)
{
    double least = most > 0 ? most / TICKS : 1, power = pow(10, floor(log10(least)));
    static const double times[] = {1, 2, 5, 10};
    int i = 0;
    while (i < 3 && times[i] * power < least * (1 - 1e-9))
        i++;
    return times[i] * power;
}

/* Where a panel stands, and its scales. */
struct frame {
    int left;
    double x_step, y_step;
};

static double x_of(const struct frame *frame, double x)
{
    return frame->left + x / (TICKS * frame->x_step) * WIDTH;
}

static double y_of(const struct frame *frame, double y)
{
    return TOP + HEIGHT - y / (TICKS * frame->y_step) * HEIGHT;
}

static struct frame frame_of(const struct star_panel *panel, int left)
{
    double x = 0, y = 0;
    for (int c = 0; c < panel->count; c++)
        for (int i = 0; i < panel->curves[c].count; i++) {
            x = fmax(x, panel->curves[c].at[i].x);
            y = fmax(y, panel->curves[c].at[i].y);
        }
    return (struct frame){left, step_for(x), step_for(y)};
}

static void add_axes(const struct star_panel *panel, const struct frame *frame, struct star_text *text)
{
    for (int i = 0; i <= TICKS; i++) {
        double x = x_of(frame, i * frame->x_step), y = y_of(frame, i * frame->y_step);
        star_text_add(text,
                      "<path d=\"M%.1f %d V%d M%d %.1f H%d\" stroke=\"#ddd\" stroke-width=\"0.6\"/>\n"
                      "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n"
                      "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                      x, TOP, TOP + HEIGHT, frame->left, y, frame->left + WIDTH, x, TOP + HEIGHT + LINE,
                      i * frame->x_step, frame->left - 4, y + 3, i * frame->y_step);
    }
    star_text_add(text,
                  "<text x=\"%d\" y=\"%d\" font-size=\"12\">%s</text>\n"
                  "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
                  "<text transform=\"translate(%d,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
                  frame->left, TOP - 12, panel->title, frame->left + WIDTH / 2, TOP + HEIGHT + 2 * LINE + 4,
                  panel->x, frame->left - LEFT + 14, TOP + HEIGHT / 2, panel->y);
}

/* Curve NUMBER, and its line of the legend, which stands in the panel's upper right corner. */
static void add_curve(const struct star_curve *curve, int number, const struct frame *frame,
                      struct star_text *text)
{
    int hue = (int)fmod(curve->colour * 137.508 + 210, 360), right = frame->left + WIDTH;
    const char *dashes = curve->dashed ? " stroke-dasharray=\"5 3\"" : "";
    star_text_add(text,
                  "<g stroke=\"hsl(%d,65%%,42%%)\" fill=\"hsl(%d,65%%,42%%)\">\n<path fill=\"none\" "
                  "stroke-width=\"1.5\"%s d=\"",
                  hue, hue, dashes);
    for (int i = 0; i < curve->count; i++)
        star_text_add(text, "%c%.1f %.1f ", i == 0 ? 'M' : 'L', x_of(frame, curve->at[i].x),
                      y_of(frame, curve->at[i].y));
    star_text_add(text, "\"/>\n");
    for (int i = 0; i < curve->count; i++)
        star_text_add(text,
                      "<circle r=\"2\" cx=\"%.1f\" cy=\"%.1f\"><title>%s: %.4g, %.4g</title></circle>\n",
                      x_of(frame, curve->at[i].x), y_of(frame, curve->at[i].y), curve->name, curve->at[i].x,
                      curve->at[i].y);
    star_text_add(text,
                  "<path fill=\"none\" stroke-width=\"1.5\"%s d=\"M%d %d h18\"/></g>\n"
                  "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
                  dashes, right - 24, TOP + 10 + LINE * number, right - 28, TOP + 13 + LINE * number,
                  curve->name);
}

void star_curves_svg(const struct star_panel *panels, int count, struct star_text *text)
{
    int width = count * (LEFT + WIDTH + 24), height = TOP + HEIGHT + BELOW;
    star_text_add(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"100%%\" height=\"100%%\" "
        "fill=\"#fff\"/>\n",
        width, height, width, height);
    for (int p = 0; p < count; p++) {
        struct frame frame = frame_of(&panels[p], p * (LEFT + WIDTH + 24) + LEFT);
        add_axes(&panels[p], &frame, text);
        for (int c = 0; c < panels[p].count; c++)
            add_curve(&panels[p].curves[c], c, &frame, text);
    }
    star_text_add(text, "</svg>\n");
}
