/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/pictures.h"
#include "plot/curves.h"
#include "plot/strips.h"
#include "plot/svg.h"
#include "report/confidence.h"
#include "report/explain.h"
#include "util/parse.h"
#include "util/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STYLE = 40 };

static void say(struct star_text *text, const char *words)
{
    star_text_add(text, "<p>%s</p>\n", words);
}

static const char *fill(int colour, char style[STYLE])
{
    snprintf(style, STYLE, "fill=\"%s\"", star_colour(colour));
    return style;
}

/* "alltoall:ring,sync=light" without its operation. */
static const char *short_name(const char *method)
{
    const char *colon = strchr(method, ':');
    return colon ? colon + 1 : method;
}

static bool is_native(const char *method)
{
    return strcmp(short_name(method), "native") == 0;
}

/* The rows that are drawn, each in a strip of its name. */
struct drawn {
    const struct star_row *row[STAR_ROWS_DRAWN];
    int count;
};

/* Where it is called; of requests, which problem it is of. */
static const char *place_of(const struct star_row *row, char *words, size_t room)
{
    const char *place = row->request ? row->problem : row->where;
    snprintf(words, room, "%s%s", place[0] && !row->request ? "at " : "", place);
    return words;
}

/* What stands behind a row's strip. */
typedef const char *note_of(const struct star_row *row, char *words, size_t room);

static void open_drawn(struct star_strips *strips, const struct drawn *drawn, const char *says,
                       const char *axis, note_of *note)
{
    star_name name;
    char place[200], words[300];
    for (int i = 0; i < drawn->count; i++) {
        star_row_name(drawn->row[i], name);
        star_strips_widen(strips, name, place_of(drawn->row[i], place, sizeof place),
                          note(drawn->row[i], words, sizeof words));
    }
    star_strips_open(strips, says, drawn->count, axis);
    for (int i = 0; i < drawn->count; i++) {
        star_row_name(drawn->row[i], name);
        star_strips_name(strips, i, name, place_of(drawn->row[i], place, sizeof place));
    }
}

/* ------ Did it help? */

static void add_bar(const struct star_strips *strips, int line, double percent, const json_t *method,
                    int colour, double below)
{
    enum { HIGH = 9 };
    char style[STYLE];
    double spread = star_report_spread(method);
    star_strips_bar(strips, line, 0, percent, below, HIGH, fill(colour, style), NULL);
    if (spread > 0)
        star_strips_interval(strips, line, fmax(0, percent * (1 - spread)), percent * (1 + spread), below);
}

static bool is_chosen(const struct star_row *row, size_t method)
{
    return json_array_get(star_row_list(row), method) == star_report_chosen(row->json);
}

static const char *helped_note(const struct star_row *row, char *words, size_t room)
{
    char was[32], is[32], saved[32];
    bool stays = is_chosen(row, 0);
    star_format_seconds(row->native, was, sizeof was);
    star_format_seconds(row->chosen, is, sizeof is);
    star_format_seconds(fabs(row->saved), saved, sizeof saved);
    snprintf(words, room, "%s%s%s; %s %s (%s)", was, stays ? "" : " → ", stays ? "" : is,
             row->saved < 0 ? "lost" : "saved", saved, star_report_helped(row->json));
    return words;
}

/* Where native was chosen there is its bar alone. */
static void add_pair(const struct star_strips *strips, int line, const struct star_row *row)
{
    enum { APART = 5 };
    char words[160];
    bool stays = is_chosen(row, 0);
    star_svg_group(strips->text, "data-pair=\"%d\"", line);
    add_bar(strips, line, 100, json_array_get(star_row_list(row), 0), 0, stays ? 0 : -APART);
    if (!stays)
        add_bar(strips, line, 100 * row->chosen / row->native, star_report_chosen(row->json), 1, APART);
    star_strips_note(strips, line, helped_note(row, words, sizeof words));
    star_svg_group_end(strips->text);
}

