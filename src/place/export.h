/* SPDX-License-Identifier: BSD-3-Clause
 * The matrix as other mappers read it: a graph of the ranks, whose edges weigh as many bytes as both send
 * each other, scaled so that all together fit into 31 bits, and at least 1. */
#pragma once

#include "place/matrix.h"
#include "util/text.h"

/* Scotch's graphs (.grf), for gmap. */
void star_matrix_scotch(const struct star_matrix *matrix, struct star_text *text);
/* METIS's (.graph), which KaHIP reads, too. */
void star_matrix_metis(const struct star_matrix *matrix, struct star_text *text);
