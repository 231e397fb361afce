/* SPDX-License-Identifier: BSD-3-Clause
 * Deeds of scripts by partitioned messages. */
#pragma once

#include "patterns/transfer.h"

star_doing star_do_make_parted_receive, star_do_make_parted_send, star_do_ready;
