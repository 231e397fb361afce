/* SPDX-License-Identifier: BSD-3-Clause
 * What launches took says more than what was expected. */
#pragma once

#include "ways.h"

/* Chooses anew by what kept launches took, which counts more. STAR_EMEMORY. */
int cli_place_weigh(struct cli_place *place, struct star_why *why);
/* The launches of a way; NULL: none is kept. */
const struct cli_trial *cli_place_trial(const struct cli_place *place, int way);
