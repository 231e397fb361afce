/* SPDX-License-Identifier: BSD-3-Clause
 * The map's rules in MPICH's tree of rules. A node of it is an object whose keys are conditions, tried in
 * turn. What a rule cannot do (other operators, in place, odd numbers of ranks) is left to the part of the
 * tree that was there. */
#include "mpich.h"
#include "algorithms/operations.h"
#include "map/export/foreign.h"
#include "util/file.h"
#include "util/text.h"
#include "util/why.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What must hold for a method. */
enum need { NEEDS_NOTHING, NEEDS_POWER_OF_TWO, NEEDS_BUILT_IN };

static const struct star_foreign_method methods[] = {
    {"alltoall:bruck", "MPIR_Alltoall_intra_brucks", NEEDS_NOTHING, false},
    {"alltoall:simple", "MPIR_Alltoall_intra_scattered", NEEDS_NOTHING, false},
    {"alltoall:linear", "MPIR_Alltoall_intra_scattered", NEEDS_NOTHING, false},
    {"alltoall:ring", "MPIR_Alltoall_intra_pairwise", NEEDS_NOTHING, false},
    {"alltoall:pair", "MPIR_Alltoall_intra_pairwise", NEEDS_NOTHING, false},
    {"allgather:bruck", "MPIR_Allgather_intra_brucks", NEEDS_NOTHING, false},
    {"allgather:rdb", "MPIR_Allgather_intra_recursive_doubling", NEEDS_POWER_OF_TWO, false},
    {"allgather:neighbor_ring", "MPIR_Allgather_intra_ring", NEEDS_NOTHING, false},
    {"allreduce:rdb", "MPIR_Allreduce_intra_recursive_doubling", NEEDS_NOTHING, false},
    {"allreduce:rab1", "MPIR_Allreduce_intra_reduce_scatter_allgather", NEEDS_BUILT_IN, false},
    {"bcast:binomial", "MPIR_Bcast_intra_binomial", NEEDS_NOTHING, false},
    {"bcast:scatter_rdb_allgather", "MPIR_Bcast_intra_scatter_recursive_doubling_allgather",
     NEEDS_POWER_OF_TWO, false},
    {"bcast:scatter_ring_allgather", "MPIR_Bcast_intra_scatter_ring_allgather", NEEDS_NOTHING, false},
    {"reduce:binomial", "MPIR_Reduce_intra_binomial", NEEDS_NOTHING, false},
    {"reduce:reduce_scatter_gather", "MPIR_Reduce_intra_reduce_scatter_gather", NEEDS_BUILT_IN, false},
};
const struct star_foreign star_foreign_mpich = {"MPICH", methods, sizeof methods / sizeof *methods, NULL};

/* The operations that can be told, and the condition under which they cannot. Of allgather, MPICH has no
 * average size, only that of all ranks together. */
