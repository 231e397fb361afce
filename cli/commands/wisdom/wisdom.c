/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom: what earlier runs learned. Each action has a row of the table below. */
#include "ask.h"
#include "exchange.h"
#include "show.h"
#include "cli/common/action.h"
#include "util/parse.h"

#include <string.h>

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

static int run(const struct cli_command *command, int argc, char **argv)
{
    return cli_act(command, actions, argc, argv);
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
