/* SPDX-License-Identifier: BSD-3-Clause
 * Values of settings that name methods and costs. Who checks them is linked with every algorithm. */
#pragma once

#include "util/why.h"

/* Says what is wrong with VALUE of the setting NAME; 0 for settings of other kinds. */
int cli_check_value(const char *name, const char *value, struct star_why *why);
