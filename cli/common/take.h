/* SPDX-License-Identifier: BSD-3-Clause
 * Takes values of options: each checks VALUE and puts it where OPTION says; or says what would be good. */
#pragma once

#include "command.h"

/* True in a bool. */
bool cli_take_switch(const struct cli_option *option, const char *value, struct star_why *why);
/* As it is in a const char *. */
bool cli_take_text(const struct cli_option *option, const char *value, struct star_why *why);
/* The same, where it is one of the option's words: of its list, or of the argument "a|b". */
bool cli_take_word(const struct cli_option *option, const char *value, struct star_why *why);
/* In an int64_t, within the option's bounds: a whole number, or bytes such as 64K. */
bool cli_take_integer(const struct cli_option *option, const char *value, struct star_why *why);
bool cli_take_bytes(const struct cli_option *option, const char *value, struct star_why *why);
/* In a double, within the bounds: 0.9 or 90%. */
bool cli_take_number(const struct cli_option *option, const char *value, struct star_why *why);
