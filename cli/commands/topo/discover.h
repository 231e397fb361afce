/* SPDX-License-Identifier: BSD-3-Clause
 * startune topo discover and calibrate: check the question, and become the measuring programs of the
 * launcher's MPI. */
#ifndef STAR_CLI_TOPO_DISCOVER_H
#define STAR_CLI_TOPO_DISCOVER_H

#include "cli/common/command.h"

/* Takes an option that only discover has, or mpi, which both have. */
bool cli_discover_take(const struct cli_option *option, const char *value, struct star_why *why);
/* OUTPUT: NULL: standard output. Returns the exit status, where it returns. */
int cli_discover(const char *output, bool json);
/* TOPOLOGY: NULL: what the setting says by itself. */
int cli_calibrate(const char *topology, bool json);

#endif
