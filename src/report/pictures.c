/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/pictures.h"
#include "plot/curves.h"
#include "plot/strips.h"
#include "plot/svg.h"
#include "report/confidence.h"
#include "util/parse.h"
#include "util/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RIGHT = 250 };

static void say(struct star_text *text, const char *words)
{
    star_text_add(text, "<p>%s</p>\n", words);
}

static const char *fill(int colour, char *style, size_t room)
{
    snprintf(style, room, "fill=\"%s\"", star_colour(colour));
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

/* ------ Did it help? */

/* The chosen method's place in its list; −1: it is not there. */
static int chosen_of(const struct star_item *item)
{
    const json_t *list = star_item_list(item);
    for (int i = 0; i < (int)json_array_size(list); i++) {
        char *name = star_item_method(item, json_array_get(list, (size_t)i));
        bool same = name != NULL && strcmp(name, item->method) == 0;
        free(name);
        if (same)
            return i;
    }
    return -1;
}

static double over_native(const struct star_item *item)
{
    return star_item_number(item->json, "seconds_per_call") / star_item_first(item);
}

static void add_interval(const struct star_strips *strips, int row, double mean, const json_t *method,
                         double below)
{
    double spread = star_report_spread(method);
    if (spread > 0)
        star_strips_interval(strips, row, fmax(0, mean * (1 - spread)),
                             fmin(mean * (1 + spread), strips->x.most), below);
}

/* Where native was chosen there is its bar alone. */
static void add_pair(const struct star_strips *strips, int row, const struct star_item *item)
{
    enum { HIGH = 9, APART = 5 };
    const json_t *list = star_item_list(item);
    char style[80], native[32], chosen[32], saved[32], words[160];
    double mean = 100 * over_native(item), gain = star_item_number(item->json, "saved_seconds");
    int at = chosen_of(item), below = at == 0 ? 0 : APART;
    star_format_seconds(star_item_first(item), native, sizeof native);
    star_format_seconds(star_item_number(item->json, "seconds_per_call"), chosen, sizeof chosen);
    star_format_seconds(fabs(gain), saved, sizeof saved);
    snprintf(words, sizeof words, "%s%s%s; %s %s (%s)", native, at == 0 ? "" : " → ", at == 0 ? "" : chosen,
             gain < 0 ? "lost" : "saved", saved, star_report_helped(item->json));
    star_text_add(strips->text, "<g data-pair=\"%d\">\n", row);
    star_strips_bar(strips, row, 0, 100, -below, HIGH, fill(0, style, sizeof style), native);
    add_interval(strips, row, 100, json_array_get(list, 0), -below);
    if (at != 0) {
        star_strips_bar(strips, row, 0, mean, below, HIGH, fill(1, style, sizeof style), chosen);
        add_interval(strips, row, mean, at < 0 ? NULL : json_array_get(list, (size_t)at), below);
    }
    star_svg_words(strips->text, strips->x.to + 12, star_strips_y(strips, row) + 4, STAR_BEGIN, words);
    star_text_add(strips->text, "</g>\n");
}

void star_picture_helped(const struct star_items *items, struct star_text *text)
{
    const char *names[STAR_ITEMS_DRAWN];
    const struct star_item *known[STAR_ITEMS_DRAWN];
    int count = 0;
    double most = 100;
    for (int i = 0; i < items->count && count < STAR_ITEMS_DRAWN; i++) {
        double over = 100 * over_native(&items->item[i]);
        if (!isfinite(over))
            continue;
        names[count] = items->item[i].name;
        known[count++] = &items->item[i];
        most = fmax(most, over);
    }
    if (count == 0) {
        say(text,
            "The MPI library's own algorithms were not measured beside others: nothing can be compared.");
        return;
    }
    struct star_strips strips = {text, {STAR_EVEN, STAR_PLAIN, .least = 0, .most = 1.1 * most}, 28};
    star_strips_open(&strips, "Time of a call, native's being 100", names, count,
                     "time of a call in % of native's: native grey, chosen blue", RIGHT);
    for (int i = 0; i < count; i++)
        add_pair(&strips, i, known[i]);
    star_strips_close(&strips);
}

/* ------ What ran when */

/* The names of methods in the order in which they come, so that each has a colour. */
struct palette {
    char *name[64];
    int count;
};

static int colour_of(struct palette *palette, const char *method)
{
    int i = 0;
    if (is_native(method))
        return 0;
    while (i < palette->count && strcmp(palette->name[i], method) != 0)
        i++;
    if (i == palette->count && i < (int)(sizeof palette->name / sizeof *palette->name)) {
        char *copy = strdup(method);
        palette->count += copy != NULL;
        palette->name[i] = copy;
    }
    return i + 1;
}

static double time_of(const json_t *history, size_t decision, double end)
{
    return decision < json_array_size(history)
               ? star_item_number(json_array_get(history, decision), "at_seconds")
               : end;
}

static bool is_measured(const json_t *decision)
{
    return strcmp(star_item_word(decision, "stage"), "monitor") != 0;
}

/* Until when the method of decision D, which is the first of its run, stays; or when D was where it is not.
 */
static double stays_until(const struct star_item *item, const json_t *history, size_t d, double end)
{
    const char *key = item->request ? "function" : "method",
               *name = star_item_word(json_array_get(history, d), key);
    size_t next = d + 1;
    bool goes_on = d > 0 && !is_measured(json_array_get(history, d - 1)) &&
                   strcmp(star_item_word(json_array_get(history, d - 1), key), name) == 0;
    while (next < json_array_size(history) && !is_measured(json_array_get(history, next)) &&
           strcmp(star_item_word(json_array_get(history, next), key), name) == 0)
        next++;
    return time_of(history, goes_on ? d : next, end);
}

static void add_decision(const struct star_strips *strips, int row, const struct star_item *item, size_t d,
                         double end, struct palette *palette, struct star_text *labels)
{
    static const char label_style[] =
        "stroke=\"#fff\" stroke-width=\"3\" stroke-opacity=\"0.8\" paint-order=\"stroke\"";
    enum { HIGH = 14, EDGE = 4 };
    const json_t *history = json_object_get(item->json, "history"), *decision = json_array_get(history, d);
    char style[80], at[32], *method = star_item_method(item, decision);
    const char *name = method ? method : "";
    double from = time_of(history, d, end);
    struct star_text title = {0};
    star_text_add(&title, "%s, call %.0f: %s, %s, %s", star_format_seconds(from, at, sizeof at),
                  star_item_number(decision, "call"), name, star_item_word(decision, "stage"),
                  star_item_word(decision, "reason"));
    star_text_add(strips->text, "<g data-at=\"%.9g\">", from);
    star_strips_bar(strips, row, from, time_of(history, d + 1, end), 0, HIGH,
                    is_measured(decision) ? "fill=\"" STAR_FAINT "\""
                                          : fill(colour_of(palette, name), style, sizeof style),
                    title.bytes ? title.bytes : "");
    double left = star_scale_at(&strips->x, from);
    double room = star_scale_at(&strips->x, stays_until(item, history, d, end)) - left - 2 * EDGE;
    if (!is_measured(decision) && star_svg_width(short_name(name)) < room)
        star_svg_styled(labels, left + EDGE, star_strips_y(strips, row) + 4, STAR_BEGIN, label_style,
                        short_name(name));
    star_text_add(strips->text, "</g>\n");
    star_text_free(&title);
    free(method);
}

void star_picture_timeline(const json_t *report, const struct star_items *items, struct star_text *text)
{
    const char *names[STAR_ITEMS_DRAWN];
    const struct star_item *known[STAR_ITEMS_DRAWN];
    struct palette palette = {.count = 0};
    int count = 0;
    for (int i = 0; i < items->count && count < STAR_ITEMS_DRAWN; i++)
        if (json_array_size(json_object_get(items->item[i].json, "history")) > 0) {
            names[count] = items->item[i].name;
            known[count++] = &items->item[i];
        }
    if (count == 0) {
        say(text, "Nothing was decided.");
        return;
    }
    double end = star_item_number(report, "seconds");
    struct star_strips strips = {text, {STAR_EVEN, STAR_SECONDS, .least = 0, .most = end}, 24};
    star_strips_open(&strips, "What ran when", names, count,
                     "time since the program began; pale: methods were being measured", RIGHT);
    for (int i = 0; i < count; i++) {
        size_t decisions = json_array_size(json_object_get(known[i]->json, "history"));
        struct star_text labels = {0}; /* above all bars */
        star_text_add(text, "<g data-%s=\"%d\">\n", known[i]->request ? "request" : "context",
                      known[i]->index);
        for (size_t d = 0; d < decisions; d++)
            add_decision(&strips, i, known[i], d, end, &palette, &labels);
        star_text_append(text, labels.bytes ? labels.bytes : "", labels.length);
        star_svg_words(text, strips.x.to + 12, star_strips_y(&strips, i) + 4, STAR_BEGIN, known[i]->method);
        star_text_add(text, "</g>\n");
        text->failed = text->failed || labels.failed;
        star_text_free(&labels);
    }
    star_strips_close(&strips);
    star_text_add(text, "<ul class=\"legend\">");
    for (int i = 0; i < palette.count; i++) {
        star_text_add(text, "<li><b style=\"background: %s\"></b> ", star_colour(i + 1));
        star_text_escaped(text, palette.name[i]);
        star_text_add(text, "</li>\n");
        free(palette.name[i]);
    }
    star_text_add(text, "<li><b style=\"background: %s\"></b> native</li></ul>\n", star_colour(0));
}

/* ------ Calls by size */

struct bin {
    int64_t key; /* they are sorted by it */
    double calls;
    char name[48];
};

static void add_to_bin(struct bin *bins, int *count, int room, int64_t key, double calls)
{
    int i = 0;
    while (i < *count && bins[i].key < key)
        i++;
    if (i == *count || bins[i].key != key) {
        if (*count == room)
            return;
        memmove(&bins[i + 1], &bins[i], (size_t)(*count - i) * sizeof *bins);
        bins[i] = (struct bin){.key = key};
        (*count)++;
    }
    bins[i].calls += calls;
}

static void draw_bins(const struct bin *bins, int count, const char *says, struct star_text *text)
{
    const char **names = calloc((size_t)count + 1, sizeof(char *));
    double most = 0;
    if (count == 0 || names == NULL) {
        say(text, "No calls.");
        free((void *)names);
        return;
    }
    for (int i = 0; i < count; i++) {
        names[i] = bins[i].name;
        most = fmax(most, bins[i].calls);
    }
    struct star_strips strips = {text, {STAR_EVEN, STAR_PLAIN, .least = 0, .most = most}, 22};
    star_strips_open(&strips, says, names, count, "calls", 90);
    for (int i = 0; i < count; i++) {
        char style[80], calls[32];
        snprintf(calls, sizeof calls, "%.0f", bins[i].calls);
        star_text_add(text, "<g data-bar=\"%s\" data-value=\"%s\">\n", bins[i].name, calls);
        star_strips_bar(&strips, i, 0, bins[i].calls, 0, 14, fill(1, style, sizeof style), calls);
        star_svg_words(text, star_scale_at(&strips.x, bins[i].calls) + 6, star_strips_y(&strips, i) + 4,
                       STAR_BEGIN, calls);
        star_text_add(text, "</g>\n");
    }
    star_strips_close(&strips);
    free((void *)names);
}

void star_picture_sizes(const json_t *report, struct star_text *text)
{
    enum { BINS = 66 };
    struct bin bins[BINS];
    int count = 0;
    const json_t *contexts = json_object_get(report, "contexts");
    for (size_t i = 0; i < json_array_size(contexts); i++) {
        const json_t *context = json_array_get(contexts, i), *bytes = json_object_get(context, "bytes");
        double size = bytes ? (double)json_integer_value(bytes) : -1;
        add_to_bin(bins, &count, BINS,
                   size > 0   ? (int64_t)log2(size)
                   : size < 0 ? -2
                              : -1,
                   star_item_number(context, "calls"));
    }
    for (int i = 0; i < count; i++) {
        char size[32];
        snprintf(bins[i].name, sizeof bins->name, "%s%s",
                 bins[i].key < 0 ? "" : star_format_bytes(INT64_C(1) << bins[i].key, size, sizeof size),
                 bins[i].key == -2   ? "varies"
                 : bins[i].key == -1 ? "0 bytes"
                                     : " bytes and more");
    }
    draw_bins(bins, count, "Calls by size, each bar from a power of two to the next", text);
}

void star_picture_ranks(const json_t *report, struct star_text *text)
{
    enum { BINS = 200 };
    struct bin bins[BINS];
    static const char *const lists[] = {"contexts", "others"};
    int count = 0;
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; i < json_array_size(json_object_get(report, lists[l])); i++) {
            const json_t *one = json_array_get(json_object_get(report, lists[l]), i);
            add_to_bin(bins, &count, BINS, json_integer_value(json_object_get(one, "ranks")),
                       star_item_number(one, "calls"));
        }
    for (int i = 0; i < count; i++)
        snprintf(bins[i].name, sizeof bins->name, "%lld ranks", (long long)bins[i].key);
    draw_bins(bins, count, "Calls by the communicator's number of ranks", text);
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

static void add_box(const struct star_strips *strips, int row, const char *name, int colour,
                    const double *samples, int count)
{
    char style[80], title[400], middle[32], least[32], most[32];
    double median = star_quantile(samples, count, 0.5);
    snprintf(title, sizeof title, "%.200s: %d samples, median %s, from %s to %s", name, count,
             star_format_seconds(median, middle, sizeof middle),
             star_format_seconds(samples[0], least, sizeof least),
             star_format_seconds(samples[count - 1], most, sizeof most));
    star_text_add(strips->text, "<g data-samples=\"%d\" data-method=\"", count);
    star_text_escaped(strips->text, name);
    star_text_add(strips->text, "\" data-least=\"%.9g\" data-median=\"%.9g\" data-most=\"%.9g\">\n",
                  samples[0], median, samples[count - 1]);
    star_strips_interval(strips, row, samples[0], samples[count - 1], 0);
    star_strips_bar(strips, row, star_quantile(samples, count, 0.25), star_quantile(samples, count, 0.75), 0,
                    12, fill(colour, style, sizeof style), title);
    star_strips_bar(strips, row, median, median, 0, 16, "fill=\"" STAR_INK "\"", title);
    star_text_add(strips->text, "</g>\n");
}

/* The methods that have samples, and the least and greatest of all that are more than 0. */
struct sampled {
    int count;
    char **name;
    const char **shown;
    const json_t **method;
    double least, most;
};

static void gather(const struct star_item *item, struct sampled *all)
{
    const json_t *list = star_item_list(item);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *method = json_array_get(list, i);
        int count;
        double *samples = samples_of(method, &count);
        char *name = samples ? star_item_method(item, method) : NULL;
        for (int s = 0; s < count && samples; s++)
            all->least = samples[s] > 0 ? fmin(all->least, samples[s]) : all->least;
        if (name != NULL) {
            all->most = fmax(all->most, samples[count - 1]);
            all->name[all->count] = name;
            all->shown[all->count] = short_name(name);
            all->method[all->count++] = method;
        }
        free(samples);
    }
}

