/* SPDX-License-Identifier: BSD-3-Clause
 * A subcommand: what it is called, what it takes and what runs it. Parsing, --help, the manual pages and the
 * shell's completion all read these tables. */
#pragma once

#include "util/why.h"

#include <stdbool.h>

/* A word or line, and what it means. Lists end with a NULL name. */
struct cli_line {
    const char *name, *says;
};

struct cli_option {
    const char *name; /* "sizes" for --sizes, "n" for -n */
    const char
        *argument; /* as help shows it; NULL: a switch. Completion knows "a|b", FILE, OPERATION, METHOD */
    const char *help;
    /* Takes VALUE, or says what would be good: one of take.h, or the command's own. */
    bool (*take)(const struct cli_option *option, const char *value, struct star_why *why);
    void *at;                     /* where TAKE puts it */
    double least, most;           /* of numbers */
    const struct cli_line *words; /* that it may have, with a line of help each; or NULL */
    const char *group;            /* in help this heading stands before it; or NULL */
};

/* Of a command that does several things, each named by its first word: `startune map show`. */
struct cli_action {
    const char *name, *words, *says;     /* WORDS: what follows the name */
    int (*run)(int count, char **words); /* gets them; returns the exit status */
    int least, most;                     /* so many */
    const char *options;                 /* that it has a use for, each between spaces */
};
enum { CLI_ANY_NUMBER = 1 << 20 };

struct cli_command {
    const char *name, *synopsis, *summary;
    const char *description;          /* paragraphs, parted by empty lines */
    const struct cli_option *options; /* until a NULL name */
    bool takes_settings;              /* and every setting as an option */
    const struct cli_line *examples;
    const char *uses; /* of "settings topology wisdom reports colours": what its manual page tells of */
    /* Until a NULL name. Where that last one runs something, it is meant where no action is named. */
    const struct cli_action *actions;
    /* Without actions: gets what follows the name; returns the exit status. */
    int (*run)(const struct cli_command *command, int argc, char **argv);
};
