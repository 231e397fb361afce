/* SPDX-License-Identifier: BSD-3-Clause
 * startune report: what runs measured and chose. */
#include "report.h"
#include "util/parse.h"

#include <stdio.h>
#include <string.h>

struct cli_report_ask cli_report_ask;

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)why;
    if (strcmp(option->name, "json") == 0)
        cli_report_ask.json = true;
    else if (strcmp(option->name, "html") == 0)
        cli_report_ask.html = true;
    else if (strcmp(option->name, "all") == 0)
        cli_report_ask.all = true;
    else
        cli_report_ask.output = value;
    return true;
}

int cli_report_refuse(int error, const struct star_why *why)
{
    cli_error(&cli_report, "%s", why->text);
    return error == STAR_EMEMORY ? CLI_FAILED : CLI_USAGE;
}

static const struct action {
    const char *name;
    int (*run)(int count, char **words);
    int least, most; /* words */
    bool html;       /* is it for this action? */
} actions[] = {
    {"list", cli_report_list, 0, 0, false},
    {"diff", cli_report_diff, 2, 2, false},
    {"show", cli_report_show, 0, 1, true}, /* the last one: what is meant where none is named */
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static int run_action(const struct action *action, int words, char **argv)
{
    if (words < action->least || words > action->most)
        return cli_error(&cli_report, "%s %s; startune report --help says how", action->name,
                         words < action->least ? "needs two runs" : "takes fewer words");
    if (cli_report_ask.html && !action->html)
        return cli_error(&cli_report, "--html is not for report %s", action->name);
    if (cli_report_ask.html && cli_report_ask.json)
        return cli_error(&cli_report, "--html and --json: one of them");
    return action->run(words, argv);
}

static int run(int argc, char **argv)
{
    int words = cli_operands(&cli_report, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    for (int i = 0; words > 0 && i < ACTIONS; i++)
        if (strcmp(argv[0], actions[i].name) == 0)
            return run_action(&actions[i], words - 1, argv + 1);
    return run_action(&actions[ACTIONS - 1], words, argv);
}

static const struct cli_option options[] = {
    {"json", NULL, "print JSON"},
    {"html", NULL, "write one page for a browser, which needs nothing else"},
    {"all", NULL, "all contexts, not only the 40 that took most time"},
    {"o", "FILE", "write to FILE"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune report", "the last run: what was called where, by which method, and what that saved"},
    {"startune report list", "the runs that are kept"},
    {"startune report 2 --html -o run.html", "the run before the last, as a page with pictures"},
    {"startune report diff 2 1", "what has changed from the run before the last to the last"},
    {"startune report tuning.json --json", "a file of `startune run --report`, with what follows from it"},
    {NULL, NULL},
};

const struct cli_command cli_report = {
    .name = "report",
    .synopsis = "startune report [show] [RUN] | list | diff RUN RUN [OPTIONS]",
    .summary = "show what runs measured, chose and saved",
    .description =
        "`startune run` keeps a report of each run, of the last 50 (setting reports). RUN is a number, 1 "
        "for the last one,\n"
        "the beginning of a date as list shows it (of several runs the last), or a file that "
        "`startune run --report` wrote.\n"
        "\n"
        "The terminal shows for each place that calls, operation, size and number of ranks what was "
        "called how often, its\n"
        "share of the run, the chosen method and the MPI library's own time beside it. --html adds "
        "pictures: when what was\n"
        "chosen, how methods' times spread, sizes, and which calls are worth a person's attention.\n"
        "\n"
        "Places are functions, files and lines where the program has debug information (cc -g) and "
        "was not built again since.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};
