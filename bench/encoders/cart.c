/* SPDX-License-Identifier: BSD-3-Clause
 * A decision tree that asks for ranks, bytes, and whether the ranks are a power of two. It grows where that
 * saves most time, until the mean penalty is small enough. (Breiman et al., Classification and Regression
 * Trees, 1984, with times in place of classes; best first.) */
#include "rivals.h"
#include "map/generate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum question { BYTES, RANKS, POWER, QUESTIONS };

/* A node asks whether a number is at most LAST (ranks, bytes), or ranks are a power of two: yes is child 0.
 */
struct node {
    int64_t last;
    int child[2]; /* indices; 0: a leaf */
    short question, method, depth;
};

struct form {
    struct star_form form;
    struct node *node;
    int nodes;
};

/* A leaf while the tree grows: its cells, what its colour costs, and the best way to part it. */
struct growing {
    int from, count;     /* in the order of cells */
    double loss, gain;   /* gain −1: it cannot be parted, or must not be */
    int question, place; /* the last row or column of child 0 */
};

struct growth {
    const struct star_grid *grid;
    const struct star_looseness *looseness;
    struct form *form;
    struct growing *growing; /* of each node */
    int *cell;               /* all cells, so that each leaf's stand together */
    double *loss;            /* cells × methods: weighted */
    double *total, *prefix;  /* of methods: room for sums */
};

static bool is_power(int64_t ranks)
{
    return (ranks & (ranks - 1)) == 0;
}

/* What a cell answers: a place on an axis, or 0 for a power of two and 1 for another size. */
static int answer(const struct star_grid *grid, int question, int cell)
{
    int row = cell / grid->columns;
    if (question == POWER)
        return is_power(grid->ranks[row]) ? 0 : 1;
    return question == RANKS ? row : cell % grid->columns;
}

static void add_losses(const struct growth *growth, int cell, double *sum)
{
    const double *loss = &growth->loss[(size_t)cell * (size_t)growth->grid->methods];
    for (int i = 0; i < growth->grid->methods; i++)
        sum[i] += loss[i];
}

static int least_of(const double *sum, int methods)
{
    int least = 0;
    for (int i = 1; i < methods; i++)
        least = sum[i] < sum[least] ? i : least;
    return least;
}

/* What is lost when the sums in PREFIX get one method, and the rest of TOTAL another. */
static double parted_loss(const struct growth *growth)
{
    double least = DBL_MAX, rest = DBL_MAX;
    for (int i = 0; i < growth->grid->methods; i++) {
        double behind = growth->total[i] - growth->prefix[i];
        least = growth->prefix[i] < least ? growth->prefix[i] : least;
        rest = behind < rest ? behind : rest;
    }
    return least + rest;
}

static int places_of(const struct star_grid *grid, int question)
{
    return question == POWER ? 2 : question == RANKS ? grid->rows : grid->columns;
}

/* The best place to part a leaf by one question. SUMS: room for the losses at each place. */
static void try_question(const struct growth *growth, struct growing *leaf, int question, double *sums,
                         int *counts)
{
    const struct star_grid *grid = growth->grid;
    int places = places_of(grid, question), before = 0;
    size_t methods = (size_t)grid->methods;
    memset(sums, 0, (size_t)places * methods * sizeof *sums);
    memset(counts, 0, (size_t)places * sizeof *counts);
    for (int i = leaf->from; i < leaf->from + leaf->count; i++) {
        int place = answer(grid, question, growth->cell[i]);
        add_losses(growth, growth->cell[i], &sums[(size_t)place * methods]);
        counts[place]++;
    }
    memset(growth->prefix, 0, methods * sizeof *growth->prefix);
    for (int place = 0; place + 1 < places; place++) {
        for (size_t i = 0; i < methods; i++)
            growth->prefix[i] += sums[(size_t)place * methods + i];
        before += counts[place];
        double gain = fmax(leaf->loss - parted_loss(growth), 0); /* rounding may make it negative */
        if (before > 0 && before < leaf->count && counts[place] > 0 && gain > leaf->gain) {
            leaf->gain = gain;
            leaf->question = question;
            leaf->place = place;
        }
    }
}

