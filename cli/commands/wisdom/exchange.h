/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom export, import and merge: facts to and from files and other stores. */
#pragma once

int cli_wisdom_export(int count, char **words);
int cli_wisdom_import(int count, char **words);
int cli_wisdom_merge(int count, char **words);
