/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom: what earlier runs learned. Each action has a row of the table below. */
#include "wisdom.h"
#include "action.h"
#include "algorithms/method.h"
#include "util/parse.h"
#include "wisdom/fact.h"
#include "wisdom/facts.h"
#include "wisdom/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct cli_wisdom_ask cli_wisdom_ask;

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    enum { DAYS_MOST = 36500 };
    const struct {
        const char *name, **at;
    } texts[] = {{"store", &cli_wisdom_ask.store},
                 {"machine", &cli_wisdom_ask.machine},
                 {"o", &cli_wisdom_ask.output}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(option->name, texts[i].name) == 0) {
            *texts[i].at = value;
            return true;
        }
    cli_wisdom_ask.json = cli_wisdom_ask.json || strcmp(option->name, "json") == 0;
    cli_wisdom_ask.all = cli_wisdom_ask.all || strcmp(option->name, "all") == 0;
    cli_wisdom_ask.site = cli_wisdom_ask.site || strcmp(option->name, "site") == 0;
    int64_t days = 1;
    if (option->argument != NULL && (!star_parse_integer(value, &days) || days < 1 || days > DAYS_MOST)) {
        star_because(why, STAR_EINPUT, "'%.60s': a whole number of days from 1 to %d is good", value,
                     DAYS_MOST);
        return false;
    }
    if (option->argument != NULL)
        cli_wisdom_ask.days = (int)days;
    return true;
}

int cli_wisdom_refuse(int error, const struct star_why *why)
{
    cli_error(&cli_wisdom, "%s", why->text);
    return error == STAR_EINPUT || error == STAR_ENEEDS || error == STAR_ESYSTEM ? CLI_USAGE : CLI_FAILED;
}

int cli_wisdom_where(char *path, size_t room)
{
    struct star_why why;
    const char *asked = cli_wisdom_ask.site ? star_wisdom_site : cli_wisdom_ask.store;
    if (cli_wisdom_ask.site && cli_wisdom_ask.store)
        return cli_error(&cli_wisdom, "--site and --store: one of them");
    if (asked == NULL) {
        int error = star_wisdom_path(path, room, &why);
        return error ? cli_wisdom_refuse(error, &why) : CLI_OK;
    }
    if ((size_t)snprintf(path, room, "%s", asked) >= room)
        return cli_error(&cli_wisdom, "%.100s…: too long a path", asked);
    return CLI_OK;
}

int cli_wisdom_open(enum star_wisdom_access access, struct star_wisdom **store)
{
    enum { PATH_MOST = 4000 };
    char path[PATH_MOST];
    struct star_why why;
    struct stat status;
    *store = NULL;
    int refused = cli_wisdom_where(path, sizeof path);
    if (refused)
        return refused;
    bool named = cli_wisdom_ask.store != NULL;
    if (access == STAR_WISDOM_READ && !named && stat(path, &status) != 0 && errno == ENOENT)
        return CLI_OK;
    int error = star_wisdom_open(path, access, store, &why);
    return error ? cli_wisdom_refuse(error, &why) : CLI_OK;
}

void cli_wisdom_close(struct star_wisdom *store)
{
    if (store != NULL && star_wisdom_note(store)[0])
        fprintf(stderr, "startune wisdom: %s\n", star_wisdom_note(store));
    star_wisdom_close(store);
}

int cli_wisdom_check_operation(const char *word)
{
    static const char *const requests[] = {"neighborhood", "own"};
    enum star_operation operation;
    struct star_why why;
    size_t length = strcspn(word, ":"); /* of requests, a problem may follow */
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (length == strlen(requests[i]) && strncmp(word, requests[i], length) == 0)
            return CLI_OK;
    int error = star_operation_parse(word, &operation, &why);
    return error ? cli_wisdom_refuse(error, &why) : CLI_OK;
}

/* Leaves those out that are impossible, after saying so; what a clock that was never set has dated is of
 * today.
 */
