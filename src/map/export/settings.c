/* SPDX-License-Identifier: BSD-3-Clause
 * Exports that are settings: UCC's tuning string, and Intel MPI's environment variables. */
#include "map/export/export.h"
#include "map/export/foreign.h"
#include "util/parse.h"

#include <ctype.h>
#include <limits.h>

static const struct star_foreign_method ucc_methods[] = {
    {"alltoall:ring", "pairwise", 0, false},       {"alltoall:bruck", "bruck", 0, false},
    {"allgather:neighbor_ring", "ring", 0, false}, {"allgather:neighbor_exchange", "neighbor", 0, false},
    {"allgather:bruck", "bruck", 0, false},        {"allgather:simple", "linear", 0, false},
    {"allreduce:rdb", "knomial", 0, false},        {"allreduce:rab1", "sra_knomial", 0, false},
    {"bcast:binomial", "knomial", 0, false},       {"bcast:scatter_rdb_allgather", "sag_knomial", 0, false},
    {"reduce:binomial", "knomial", 0, false},      {"reduce:reduce_scatter_gather", "srg", 0, false},
};
static const struct star_foreign ucc = {"UCC", ucc_methods, sizeof ucc_methods / sizeof *ucc_methods, NULL};

static const struct star_foreign_method intel_methods[] = {
    {"alltoall:bruck", "Bruck's", 1, false},
    {"alltoall:simple", "Isend/Irecv and waitall", 2, false},
    {"alltoall:linear", "Isend/Irecv and waitall", 2, false},
    {"alltoall:pair", "pair-wise exchange", 3, false},
    {"alltoall:ring", "pair-wise exchange", 3, false},
    {"allgather:rdb", "recursive doubling", 1, false},
    {"allgather:bruck", "Bruck's", 2, false},
    {"allgather:neighbor_ring", "ring", 3, false},
    {"allreduce:rdb", "recursive doubling", 1, false},
    {"allreduce:rab1", "Rabenseifner's", 2, false},
    {"allreduce:as_reduce_bcast", "reduce and bcast", 3, false},
    {"allreduce:ring", "ring", 8, false},
    {"bcast:binomial", "binomial", 1, false},
    {"bcast:scatter_rdb_allgather", "recursive doubling", 2, false},
    {"bcast:scatter_ring_allgather", "ring", 3, false},
    {"reduce:reduce_scatter_gather", "Shumilin's", 1, false},
    {"reduce:binomial", "binomial", 2, false},
    {"reduce_scatter:halving", "recursive halving", 1, false},
    {"reduce_scatter:pairwise", "pair-wise exchange", 2, false},
    {"barrier:dissemination", "dissemination", 1, false},
    {"barrier:recursive_doubling", "recursive doubling", 2, false},
};
static const struct star_foreign intel = {"Intel", intel_methods,
                                          sizeof intel_methods / sizeof *intel_methods, NULL};

/* Writes one rule of a region. FIRST: of its operation. False: there is no way to say it. */
typedef bool write_rule(const struct star_foreign_rules *rules, int row, const struct star_foreign_run *run,
                        bool first, struct star_text *text);

static bool write_ucc_rule(const struct star_foreign_rules *rules, int row,
                           const struct star_foreign_run *run, bool first, struct star_text *text)
{
    char last[32] = "inf";
    int64_t most = rules->grid.by_ranks.last[row];
    (void)first;
    /* Ranges are half open there, and of all ranks' bytes together. */
    if (run->last < INT64_MAX)
        star_format_bytes(star_foreign_total(rules, row, run->last + 1), last, sizeof last);
    star_text_add(text, "#%s:%lld-%s:host:[%lld-%lld]:inf:@%s", star_operations[rules->operation].name,
                  (long long)star_foreign_total(rules, row, run->least), last,
                  (long long)star_foreign_least_ranks(rules, row),
                  (long long)(most < INT_MAX ? most : INT_MAX), run->cell.method->name);
    return true;
}

static bool write_intel_rule(const struct star_foreign_rules *rules, int row,
                             const struct star_foreign_run *run, bool first, struct star_text *text)
{
    int64_t ranks = rules->grid.by_ranks.last[row], bytes = run->last;
    if (run->least > INT_MAX)
        return false;
    if (first) {
        star_text_add(text, "I_MPI_ADJUST_");
        for (const char *c = star_operations[rules->operation].name; *c; c++)
            star_text_add(text, "%c", toupper((unsigned char)*c));
    }
    star_text_add(text, "%s%d:%lld-%lld@%lld-%lld", first ? "=" : ";", run->cell.method->number,
                  (long long)run->least, (long long)(bytes < INT_MAX ? bytes : INT_MAX),
                  (long long)star_foreign_least_ranks(rules, row),
                  (long long)(ranks < INT_MAX ? ranks : INT_MAX));
    return true;
}

/* All regions that have a method there; the others are the library's own choice. */
static bool write_rules(const struct star_foreign_rules *rules, write_rule *write, struct star_text *text)
{
    bool first = true;
    for (int row = 0; row < rules->grid.rows; row++)
        for (int at = 0; at < rules->grid.columns;) {
            struct star_foreign_run run = star_foreign_next_run(rules, row, &at);
            if (run.cell.method != NULL && write(rules, row, &run, first, text))
                first = false;
        }
    return !first;
}

static int write_all(const struct star_foreign *foreign, const struct star_export_request *request,
                     write_rule *write, const char *after, struct star_text *text, struct star_text *remarks,
                     struct star_why *why)
{
    int error = 0;
    for (int i = 0; !error && i < STAR_OPERATIONS; i++) {
        struct star_foreign_rules rules;
        if (request->map->of[i].points == 0)
            continue;
        error = star_foreign_rules_make(foreign, request, (enum star_operation)i, &rules, remarks, why);
        if (error)
            break;
        if (write_rules(&rules, write, text))
            star_text_add(text, "%s", after);
        star_foreign_rules_free(&rules);
    }
    return error;
}

static int write_ucc(const struct star_export_request *request, struct star_text *text,
                     struct star_text *remarks, struct star_why *why)
{
    struct star_text rules = {0};
    int error = write_all(&ucc, request, write_ucc_rule, "", &rules, remarks, why);
    star_text_add(text, "UCC_TL_UCP_TUNE=%s\n", rules.length > 0 ? rules.bytes + 1 : "");
    text->failed = text->failed || rules.failed;
    star_text_free(&rules);
    return error;
}

static int write_intel(const struct star_export_request *request, struct star_text *text,
                       struct star_text *remarks, struct star_why *why)
{
    return write_all(&intel, request, write_intel_rule, "\n", text, remarks, why);
}

const struct star_export star_export_ucc = {write_ucc};
const struct star_export star_export_intel = {write_intel};
