/* SPDX-License-Identifier: BSD-3-Clause
 * The decision map that the setting `map` names. */
#pragma once

#include "algorithms/methods.h"
#include "util/text.h"

/* On rank 0: the map as text; empty where there is none, or where it must not be used. */
void star_maps_read(struct star_text *text);
/* Takes what rank 0 has read, of LENGTH; it is freed. Local; false when out of memory. */
bool star_maps_find(struct star_text *text, int64_t length);
/* Are the operation's methods the map's affair? Then they are not tuned. */
bool star_maps_know(enum star_operation operation);
/* The map's method for ranks of SHAPE; native where none of the map's applies. */
struct star_method star_maps_choose(enum star_operation operation, const struct star_shape *shape,
                                    int64_t bytes);
void star_maps_forget(void);
