/* SPDX-License-Identifier: BSD-3-Clause
 * What was found, as JSON. */
#pragma once

#include "search/search.h"

/* SECONDS: what it took. */
void say_json(const struct star_search *search, const char *file, bool whole, double seconds);
