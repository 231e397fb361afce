/* SPDX-License-Identifier: BSD-3-Clause
 * Requests. */
#ifndef STAR_PATTERNS_REQUEST_H
#define STAR_PATTERNS_REQUEST_H

#include "patterns/patterns.h"

/* This rank refused to make a request, with ERROR, which is returned; the others hear of it. */
int star_request_decline(STAR_Topology topology, int error, const char *call);

#endif