void star_picture_helped(const struct star_rows *rows, struct star_text *text)
{
    struct drawn drawn = {.count = 0};
    double most = 100;
    for (int i = 0; i < rows->count && drawn.count < STAR_ROWS_DRAWN; i++)
        if (isfinite(rows->row[i].chosen / rows->row[i].native)) {
            drawn.row[drawn.count++] = &rows->row[i];
            most = fmax(most, 100 * rows->row[i].chosen / rows->row[i].native);
        }
    if (drawn.count == 0) {
        say(text,
            "The MPI library's own algorithms were not measured beside others: nothing can be compared.");
        return;
    }
    struct star_strips strips = {
        .text = text, .x = {STAR_EVEN, STAR_PLAIN, .least = 0, .most = 1.1 * most}, .height = 30};
    open_drawn(&strips, &drawn, "Time of a call, native's being 100",
               "time of a call in % of native's, with 95 % confidence intervals; native grey, chosen blue",
               helped_note);
    for (int i = 0; i < drawn.count; i++)
        add_pair(&strips, i, drawn.row[i]);
    star_strips_close(&strips);
}

/* ------ What ran when */

/* The names of methods in the order in which they come, so that each has a colour; native is the first. */
struct palette {
    star_name name[64];
    int count;
};

static int colour_of(struct palette *palette, const char *method)
{
    enum { MOST = sizeof((struct palette *)0)->name / sizeof(star_name) };
    int i = 1;
    if (is_native(method))
        return 0;
    while (i < palette->count && strcmp(palette->name[i], method) != 0)
        i++;
    if (i == palette->count && i < MOST)
        snprintf(palette->name[palette->count++], sizeof(star_name), "%s", method);
    return i;
}

static void add_legend(const struct palette *palette, double width, struct star_text *text)
{
    const char *names[sizeof palette->name / sizeof(star_name)];
    for (int i = 0; i < palette->count; i++)
        names[i] = palette->name[i];
    star_svg_legend(text, width, "The methods' colours", names, palette->count);
}

/* A row's decisions. */
struct lane {
    const struct star_row *row;
    const json_t *history;
    double end; /* of the run */
    int line;
};

static double time_of(const struct lane *lane, size_t d)
{
    return d < json_array_size(lane->history)
               ? star_report_number(json_array_get(lane->history, d), "at_seconds")
               : lane->end;
}

static bool is_measured(const json_t *decision)
{
    return strcmp(star_report_word(decision, "stage"), "monitor") != 0;
}

/* Is the method of decision D, which was chosen, that of the one before? */
static bool goes_on(const struct lane *lane, size_t d)
{
    const char *key = lane->row->request ? "function" : "method";
    const json_t *decision = json_array_get(lane->history, d),
                 *before = d > 0 ? json_array_get(lane->history, d - 1) : NULL;
    return decision && before && !is_measured(decision) && !is_measured(before) &&
           json_equal(json_object_get(decision, key), json_object_get(before, key));
}

/* A chosen method's name stands once, where it fits, until another one runs. */
static void add_label(const struct star_strips *strips, const struct lane *lane, size_t d, const char *name)
{
    enum { EDGE = 4 };
    size_t next = d + 1;
    while (goes_on(lane, next))
        next++;
    double left = star_scale_at(&strips->x, time_of(lane, d)) + EDGE;
    if (star_svg_width(name) < star_scale_at(&strips->x, time_of(lane, next)) - EDGE - left)
        star_svg_styled(strips->text, left, star_strips_y(strips, lane->line) + 4, STAR_BEGIN,
                        "stroke=\"#fff\" stroke-width=\"3\" stroke-opacity=\"0.8\" paint-order=\"stroke\"",
                        name);
}

