/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "place/key.h"
#include "runtime/advice.h"
#include "runtime/agree.h"
#include "runtime/leave.h"
#include "runtime/machine.h"
#include "runtime/making.h"
#include "runtime/nodes.h"
#include "runtime/program.h"
#include "runtime/runners.h"
#include "runtime/seats.h"
#include "runtime/session.h"
#include "runtime/state.h"
#include "runtime/summary.h"
#include "runtime/warn.h"
#include "subject/tell.h"
#include "util/clock.h"
#include "util/file_write.h"
#include "util/kept.h"
#include "util/settings.h"
#include "util/text.h"
#include "util/version.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool star_report_is_wanted(void)
{
    return star_runtime.settings.report[0] != 0 || star_runtime.settings.reports > 0;
}

static void add_memory(struct star_text *text, const struct star_context *context)
{
    star_json_add(text, "memory_bytes: {context: %jd, plan: %jd}", (intmax_t)star_context_bytes(context),
                  context->runner ? (intmax_t)star_shared_runner_bytes(context->runner) : 0);
}

/* How far apart the ranks' times are, once a method is chosen. */
static void add_waits(struct star_text *text, const struct star_context *context)
{
    double calls = (double)context->judged;
    if (context->judged == 0)
        return;
    star_json_add(text, "ranks_seconds_per_call: {mean: %g, most: %g, least: %g, calls: %jd}",
                  context->waits.mean / calls, context->waits.most / calls, context->waits.least / calls,
                  context->judged);
}

static void add_place(struct star_text *text, const struct star_record *record,
                      const struct star_context *context)
{
    if (record->site[0])
        star_json_string(text, "site", record->site);
    star_json_string(text, "caller", context->caller);
    if (context->module != NULL)
        star_json_string(text, "module", context->module);
}

void star_report_context(struct star_text *text, const struct star_communicator *state,
                         const struct star_context *context)
{
    struct star_record record = star_record_of(state, context);
    star_text_add(text, ",\n"); /* before each, so that the texts of several ranks can be put together */
    star_json_add(text, "{operation: %s", star_operations[record.operation].name);
    if (record.bytes >= 0)
        star_json_integer(text, "bytes", record.bytes);
    star_json_integer(text, "ranks", record.ranks);
    if (state->open)
        star_json_integer(text, "nodes", star_nodes_count(state->node, state->size));
    star_json_add(text, "in_place: %i, commutative: %i", record.in_place, context->facts.commutative);
    add_place(text, &record, context);
    star_subject_tell(text, &context->subject, &record.balance);
    star_json_integer(text, "pruned", context->pruned);
    add_memory(text, context);
    add_waits(text, context);
    star_subject_tell_course(text, &context->subject);
    star_json_close(text, '}');
}

/* As wisdom knows it: what is measured on one holds for the other where their names are equal. */
static void add_machine(struct star_text *text)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = 0;
    star_json_add(text, "mpi: %s, machine: %s", library, star_machine_name());
}

static void add_program(struct star_text *text)
{
    enum { PROGRAM_MOST = 200 };
    char words[PROGRAM_MOST];
    star_program_words(words, sizeof words);
    star_json_string(text, "program", words);
}

/* Where ranks ran, for those who compare: on which of several hosts. */
static void add_placement(struct star_text *text)
{
    enum { RANKS_MOST = 4096 };
    struct star_ranks_seats seats;
    struct star_text hosts = {0};
    int ranks = star_runtime.world_size;
    if (ranks > RANKS_MOST)
        return;
    if (star_seats_find(star_all(), ranks, &seats))
        star_placement_write(seats.topology, seats.machine, ranks, &hosts);
    star_seats_free(&seats);
    if (hosts.length > 0 && !hosts.failed)
        star_json_string(text, "placement", hosts.bytes);
    star_text_free(&hosts);
}

static void add_settings(struct star_text *text)
{
    char value[STAR_SETTING_TEXT];
    star_json_open(text, "settings", '{');
    for (int i = 0; i < star_setting_count; i++)
        star_json_string(text, star_setting_table[i].name,
                         star_setting_now(star_setting_table[i].name, value, sizeof value));
    star_json_close(text, '}');
}

