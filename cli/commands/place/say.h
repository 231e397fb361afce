/* SPDX-License-Identifier: BSD-3-Clause
 * What startune place prints. */
#pragma once

#include "forms.h"
#include "ways.h"

void cli_place_add_text(const struct cli_place *place, struct star_text *text);
void cli_place_add_json(const struct cli_place *place, const struct cli_places *places,
                        struct star_text *text);
