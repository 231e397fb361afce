/* SPDX-License-Identifier: BSD-3-Clause
 * startune report --site: what was saved and lost across runs and users, by program. */
#ifndef STAR_CLI_REPORT_SITE_H
#define STAR_CLI_REPORT_SITE_H

/* WORDS are stores; none: the user's. */
int cli_report_site(int count, char **words);

#endif
