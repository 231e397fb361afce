/* SPDX-License-Identifier: BSD-3-Clause
 * What has become of the persistent collectives that startune serves: for the summary and the report. */
#pragma once

#include "runtime/notice.h"
#include "runtime/samples.h"
#include "subject/balance.h"
#include "util/text.h"

/* A request of NOTICE's kind is over, or MPI is: what it saved on this rank. Ranks that lead keep a row for
 * all requests of one operation, number of ranks and size. With the lock of notices. */
struct star_balance star_lasting_add(const struct star_notice *notice, const struct star_sampled *sampled);
/* JSON objects, each behind a comma: as those of nonblocking calls. */
void star_lasting_tell(struct star_text *text);
