/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of a topology: lines of a terminal, and SVG with the root at the left and the hosts, one a row, at
 * the right. */
#include "topology/draw.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this depth the terminal's lines are indented no more, and the picture does not grow wider. So many
 * rows, of some hundred bytes each, a file can hold that people still open. */
enum { DEPTH_MOST = 64, LINES_MOST = 100000, BOXES_MOST = 20000 };

static int refuse(int rows, int most, struct star_why *why)
{
    return star_because(why, STAR_ELIMIT,
                        "a picture of %d rows: at most %d are drawn; `startune topo show` prints "
                        "them all",
                        rows, most);
}

static void add_speed(double mbps, struct star_text *text)
{
    if (mbps >= 1000)
        star_text_add(text, "%.6g Gb/s", mbps / 1000);
    else
        star_text_add(text, "%.6g Mb/s", mbps);
}

/* Of each node the last one that hangs on it, or −1. */
static int *last_children(const struct star_topology *topology)
{
    int *last = calloc((size_t)topology->nodes, sizeof *last);
    for (int i = 0; last != NULL && i < topology->nodes; i++) {
        last[i] = -1;
        if (i > 0)
            last[topology->node[i].parent] = i;
    }
    return last;
}

/* How many machines from NODE on are alike and hang on the same switch: they share a line. */
static int alike(const struct star_topology *topology, int node)
{
    const struct star_node *first = &topology->node[node];
    int count = 1;
    if (!first->machine)
        return 1;
    for (; node + count < topology->nodes; count++) {
        const struct star_node *next = first + count;
        if (!next->machine || next->parent != first->parent || next->mbps != first->mbps ||
            next->slots != first->slots)
            break;
    }
    return count;
}

static void add_names(const struct star_topology *topology, int node, int count, struct star_text *text)
{
    enum { ALL = 8, FRONT = 3 };
    const struct star_node *first = &topology->node[node];
    for (int i = 0; i < count; i++) {
        if (count > ALL && i == FRONT) {
            star_text_add(text, " …");
            i = count - 1;
        }
        star_text_add(text, "%s%s", i ? " " : "", first[i].name);
    }
    if (count > ALL)
        star_text_add(text, " (%d)", count);
    if (topology->has_speeds && first->parent >= star_topology_first(topology)) {
        star_text_add(text, "  ");
        add_speed(first->mbps, text);
    }
    if (first->slots > 1)
        star_text_add(text, "  %d slots", first->slots);
    star_text_add(text, "\n");
}

/* The lines that lead from the nodes above to NODE, the last of a group that shares its line. */
static void add_branch(const struct star_topology *topology, const int *last, int node,
                       struct star_text *text)
{
    int above[DEPTH_MOST], depth = 0;
    for (int at = node; topology->node[at].parent >= star_topology_first(topology) && depth < DEPTH_MOST;
         at = topology->node[at].parent)
        above[depth++] = at;
    for (int i = depth - 1; i >= 0; i--) {
        bool is_last = last[topology->node[above[i]].parent] == above[i];
        if (i == 0)
            star_text_add(text, is_last ? "└─ " : "├─ ");
        else
            star_text_add(text, is_last ? "   " : "│  ");
    }
}

static int count_lines(const struct star_topology *topology)
{
    int lines = 0;
    for (int i = star_topology_first(topology); i < topology->nodes; i += alike(topology, i))
        lines++;
    return lines;
}

int star_topology_draw(const struct star_topology *topology, struct star_text *text, struct star_why *why)
{
    int lines = count_lines(topology);
    if (lines > LINES_MOST)
        return refuse(lines, LINES_MOST, why);
    int *last = last_children(topology);
    text->failed = text->failed || last == NULL;
    for (int i = star_topology_first(topology); !text->failed && i < topology->nodes;) {
        int count = alike(topology, i);
        add_branch(topology, last, i + count - 1, text);
        add_names(topology, i, count, text);
        i += count;
    }
    if (topology->spare > 0)
        star_text_add(text, "spare links: %d\n", topology->spare);
    free(last);
    return 0;
}

enum { ROW = 22, MARGIN = 20, GAP = 96, BOX = 18, SLOTS = 40 };

struct picture {
    const struct star_topology *topology;
    struct star_text *text;
    int *depth;
    double *y;                   /* of each node's middle */
    double x[DEPTH_MOST + 2];    /* where the nodes of a depth begin */
    double wide[DEPTH_MOST + 2]; /* the widest of their boxes */
    double width, height;
};

static const char small[] = "font-size=\"9\" fill=\"" STAR_QUIET "\"";

static double box_width(const char *name)
{
    return star_svg_width(name) + 14;
}

