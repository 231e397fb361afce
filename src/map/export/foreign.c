/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/export/foreign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_segment(const struct star_algorithm *algorithm, int knob)
{
    return strcmp(algorithm->knobs[knob].name, "segment") == 0;
}

/* Is METHOD what OURS spells, where segments may differ if the rules can name them? */
static bool is_same(const struct star_method *method, const struct star_method *ours, bool segments)
{
    const struct star_algorithm *algorithm = method->algorithm;
    if (algorithm != ours->algorithm)
        return false;
    for (int i = 0; i < STAR_KNOBS_MAX && algorithm->knobs[i].name; i++)
        if (method->knob[i] != ours->knob[i] && !(segments && is_segment(algorithm, i)))
            return false;
    return true;
}

static const struct star_foreign_method *find(const struct star_foreign *foreign,
                                              const struct star_method *method)
{
    for (int i = 0; i < foreign->count; i++) {
        struct star_method ours;
        if (star_method_parse(foreign->methods[i].ours, &ours, NULL) == 0 &&
            is_same(method, &ours, foreign->methods[i].segments))
            return &foreign->methods[i];
    }
    return NULL;
}

/* What each method of the grid is there: which are available, and under which name. */
struct names {
    struct star_foreign_cell *of; /* each method of the grid */
    bool *available;
};

/* Would METHOD, which has a name there, be run for operators that it is wrong for? */
static bool is_withheld(const struct star_foreign *foreign, const struct star_export_request *request,
                        const struct star_foreign_method *method)
{
    if (method == NULL || request->commutative || foreign->commutative == NULL)
        return false;
    for (const char *const *ours = foreign->commutative; *ours != NULL; ours++)
        if (strcmp(*ours, method->ours) == 0)
            return true;
    return false;
}

static bool is_of_library(const struct star_foreign *foreign, const char *mpi)
{
    return mpi[0] == 0 || strncmp(mpi, foreign->library, strlen(foreign->library)) == 0;
}

/* Native is the other library's own only where the map was measured with it. */
static void find_names(const struct star_foreign *foreign, const struct star_export_request *request,
                       const struct star_grid *grid, struct names *names)
{
    const char *mpi = request->map->machine.mpi;
    for (int i = 0; i < grid->methods; i++) {
        const struct star_method *method = &grid->of->method[i];
        bool native = star_is_native(method);
        const struct star_foreign_method *of = native ? NULL : find(foreign, method);
        names->of[i].method = is_withheld(foreign, request, of) ? NULL : of;
        names->of[i].segment = names->of[i].method ? star_method_knob(method, "segment", 0) : 0;
        names->available[i] = native ? is_of_library(foreign, mpi) : names->of[i].method != NULL;
    }
}

int star_export_choose(const struct star_grid *grid, int cell, const bool *available)
{
    int best = -1;
    if (available[grid->winner[cell]])
        return grid->winner[cell];
    for (int i = 0; i < grid->methods; i++) {
        double seconds = star_grid_seconds(grid, cell, i);
        if (available[i] && star_grid_works(grid, cell, i) && !isnan(seconds) &&
            (best < 0 || seconds < star_grid_seconds(grid, cell, best)))
            best = i;
    }
    return best;
}

/* What becomes of the cells whose winner a form does not have. */
struct replaced {
    int cells, left, known; /* all; those that nothing else is there for; those of which the loss is known */
    double loss;            /* of the known ones together */
};

static struct replaced replace(const struct star_grid *grid, int method, const bool *available)
{
    struct replaced replaced = {0};
    for (int cell = 0; cell < grid->rows * grid->columns; cell++) {
        if (grid->winner[cell] != method)
            continue;
        int other = star_export_choose(grid, cell, available);
        double penalty = other < 0 ? NAN : star_grid_penalty(grid, cell, other);
        replaced.cells++;
        replaced.left += other < 0;
        replaced.known += !isnan(penalty);
        replaced.loss += isnan(penalty) ? 0 : penalty;
    }
    return replaced;
}

void star_export_remark(const struct star_grid *grid, int method, const bool *available, const char *cannot,
                        const char *that, struct star_text *remarks)
{
    char name[STAR_METHOD_TEXT];
    struct replaced replaced = replace(grid, method, available);
    bool some = replaced.left < replaced.cells;
    if (replaced.cells == 0)
        return;
    star_text_add(remarks, "%s %s: %d of %d cells",
                  star_method_format(&grid->of->method[method], name, sizeof name), cannot, replaced.cells,
                  grid->rows * grid->columns);
    if (some)
        star_text_add(remarks, " get the fastest that %s", that);
    if (replaced.known > 0)
        star_text_add(remarks, ", %.1f %% slower on average", 100 * replaced.loss / replaced.known);
    if (replaced.left > 0)
        star_text_add(remarks, "%s %d left to the library", some ? ";" : ",", replaced.left);
    star_text_add(remarks, "\n");
}

