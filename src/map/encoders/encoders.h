/* SPDX-License-Identifier: BSD-3-Clause
 * All encoders; encoding.c lists them. */
#ifndef STAR_MAP_ENCODERS_ENCODERS_H
#define STAR_MAP_ENCODERS_ENCODERS_H

#include "map/encoding.h"

extern const struct star_encoder star_encoder_quadtree, star_encoder_runs, star_encoder_table;

#endif
