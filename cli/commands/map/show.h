/* SPDX-License-Identifier: BSD-3-Clause
 * startune map show: maps in the terminal, as JSON, as pictures. */
#ifndef STAR_CLI_MAP_SHOW_H
#define STAR_CLI_MAP_SHOW_H

int cli_map_show(int count, char **words);

#endif
