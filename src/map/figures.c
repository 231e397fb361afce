/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/figures.h"
#include "map/encoding.h"
#include "plot/curves.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEPTHS_MOST = 64 };

/* The curves of one operation. */
struct sweep {
    struct star_svg_point by_accuracy[STAR_ACCURACY_STEPS], accurate[STAR_ACCURACY_STEPS], deep[DEPTHS_MOST];
    int depths;
};

struct figures {
    struct sweep sweep[STAR_OPERATIONS];
    struct star_curve accuracy[STAR_OPERATIONS], depth[2 * STAR_OPERATIONS];
    int operations;
};

/* *WHOLE: the tree is as deep as it gets. */
static int judge(const struct star_grid *grid, const struct star_looseness *looseness,
                 struct star_svg_point *point, bool *whole, struct star_why *why)
{
    struct star_encoding encoding;
    struct star_verdict verdict;
    int error = star_encoding_make(star_encoders[0], grid, looseness, &encoding, why);
    if (error)
        return error;
    const struct star_form *form = star_encoding_form(&encoding);
    error = star_encoding_judge(&encoding, grid, &verdict);
    if (!error)
        *point = (struct star_svg_point){form->depth_mean, 100 * verdict.mean};
    *whole = form->depth_most < looseness->max_depth || verdict.differs == 0;
    star_encoding_free(&encoding);
    return error ? star_because(why, error, "out of memory for the figures") : 0;
}

static int sweep_over(const struct star_grid *grid, struct sweep *sweep, struct star_why *why)
{
    int error = 0;
    bool whole = false;
    for (int i = 0; !error && i < STAR_ACCURACY_STEPS; i++) {
        struct star_looseness looseness = {.accuracy = (double)(i + 1) / STAR_ACCURACY_STEPS};
        error = judge(grid, &looseness, &sweep->accurate[i], &whole, why);
        sweep->by_accuracy[i] = (struct star_svg_point){100 * looseness.accuracy, sweep->accurate[i].y};
    }
    whole = false;
    while (!error && !whole && sweep->depths < DEPTHS_MOST) {
        struct star_looseness looseness = {.max_depth = sweep->depths + 1, .accuracy = 1};
        error = judge(grid, &looseness, &sweep->deep[sweep->depths++], &whole, why);
    }
    return error;
}

static int add_operation(const struct star_map *map, enum star_operation operation, struct figures *figures,
                         struct star_why *why)
{
    struct star_grid grid;
    int number = figures->operations++, error = star_grid_make(map, operation, &grid, why);
    struct sweep *sweep = &figures->sweep[number];
    struct star_curve *depth = &figures->depth[(ptrdiff_t)2 * number];
    const char *name = star_operations[operation].name;
    if (error)
        return error;
    error = sweep_over(&grid, sweep, why);
    star_grid_free(&grid);
    figures->accuracy[number] =
        (struct star_curve){.at = sweep->by_accuracy, .count = STAR_ACCURACY_STEPS, .colour = number + 1};
    depth[0] = (struct star_curve){.at = sweep->accurate, .count = STAR_ACCURACY_STEPS, .colour = number + 1};
    depth[1] =
        (struct star_curve){.at = sweep->deep, .count = sweep->depths, .colour = number + 1, .dashed = true};
    snprintf(figures->accuracy[number].name, sizeof depth->name, "%s", name);
    snprintf(depth[0].name, sizeof depth->name, "%s, by accuracy", name);
    snprintf(depth[1].name, sizeof depth->name, "%s, by maximum depth", name);
    return error;
}

int star_quadtree_figures(const struct star_map *map, int only, struct star_text *text, struct star_why *why)
{
    struct figures *figures = calloc(1, sizeof *figures);
    int error = figures ? 0 : star_because(why, STAR_EMEMORY, "out of memory for the figures");
    for (int i = 0; !error && i < STAR_OPERATIONS; i++)
        if (map->of[i].points > 0 && (only < 0 || only == i))
            error = add_operation(map, (enum star_operation)i, figures, why);
    if (!error) {
        const struct star_axis_of penalty = {"mean penalty in %", STAR_EVEN, STAR_PLAIN, 0};
        const struct star_panel panels[] = {{"Quadtrees of growing accuracy",
                                             {"accuracy threshold in %", STAR_EVEN, STAR_PLAIN, 0},
                                             penalty,
                                             figures->accuracy,
                                             figures->operations},
                                            {"Growing accuracy and growing depth",
                                             {"mean depth", STAR_EVEN, STAR_PLAIN, 0},
                                             penalty,
                                             figures->depth,
                                             2 * figures->operations}};
        star_curves_svg(panels, 2, text);
    }
    free(figures);
    return error;
}
