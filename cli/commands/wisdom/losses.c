/* SPDX-License-Identifier: BSD-3-Clause */
#include "losses.h"
#include "ask.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "cli/common/settings.h"
#include "plot/table.h"
#include "util/text.h"
#include "util/version.h"
#include "wisdom/losses.h"
#include "wisdom/where.h"

#include <string.h>
#include <time.h>

static const struct star_column columns[] = {
    {"program", "program", STAR_AS_WORDS}, {"ranks", "ranks", STAR_AS_SIZES},
    {"lost", "lost", STAR_AS_WORDS},       {"runs", "runs", STAR_AS_COUNTS},
    {"last", "last", STAR_AS_WORDS},       {"until", "left alone until", STAR_AS_WORDS},
    {"machine", "machine", STAR_AS_WORDS}};

/* What is known of the runs of one program. */
struct entry {
    struct star_loss sum;
    int runs;
    bool left;     /* alone, */
    int64_t until; /* up to this date */
};

/* Those of the program of loss I; false: it was told with an earlier one. */
static bool sum_up(const struct star_losses *losses, size_t i, struct entry *entry)
{
    const struct star_loss_run *run = &losses->at[i].run;
    struct star_losses before = {losses->at, i};
    if (star_losses_sum(&before, run, &entry->sum) > 0)
        return false;
    int64_t days = cli_settings_now.retry_after;
    entry->left = strcmp(run->version, STAR_VERSION) == 0 &&
                  star_losses_enough(losses, run, (int64_t)time(NULL), days, &entry->sum);
    entry->runs = star_losses_sum(losses, run, &entry->sum);
    entry->until = entry->sum.date + days * 86400;
    return true;
}

static void list_entry(const struct entry *entry, struct star_table *table)
{
    const double percent = 1e4;
    char day[40];
    const struct star_loss *sum = &entry->sum;
    star_table_words(table, "%s", sum->run.program);
    star_table_numbers(table, sum->run.ranks);
    star_table_words(table, "%.1f %% to %.1f %%", (double)sum->least / percent, (double)sum->most / percent);
    star_table_numbers(table, entry->runs);
    star_table_words(table, "%s", cli_format_day(sum->date, day, sizeof day));
    star_table_words(table, "%s", entry->left ? cli_format_day(entry->until, day, sizeof day) : "-");
    star_table_words(table, "%s", sum->run.machine);
}

static void json_entry(const struct entry *entry, struct star_text *text)
{
    const double all = 1e6;
    const struct star_loss *sum = &entry->sum;
    star_json_add(
        text,
        "{program: %s, machine: %s, ranks: %jd, startune: %s, runs: %d, lost_least: %g, lost_most: %g,"
        " last: %jd, left_alone: %i, until: %jd}",
        sum->run.program, sum->run.machine, (intmax_t)sum->run.ranks, sum->run.version, entry->runs,
        (double)sum->least / all, (double)sum->most / all, (intmax_t)sum->date, entry->left,
        (intmax_t)entry->until);
}

int cli_wisdom_losses(int count, char **words)
{
    (void)count, (void)words;
    char path[STAR_WISDOM_PATH];
    struct star_losses losses = {0};
    struct star_text text = {0};
    struct star_table table = STAR_TABLE_OF(columns);
    int status = cli_wisdom_where(path, sizeof path);
    if (status || !cli_load_settings())
        return status ? status : CLI_USAGE;
    star_losses_read(path, &losses);
    if (cli_wisdom_ask.json)
        star_json_open(&text, NULL, '[');
    for (size_t i = 0; i < losses.count; i++) {
        struct entry entry;
        if (!sum_up(&losses, i, &entry))
            continue;
        if (cli_wisdom_ask.json)
            json_entry(&entry, &text);
        else
            list_entry(&entry, &table);
    }
    star_table_write(&table, &text);
    if (cli_wisdom_ask.json)
        star_json_close(&text, ']');
    star_text_add(&text, "%s",
                  cli_wisdom_ask.json ? "\n"
                  : losses.count == 0 ? "no program has lost time\n"
                                      : "");
    star_losses_free(&losses);
    return cli_put(NULL, &text);
}

int cli_wisdom_forget_losses(const char *path, int64_t before, size_t *count)
{
    struct star_losses losses = {0};
    *count = 0;
    if (!star_losses_read(path, &losses))
        return CLI_OK;
    *count = star_losses_forget(&losses, cli_wisdom_ask.program, cli_wisdom_ask.machine, 0, before);
    bool written = *count == 0 || star_losses_write(path, &losses);
    star_losses_free(&losses);
    return written ? CLI_OK : cli_error("%.200s.losses cannot be written", path);
}
