/* SPDX-License-Identifier: BSD-3-Clause
 * startune report show: one run, in the terminal, as JSON or as a page. */
#ifndef STAR_CLI_REPORT_SHOW_H
#define STAR_CLI_REPORT_SHOW_H

int cli_report_show(int count, char **words);

#endif
