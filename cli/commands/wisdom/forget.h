/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom forget: facts, and losses of programs. */
#pragma once

int cli_wisdom_forget(int count, char **words);