/* The bar of a decision; or, behind all bars of its lane, its label. */
static void add_decision(const struct star_strips *strips, const struct lane *lane, size_t d, bool label,
                         struct palette *palette)
{
    enum { HIGH = 14 };
    const json_t *decision = json_array_get(lane->history, d);
    char style[STYLE] = "fill=\"" STAR_FAINT "\"", at[32], title[400];
    star_name name;
    star_row_method(lane->row, decision, name);
    if (label && !is_measured(decision) && !goes_on(lane, d))
        add_label(strips, lane, d, short_name(name));
    if (label)
        return;
    snprintf(title, sizeof title, "%s, call %.0f: %s, %.40s, %.80s",
             star_format_seconds(time_of(lane, d), at, sizeof at), star_report_number(decision, "call"), name,
             star_report_word(decision, "stage"), star_report_word(decision, "reason"));
    if (!is_measured(decision))
        fill(colour_of(palette, name), style);
    star_svg_group(strips->text, "data-at=\"%.9g\"", time_of(lane, d));
    star_strips_bar(strips, lane->line, time_of(lane, d), time_of(lane, d + 1), 0, HIGH, style, title);
    star_svg_group_end(strips->text);
}

static const char *method_note(const struct star_row *row, char *words, size_t room)
{
    star_name method;
    star_row_method(row, row->json, method);
    snprintf(words, room, "%s", method);
    return words;
}

static void add_lane(const struct star_strips *strips, const struct lane *lane, struct palette *palette)
{
    star_name method;
    star_svg_group(strips->text, "data-%s=\"%d\"", lane->row->request ? "request" : "context",
                   lane->row->index);
    for (int label = 0; label < 2; label++)
        for (size_t d = 0; d < json_array_size(lane->history); d++)
            add_decision(strips, lane, d, label, palette);
    star_strips_note(strips, lane->line, method_note(lane->row, method, sizeof method));
    star_svg_group_end(strips->text);
}

void star_picture_timeline(const json_t *report, const struct star_rows *rows, struct star_text *text)
{
    struct drawn drawn = {.count = 0};
    struct palette palette = {{"native"}, 1};
    double end = star_report_number(report, "seconds");
    for (int i = 0; i < rows->count && drawn.count < STAR_ROWS_DRAWN; i++)
        if (json_array_size(json_object_get(rows->row[i].json, "history")) > 0)
            drawn.row[drawn.count++] = &rows->row[i];
    if (drawn.count == 0) {
        say(text, "Nothing was decided.");
        return;
    }
    struct star_strips strips = {
        .text = text, .x = {STAR_EVEN, STAR_IN_SECONDS, .least = 0, .most = end}, .height = 30};
    open_drawn(&strips, &drawn, "What ran when",
               "time since the program began; pale: methods were being measured", method_note);
    for (int i = 0; i < drawn.count; i++) {
        const struct lane lane = {drawn.row[i], json_object_get(drawn.row[i]->json, "history"), end, i};
        add_lane(&strips, &lane, &palette);
    }
    star_strips_close(&strips);
    add_legend(&palette, strips.x.to + strips.note, text);
}

/* ------ Calls by size */

struct bin {
    int64_t key; /* they are sorted by it */
    double calls;
    char name[48];
};
struct bins {
    struct bin at[256];
    int count;
};

static void add_to_bin(struct bins *bins, int64_t key, double calls)
{
    int i = 0;
    while (i < bins->count && bins->at[i].key < key)
        i++;
    if (i == bins->count || bins->at[i].key != key) {
        if (bins->count == sizeof bins->at / sizeof *bins->at)
            return;
        memmove(&bins->at[i + 1], &bins->at[i], (size_t)(bins->count++ - i) * sizeof *bins->at);
        bins->at[i] = (struct bin){.key = key};
    }
    bins->at[i].calls += calls;
}

static void draw_bins(const struct bins *bins, const char *says, struct star_text *text)
{
    struct star_strips strips = {
        .text = text, .x = {STAR_EVEN, STAR_PLAIN, .least = 0, .most = 5}, .height = 22};
    if (bins->count == 0) {
        say(text, "No calls.");
        return;
    }
    for (int i = 0; i < bins->count; i++) {
        star_strips_widen(&strips, bins->at[i].name, "", "1000000");
        strips.x.most = fmax(strips.x.most, bins->at[i].calls);
    }
    star_strips_open(&strips, says, bins->count, "calls");
    for (int i = 0; i < bins->count; i++) {
        const struct bin *bin = &bins->at[i];
        char style[STYLE], calls[32];
        snprintf(calls, sizeof calls, "%.0f", bin->calls);
        star_svg_group(text, "data-bar=\"%s\" data-value=\"%s\"", bin->name, calls);
        star_strips_name(&strips, i, bin->name, "");
        star_strips_bar(&strips, i, 0, bin->calls, 0, 14, fill(1, style), calls);
        star_svg_words(text, star_scale_at(&strips.x, bin->calls) + 6, star_strips_y(&strips, i) + 4,
                       STAR_BEGIN, calls);
        star_svg_group_end(text);
    }
    star_strips_close(&strips);
}