/* Each object has a comma in front; the first loses it. */
static void add_objects(struct star_text *text, const char *key, const struct star_text *objects)
{
    star_json_open(text, key, '[');
    if (objects->length > 0)
        star_text_append(text, objects->bytes + 1, objects->length - 1);
    star_json_close(text, ']');
}

/* Calls of sizes that have no context, of which no time is known, and those of minor contexts. */
static void add_others(struct star_text *text, const struct star_record *records, int count)
{
    star_json_open(text, "others", '[');
    for (int i = 0; i < count; i++) {
        if (records[i].bytes != STAR_OTHER_SIZES)
            continue;
        star_json_add(text, "{operation: %s, ranks: %jd, calls: %jd",
                      star_operations[records[i].operation].name, (intmax_t)records[i].ranks,
                      records[i].balance.calls);
        if (records[i].early)
            star_json_number(text, "seconds", records[i].balance.seconds);
        star_json_close(text, '}');
    }
    star_json_close(text, ']');
}

/* What the setting `verify` has found. */
static void add_verified(struct star_text *text, const struct star_verified *records, int count)
{
    star_json_open(text, "verified", '[');
    for (int i = 0; i < count; i++)
        star_json_add(text,
                      "{method: %s, first_uses: %jd, wrong: %jd, within_rounding: %jd, "
                      "result_not_compared: %jd, not_verified: %jd}",
                      records[i].method, (intmax_t)records[i].uses, (intmax_t)records[i].wrong,
                      (intmax_t)records[i].rounded, (intmax_t)records[i].around, (intmax_t)records[i].unable);
    star_json_close(text, ']');
}

static void add_head(struct star_text *text, const struct star_balance *all)
{
    star_json_string(text, "startune", STAR_VERSION);
    add_machine(text);
    add_program(text);
    star_json_add(text,
                  "date: %jd, seconds: %g, ranks: %d, saved_seconds: %g, saved_low_seconds: %g, "
                  "saved_high_seconds: %g",
                  (intmax_t)time(NULL), (double)(star_since(star_runtime.began)) * 1e-9,
                  star_runtime.world_size, all->saved, all->saved - all->error, all->saved + all->error);
}

/* Among those of the user's last runs. Without a home there is no place for it, and no need of a word. */
static void keep_report(const struct star_text *text)
{
    char folder[STAR_SETTING_TEXT];
    struct star_why why;
    int most = (int)star_runtime.settings.reports;
    if (most == 0 || star_kept_folder(folder, sizeof folder, NULL))
        return;
    if (star_kept_add(folder, text->bytes, text->length, most, &why) == STAR_ESYSTEM)
        star_warn(STAR_WARN_REPORT, 0, "the report is not kept: %s", why.text);
}

/* ALL has merged records; SAVED is of the run. */
static void write_report(const struct star_ledger *all, const struct star_balance *saved)
{
    const struct star_record *records = (const struct star_record *)(const void *)all->records.bytes;
    const struct star_verified *verified = (const struct star_verified *)(const void *)all->verified.bytes;
    int count = (int)(all->records.length / sizeof *records);
    struct star_text text = {0};
    struct star_why why;
    const char *path = star_runtime.settings.report;
    star_json_open(&text, NULL, '{');
    add_head(&text, saved);
    add_placement(&text);
    add_settings(&text);
    add_objects(&text, "contexts", &all->contexts);
    add_objects(&text, "requests", &all->requests);
    add_objects(&text, "nonblocking", &all->begun);
    if (all->matrix.length > 0)
        add_objects(&text, "matrix", &all->matrix);
    add_others(&text, records, count);
    if (star_runtime.settings.verify)
        add_verified(&text, verified, (int)(all->verified.length / sizeof *verified));
    star_json_integer(&text, "left_out", all->left_out);
    star_json_close(&text, '}');
    star_text_add(&text, "\n");
    int error = text.failed ? star_because(&why, STAR_EMEMORY, "out of memory") : 0;
    if (!error && path[0])
        error = star_file_write_soon(path, text.bytes, text.length, &why);
    if (error)
        star_warn(STAR_WARN_REPORT, 0, "the report cannot be written: %s", why.text);
    if (!text.failed)
        keep_report(&text);
    star_text_free(&text);
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct star_record *)a)->balance.seconds,
           y = ((const struct star_record *)b)->balance.seconds;
    return (x < y) - (x > y);
}

