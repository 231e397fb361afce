/* SPDX-License-Identifier: BSD-3-Clause
 * startune map show: maps in the terminal, as JSON, as pictures. */
#pragma once

int cli_map_show(int count, char **words);
