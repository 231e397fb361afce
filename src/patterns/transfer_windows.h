/* SPDX-License-Identifier: BSD-3-Clause
 * Deeds of scripts by one-sided communication. */
#pragma once

#include "patterns/transfer.h"

star_doing star_do_make_open, star_do_make_readable, star_do_fence, star_do_last_fence, star_do_post,
    star_do_access, star_do_put, star_do_get, star_do_complete, star_do_wait_exposed;
star_trying star_try_wait_exposed;
/* Frees what the acts of these kinds made. */
void star_free_window(struct star_exchange *exchange);
