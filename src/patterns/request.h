/* SPDX-License-Identifier: BSD-3-Clause
 * Requests. */
#pragma once

#include "patterns/patterns.h"

/* This rank refused to make a request, with ERROR, which is returned; the others hear of it. */
int star_request_decline(STAR_Topology topology, int error, const char *call);
