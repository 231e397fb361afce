/* SPDX-License-Identifier: BSD-3-Clause
 * What is said of a matrix that lacks something. */
#pragma once

#include "report/matrix.h"

/* Warns on standard error, where some of what ranks sent is missing. */
void cli_matrix_warn(const struct star_talk *talk);
