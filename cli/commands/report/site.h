/* SPDX-License-Identifier: BSD-3-Clause
 * startune report --site: what was saved and lost across runs and users, by program. */
#pragma once

/* WORDS are stores; none: the user's. */
int cli_report_site(int count, char **words);