/* A switch stands in the middle of what hangs on it: between its first and its last. */
static bool place(struct picture *picture)
{
    const struct star_topology *topology = picture->topology;
    int *last = last_children(topology);
    picture->depth = calloc((size_t)topology->nodes, sizeof *picture->depth);
    picture->y = calloc((size_t)topology->nodes, sizeof *picture->y);
    if (last == NULL || picture->depth == NULL || picture->y == NULL) {
        free(last);
        return false;
    }
    int rows = 0, deepest = 0;
    for (int i = 0; i < topology->nodes; i++) {
        const struct star_node *node = &topology->node[i];
        int depth = i > 0 ? picture->depth[node->parent] + 1 : 0;
        picture->depth[i] = depth <= DEPTH_MOST ? depth : DEPTH_MOST;
        depth = picture->depth[i];
        deepest = depth > deepest ? depth : deepest;
        picture->wide[depth] = fmax(picture->wide[depth], box_width(node->name));
        if (node->machine)
            picture->y[i] = MARGIN + ROW * (rows++ + 0.5);
    }
    for (int i = topology->nodes - 1; i >= 0; i--)
        if (last[i] >= 0)
            picture->y[i] = (picture->y[i + 1] + picture->y[last[i]]) / 2;
    picture->x[0] = MARGIN;
    for (int depth = 0; depth <= deepest; depth++)
        picture->x[depth + 1] = picture->x[depth] + picture->wide[depth] + GAP;
    picture->width = picture->x[deepest + 1] - GAP + MARGIN;
    picture->height = 2 * MARGIN + ROW * (double)rows;
    free(last);
    return true;
}

/* From the switch's right side to the node's left: across, along, across; faster links are thicker. */
static void add_link(const struct picture *picture, int node)
{
    const struct star_node *below = &picture->topology->node[node];
    int parent = below->parent;
    double from = picture->x[picture->depth[parent]] + box_width(picture->topology->node[parent].name);
    double to = picture->x[picture->depth[node]];
    double bend = picture->x[picture->depth[parent]] + picture->wide[picture->depth[parent]] + 14;
    double thick = picture->topology->has_speeds ? fmin(6, fmax(1, 1 + log10(below->mbps / 100))) : 1.5;
    const struct star_svg_point at[] = {{from, picture->y[parent]},
                                        {bend, picture->y[parent]},
                                        {bend, picture->y[node]},
                                        {to, picture->y[node]}};
    char style[60];
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"%.2g\"", star_colour(0), thick);
    star_svg_path(picture->text, at, 4, style);
    if (!picture->topology->has_speeds)
        return;
    struct star_text speed = {0};
    add_speed(below->mbps, &speed);
    star_svg_styled(picture->text, bend + 6, picture->y[node] - 4, STAR_BEGIN, small,
                    speed.bytes ? speed.bytes : "");
    star_text_free(&speed);
}

static void add_box(const struct picture *picture, int node)
{
    static const char host[] = "class=\"host\" rx=\"2\" fill=\"#fff\" stroke=\"" STAR_QUIET "\"";
    static const char other[] = "class=\"switch\" rx=\"6\" fill=\"#d6e8f5\" stroke=\"#0072b2\"";
    const struct star_node *shown = &picture->topology->node[node];
    double x = picture->x[picture->depth[node]], y = picture->y[node];
    star_svg_box(picture->text, x, y - BOX / 2.0, box_width(shown->name), BOX, shown->machine ? host : other,
                 NULL);
    star_svg_words(picture->text, x + 7, y + 4, STAR_BEGIN, shown->name);
    if (shown->slots > 1) {
        char slots[24];
        snprintf(slots, sizeof slots, "× %d", shown->slots);
        star_svg_styled(picture->text, x + box_width(shown->name) + 4, y + 4, STAR_BEGIN, small, slots);
    }
}

int star_topology_svg(const struct star_topology *topology, struct star_text *text, struct star_why *why)
{
    int first = star_topology_first(topology), boxes = topology->nodes - first;
    char says[60];
    if (boxes > BOXES_MOST)
        return refuse(boxes, BOXES_MOST, why);
    struct picture picture = {.topology = topology, .text = text};
    if (place(&picture)) {
        snprintf(says, sizeof says, "%d switches, %d hosts", boxes - topology->machines, topology->machines);
        star_svg_open(text, picture.width + SLOTS, picture.height, says);
        for (int i = 1; i < topology->nodes; i++)
            if (topology->node[i].parent >= first)
                add_link(&picture, i);
        for (int i = first; i < topology->nodes; i++)
            add_box(&picture, i);
        star_svg_close(text);
    } else {
        text->failed = true;
    }
    free(picture.depth);
    free(picture.y);
    return 0;
}
