/* SPDX-License-Identifier: BSD-3-Clause
 * startune report diff: what has changed from one run to another. */
#ifndef STAR_CLI_REPORT_DIFF_H
#define STAR_CLI_REPORT_DIFF_H

int cli_report_diff(int count, char **words);

#endif
