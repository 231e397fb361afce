/* SPDX-License-Identifier: BSD-3-Clause
 * startune map diff, merge, predict and import. */
#pragma once

int cli_map_diff(int count, char **words);
int cli_map_merge(int count, char **words);
int cli_map_predict(int count, char **words);
int cli_map_import(int count, char **words);
