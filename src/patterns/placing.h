/* SPDX-License-Identifier: BSD-3-Clause
 * Where the messages of an exchange lie. */
#pragma once

#include "patterns/transfer.h"

/* Says in SENT and RECEIVED where messages lie. */
void star_place_messages(struct star_exchange *exchange);
