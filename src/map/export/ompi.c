/* SPDX-License-Identifier: BSD-3-Clause
 * Open MPI's rules for its component `tuned`: the classic file, which 4.1 and 5.0 read, and the JSON of 6.x.
 * Both name the collective, then communicator sizes, then message sizes; in the classic file each holds up to
 * the next. */
#include "map/export/export.h"
#include "map/export/foreign.h"

#include <limits.h>

static const struct star_foreign_method methods[] = {
    {"alltoall:simple", "linear", 1, false},
    {"alltoall:linear", "linear", 1, false},
    {"alltoall:ring", "pairwise", 2, false},
    {"alltoall:bruck", "modified_bruck", 3, false},
    {"alltoallv:simple", "basic_linear", 1, false},
    {"alltoallv:linear", "basic_linear", 1, false},
    {"alltoallv:ring", "pairwise", 2, false},
    {"allgather:bruck", "bruck-k-fanout", 2, false},
    {"allgather:rdb", "recursive_doubling", 3, false},
    {"allgather:neighbor_ring", "ring", 4, false},
    {"allgather:neighbor_exchange", "neighbor", 5, false},
    {"allreduce:as_reduce_bcast", "nonoverlapping", 2, false},
    {"allreduce:rdb", "recursive_doubling", 3, false},
    {"allreduce:ring", "ring", 4, false},
    {"allreduce:rab1", "rabenseifner", 6, false},
    {"bcast:linear", "basic_linear", 1, false},
    {"bcast:chain", "pipeline", 3, true},
    {"bcast:split_binary", "split_binary_tree", 4, true},
    {"bcast:binary", "binary_tree", 5, true},
    {"bcast:binomial", "binomial", 6, true},
    {"bcast:scatter_rdb_allgather", "scatter_allgather", 8, false},
    {"bcast:scatter_ring_allgather", "scatter_allgather_ring", 9, false},
    {"reduce:linear", "linear", 1, false},
    {"reduce:chain", "pipeline", 3, true},
    {"reduce:binary", "binary", 4, true},
    {"reduce:binomial", "binomial", 5, true},
    {"reduce:in_order_binary", "in-order_binary", 6, true},
    {"reduce:reduce_scatter_gather", "rabenseifner", 7, false},
    {"reduce_scatter:halving", "recursive_halving", 2, false},
    {"reduce_scatter:ring", "ring", 3, false},
    {"reduce_scatter:butterfly", "butterfly", 4, false},
    {"reduce_scatter_block:halving", "recursive_halving", 3, false},
    {"reduce_scatter_block:butterfly", "butterfly", 4, false},
    {"gather:linear", "basic_linear", 1, false},
    {"gather:knomial", "binomial", 2, false},
    {"scatter:linear", "linear_nb", 3, false},
    {"scatter:knomial", "binomial", 2, false},
    {"barrier:linear", "linear", 1, false},
    {"barrier:double_ring", "double_ring", 2, false},
    {"barrier:recursive_doubling", "recursive_doubling", 3, false},
    {"barrier:dissemination", "bruck", 4, false},
    {"barrier:binomial", "tree", 6, false},
};
/* A rule is obeyed whatever the operator is, and these combine the ranks' vectors in their own order. */
static const char *const commutative[] = {"allreduce:ring",
                                          "reduce:chain",
                                          "reduce:binary",
                                          "reduce:binomial",
                                          "reduce_scatter:halving",
                                          "reduce_scatter:ring",
                                          NULL};
static const struct star_foreign openmpi = {"Open MPI", methods, sizeof methods / sizeof *methods,
                                            commutative};

/* The numbers of collectives. Not here: what has no choice there, and allgatherv, whose size is counted in
 * different ways by different releases. Alltoallv's rules are looked up with a size of 0, always;
 * gather's and scatter's by each rank's own send count and type, which do not count on a root in place, or on
 * all but the root: by size, ranks would run different algorithms. */
