/* SPDX-License-Identifier: BSD-3-Clause
 * Where startune says what it has to say in a program: the standard error that the program began with. A
 * program may close descriptor 2, and a file that it opens then gets that number: no line of ours goes in. */
#pragma once

#include <stdio.h>

/* Keeps what descriptor 2 is now, once. */
void star_voice_keep(void);
/* Lines go out one by one, and nowhere if the program has closed all that led to where they belong. Never
 * NULL. Of any thread. */
FILE *star_voice(void);