static void mend(struct star_facts *facts)
{
    size_t kept = 0, wrong;
    for (size_t i = 0; i < facts->count; i++) {
        facts->at[i].figures = star_figures_until(facts->at[i].figures, (int64_t)time(NULL));
        if (star_fact_check(&facts->at[i], NULL) == 0)
            facts->at[kept++] = facts->at[i];
    }
    wrong = facts->count - kept;
    facts->count = kept;
    if (wrong > 0)
        fprintf(stderr, "startune wisdom: %zu impossible facts are left out: wisdom doctor says more\n",
                wrong);
}

int cli_wisdom_read(const char *operation, struct star_facts *facts)
{
    struct star_wisdom *store = NULL;
    struct star_why why = {"out of memory"};
    struct star_wisdom_filter filter = {.machine = cli_wisdom_ask.machine, .operation = operation};
    *facts = (struct star_facts){0};
    int status = operation ? cli_wisdom_check_operation(operation) : CLI_OK;
    if (!status)
        status = cli_wisdom_open(STAR_WISDOM_READ, &store);
    if (status || store == NULL)
        return status;
    int error = star_wisdom_each(store, &filter, star_facts_add, facts, &why);
    cli_wisdom_close(store);
    if (error) {
        star_facts_free(facts);
        return cli_wisdom_refuse(error, &why);
    }
    mend(facts);
    return CLI_OK;
}

static const struct cli_action actions[] = {
    {"list", cli_wisdom_list, 0, 0, " json store site machine "},
    {"show", cli_wisdom_show, 0, 1, " json store site machine "},
    {"forget", cli_wisdom_forget, 0, 1, " store machine older all "},
    {"export", cli_wisdom_export, 0, 1, " o store site machine "},
    {"import", cli_wisdom_import, 1, CLI_ANY_NUMBER, " store "},
    {"merge", cli_wisdom_merge, 1, CLI_ANY_NUMBER, " store "},
    {"doctor", cli_wisdom_doctor, 0, 0, " json store site "},
    {NULL, NULL, 0, 0, NULL},
};

static int run(int argc, char **argv)
{
    return cli_act(&cli_wisdom, actions, argc, argv);
}

static const struct cli_option options[] = {
    {"store", "FILE", "the store, instead of the user's"},
    {"site", NULL, "of list, show, export and doctor: the site's store, /etc/startune/wisdom.db"},
    {"machine", "NAME", "of list, show, export and forget: what was learned on this machine alone"},
    {"older", "DAYS", "of forget: what was last seen so many days ago or earlier"},
    {"all", NULL, "of forget: everything"},
    {"json", NULL, "of list, show and doctor: print JSON"},
    {"o", "FILE", "of export: write to FILE"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune wisdom list", "which machines and operations something is known of"},
    {"startune wisdom show bcast --json", "each method's times, the fastest first"},
    {"startune wisdom export -o wisdom.json", "for another user, or another cluster of the same kind"},
    {"startune wisdom import wisdom.json", "adds it to what is known"},
    {"startune wisdom forget --older 365", "what is a year old"},
    {"startune wisdom doctor", "is the store whole?"},
    {NULL, NULL},
};

const struct cli_command cli_wisdom = {
    .name = "wisdom",
    .synopsis = "startune wisdom [OPTIONS] list|show|forget|export|import|merge|doctor …",
    .summary = "what earlier runs learned: show, exchange, forget it",
    .description =
        "wisdom list\n"
        "wisdom show [OPERATION]\n"
        "wisdom forget [OPERATION] (with --machine, --older or --all, or an operation)\n"
        "wisdom export [OPERATION] [-o FILE]\n"
        "wisdom import FILE… (what export wrote, or run --report)\n"
        "wisdom merge STORE… (adds the facts of other stores to one's own)\n"
        "wisdom doctor (exit status 1: it is damaged)\n"
        "\n"
        "A fact is how long a method took for an operation, with so many ranks and bytes, on a machine: the "
        "mean,\n"
        "its deviation, the least, the number of calls, and when that was. Facts of several runs add up; so "
        "what is\n"
        "imported twice counts twice. Old facts fade: they count half after 90 days.\n"
        "\n"
        "The user's store is $XDG_DATA_HOME/startune/wisdom.db, or that in ~/.local/share. A damaged one is "
        "set\n"
        "aside, under another name beside it, as soon as something is to be added, and a new one begun.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};
