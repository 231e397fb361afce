/* SPDX-License-Identifier: BSD-3-Clause
 * Numerals are C's, whatever language the program around the library chose: a decimal comma is no JSON. */
#pragma once

#include <locale.h>

/* From here on this thread writes and reads numbers as in C; gives what star_numerals_restore takes. */
locale_t star_numerals_plain(void);
void star_numerals_restore(locale_t own);
