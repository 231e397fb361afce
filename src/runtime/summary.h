/* SPDX-License-Identifier: BSD-3-Clause
 * The summary on standard error. */
#pragma once

#include "runtime/records.h"

/* On standard error. ALL: of the run. */
void star_summary_write(const struct star_record *records, int count, const struct star_balance *all);
void star_summary_write_verified(const struct star_verified *records, int count);
/* CALLS were compared; on so many COMMUNICATORS none could be. */
void star_summary_write_checked(int64_t calls, int64_t communicators);
