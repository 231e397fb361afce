/* SPDX-License-Identifier: BSD-3-Clause */
#include "rivals.h"
#include "map/encoders/encoders.h"

const struct star_encoder *const bench_encoders[] = {&star_encoder_quadtree, &star_encoder_runs,
                                                     &star_encoder_table,    &bench_linear,
                                                     &bench_powers,          &bench_cart};
const int bench_encoder_count = sizeof bench_encoders / sizeof *bench_encoders;
