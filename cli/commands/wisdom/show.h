/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom list, show, forget and doctor. */
#ifndef STAR_CLI_WISDOM_SHOW_H
#define STAR_CLI_WISDOM_SHOW_H

int cli_wisdom_list(int count, char **words);
int cli_wisdom_show(int count, char **words);
int cli_wisdom_forget(int count, char **words);
int cli_wisdom_doctor(int count, char **words);

#endif
