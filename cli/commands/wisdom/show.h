/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom list, show and doctor. */
#pragma once

int cli_wisdom_list(int count, char **words);
int cli_wisdom_show(int count, char **words);
int cli_wisdom_doctor(int count, char **words);
