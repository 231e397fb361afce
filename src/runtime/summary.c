/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/summary.h"
#include "algorithms/operations.h"
#include "plot/table.h"
#include "runtime/call.h"
#include "runtime/nodes.h"
#include "runtime/places.h"
#include "runtime/session.h"
#include "subject/balance.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/voice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "1.20 ± 0.30 s" has the unit of the larger one. */
static const char *format_saved(const struct star_balance *balance, char *text, size_t room)
{
    double saved = fabs(balance->saved), most = fmax(saved, balance->error);
    const struct star_time_unit *unit = star_time_unit(most);
    double scaled = most / unit->seconds;
    int digits = scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
    snprintf(text, room, "%.*f ± %.*f %s", digits, saved / unit->seconds, digits,
             balance->error / unit->seconds, unit->name);
    return text;
}

static const struct star_column columns[] = {
    {"operation", "operation", STAR_AS_WORDS}, {"bytes", "bytes", STAR_AS_SIZES},
    {"ranks", "ranks", STAR_AS_SIZES},         {"calls", "calls", STAR_AS_COUNTS},
    {"method", "method", STAR_AS_WORDS},       {"chosen", "its time", STAR_AS_TIMES},
    {"native", "native's", STAR_AS_TIMES},     {"saved", "saved", STAR_AS_SIGNED_TIMES},
    {"error", "± (95 %)", STAR_AS_TIMES},      {"where", "", STAR_AS_WORDS}};

/* The mean; or WORD where there were no calls. */
static void add_mean(struct star_table *table, double seconds, int64_t calls, const char *word)
{
    if (calls > 0)
        star_table_numbers(table, seconds / (double)calls);
    else
        star_table_words(table, "%s", word);
}

static void add_row(struct star_table *table, const struct star_record *r)
{
    char bytes[32];
    const struct star_balance *balance = &r->balance;
    star_table_words(table, "%s", r->pattern[0] ? r->pattern : star_operations[r->operation].name);
    star_table_words(table, "%s",
                     r->bytes == STAR_BYTES_UNKNOWN ? "varies"
                     : r->bytes == STAR_OTHER_SIZES ? "others"
                                                    : star_format_bytes(r->bytes, bytes, sizeof bytes));
    bool counts =
        r->communicators > 1 && r->bytes != STAR_OTHER_SIZES; /* else contexts of one may be several */
    star_table_words(table, counts ? "%d x%d" : "%d", r->ranks, r->communicators);
    star_table_numbers(table, balance->calls);
    star_table_words(table, "%s", r->method[0] ? r->method : "native, or the nearest size's");
    add_mean(table, balance->chosen_seconds, balance->chosen_calls, "-");
    add_mean(table, balance->native_seconds, balance->native_calls, balance->remembered ? "remembered" : "-");
    add_mean(table, balance->saved, balance->known, "-");
    add_mean(table, balance->error, balance->known, "-");
    star_table_words(table, "%s%s%s", r->in_place ? "in place" : "", r->in_place && r->site[0] ? "  " : "",
                     r->site);
}

/* Where the switches would tell much, and can be found. */
static void hint_at_topology(void)
{
    enum { WORTH_IT = 4 };
    int size = star_runtime.world_size, nodes;
    bool failed;
    int *node = star_nodes_of(star_all(), size, &failed);
    nodes = failed ? 1 : star_nodes_count(node, size);
    free(node);
    if (nodes >= WORTH_IT && star_places_are_wanted())
        fprintf(
            star_voice(),
            "startune: how these %d nodes are connected is not known; mpirun … startune topo discover --keep "
            "finds it out, once, and makes more methods possible\n",
            nodes);
}

static void write_table(const struct star_record *records, int count)
{
    enum { LINES_MOST = 40 };
    char estimator[64], strategy[64];
    struct star_table table = STAR_TABLE_OF(columns);
    struct star_text text = {0};
    fprintf(star_voice(),
            "startune: strategy %s, estimator %s; times per call on rank 0 of each communicator\n",
            star_setting_now("strategy", strategy, sizeof strategy),
            star_setting_now("estimator", estimator, sizeof estimator));
    for (int i = 0; i < count && i < LINES_MOST; i++)
        add_row(&table, &records[i]);
    star_table_write(&table, &text);
    char *rest = text.failed ? NULL : text.bytes;
    for (const char *line; (line = strsep(&rest, "\n")) != NULL && rest != NULL;)
        fprintf(star_voice(), "startune: %s\n", line);
    star_text_free(&text);
    if (count > LINES_MOST)
        fprintf(star_voice(), "startune: and %d more; --report FILE has them\n", count - LINES_MOST);
}

