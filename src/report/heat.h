/* SPDX-License-Identifier: BSD-3-Clause
 * Heat maps of a matrix: a line for each sender, a column for each receiver, in the order of ranks. Where
 * there are many ranks, as many of them as fit are one. */
#pragma once

#include "report/matrix.h"
#include "util/text.h"

/* In characters, with a legend. */
void star_heat_text(const struct star_talk *talk, struct star_text *text);
/* As a picture, with a line where the host changes. */
void star_heat_svg(const struct star_talk *talk, struct star_text *text);
