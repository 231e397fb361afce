/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/agrees.h"
#include "patterns/patterns.h"
#include "runtime/agree.h"

bool star_request_agrees(const struct star_request *request, bool ok)
{
    bool same;
    return star_agree(request->comm, ok, 0, &same);
}

void star_request_add_up(const struct star_request *request, double *figures, int64_t count)
{
    star_agree_sums(request->comm, figures, count);
}