static void draw_samples(const struct star_item *item, const struct sampled *all, struct star_text *text)
{
    bool wide = all->most > 10 * all->least;
    struct star_strips strips = {
        text,
        {wide ? STAR_DECADES : STAR_EVEN, STAR_SECONDS, .least = wide ? all->least : 0, .most = all->most},
        22};
    star_strips_open(&strips, "Times of calls: least, quartiles, median and most", all->shown, all->count,
                     "time of a call; chosen: blue, native: grey", 30);
    for (int i = 0; i < all->count; i++) {
        int count;
        double *samples = samples_of(all->method[i], &count);
        bool chosen = strcmp(all->name[i], item->method) == 0;
        if (samples != NULL)
            add_box(&strips, i, all->name[i], is_native(all->name[i]) ? 0 : chosen ? 1 : 5, samples, count);
        free(samples);
    }
    star_strips_close(&strips);
}

void star_picture_samples(const struct star_item *item, struct star_text *text)
{
    size_t room = json_array_size(star_item_list(item)) + 1;
    struct sampled all = {.name = calloc(room, sizeof(char *)),
                          .shown = calloc(room, sizeof(char *)),
                          .method = calloc(room, sizeof(json_t *)),
                          .least = INFINITY};
    text->failed = text->failed || !all.name || !all.shown || !all.method;
    if (!text->failed)
        gather(item, &all);
    if (all.count > 0 && isfinite(all.least))
        draw_samples(item, &all, text);
    else
        say(text, "No samples.");
    for (int i = 0; i < all.count; i++)
        free(all.name[i]);
    free(all.name);
    free((void *)all.shown);
    free((void *)all.method);
}

void star_picture_convergence(const struct star_item *item, struct star_text *text)
{
    const json_t *history = json_object_get(item->json, "history");
    size_t decisions = json_array_size(history);
    struct star_curve_point *at = calloc(decisions + 1, sizeof *at);
    struct star_curve curve = {.at = at, .colour = 1, .name = "mean"};
    double least = INFINITY;
    text->failed = text->failed || at == NULL;
    for (size_t i = 0; at && i < decisions; i++) {
        const json_t *decision = json_array_get(history, i);
        double mean = star_item_number(decision, "mean_seconds");
        if (!(mean > 0))
            continue;
        at[curve.count++] = (struct star_curve_point){fmax(1, star_item_number(decision, "call")), mean};
        least = fmin(least, mean);
    }
    const struct star_panel panel = {"Mean time of a call since the decision before",
                                     {"calls", STAR_DECADES, STAR_PLAIN, at && curve.count ? at[0].x : 1},
                                     {NULL, STAR_DECADES, STAR_SECONDS, least},
                                     &curve,
                                     1};
    if (curve.count > 1)
        star_curves_svg(&panel, 1, text);
    free(at);
}