static void write_nothing(void)
{
    char after[64];
    fprintf(
        star_voice(),
        "startune: nothing to tune: what calls took does not promise to pay for setting up, or they were no "
        "more than the setting tune-after (%s) lets pass, or settings or a warning say why they stayed "
        "native\n",
        star_setting_now("tune-after", after, sizeof after));
}

/* For which share of the calls the sum is less certain, and why. */
static void write_share(int64_t some, int64_t all, const char *what)
{
    double share = 100 * (double)some / (double)(all > 0 ? all : 1);
    if (some > 0)
        fprintf(star_voice(), ", %s%.0f %% of the calls %s", share < 1 ? "< " : "", fmax(share, 1), what);
}

static bool is_tuned(const struct star_record *record)
{
    return !record->early && record->bytes != STAR_OTHER_SIZES;
}

/* "saved 1.20 ± 0.30 s of 10.4 s", against native's time in this run or in earlier ones. */
static void write_line(const struct star_record *records, int count, const struct star_balance *all)
{
    char saved[60], run[32];
    int contexts = 0, replaced = 0;
    int64_t calls = 0, unknown = 0, remembered = 0;
    for (int i = 0; i < count; i++) {
        contexts += is_tuned(&records[i]) ? records[i].communicators : 0;
        replaced += records[i].replaced ? records[i].communicators : 0;
        calls += records[i].balance.calls;
        unknown += records[i].balance.unknown_calls;
        remembered += records[i].balance.remembered_calls;
    }
    format_saved(all, saved, sizeof saved);
    star_format_seconds((double)star_since(star_runtime.began) * 1e-9, run, sizeof run);
    if (!all->known)
        fprintf(star_voice(), "startune: native did not run, so that what was saved is not known");
    else if (star_balance_is_clear(all))
        fprintf(star_voice(), "startune: %s %s of a run of %s", all->saved < 0 ? "lost" : "saved", saved,
                run);
    else {
        char lost[32];
        star_format_seconds(all->error - all->saved, lost, sizeof lost);
        star_format_seconds(all->saved + all->error, saved, sizeof saved);
        fprintf(star_voice(), "startune: not clear: from %s lost to %s saved in a run of %s", lost, saved,
                run);
    }
    if (all->known) {
        write_share(remembered, calls, "against native's time in earlier runs");
        write_share(unknown, calls, "not counted, as native did not run");
    }
    fprintf(star_voice(), "; another method than native's in %d of %d context%s%s\n", replaced, contexts,
            contexts == 1 ? "" : "s",
            star_runtime.settings.summary == STAR_SUMMARY_FULL ? ""
            : star_runtime.settings.reports > 0                ? "; startune report tells more"
                                                               : "; --summary full tells more");
}

void star_summary_write(const struct star_record *records, int count, const struct star_balance *all)
{
    STAR_FPENV_DEFAULT;
    bool full = star_runtime.settings.summary == STAR_SUMMARY_FULL;
    int tuned = 0;
    for (int i = 0; i < count; i++)
        tuned += is_tuned(&records[i]);
    if (full && count > 0)
        write_table(records, count);
    if (tuned > 0) {
        write_line(records, count, all);
        hint_at_topology();
    } else if (full)
        write_nothing();
}

/* ", 3 of them SUFFIX", where there are any. */
static void add_count(int64_t count, const char *before, const char *behind)
{
    if (count > 0)
        fprintf(star_voice(), "%s%lld %s", before, (long long)count, behind);
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
    fprintf(star_voice(), "startune: verified: %d method%s in %lld first use%s: ", methods,
            methods == 1 ? "" : "s", (long long)all.uses, all.uses == 1 ? "" : "s");
    if (all.wrong > 0)
        fprintf(star_voice(), "%lld wrong, as warned", (long long)all.wrong);
    else
        fprintf(star_voice(), all.uses > 0 ? "all equal" : "nothing to compare");
    add_count(all.rounded, "; ", "within rounding");
    add_count(all.around, "; of ", "only what lies around the result was compared");
    add_count(all.unable, "; and ", "not verified, for want of memory");
    fprintf(star_voice(), "\n");
}

void star_summary_write_checked(int64_t calls, int64_t communicators)
{
    if (calls == 0)
        fputs("startune: checked: nothing to compare", star_voice());
    else
        fprintf(star_voice(), "startune: checked: %lld call%s, ranks' arguments fit together in all of them",
                (long long)calls, calls == 1 ? "" : "s");
    add_count(communicators, "; ", "communicators not checked, as warned");
    fprintf(star_voice(), "\n");
}
