/* SPDX-License-Identifier: BSD-3-Clause
 * startune topo discover and calibrate: check the question, and become the measuring programs of the
 * launcher's MPI. */
#pragma once

int cli_discover(int count, char **words);
int cli_calibrate(int count, char **words);
