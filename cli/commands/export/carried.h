/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STAR_CLI_CARRIED_H
#define STAR_CLI_CARRIED_H

#include "excerpt/words.h"

/* startune's own sources, which the command carries so that it can write excerpts of them. */
struct star_span cli_carried(void);

#endif