void star_picture_sizes(const json_t *report, struct star_text *text)
{
    enum { VARY = -2, NONE = -1 };
    struct bins bins = {.count = 0};
    const json_t *contexts = json_object_get(report, "contexts");
    for (size_t i = 0; i < json_array_size(contexts); i++) {
        const json_t *context = json_array_get(contexts, i);
        double size = star_report_number(context, "bytes");
        add_to_bin(&bins,
                   isnan(size) ? VARY
                   : size < 1  ? NONE
                               : (int64_t)log2(size),
                   star_report_number(context, "calls"));
    }
    for (int i = 0; i < bins.count; i++) {
        struct bin *bin = &bins.at[i];
        char size[32];
        snprintf(bin->name, sizeof bin->name, "%s%s",
                 bin->key < 0 ? "" : star_format_bytes(INT64_C(1) << bin->key, size, sizeof size),
                 bin->key == VARY   ? "varies"
                 : bin->key == NONE ? "0 bytes"
                                    : " bytes and more");
    }
    draw_bins(&bins, "Calls by size, each bar from a power of two to the next", text);
}

void star_picture_ranks(const json_t *report, struct star_text *text)
{
    struct bins bins = {.count = 0};
    static const char *const lists[] = {"contexts", "others"};
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; i < json_array_size(json_object_get(report, lists[l])); i++) {
            const json_t *one = json_array_get(json_object_get(report, lists[l]), i);
            add_to_bin(&bins, json_integer_value(json_object_get(one, "ranks")),
                       star_report_number(one, "calls"));
        }
    for (int i = 0; i < bins.count; i++)
        snprintf(bins.at[i].name, sizeof bins.at[i].name, "%lld ranks", (long long)bins.at[i].key);
    draw_bins(&bins, "Calls by the communicator's number of ranks", text);
}

/* ------ Of one context or request */

/* Sorted, for the caller to free; NULL: there are none. */
static double *samples_of(const json_t *method, int *count)
{
    const json_t *samples = json_object_get(method, "samples");
    *count = (int)json_array_size(samples);
    double *values = *count > 0 ? calloc((size_t)*count, sizeof *values) : NULL;
    for (int i = 0; values && i < *count; i++)
        values[i] = json_number_value(json_array_get(samples, (size_t)i));
    if (values != NULL)
        star_sort(values, *count);
    return values;
}

struct sampled {
    const json_t *method;
    double *samples, median;
    int count;
};

static int by_median(const void *x, const void *y)
{
    const struct sampled *a = x, *b = y;
    return (a->median > b->median) - (a->median < b->median);
}

/* The methods of a row that have samples, the fastest first; for the caller to free. */
static struct sampled *sampled_of(const struct star_row *row, int *count)
{
    const json_t *list = star_row_list(row);
    struct sampled *all = calloc(json_array_size(list) + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < json_array_size(list); i++) {
        struct sampled one = {.method = json_array_get(list, i)};
        one.samples = samples_of(one.method, &one.count);
        if (one.samples == NULL)
            continue;
        one.median = star_quantile(one.samples, one.count, 0.5);
        all[(*count)++] = one;
    }
    if (all != NULL)
        qsort(all, (size_t)*count, sizeof *all, by_median);
    return all;
}

