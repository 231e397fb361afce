/* SPDX-License-Identifier: BSD-3-Clause
 * Maps in other libraries' methods. They have fewer: where the map's winner is not among them, the fastest
 * that is takes its place, by the map's times; remarks say where and what it costs. */
#pragma once

#include "map/export/export.h"

/* A method of another library: which of ours it is. */
struct star_foreign_method {
    const char *ours; /* a method's spelling; a segment there stands for all segments */
    const char *name;
    int number;
    bool segments; /* the rules can say how long a segment is */
};

struct star_foreign {
    const char *library; /* as maps of it begin to name their MPI */
    const struct star_foreign_method *methods;
    int count;
    /* Those of ours that are right there for commutative operators only, and that the library would run for
     * others, too, if a rule said so; NULL ends them. */
    const char *const *commutative;
};
/* What another library is to do at a cell. NULL: what it does by itself. */
struct star_foreign_cell {
    const struct star_foreign_method *method;
    int64_t segment;
};

/* One operation of a map in another library's methods. */
struct star_foreign_rules {
    enum star_operation operation;
    struct star_grid grid;
    struct star_foreign_cell *cell; /* rows × columns */
    bool any;                       /* some cell has a method */
};

/* REMARKS gets a line for each method that has no name there. Errors: as star_grid_make_exact. */
int star_foreign_rules_make(const struct star_foreign *foreign, const struct star_export_request *request,
                            enum star_operation operation, struct star_foreign_rules *rules,
                            struct star_text *remarks, struct star_why *why);
/* Are there other rules for other bytes of the same ranks? */
bool star_foreign_rules_go_by_bytes(const struct star_foreign_rules *rules);
/* For a library whose rules cannot go by an operation's bytes: where the rules for a number of ranks do, they
 * become the library's own choice, and REMARKS gets a line. */
void star_foreign_rules_level(const struct star_foreign *foreign, struct star_foreign_rules *rules,
                              struct star_text *remarks);
void star_foreign_rules_free(struct star_foreign_rules *rules);

/* The rules of one row: from column *AT on, up to before the one that *AT becomes. */
struct star_foreign_run {
    struct star_foreign_cell cell;
    int64_t least, last; /* bytes */
};
struct star_foreign_run star_foreign_next_run(const struct star_foreign_rules *rules, int row, int *at);
/* BYTES of all ranks together, where the operation measures those of a pair or a rank. Rules are by ranges of
 * ranks, so that they are those of the row's own number of ranks. */
int64_t star_foreign_total(const struct star_foreign_rules *rules, int row, int64_t bytes);
/* The least number of ranks of a row. */
int64_t star_foreign_least_ranks(const struct star_foreign_rules *rules, int row);

/* For a form that has only the methods that are AVAILABLE: the cell's winner, or, where it lacks that, the
 * fastest that it has and that works for so many ranks; −1: none. */
int star_export_choose(const struct star_grid *grid, int cell, const bool *available);
/* If METHOD wins somewhere, a line: its name, CANNOT, how many cells get "the fastest that", THAT, and what
 * is lost. */
void star_export_remark(const struct star_grid *grid, int method, const bool *available, const char *cannot,
                        const char *that, struct star_text *remarks);
