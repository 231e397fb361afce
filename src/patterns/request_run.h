/* SPDX-License-Identifier: BSD-3-Clause
 * Runs of requests. */
#pragma once

#include "patterns/work.h"

/* STAR_Request_start_overlap, whatever calls the functions; of each the init. */
struct star_parts {
    struct star_work middle, end, total;
};
int star_request_overlap(STAR_Request request, const struct star_parts *parts, const char *call);
