/* SPDX-License-Identifier: BSD-3-Clause
 * Encodings of decision maps that nothing in startune uses, kept to be compared with those that are in use.
 */
#ifndef BENCH_ENCODERS_RIVALS_H
#define BENCH_ENCODERS_RIVALS_H

#include "map/encoding.h"

extern const struct star_encoder bench_linear, bench_powers, bench_cart;

/* Those of startune first. */
extern const struct star_encoder *const bench_encoders[];
extern const int bench_encoder_count;

#endif
