/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom list, show and doctor. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The day of DATE, in UTC. */
const char *cli_format_day(int64_t date, char *buffer, size_t room);

int cli_wisdom_list(int count, char **words);
int cli_wisdom_show(int count, char **words);
int cli_wisdom_doctor(int count, char **words);
