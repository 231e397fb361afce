/* SPDX-License-Identifier: BSD-3-Clause */
#include "runs.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "format.h"
#include "plot/table.h"
#include "report/explain.h"
#include "report/read.h"
#include "report/rows.h"
#include "util/kept.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

struct cli_report_ask cli_report_ask;

static int refuse_none(const char *folder)
{
    return cli_error("no run is kept in %s: startune run keeps them", folder);
}

static int list_kept(char *folder, size_t room, struct star_kept *kept)
{
    struct star_why why;
    *kept = (struct star_kept){0};
    int error = star_kept_folder(folder, room, &why);
    if (!error)
        error = star_kept_list(folder, kept, &why);
    return error ? cli_refuse(error, &why) : CLI_OK;
}

/* The run of the number, 1 for the last; NULL: it cannot be read. */
static json_t *kept_report(const char *folder, const struct star_kept *kept, int number, struct star_why *why)
{
    char path[PATH_MOST + STAR_KEPT_NAME];
    json_t *report;
    snprintf(path, sizeof path, "%s/%s", folder, kept->name[kept->count - number]);
    return star_report_read(path, &report, why) == 0 ? report : NULL;
}

static int by_number(const char *folder, const struct star_kept *kept, int64_t number, json_t **report)
{
    struct star_why why;
    if (number > kept->count)
        return cli_error("run %lld: %d are kept; startune report list shows them", (long long)number,
                         kept->count);
    *report = kept_report(folder, kept, (int)number, &why);
    return *report ? CLI_OK : cli_refuse(STAR_EINPUT, &why);
}

static int by_date(const char *folder, const struct star_kept *kept, const char *word, json_t **report)
{
    struct star_why why;
    for (int number = 1; number <= kept->count; number++) {
        json_t *run = kept_report(folder, kept, number, &why);
        if (run == NULL)
            continue;
        if (strncmp(star_report_date(run).text, word, strlen(word)) == 0) {
            *report = run;
            return CLI_OK;
        }
        json_decref(run);
    }
    return cli_error("'%.80s': no such file, and no run of this date is kept", word);
}

/* Of a run; a larger one begins a date. */
static bool is_number(const char *word, int64_t *number)
{
    return star_parse_integer(word, number) && *number >= 1 && *number < 1000;
}

static int from_kept(const char *word, json_t **report)
{
    char folder[PATH_MOST];
    struct star_kept kept;
    int64_t number = 1;
    int status = list_kept(folder, sizeof folder, &kept);
    if (status)
        return status;
    if (kept.count == 0)
        status = refuse_none(folder);
    else if (word == NULL || is_number(word, &number))
        status = by_number(folder, &kept, number, report);
    else
        status = by_date(folder, &kept, word, report);
    star_kept_free(&kept);
    return status;
}

int cli_report_of(const char *word, json_t **report)
{
    struct star_why why;
    int error = 0, status = CLI_OK;
    int64_t number;
    *report = NULL;
    /* A number is a run though the folder may have something of that name, as solvers' folders do. */
    bool is_file = word != NULL && !is_number(word, &number) &&
                   (strchr(word, '/') || strcmp(word, "-") == 0 || access(word, F_OK) == 0);
    if (is_file)
        error = star_report_read(word, report, &why);
    else
        status = from_kept(word, report);
    if (!error && !status)
        error = star_report_explain(*report, &why);
    if (!error)
        return status;
    json_decref(*report);
    *report = NULL;
    return cli_refuse(error, &why);
}

static const struct star_column columns[] = {
    {"run", "run", STAR_AS_COUNTS},           {"date", "date", STAR_AS_WORDS},
    {"ranks", "ranks", STAR_AS_COUNTS},       {"seconds", "time", STAR_AS_TIMES},
    {"saved", "saved", STAR_AS_SIGNED_TIMES}, {"program", "program", STAR_AS_WORDS}};

static void list_row(struct star_table *table, int number, const json_t *run, const struct star_why *why)
{
    star_table_numbers(table, number);
    star_table_words(table, "%s", run ? star_report_date(run).text : "damaged");
    star_table_numbers(table, run ? (double)cli_count_of(run, "ranks") : NAN,
                       run ? star_report_number(run, "seconds") : NAN,
                       run ? star_report_number(run, "saved_seconds") : NAN);
    star_table_words(table, "%s", run ? star_report_word(run, "program") : why->text);
}

static void list_json(struct star_text *text, int number, const json_t *run, const struct star_why *why)
{
    star_json_add(text, "{run: %d", number);
    if (run == NULL)
        star_json_string(text, "damaged", why->text);
    else
        star_json_add(text, "date: %jd, program: %s, ranks: %jd, seconds: %g, saved_seconds: %g",
                      (intmax_t)cli_count_of(run, "date"), star_report_word(run, "program"),
                      (intmax_t)cli_count_of(run, "ranks"), star_report_number(run, "seconds"),
                      star_report_number(run, "saved_seconds"));
    star_json_close(text, '}');
}

int cli_report_list(int count, char **words)
{
    char folder[PATH_MOST];
    struct star_kept kept;
    struct star_text text = {0};
    struct star_why why = {{0}};
    (void)count, (void)words;
    int status = list_kept(folder, sizeof folder, &kept);
    if (status)
        return status;
    struct star_table table = STAR_TABLE_OF(columns);
    if (cli_report_ask.json)
        star_json_open(&text, NULL, '[');
    for (int number = 1; number <= kept.count; number++) {
        json_t *run = kept_report(folder, &kept, number, &why);
        if (cli_report_ask.json)
            list_json(&text, number, run, &why);
        else
            list_row(&table, number, run, &why);
        json_decref(run);
    }
    if (cli_report_ask.json)
        star_text_add(&text, "]\n");
    else if (kept.count == 0)
        star_text_add(&text, "no run is kept yet in %s\n", folder);
    star_table_write(&table, &text);
    status = cli_put(cli_report_ask.output, &text);
    star_text_free(&text);
    star_kept_free(&kept);
    return status;
}
