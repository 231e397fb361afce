/* SPDX-License-Identifier: BSD-3-Clause
 * startune report: what runs measured and chose. */
#include "ask.h"
#include "diff.h"
#include "runs.h"
#include "show.h"
#include "cli/common/action.h"

#include <string.h>

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

static const struct cli_action actions[] = {
    {"list", cli_report_list, 0, 0, " json o "},
    {"diff", cli_report_diff, 2, 2, " json o "},
    {"show", cli_report_show, 0, 1, " json html all o "},
    {NULL, cli_report_show, 0, 1, " json html all o "},
};

static int run(const struct cli_command *command, int argc, char **argv)
{
    return cli_act(command, actions, argc, argv);
}

static const struct cli_option options[] = {
    {"json", NULL, "print JSON"},
    {"html", NULL, "write one page for a browser, which needs nothing else"},
    {"all", NULL,
     "all contexts and requests, not only the 40 that took most time; and each request's functions"},
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
        "share of the run, the chosen method and the MPI library's own time beside it; then for requests "
        "the chosen function,\n"
        "its first function's time beside it, its attributes and what was remembered. --html adds "
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
