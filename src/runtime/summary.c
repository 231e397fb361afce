/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/summary.h"
#include "algorithms/operations.h"
#include "runtime/call.h"
#include "runtime/nodes.h"
#include "runtime/places.h"
#include "runtime/records.h"
#include "runtime/session.h"
#include "util/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void summary_line(const struct star_record *r)
{
    char bytes[32], ranks[32], chosen[32] = "-", mean[32], native[40] = "-", saved[40] = "-";
    star_format_bytes(r->bytes, bytes, sizeof bytes);
    if (r->bytes == STAR_BYTES_UNKNOWN)
        snprintf(bytes, sizeof bytes, "varies");
    if (r->bytes == STAR_OTHER_SIZES)
        snprintf(bytes, sizeof bytes, "others");
    snprintf(ranks, sizeof ranks, r->communicators > 1 ? "%d x%d" : "%d", r->ranks, r->communicators);
    if (r->balance.chosen_calls > 0)
        star_format_seconds(r->balance.chosen_seconds / (double)r->balance.chosen_calls, chosen,
                            sizeof chosen);
    if (r->balance.native_calls > 0) {
        star_format_seconds(r->balance.native_seconds / (double)r->balance.native_calls, mean, sizeof mean);
        snprintf(native, sizeof native, "%s%s", mean, r->balance.native_once ? "*" : "");
        saved[0] = r->balance.saved < 0 ? '-' : '+';
        star_format_seconds(r->balance.saved < 0 ? -r->balance.saved : r->balance.saved, saved + 1,
                            sizeof saved - 1);
    }
    fprintf(stderr, "startune: %-20s %8s %8s %9lld  %-28s %9s %11s %10s%s%s%s\n",
            r->pattern[0] ? r->pattern : star_operations[r->operation].name, bytes, ranks,
            (long long)r->balance.calls, r->method[0] ? r->method : "that of the nearest size", chosen,
            native, saved, r->in_place ? "  in place" : "", r->site[0] ? "  " : "", r->site);
}

/* Where the switches would tell much, and can be found. */
static void hint_at_topology(void)
{
    enum { WORTH_IT = 4 };
    int size = star_runtime.world_size, nodes;
    bool failed;
    int *node = star_nodes_of(MPI_COMM_WORLD, size, &failed);
    nodes = failed ? 1 : star_nodes_count(node, size);
    free(node);
    if (nodes >= WORTH_IT && star_places_are_wanted())
        fprintf(
            stderr,
            "startune: how these %d nodes are connected is not known; mpirun … startune topo discover --keep "
            "finds it out, once, and makes more methods possible\n",
            nodes);
}

void star_summary_write(const struct star_record *records, int count)
{
    enum { LINES_MOST = 40 };
    char estimator[64], strategy[64];
    if (count == 0) {
        fprintf(
            stderr,
            "startune: nothing to tune: no communicator of 2 or more ranks called a tuned operation more "
            "often than the setting tune-after (%s) lets pass, or settings or a warning say why it stayed "
            "native\n",
            star_setting_now("tune-after", strategy, sizeof strategy));
        return;
    }
    fprintf(stderr, "startune: strategy %s, estimator %s; times per call on rank 0 of each communicator\n",
            star_setting_now("strategy", strategy, sizeof strategy),
            star_setting_now("estimator", estimator, sizeof estimator));
    fprintf(stderr, "startune: %-20s %8s %8s %9s  %-28s %9s %11s %10s\n", "operation", "bytes", "ranks",
            "calls", "method", "its time", "native's", "saved");
    double saved = 0;
    bool once = false, known = false;
    for (int i = 0; i < count; i++) {
        saved += records[i].balance.saved;
        once = once || records[i].balance.native_once;
        known = known || records[i].balance.native_calls > 0;
        if (i < LINES_MOST)
            summary_line(&records[i]);
    }
    if (count > LINES_MOST)
        fprintf(stderr, "startune: and %d more; --report FILE has them\n", count - LINES_MOST);
    if (once)
        fprintf(
            stderr,
            "startune: * measured once, in few calls, maybe a program's first ones: others may be faster, "
            "and less is saved then\n");
    char total[32];
    if (known)
        fprintf(stderr, "startune: in all %s %s, tuning included, against native's time in this run\n",
                star_format_seconds(saved < 0 ? -saved : saved, total, sizeof total),
                saved < 0 ? "lost" : "saved");
    else
        fprintf(stderr, "startune: native did not run, so that what was saved is not known\n");
    hint_at_topology();
}

/* ", 3 of them SUFFIX", where there are any. */
static void add_count(int64_t count, const char *before, const char *behind)
{
    if (count > 0)
        fprintf(stderr, "%s%lld %s", before, (long long)count, behind);
}

void star_summary_write_verified(const struct star_verified *records, int count)
{
    struct star_verified all = {.uses = 0};
    int methods = 0;
    for (int i = 0; i < count; i++) {
        methods += records[i].uses > 0;
        all.uses += records[i].uses;
        all.wrong += records[i].wrong;
        all.rounded += records[i].rounded;
        all.around += records[i].around;
        all.unable += records[i].unable;
    }
    fprintf(stderr, "startune: verified: %d method%s in %lld first use%s: ", methods, methods == 1 ? "" : "s",
            (long long)all.uses, all.uses == 1 ? "" : "s");
    if (all.wrong > 0)
        fprintf(stderr, "%lld wrong, as warned", (long long)all.wrong);
    else
        fprintf(stderr, all.uses > 0 ? "all equal" : "nothing to compare");
    add_count(all.rounded, "; ", "within rounding");
    add_count(all.around, "; of ", "only what lies around the result was compared");
    add_count(all.unable, "; and ", "not verified, for want of memory");
    fprintf(stderr, "\n");
}
