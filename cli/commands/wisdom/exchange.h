/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom export, import and merge: facts to and from files and other stores. */
#ifndef STAR_CLI_WISDOM_EXCHANGE_H
#define STAR_CLI_WISDOM_EXCHANGE_H

int cli_wisdom_export(int count, char **words);
int cli_wisdom_import(int count, char **words);
int cli_wisdom_merge(int count, char **words);

#endif
