/* SPDX-License-Identifier: BSD-3-Clause
 * What the options of startune report ask for. */
#ifndef STAR_CLI_REPORT_ASK_H
#define STAR_CLI_REPORT_ASK_H

#include <stdbool.h>

struct cli_report_ask {
    bool json, html, all;
    const char *output; /* NULL: standard output */
};
extern struct cli_report_ask cli_report_ask;

#endif
