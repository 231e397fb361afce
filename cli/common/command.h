/* SPDX-License-Identifier: BSD-3-Clause
 * A subcommand: what it is called, what it takes and what runs it. Parsing, --help, the manual pages and the
 * shell's completion all read these tables. */
#ifndef STAR_CLI_COMMAND_H
#define STAR_CLI_COMMAND_H

#include "util/why.h"

#include <stdbool.h>

struct cli_option {
    const char *name;     /* "sizes" for --sizes, "n" for -n */
    const char *argument; /* NULL: a switch */
    const char *help;
};

struct cli_example {
    const char *line, *says;
};

struct cli_command {
    const char *name, *synopsis, *summary;
    const char *description;            /* paragraphs, parted by empty lines */
    const struct cli_option *options;   /* until a NULL name */
    bool takes_settings;                /* and every setting as an option */
    const struct cli_example *examples; /* until a NULL line */
    /* Gets what follows the name; returns the exit status. */
    int (*run)(const struct cli_command *command, int argc, char **argv);
    bool (*take)(const struct cli_option *option, const char *value, struct star_why *why);
};

#endif