static const struct collective {
    enum star_operation operation;
    int number;
    bool level; /* one rule for all sizes, or none */
} collectives[] = {
    {STAR_ALLGATHER, 0, false},       {STAR_ALLREDUCE, 2, false},
    {STAR_ALLTOALL, 3, false},        {STAR_ALLTOALLV, 4, true},
    {STAR_BARRIER, 6, false},         {STAR_BCAST, 7, false},
    {STAR_GATHER, 9, true},           {STAR_REDUCE, 11, false},
    {STAR_REDUCE_SCATTER, 12, false}, {STAR_REDUCE_SCATTER_BLOCK, 13, false},
    {STAR_SCATTER, 15, true},
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

static const struct collective *collective_of(enum star_operation operation)
{
    for (int i = 0; i < COLLECTIVES; i++)
        if (collectives[i].operation == operation)
            return &collectives[i];
    return NULL;
}

static void write_classic(const struct collective *collective, const struct star_foreign_rules *rules,
                          struct star_text *text)
{
    star_text_add(text, "%d # %s\n%d # communicator sizes\n", collective->number,
                  star_operations[rules->operation].name, rules->grid.rows);
    for (int row = 0; row < rules->grid.rows; row++) {
        struct star_text lines = {0};
        int runs = 0;
        for (int at = 0; at < rules->grid.columns; runs++) {
            struct star_foreign_run run = star_foreign_next_run(rules, row, &at);
            star_text_add(&lines, "%lld %d 0 %lld # from so many bytes on: %s\n",
                          (long long)star_foreign_total(rules, row, run.least),
                          run.cell.method ? run.cell.method->number : 0, (long long)run.cell.segment,
                          run.cell.method ? run.cell.method->name : "the library's choice");
        }
        star_text_add(text, "%lld # ranks or more\n%d # message sizes\n",
                      (long long)star_foreign_least_ranks(rules, row), runs);
        star_text_append(text, lines.bytes ? lines.bytes : "", lines.length);
        text->failed = text->failed || lines.failed;
        star_text_free(&lines);
    }
}

static void json_run(const struct star_foreign_rules *rules, int row, const struct star_foreign_run *run,
                     struct star_text *text)
{
    star_text_add(text, "\n   {");
    star_json_integer(text, "msg_size_min", star_foreign_total(rules, row, run->least));
    if (run->last < INT64_MAX)
        star_json_integer(text, "msg_size_max", star_foreign_total(rules, row, run->last + 1) - 1);
    star_json_string(text, "alg", run->cell.method->name);
    if (run->cell.segment > 0)
        star_json_integer(text, "seg_size", run->cell.segment);
    star_json_close(text, '}');
}

/* What has no rule is the library's own choice. */
static void write_json(const struct collective *collective, const struct star_foreign_rules *rules,
                       struct star_text *text)
{
    (void)collective;
    star_text_add(text, "\n \"%s\": [", star_operations[rules->operation].name);
    for (int row = 0; row < rules->grid.rows; row++) {
        int64_t last = rules->grid.by_ranks.last[row];
        bool first = true;
        star_text_add(text, row > 0 ? ",\n  " : "\n  ");
        star_text_add(text, "{\"comm_size_min\": %lld", (long long)star_foreign_least_ranks(rules, row));
        if (last <= INT_MAX)
            star_text_add(text, ", \"comm_size_max\": %lld", (long long)last);
        star_text_add(text, ", \"rules\": [");
        for (int at = 0; at < rules->grid.columns;) {
            struct star_foreign_run run = star_foreign_next_run(rules, row, &at);
            if (run.cell.method == NULL)
                continue;
            star_text_add(text, first ? "" : ",");
            json_run(rules, row, &run, text);
            first = false;
        }
        star_text_add(text, "]}");
    }
    star_json_close(text, ']');
}

/* The reader takes allgather's bytes from the send arguments, which MPI ignores in place. */
static void remark_in_place(const struct star_foreign_rules *rules, struct star_text *remarks)
{
    if (rules->operation == STAR_ALLGATHER && star_foreign_rules_go_by_bytes(rules))
        star_text_add(remarks, "allgather in place runs by the send count and type, which programs leave 0 "
                               "there: by the rule for the fewest bytes\n");
}

/* Calls WRITE for each operation that can be told, with a comma between where SEPARATED; returns how many, or
 * an error. */
static int write_each(const struct star_export_request *request, struct star_text *text,
                      struct star_text *remarks,
                      void (*write)(const struct collective *collective,
                                    const struct star_foreign_rules *rules, struct star_text *text),
                      bool separated, struct star_why *why)
{
    int written = 0;
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        const struct collective *collective = collective_of((enum star_operation)i);
        struct star_foreign_rules rules;
        if (request->map->of[i].points == 0)
            continue;
        if (collective == NULL) {
            star_text_add(remarks, "%s cannot be told to Open MPI\n", star_operations[i].name);
            continue;
        }
        int error = star_foreign_rules_make(&openmpi, request, (enum star_operation)i, &rules, remarks, why);
        if (error)
            return error;
        if (collective->level)
            star_foreign_rules_level(&openmpi, &rules, remarks);
        remark_in_place(&rules, remarks);
        if (rules.any && separated && written > 0)
            star_text_add(text, ",");
        if (rules.any)
            write(collective, &rules, text);
        written += rules.any;
        star_foreign_rules_free(&rules);
    }
    return written;
}

static int write_ompi(const struct star_export_request *request, struct star_text *text,
                      struct star_text *remarks, struct star_why *why)
{
    struct star_text body = {0};
    int written = write_each(request, &body, remarks, write_classic, false, why);
    if (written >= 0) {
        star_text_add(text, "%d # collectives\n", written);
        star_text_append(text, body.bytes ? body.bytes : "", body.length);
    }
    text->failed = text->failed || body.failed;
    star_text_free(&body);
    return written < 0 ? written : 0;
}

static int write_ompi6(const struct star_export_request *request, struct star_text *text,
                       struct star_text *remarks, struct star_why *why)
{
    star_text_add(text, "{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {");
    int written = write_each(request, text, remarks, write_json, true, why);
    star_text_add(text, "}}\n");
    return written < 0 ? written : 0;
}

const struct star_export star_export_ompi = {write_ompi};
const struct star_export star_export_ompi6 = {write_ompi6};