static void add_box(const struct star_strips *strips, int line, const char *name, bool chosen,
                    const struct sampled *of)
{
    char style[STYLE], title[400], middle[32], least[32], most[32];
    const double *samples = of->samples, last = samples[of->count - 1];
    struct star_text escaped = {0};
    snprintf(title, sizeof title, "%s: %d samples, median %s, from %s to %s", name, of->count,
             star_format_seconds(of->median, middle, sizeof middle),
             star_format_seconds(samples[0], least, sizeof least),
             star_format_seconds(last, most, sizeof most));
    star_text_escaped(&escaped, name);
    star_svg_group(strips->text,
                   "data-samples=\"%d\" data-method=\"%s\" data-least=\"%.9g\" data-median=\"%.9g\" "
                   "data-most=\"%.9g\"",
                   of->count, escaped.bytes ? escaped.bytes : "", samples[0], of->median, last);
    star_text_free(&escaped);
    star_strips_name(strips, line, short_name(name), chosen ? "chosen" : "");
    star_strips_interval(strips, line, samples[0], last, 0);
    star_strips_bar(strips, line, star_quantile(samples, of->count, 0.25),
                    star_quantile(samples, of->count, 0.75), 0, 12,
                    fill(is_native(name) ? 0
                         : chosen        ? 1
                                         : 5,
                         style),
                    title);
    star_strips_bar(strips, line, of->median, of->median, 0, 16, "fill=\"" STAR_INK "\"", title);
    star_svg_group_end(strips->text);
}

static void widen(struct star_strips *strips, const struct star_row *row, const struct sampled *of)
{
    star_name name;
    star_row_method(row, of->method, name);
    star_strips_widen(strips, short_name(name), "", "");
    for (int s = 0; s < of->count; s++) {
        strips->x.least = of->samples[s] > 0 ? fmin(strips->x.least, of->samples[s]) : strips->x.least;
        strips->x.most = fmax(strips->x.most, of->samples[s]);
    }
}

static void draw_samples(struct star_strips *strips, const struct star_row *row, const struct sampled *all,
                         int count)
{
    star_name name;
    if (strips->x.most > 10 * strips->x.least)
        strips->x.scaling = STAR_DECADES;
    else
        strips->x.least = 0;
    star_strips_open(strips, "Times of calls: least, quartiles, median and most", count,
                     "time of a call; chosen: blue, native: grey");
    for (int i = 0; i < count; i++) {
        bool chosen = all[i].method == star_report_chosen(row->json);
        star_row_method(row, all[i].method, name);
        add_box(strips, i, name, chosen, &all[i]);
    }
    star_strips_close(strips);
}

void star_picture_samples(const struct star_row *row, struct star_text *text)
{
    struct star_strips strips = {
        .text = text, .x = {STAR_EVEN, STAR_IN_SECONDS, .least = INFINITY}, .height = 24};
    int count;
    struct sampled *all = sampled_of(row, &count);
    text->failed = text->failed || all == NULL;
    for (int i = 0; i < count; i++)
        widen(&strips, row, &all[i]);
    if (isfinite(strips.x.least))
        draw_samples(&strips, row, all, count);
    else
        say(text, "No samples.");
    for (int i = 0; i < count; i++)
        free(all[i].samples);
    free(all);
}

void star_picture_convergence(const struct star_row *row, struct star_text *text)
{
    const json_t *history = json_object_get(row->json, "history");
    size_t decisions = json_array_size(history);
    struct star_svg_point *at = calloc(decisions + 1, sizeof *at);
    struct star_curve curve = {.at = at, .colour = 1};
    double least = INFINITY;
    text->failed = text->failed || at == NULL;
    for (size_t i = 0; at && i < decisions; i++) {
        const json_t *decision = json_array_get(history, i);
        double mean = star_report_number(decision, "mean_seconds");
        if (!(mean > 0))
            continue;
        at[curve.count++] = (struct star_svg_point){fmax(1, star_report_number(decision, "call")), mean};
        least = fmin(least, mean);
    }
    const struct star_panel panel = {"Mean time of a call since the decision before",
                                     {"calls", STAR_DECADES, STAR_PLAIN, at && curve.count ? at[0].x : 1},
                                     {NULL, STAR_DECADES, STAR_IN_SECONDS, least},
                                     &curve,
                                     1};
    if (curve.count > 1)
        star_curves_svg(&panel, 1, text);
    free(at);
}