/* Those of one kind become one; returns how many there are. */
static int merge_records(struct star_text *text)
{
    struct star_record *records = (struct star_record *)(void *)text->bytes;
    int gathered = (int)(text->length / sizeof *records), count = 0;
    for (int i = 0; i < gathered; i++)
        count = star_records_add(records, count, &records[i]);
    if (count > 0)
        qsort(records, (size_t)count, sizeof *records, by_seconds);
    text->length = (size_t)count * sizeof *records;
    return count;
}

static int merge_verified(struct star_text *text)
{
    struct star_verified *records = (struct star_verified *)(void *)text->bytes;
    int gathered = (int)(text->length / sizeof *records), count = 0;
    for (int i = 0; i < gathered; i++)
        count = star_verified_add(records, count, &records[i]);
    text->length = (size_t)count * sizeof *records;
    return count;
}

/* Is native's time known for nearly all calls? */
static bool are_counted(const struct star_record *records, int count)
{
    enum { NEARLY = 10 };
    int64_t calls = 0, unknown = 0;
    for (int i = 0; i < count; i++) {
        calls += records[i].balance.calls;
        unknown += records[i].balance.unknown_calls;
    }
    return unknown * NEARLY <= calls;
}

/* A run may lose so much more, or less, than what startune itself took on a rank within it: a stopwatch
 * tells, which it has not. All of what was taken before is lost. */
static const double doubted = 0.9;

void star_report_collect(struct star_ledger *ledger, struct star_text *warnings, struct star_text *lines)
{
    struct star_balance *own = &ledger->own;
    struct star_text *const texts[] = {
        &ledger->records, &ledger->verified, &ledger->contexts, &ledger->requests,
        &ledger->matrix,  &ledger->begun,    warnings,          lines};
    double spent = (double)star_runtime.spent * 1e-9, within = spent - (double)star_runtime.before * 1e-9;
    double sums[] = {(double)ledger->left_out,          own->saved - spent, own->error,
                     ledger->unsure + doubted * within, own->known,         (double)ledger->compared,
                     (double)ledger->unchecked};
    double ranks = (double)star_runtime.world_size;
    star_agree_collect(texts, sizeof texts / sizeof(struct star_text *), sums, sizeof sums / sizeof *sums);
    ledger->left_out = (int64_t)sums[0];
    own->saved = sums[1] / ranks;
    own->error = sums[2] / ranks;
    ledger->unsure = sums[3] / ranks;
    own->known = sums[4] > 0;
    ledger->compared = (int64_t)sums[5];
    ledger->unchecked = (int64_t)sums[6];
    star_runtime.spent = 0; /* it is counted */
}

/* By UNSURE to both sides, but no more can be lost than the run took. */
static void widen(struct star_balance *told, double unsure)
{
    double run = (double)star_since(star_runtime.began) * 1e-9;
    double high = told->saved + told->error + unsure;
    double low = fmin(fmax(told->saved - told->error - unsure, -run), high);
    told->saved = (low + high) / 2;
    told->error = (high - low) / 2;
}

void star_report_tell(struct star_ledger *ledger)
{
    struct star_balance *own = &ledger->own;
    double spent = (double)star_runtime.spent * 1e-9;
    own->saved -= spent;
    ledger->unsure += doubted * spent;
    struct star_balance told = *own;
    widen(&told, ledger->unsure);
    int count = merge_records(&ledger->records), verified = merge_verified(&ledger->verified);
    const struct star_record *records = (const struct star_record *)(const void *)ledger->records.bytes;
    if (star_runtime.settings.summary)
        star_summary_write(records, count, &told);
    if (star_runtime.settings.summary)
        star_advice_say(&ledger->matrix);
    if (star_runtime.settings.summary && star_runtime.settings.verify)
        star_summary_write_verified((const struct star_verified *)(const void *)ledger->verified.bytes,
                                    verified);
    if (star_runtime.settings.summary && star_runtime.settings.checked)
        star_summary_write_checked(ledger->compared, ledger->unchecked);
    if (star_report_is_wanted())
        write_report(ledger, &told);
    star_leave_note(own, &told, are_counted(records, count), count == 0);
}
