/* SPDX-License-Identifier: BSD-3-Clause
 * The whole search, on rank 0. */
#pragma once

#include "stage.h"

#include <signal.h>

/* From the file to the file. Returns the exit status. */
int search_all(struct stage *stage, volatile sig_atomic_t *interrupted);