/* What is lost by a method that has no name there. */
static void remark(const struct star_foreign *foreign, const struct star_grid *grid,
                   const struct names *names, int method, struct star_text *remarks)
{
    char cannot[100];
    snprintf(cannot, sizeof cannot, "is not in %s%s", foreign->library,
             find(foreign, &grid->of->method[method]) ? " for all operators (--commutative)" : "");
    if (!names->available[method])
        star_export_remark(grid, method, names->available, cannot, "is", remarks);
}

static int fill(const struct star_foreign *foreign, const struct star_export_request *request,
                struct star_foreign_rules *rules, struct star_text *remarks)
{
    const struct star_grid *grid = &rules->grid;
    struct names names = {calloc((size_t)grid->methods, sizeof *names.of),
                          calloc((size_t)grid->methods, sizeof *names.available)};
    int cells = grid->rows * grid->columns;
    rules->cell = calloc((size_t)cells, sizeof *rules->cell);
    bool good = names.of && names.available && rules->cell;
    if (good) {
        find_names(foreign, request, grid, &names);
        for (int cell = 0; cell < cells; cell++) {
            int method = star_export_choose(grid, cell, names.available);
            rules->cell[cell] = method < 0 ? (struct star_foreign_cell){NULL, 0} : names.of[method];
            rules->any = rules->any || rules->cell[cell].method != NULL;
        }
        for (int method = 0; method < grid->methods; method++)
            remark(foreign, grid, &names, method, remarks);
    }
    free(names.of);
    free(names.available);
    return good ? 0 : STAR_EMEMORY;
}

int star_foreign_rules_make(const struct star_foreign *foreign, const struct star_export_request *request,
                            enum star_operation operation, struct star_foreign_rules *rules,
                            struct star_text *remarks, struct star_why *why)
{
    *rules = (struct star_foreign_rules){.operation = operation};
    int error = star_grid_make_exact(request->map, operation, &rules->grid, why);
    if (error)
        return error;
    error = fill(foreign, request, rules, remarks);
    if (error)
        star_foreign_rules_free(rules);
    return error ? star_because(why, error, "out of memory for the rules of %s",
                                star_operations[operation].name)
                 : 0;
}

/* Does one rule do for the whole row? */
static bool is_level(const struct star_foreign_rules *rules, int row)
{
    int at = 0;
    star_foreign_next_run(rules, row, &at);
    return at == rules->grid.columns;
}

bool star_foreign_rules_go_by_bytes(const struct star_foreign_rules *rules)
{
    for (int row = 0; row < rules->grid.rows; row++)
        if (!is_level(rules, row))
            return true;
    return false;
}

void star_foreign_rules_level(const struct star_foreign *foreign, struct star_foreign_rules *rules,
                              struct star_text *remarks)
{
    const struct star_grid *grid = &rules->grid;
    int cleared = 0;
    rules->any = false;
    for (int row = 0; row < grid->rows; row++) {
        struct star_foreign_cell *cells = &rules->cell[star_grid_cell(grid, row, 0)];
        if (!is_level(rules, row)) {
            memset(cells, 0, (size_t)grid->columns * sizeof *cells);
            cleared++;
        }
        rules->any = rules->any || cells->method != NULL;
    }
    if (cleared > 0)
        star_text_add(
            remarks,
            "%s cannot go by bytes in %s's rules, and in the map it does: %d of %d numbers of ranks "
            "left to the library\n",
            star_operations[rules->operation].name, foreign->library, cleared, grid->rows);
}

void star_foreign_rules_free(struct star_foreign_rules *rules)
{
    star_grid_free(&rules->grid);
    free(rules->cell);
    rules->cell = NULL;
}

/* Several of our methods may have one name there. */
static bool is_same_rule(const struct star_foreign_cell *a, const struct star_foreign_cell *b)
{
    bool same = a->method == b->method ||
                (a->method != NULL && b->method != NULL && strcmp(a->method->name, b->method->name) == 0);
    return same && a->segment == b->segment;
}

struct star_foreign_run star_foreign_next_run(const struct star_foreign_rules *rules, int row, int *at)
{
    const struct star_grid *grid = &rules->grid;
    const struct star_foreign_cell *cells = &rules->cell[star_grid_cell(grid, row, 0)];
    int first = *at, end = first + 1;
    while (end < grid->columns && is_same_rule(&cells[end], &cells[first]))
        end++;
    *at = end;
    return (struct star_foreign_run){cells[first], first > 0 ? grid->by_bytes.last[first - 1] + 1 : 0,
                                     grid->by_bytes.last[end - 1]};
}

int64_t star_foreign_total(const struct star_foreign_rules *rules, int row, int64_t bytes)
{
    int64_t blocks = star_operation_blocks(rules->operation, rules->grid.ranks[row]);
    return bytes > INT64_MAX / blocks ? INT64_MAX : bytes * blocks;
}

int64_t star_foreign_least_ranks(const struct star_foreign_rules *rules, int row)
{
    return row > 0 ? rules->grid.by_ranks.last[row - 1] + 1 : 1;
}