/* Gives a node its method, and finds out how to part it. STAR_EMEMORY. */
static int judge_leaf(const struct growth *growth, int at)
{
    const struct star_grid *grid = growth->grid;
    struct growing *leaf = &growth->growing[at];
    int places = grid->rows > grid->columns ? grid->rows : grid->columns;
    size_t methods = (size_t)grid->methods, room = (size_t)(places > 2 ? places : 2);
    memset(growth->total, 0, methods * sizeof *growth->total);
    for (int i = leaf->from; i < leaf->from + leaf->count; i++)
        add_losses(growth, growth->cell[i], growth->total);
    growth->form->node[at].method = (short)least_of(growth->total, grid->methods);
    leaf->loss = growth->total[growth->form->node[at].method];
    leaf->gain = -1;
    if (growth->looseness->max_depth > 0 && growth->form->node[at].depth >= growth->looseness->max_depth)
        return 0;
    double *sums = malloc(room * methods * sizeof *sums);
    int *counts = malloc(room * sizeof *counts);
    bool good = sums && counts;
    for (int question = 0; good && leaf->loss > 0 && question < QUESTIONS; question++)
        try_question(growth, leaf, question, sums, counts);
    free(sums);
    free(counts);
    return good ? 0 : STAR_EMEMORY;
}

/* Brings the leaf's cells that answer yes to the front; returns how many. */
static int part_cells(const struct growth *growth, const struct growing *leaf)
{
    int yes = leaf->from;
    for (int i = leaf->from; i < leaf->from + leaf->count; i++)
        if (answer(growth->grid, leaf->question, growth->cell[i]) <= leaf->place) {
            int cell = growth->cell[i];
            growth->cell[i] = growth->cell[yes];
            growth->cell[yes++] = cell;
        }
    return yes - leaf->from;
}

static int part_leaf(const struct growth *growth, int at)
{
    const struct star_grid *grid = growth->grid;
    struct form *form = growth->form;
    struct growing *leaf = &growth->growing[at];
    struct node *node = &form->node[at];
    int yes = part_cells(growth, leaf), error = 0;
    node->question = (short)leaf->question;
    if (leaf->question != POWER)
        node->last = (leaf->question == RANKS ? &grid->by_ranks : &grid->by_bytes)->last[leaf->place];
    for (int i = 0; !error && i < 2; i++) {
        int child = form->nodes++;
        node->child[i] = child;
        form->node[child] = (struct node){.depth = (short)(node->depth + 1)};
        growth->growing[child].from = leaf->from + (i ? yes : 0);
        growth->growing[child].count = i ? leaf->count - yes : yes;
        error = judge_leaf(growth, child);
    }
    return error;
}

/* Parts the leaf that gains most until nothing is to be gained, or little enough is lost in all. */
static int grow(const struct growth *growth)
{
    double weight = 0;
    for (int i = 0; i < growth->growing[0].count; i++)
        weight += growth->grid->weight[i];
    double goal = growth->looseness->penalty * weight, lost = growth->growing[0].loss;
    int error = 0, best = 0;
    while (!error && lost > goal && best >= 0) {
        best = -1;
        for (int i = 0; i < growth->form->nodes; i++)
            if (growth->form->node[i].child[0] == 0 && growth->growing[i].gain >= 0 &&
                (best < 0 || growth->growing[i].gain > growth->growing[best].gain))
                best = i;
        if (best < 0)
            break;
        lost -= growth->growing[best].gain;
        error = part_leaf(growth, best);
    }
    return error;
}

/* What each method loses at each cell; an unknown time counts as twice the winner's. */
static void weigh_losses(const struct growth *growth)
{
    const struct star_grid *grid = growth->grid;
    for (int cell = 0; cell < grid->rows * grid->columns; cell++)
        for (int i = 0; i < grid->methods; i++) {
            double loss = star_grid_penalty(grid, cell, i);
            growth->loss[cell * grid->methods + i] = grid->weight[cell] * (isnan(loss) ? 1 : loss);
        }
}

