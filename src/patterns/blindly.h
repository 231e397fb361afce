/* SPDX-License-Identifier: BSD-3-Clause
 * Progress of a run whose end MPI does not tell. */
#pragma once

#include "patterns/patterns.h"

/* Progress of a run whose end MPI does not tell: the MPI library goes on, and when it was
 * asked for often, *DONE. MPI error code. */
int star_request_ask_blindly(const struct star_request *request, bool *done);
