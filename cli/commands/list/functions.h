/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of MPI that startune takes over, as `list functions` prints them. */
#pragma once

#include "neighborhood.h"
#include "util/text.h"

void cli_list_functions(struct star_text *text, enum cli_form form);
