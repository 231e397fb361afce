/* SPDX-License-Identifier: BSD-3-Clause
 * All encoders; encoding.c lists them. */
#pragma once

#include "map/encoding.h"

extern const struct star_encoder star_encoder_quadtree, star_encoder_runs, star_encoder_table;
