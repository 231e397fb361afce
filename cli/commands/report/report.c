/* SPDX-License-Identifier: BSD-3-Clause
 * startune report: what runs measured and chose. */
#include "cli/common/take.h"
#include "diff.h"
#include "matrix.h"
#include "runs.h"
#include "show.h"

static const struct cli_action actions[] = {
    {"show", "[RUN]", "what one run measured, chose and saved; the last one by default", cli_report_show, 0,
     1, " json html all matrix as o "},
    {"list", "", "the runs that are kept", cli_report_list, 0, 0, " json o "},
    {"diff", "RUN RUN", "what has changed from one run to another", cli_report_diff, 2, 2, " json o "},
    {NULL, "[RUN|STORE…]", "", cli_report_show, 0, CLI_ANY_NUMBER, " site json html all matrix as o "},
};

static const struct cli_option options[] = {
    {"json", NULL, "print JSON", cli_take_switch, .at = &cli_report_ask.json},
    {"html", NULL, "write one page for a browser, which needs nothing else", cli_take_switch,
     .at = &cli_report_ask.html},
    {"all", NULL,
     "all contexts and requests, not only the 40 that took most time; and each request's functions",
     cli_take_switch, .at = &cli_report_ask.all},
    {"matrix", NULL, "who talks to whom, of a run with startune run --matrix", cli_take_switch,
     .at = &cli_report_ask.matrix},
    {"as", "FORMAT", "the form of the matrix", cli_take_word, .at = &cli_report_ask.as,
     .words = cli_matrix_formats},
    {"site", NULL,
     "across runs: what each program saved and lost, with whom it harmed first; by the accounts of the "
     "stores "
     "that are named, or of one's own",
     cli_take_switch, .at = &cli_report_ask.site},
    {"o", "FILE", "write to FILE", cli_take_text, .at = &cli_report_ask.output},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune report", "the last run: what was called where, by which method, and what that saved"},
    {"startune report list", "the runs that are kept"},
    {"startune report 2 --html -o run.html", "the run before the last, as a page with pictures"},
    {"startune report diff 2 1", "what has changed from the run before the last to the last"},
    {"startune report --matrix --as scotch -o app.grf", "who talks to whom, for another mapper"},
    {"startune report --site", "hours lost and saved by program; stores of other users may follow"},
    {"startune report tuning.json --json", "a file of `startune run --report`, with what follows from it"},
    {.name = NULL},
};

const struct cli_command cli_report = {
    .name = "report",
    .synopsis = "startune report [show] [RUN] | list | diff RUN RUN | --site [STORE…] [OPTIONS]",
    .summary = "show what runs measured, chose and saved",
    .description =
        "`startune run` keeps the reports of the last 50 runs (setting reports). RUN is a number, 1 for "
        "the last run; or the beginning of a date as list shows it; or a file that `startune run --report` "
        "wrote.\n\n"
        "The terminal shows a line for each place, operation, size and number of ranks: the calls, their "
        "share of the run, the chosen method, and the MPI library's own time beside it. Requests follow, "
        "with the chosen function, the first function's time, attributes, and what was remembered. --html "
        "adds pictures.\n\n"
        "--site adds up the accounts of runs that lie beside stores of wisdom, by program: how many hours, "
        "times "
        "ranks, were saved, with an interval of 95 % confidence in which errors of runs add up in full. "
        "Programs "
        "that surely lost stand first. A run whose native time is not known counts as unknown. Runs with "
        "--off, "
        "with --wisdom off, of programs that are left alone, that ask for more than tuning, or that were "
        "killed "
        "leave no account. What cannot be read is said, and the rest counted: exit status 1.\n\n"
        "Places are functions, files and lines if the program has debug information (cc -g) and was not "
        "built again since.",
    .options = options,
    .examples = examples,
    .uses = "reports",
    .actions = actions,
};
