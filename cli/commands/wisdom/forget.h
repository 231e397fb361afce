/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom forget: facts, and losses of programs. */
#ifndef STAR_CLI_WISDOM_FORGET_H
#define STAR_CLI_WISDOM_FORGET_H

int cli_wisdom_forget(int count, char **words);

#endif