static const struct collective {
    const char *not_for, *for_others;
    enum star_operation operation;
    bool total;
} collectives[] = {
    {"is_sendbuf_inplace=yes", "is_sendbuf_inplace=no", STAR_ALLTOALL, false},
    {NULL, NULL, STAR_ALLGATHER, true},
    {"is_commutative=no", "is_commutative=yes", STAR_ALLREDUCE, false},
    {NULL, NULL, STAR_BCAST, false},
    {"is_commutative=no", "is_commutative=yes", STAR_REDUCE, false},
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

static const char begin_of_tree[] = "{\"collective=";

/* Has it a rule for each blocking and nonblocking collective? A library holds other trees, too. */
static bool is_whole(const json_t *tree)
{
    return json_object_get(tree, "collective=alltoall") && json_object_get(tree, "collective=ialltoall");
}

/* The tree in the text of a library. */
static json_t *find_tree(const struct star_text *file)
{
    for (size_t at = 0; at + sizeof begin_of_tree < file->length;) {
        const char *begin =
            memmem(file->bytes + at, file->length - at, begin_of_tree, sizeof begin_of_tree - 1);
        if (begin == NULL)
            break;
        size_t length = strnlen(begin, file->length - (size_t)(begin - file->bytes));
        json_t *tree = json_loadb(begin, length, JSON_DISABLE_EOF_CHECK, NULL);
        if (is_whole(tree))
            return tree;
        json_decref(tree);
        at = (size_t)(begin - file->bytes) + length;
    }
    return NULL;
}

/* The tree of a file: all of it, with whatever spaces, or a part of a library. */
static json_t *read_tree(const struct star_text *file)
{
    json_t *tree = json_loadb(file->bytes ? file->bytes : "", file->length, 0, NULL);
    if (is_whole(tree))
        return tree;
    json_decref(tree);
    return find_tree(file);
}

/* {CONDITION: NODE}, and adds more to it. Takes NODE over. */
static void add(json_t *object, struct star_text *condition, json_t *node)
{
    if (condition->failed || json_object_set_new(object, condition->bytes, node))
        condition->failed = true;
}

static void add_if(json_t *object, const char *condition, json_t *node, bool *good)
{
    *good = *good && json_object_set_new(object, condition, node) == 0;
}

/* {"algorithm=NAME": {}}, where it may be used; else the tree that was there. */
static json_t *make_leaf(const struct star_foreign_method *method, json_t *before, bool *good)
{
    struct star_text name = {0};
    json_t *leaf = json_object(), *outer = json_object();
    star_text_add(&name, "algorithm=%s", method->name);
    add(leaf, &name, json_object());
    *good = *good && !name.failed;
    star_text_free(&name);
    if (method->number == NEEDS_POWER_OF_TWO) {
        add_if(outer, "comm_size=pow2", leaf, good);
        add_if(outer, "comm_size=any", json_deep_copy(before), good);
        return outer;
    }
    if (method->number == NEEDS_BUILT_IN) {
        json_t *counted = json_object();
        add_if(counted, "count<pow2", json_deep_copy(before), good);
        add_if(counted, "count=any", leaf, good);
        add_if(outer, "is_op_built_in=yes", counted, good);
        add_if(outer, "is_op_built_in=no", json_deep_copy(before), good);
        return outer;
    }
    json_decref(outer);
    return leaf;
}

/* The greatest number of bytes of a run, as MPICH counts them. */
static int64_t last_of(const struct star_foreign_rules *rules, int row, const struct star_foreign_run *run,
                       bool total)
{
    return total && run->last < INT64_MAX ? star_foreign_total(rules, row, run->last + 1) - 1 : run->last;
}

static json_t *make_row(const struct star_foreign_rules *rules, int row, const struct collective *collective,
                        json_t *before, bool *good)
{
    json_t *sizes = json_object();
    const char *bytes = collective->total ? "total_msg_size" : "avg_msg_size";
    for (int at = 0; at < rules->grid.columns;) {
        struct star_foreign_run run = star_foreign_next_run(rules, row, &at);
        int64_t last = last_of(rules, row, &run, collective->total);
        struct star_text condition = {0};
        if (last < INT_MAX) /* thresholds there are ints */
            star_text_add(&condition, "%s<=%lld", bytes, (long long)last);
        else
            star_text_add(&condition, "%s=any", bytes);
        add(sizes, &condition,
            run.cell.method ? make_leaf(run.cell.method, before, good) : json_deep_copy(before));
        *good = *good && !condition.failed;
        star_text_free(&condition);
        if (last >= INT_MAX)
            break;
    }
    return sizes;
}

static json_t *make_rows(const struct star_foreign_rules *rules, const struct collective *collective,
                         json_t *before, bool *good)
{
    json_t *rows = json_object();
    for (int row = 0; row < rules->grid.rows; row++) {
        struct star_text condition = {0};
        if (row + 1 < rules->grid.rows)
            star_text_add(&condition, "comm_size<=%lld", (long long)rules->grid.by_ranks.last[row]);
        else
            star_text_add(&condition, "comm_size=any");
        add(rows, &condition, make_row(rules, row, collective, before, good));
        *good = *good && !condition.failed;
        star_text_free(&condition);
    }
    return rows;
}

/* Puts the rules of one operation before what the tree has. */
static int put(const struct star_foreign_rules *rules, const struct collective *collective, json_t *tree,
               struct star_why *why)
{
    struct star_text key = {0};
    bool good = true;
    star_text_add(&key, "collective=%s", star_operations[rules->operation].name);
    json_t *own = json_object_get(tree, key.bytes ? key.bytes : "");
    json_t *before = json_object_get(own, "comm_type=intra");
    star_text_free(&key);
    if (before == NULL)
        return star_because(why, STAR_EINPUT, "the tree has no rules of %s for intra-communicators",
                            star_operations[rules->operation].name);
    json_t *rows = make_rows(rules, collective, before, &good);
    if (collective->not_for != NULL) {
        json_t *outer = json_object();
        add_if(outer, collective->not_for, json_deep_copy(before), &good);
        add_if(outer, collective->for_others, rows, &good);
        rows = outer;
    }
    add_if(own, "comm_type=intra", rows, &good);
    return good ? 0 : star_because(why, STAR_EMEMORY, "out of memory for MPICH's rules");
}

static const struct collective *collective_of(enum star_operation operation)
{
    for (int i = 0; i < COLLECTIVES; i++)
        if (collectives[i].operation == operation)
            return &collectives[i];
    return NULL;
}

static int put_all(const struct star_export_request *request, json_t *tree, struct star_text *remarks,
                   struct star_why *why)
{
    int error = 0;
    for (int i = 0; !error && i < STAR_OPERATIONS; i++) {
        struct star_foreign_rules rules;
        const struct collective *collective = collective_of((enum star_operation)i);
        if (request->map->of[i].points == 0)
            continue;
        if (collective == NULL) {
            star_text_add(remarks, "%s is not told to MPICH\n", star_operations[i].name);
            continue;
        }
        error = star_foreign_rules_make(&star_foreign_mpich, request, (enum star_operation)i, &rules, remarks,
                                        why);
        if (error)
            break;
        if (rules.any)
            error = put(&rules, collective, tree, why);
        star_foreign_rules_free(&rules);
    }
    return error;
}

int cli_export_mpich(const struct star_export_request *request, const char *base, struct star_text *text,
                     struct star_text *remarks, struct star_why *why)
{
    struct star_text file = {0};
    int error = star_file_read(base, &file, why);
    json_t *tree = error ? NULL : read_tree(&file);
    star_text_free(&file);
    if (error)
        return error;
    if (tree == NULL)
        return star_because(why, STAR_EINPUT, "%.200s holds no tree of MPICH's rules", base);
    error = put_all(request, tree, remarks, why);
    char *json = error ? NULL : json_dumps(tree, JSON_COMPACT);
    if (json != NULL)
        star_text_add(text, "%s\n", json);
    else if (!error)
        error = star_because(why, STAR_EMEMORY, "out of memory for MPICH's rules");
    free(json);
    json_decref(tree);
    return error;
}
