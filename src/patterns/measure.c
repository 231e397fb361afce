/* SPDX-License-Identifier: BSD-3-Clause
 * By what a request's functions are compared. */
#include "patterns/measure.h"
#include "patterns/patterns.h"

#include <stdatomic.h>

int64_t star_measure_new(void)
{
    static atomic_int made;
    return STAR_MEASURE_OTHERS + atomic_fetch_add(&made, 1);
}

void star_request_remeasure(struct star_request *request)
{
    request->wanted = request->timer       ? request->timer->measure
                      : request->told_once ? STAR_MEASURE_TOLD
                                           : request->own_measure;
}