static int make(struct growth *growth)
{
    const struct star_grid *grid = growth->grid;
    int cells = grid->rows * grid->columns;
    size_t count = (size_t)cells, methods = (size_t)grid->methods, nodes = 2 * count;
    growth->form->node = malloc(nodes * sizeof *growth->form->node);
    growth->growing = malloc(nodes * sizeof *growth->growing);
    growth->cell = malloc(count * sizeof *growth->cell);
    growth->loss = malloc(count * methods * sizeof *growth->loss);
    growth->total = malloc(methods * sizeof *growth->total);
    growth->prefix = malloc(methods * sizeof *growth->prefix);
    if (!growth->form->node || !growth->growing || !growth->cell || !growth->loss || !growth->total ||
        !growth->prefix)
        return STAR_EMEMORY;
    for (int i = 0; i < cells; i++)
        growth->cell[i] = i;
    weigh_losses(growth);
    growth->form->nodes = 1;
    growth->form->node[0] = (struct node){.depth = 0};
    growth->growing[0] = (struct growing){.count = cells};
    int error = judge_leaf(growth, 0);
    return error ? error : grow(growth);
}

static void count_leaves(struct form *form)
{
    int64_t sum = 0;
    for (int i = 0; i < form->nodes; i++) {
        const struct node *node = &form->node[i];
        if (node->child[0] != 0)
            continue;
        if (form->form.leaves++ == 0 || node->depth < form->form.depth_least)
            form->form.depth_least = node->depth;
        form->form.depth_most = node->depth > form->form.depth_most ? node->depth : form->form.depth_most;
        sum += node->depth;
    }
    form->form.depth_mean = (double)sum / form->form.leaves;
    form->form.bytes = (size_t)form->nodes * sizeof *form->node;
}

static void free_form(void *at)
{
    struct form *form = at;
    free(form->node);
}

static int encode(const struct star_grid *grid, const struct star_looseness *looseness, void *form)
{
    struct growth growth = {.grid = grid, .looseness = looseness, .form = form};
    int error = make(&growth);
    free(growth.growing);
    free(growth.cell);
    free(growth.loss);
    free(growth.total);
    free(growth.prefix);
    if (!error)
        count_leaves(form);
    return error;
}

static int choose(const void *at, int ranks, int64_t bytes)
{
    const struct form *form = at;
    const struct node *node = form->node;
    while (node->child[0] != 0) {
        bool yes = node->question == BYTES   ? bytes <= node->last
                   : node->question == RANKS ? ranks <= node->last
                                             : is_power(ranks);
        node = &form->node[node->child[!yes]];
    }
    return node->method;
}

static void generate_node(const struct form *form, const struct node *node, int depth, struct star_text *text)
{
    if (node->child[0] == 0) {
        star_text_add(text, "%*sreturn %d;\n", 4 * depth, "", node->method);
        return;
    }
    star_text_add(text, "%*sif (", 4 * depth, "");
    if (node->question == POWER)
        star_text_add(text, "(ranks & (ranks - 1)) == 0) {\n");
    else
        star_text_add(text, "%s <= %lld) {\n", node->question == RANKS ? "ranks" : "bytes",
                      (long long)node->last);
    generate_node(form, &form->node[node->child[0]], depth + 1, text);
    star_text_add(text, "%*s} else {\n", 4 * depth, "");
    generate_node(form, &form->node[node->child[1]], depth + 1, text);
    star_text_add(text, "%*s}\n", 4 * depth, "");
}

static void generate(const void *at, const char *name, struct star_text *text)
{
    const struct form *form = at;
    star_text_add(text, "static int %s(long long ranks, long long bytes)\n{\n", name);
    star_text_add(text, "    (void)ranks, (void)bytes; /* where one of them does not matter */\n");
    generate_node(form, form->node, 1, text);
    star_text_add(text, "}\n");
}

const struct star_encoder bench_cart = {"cart", sizeof(struct form), encode, choose, generate, free_form};
