/* SPDX-License-Identifier: BSD-3-Clause
 * startune map encode: all encodings of a map, and how good each is. */
#pragma once

int cli_map_encode(int count, char **words);
