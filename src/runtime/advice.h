/* SPDX-License-Identifier: BSD-3-Clause
 * Advice in the summary: whether ranks placed otherwise are expected to take less time. */
#pragma once

#include "util/text.h"

/* On rank 0, by what all ranks told (star_matrix_tell); nothing where nobody counted, the hosts are not known
 * or are one, or ranks are too many to look for a placement in some milliseconds. */
void star_advice_say(const struct star_text *matrix);
