/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom losses: which programs lost time, and which are left alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int cli_wisdom_losses(int count, char **words);
/* Forgets beside the store PATH the losses that --program, --machine and BEFORE (0: whenever) choose; *COUNT
 * gets how many. Exit status, after saying what is wrong. */
int cli_wisdom_forget_losses(const char *path, int64_t before, size_t *count);
