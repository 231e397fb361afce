/* SPDX-License-Identifier: BSD-3-Clause
 * startune map encode: all encodings of a map, and how good each is. */
#ifndef STAR_CLI_MAP_ENCODE_H
#define STAR_CLI_MAP_ENCODE_H

int cli_map_encode(int count, char **words);

#endif
