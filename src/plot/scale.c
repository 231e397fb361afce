/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot/scale.h"
#include "plot/svg.h"
#include "util/parse.h"

#include <math.h>
#include <stdio.h>

enum { TICKS = 5, WIDE = 46, HIGH = 20, TICKS_MOST = sizeof((struct star_scale *)0)->tick / sizeof(double) };
static const double almost = 1e-9;

static void add_tick(struct star_scale *scale, double value)
{
    double slack = almost * (scale->scaling == STAR_EVEN ? scale->most - scale->least : value);
    if (value >= scale->least - slack && value <= scale->most + slack && scale->ticks < TICKS_MOST)
        scale->tick[scale->ticks++] = value;
}

/* 1, 2 or 5 times a power of ten: so many steps make at least WIDTH. */
static double step_for(double width)
{
    static const double times[] = {1, 2, 5, 10};
    double least = width / TICKS, power = pow(10, floor(log10(least)));
    int i = 0;
    while (i < 3 && times[i] * power < least * (1 - almost))
        i++;
    return times[i] * power;
}

static void tick_evenly(struct star_scale *scale)
{
    double step = step_for(scale->most - scale->least), first = ceil(scale->least / step - almost);
    for (int i = 0; i <= 2 * TICKS; i++)
        add_tick(scale, (first + i) * step);
}

/* At powers of BASE; if their labels have no room, at each second, fifth or tenth one, so that of bytes 1 KB
 * and 1 MB have theirs. Between few powers of ten also at 2 and 5. */
static void tick_powers(struct star_scale *scale, double base)
{
    static const double strides[] = {1, 2, 5, 10, 20, 50};
    double span = log(scale->most / scale->least) / log(base), stride = strides[0];
    double room = fabs(scale->to - scale->from) / span, least = scale->from < scale->to ? WIDE : HIGH;
    for (int i = 1; i < 6 && stride * room < least; i++)
        stride = strides[i];
    double first = stride * floor(log(scale->least) / log(base) / stride + almost);
    for (int i = 0; i <= span / stride + 1; i++) {
        double power = pow(base, first + i * stride);
        add_tick(scale, power);
        for (int more = 2; base == 10 && span < 2.5 && more <= 5; more += 3)
            add_tick(scale, more * power);
    }
}

struct star_scale star_scale_exact(enum star_scaling scaling, enum star_unit unit, double least, double most,
                                   double from, double to)
{
    struct star_scale scale = {
        .scaling = scaling, .unit = unit, .least = least, .most = most, .from = from, .to = to};
    if (scaling == STAR_EVEN)
        tick_evenly(&scale);
    else
        tick_powers(&scale, scaling == STAR_DECADES ? 10 : 2);
    return scale;
}

/* The greatest of 1, 2 and 5 times a power of ten that is at most VALUE; or, UPWARDS, the least at least. */
static double round_number(double value, bool upwards)
{
    static const double times[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(value) + almost)), round = power;
    for (int i = 0; i < 4; i++) {
        bool below = times[i] * power <= value * (1 + almost);
        round = below ? times[i] * power : round;
        if (upwards && times[i] * power >= value * (1 - almost))
            return times[i] * power;
    }
    return round;
}

struct star_scale star_scale_make(enum star_scaling scaling, enum star_unit unit, double least, double most,
                                  double from, double to)
{
    if (scaling == STAR_EVEN) {
        most = most > least ? most : least + 1;
        double step = step_for(most - least);
        least = floor(least / step + almost) * step;
        most = ceil(most / step - almost) * step;
    } else {
        most = most > least ? most : 2 * least;
        least = scaling == STAR_DECADES ? round_number(least, false) : exp2(floor(log2(least) + almost));
        most = scaling == STAR_DECADES ? round_number(most, true) : exp2(ceil(log2(most) - almost));
    }
    return star_scale_exact(scaling, unit, least, most, from, to);
}

double star_scale_at(const struct star_scale *scale, double value)
{
    double share = (value - scale->least) / (scale->most - scale->least);
    if (scale->scaling != STAR_EVEN)
        share = log(fmax(value, scale->least) / scale->least) / log(scale->most / scale->least);
    return scale->from + fmin(fmax(share, 0), 1) * (scale->to - scale->from); /* no number is at the least */
}

const char *star_scale_label(const struct star_scale *scale, int tick, char *buffer, size_t room)
{
    static const struct {
        double size;
        const char *name;
    } plain[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    double value = scale->tick[tick], measure = scale->scaling == STAR_EVEN ? scale->most : value;
    int i = 0;
    if (scale->unit == STAR_IN_BYTES) {
        char unit;
        star_format_bytes((int64_t)llround(value), buffer, room);
        if (sscanf(buffer, "%lf%c", &value, &unit) == 2)
            snprintf(buffer, room, "%.0f %cB", value, unit);
        return buffer;
    }
    if (scale->unit == STAR_IN_SECONDS) {
        const struct star_time_unit *unit = star_time_unit(measure);
        snprintf(buffer, room, "%.6g %s", value / unit->seconds, unit->name);
        return buffer;
    }
    while (i < 2 && measure < plain[i].size * (1 - almost))
        i++;
    bool large = scale->scaling != STAR_OCTAVES && measure >= 1e5 * (1 - almost) && value != 0;
    snprintf(buffer, room, "%.10g%s", large ? value / plain[i].size : value, large ? plain[i].name : "");
    return buffer;
}

static const char grid[] = "stroke=\"" STAR_FAINT "\"";

void star_scale_below(const struct star_scale *scale, double top, double bottom, const char *name,
                      struct star_text *text)
{
    char label[32];
    for (int i = 0; i < scale->ticks; i++) {
        double x = star_scale_at(scale, scale->tick[i]);
        star_svg_line(text, x, top, x, bottom + 4, grid);
        star_svg_words(text, x, bottom + 16, STAR_MIDDLE, star_scale_label(scale, i, label, sizeof label));
    }
    if (name != NULL)
        star_svg_styled(text, (scale->from + scale->to) / 2, bottom + 33, STAR_MIDDLE,
                        "fill=\"" STAR_QUIET "\"", name);
}

void star_scale_left(const struct star_scale *scale, double left, double right, const char *name,
                     struct star_text *text)
{
    char label[32];
    for (int i = 0; i < scale->ticks; i++) {
        double y = star_scale_at(scale, scale->tick[i]);
        star_svg_line(text, left - 4, y, right, y, grid);
        star_svg_words(text, left - 8, y + 4, STAR_END, star_scale_label(scale, i, label, sizeof label));
    }
    if (name == NULL)
        return;
    double x = left - 48, y = (scale->from + scale->to) / 2;
    char turned[80];
    snprintf(turned, sizeof turned, "transform=\"rotate(-90 %d %d)\" fill=\"" STAR_QUIET "\"", (int)x,
             (int)y);
    star_svg_styled(text, x, y, STAR_MIDDLE, turned, name);
}
