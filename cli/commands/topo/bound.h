/* SPDX-License-Identifier: BSD-3-Clause
 * startune topo bound: how fast an operation can be at best on a topology. */
#pragma once

int cli_bound(int count, char **words);
