/* SPDX-License-Identifier: BSD-3-Clause
 * The methods of the neighbourhood exchange, as `list neighborhood` prints them. */
#pragma once

#include "util/text.h"

enum cli_form { AS_TEXT, AS_MARKDOWN, AS_JSON };

void cli_list_neighborhood(struct star_text *text, enum cli_form form);
