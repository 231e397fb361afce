/* SPDX-License-Identifier: BSD-3-Clause
 * Checking what is read by the schemas that are published (docs/schema). */
#pragma once

#include "util/why.h"

#include <jansson.h>
#include <stdbool.h>

enum star_schema { STAR_SCHEMA_REPORT, STAR_SCHEMA_WISDOM };

/* Is everything there that the schema needs, and of its kind? Members that it does not name are left alone: a
 * later version may write them. STAR_EINPUT names the file. */
int star_schema_check(enum star_schema of, const json_t *document, const char *name, struct star_why *why);
