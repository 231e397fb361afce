/* SPDX-License-Identifier: BSD-3-Clause
 * startune topo bound: how fast an operation can be at best on a topology. */
#ifndef STAR_CLI_TOPO_BOUND_H
#define STAR_CLI_TOPO_BOUND_H

int cli_bound(int count, char **words);

#endif
