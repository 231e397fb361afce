/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/heat.h"
#include "plot/svg.h"
#include "util/parse.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes from each group of EACH ranks to each other. */
struct heat {
    const struct star_talk *talk;
    int groups, each;
    double *bytes, most;
};

static bool make(struct heat *heat, const struct star_talk *talk, int groups_most)
{
    const struct star_matrix *matrix = talk->matrix;
    *heat = (struct heat){.talk = talk, .each = (matrix->ranks + groups_most - 1) / groups_most};
    heat->groups = (matrix->ranks + heat->each - 1) / heat->each;
    heat->bytes = calloc((size_t)heat->groups * (size_t)heat->groups, sizeof *heat->bytes);
    if (heat->bytes == NULL)
        return false;
    for (int r = 0; r < matrix->ranks; r++)
        for (size_t p = matrix->first[r]; p < matrix->first[r + 1]; p++) {
            double *cell = &heat->bytes[r / heat->each * heat->groups + matrix->pair[p].peer / heat->each];
            *cell += matrix->pair[p].out;
            heat->most = fmax(heat->most, *cell);
        }
    return true;
}

/* Each level is four times the one below; 0: nothing is sent, LEVELS − 1: the most. */
static int level_of(const struct heat *heat, int from, int to, int levels)
{
    double bytes = heat->bytes[from * heat->groups + to];
    if (bytes <= 0)
        return 0;
    double below = log2(heat->most / bytes) / 2;
    return below < levels - 2 ? levels - 1 - (int)below : 1;
}

static const char *host_of(const struct heat *heat, int group)
{
    const char *host = heat->talk->host[(size_t)group * (size_t)heat->each];
    return host ? host : "?";
}

static bool is_next_host(const struct heat *heat, int group)
{
    return group == 0 || strcmp(host_of(heat, group), host_of(heat, group - 1)) != 0;
}

void star_heat_text(const struct star_talk *talk, struct star_text *text)
{
    enum { GROUPS = 64 };
    static const char levels[] = " .:-=+*#%@";
    struct heat heat;
    char most[32];
    if (!make(&heat, talk, GROUPS)) {
        text->failed = true;
        return;
    }
    for (int from = 0; from < heat.groups; from++) {
        star_text_add(text, "%6d |", from * heat.each);
        for (int to = 0; to < heat.groups; to++)
            star_text_add(text, "%c", levels[level_of(&heat, from, to, sizeof levels - 1)]);
        star_text_add(text, "|%s", is_next_host(&heat, from) ? " " : "");
        star_text_printed(text, is_next_host(&heat, from) ? host_of(&heat, from) : "");
        star_text_add(text, "\n");
    }
    star_text_add(text, "lines send, columns receive%s", heat.each > 1 ? "" : ", by rank");
    if (heat.each > 1)
        star_text_add(text, ", %d ranks each", heat.each);
    star_text_add(text, "; @ is %s bytes, and each sign of \"%s\" four times the one before\n",
                  star_format_bytes((int64_t)heat.most, most, sizeof most), levels + 1);
    free(heat.bytes);
}

static void add_cell(const struct heat *heat, int from, int to, double left, double top, double side,
                     struct star_text *text)
{
    enum { LEVELS = 11 };
    char style[80], title[120], bytes[32];
    int level = level_of(heat, from, to, LEVELS);
    if (level == 0)
        return;
    snprintf(style, sizeof style, "fill=\"%s\" fill-opacity=\"%.2f\"", star_colour(1),
             (double)level / (LEVELS - 1));
    snprintf(title, sizeof title, "%d to %d: %s bytes", from * heat->each, to * heat->each,
             star_format_bytes((int64_t)heat->bytes[from * heat->groups + to], bytes, sizeof bytes));
    star_svg_box(text, left + to * side, top + from * side, side, side, style, title);
}

void star_heat_svg(const struct star_talk *talk, struct star_text *text)
{
    enum { GROUPS = 128, WIDE = 560, MARGIN = 50 };
    struct heat heat;
    if (!make(&heat, talk, GROUPS)) {
        text->failed = true;
        return;
    }
    double side = (double)WIDE / heat.groups, names = 0;
    for (int group = 0; group < heat.groups; group++)
        names = fmax(names, star_svg_width(host_of(&heat, group)));
    star_svg_open(text, MARGIN + WIDE + names + 20, WIDE + MARGIN, "Bytes from each rank to each other");
    star_svg_words(text, MARGIN, 20, STAR_BEGIN,
                   "to rank (columns), from rank (lines); each shade is four times the next paler one");
    for (int from = 0; from < heat.groups; from++) {
        double y = MARGIN - 10 + from * side;
        for (int to = 0; to < heat.groups; to++)
            add_cell(&heat, from, to, MARGIN, MARGIN - 10, side, text);
        if (!is_next_host(&heat, from))
            continue;
        char rank[16];
        snprintf(rank, sizeof rank, "%d", from * heat.each);
        star_svg_words(text, MARGIN - 6, y + 11, STAR_END, rank);
        star_svg_words(text, MARGIN + WIDE + 8, y + 11, STAR_BEGIN, host_of(&heat, from));
        star_svg_line(text, MARGIN, y, MARGIN + WIDE, y, "stroke=\"" STAR_QUIET "\" stroke-width=\"0.5\"");
        star_svg_line(text, MARGIN + from * side, MARGIN - 10, MARGIN + from * side, MARGIN - 10 + WIDE,
                      "stroke=\"" STAR_QUIET "\" stroke-width=\"0.5\"");
    }
    star_svg_close(text);
    free(heat.bytes);
}
