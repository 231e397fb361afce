/* SPDX-License-Identifier: BSD-3-Clause
 * Function-sets of the program: its own functions do the work. */
#include "patterns/pattern_own.h"
#include "patterns/attribute.h"
#include "patterns/blindly.h"
#include "patterns/hist.h"
#include "patterns/refuse.h"
#include "patterns/work.h"
#include "patterns/patterns.h"

/* Functions with the same value of the first attribute. */
static int group(const struct star_function *function, int number)
{
    (void)number;
    return function->attrset ? star_attribute_place(function->attrset->attributes[0], function->values[0])
                             : 0;
}

static int call_work(struct star_request *request, const struct star_function *function,
                     int (*half)(const struct star_work *work, STAR_Request request), const char *call)
{
    request->inside = true;
    int result = half(&function->work, request->handle);
    request->inside = false;
    if (result == 0)
        return STAR_SUCCESS;
    return star_refuse(STAR_ERR_USER, call, "function %s of function-set %s returned %d", function->name,
                       request->fnctset->name, result);
}

static int init(struct star_request *request, int number, const char *call)
{
    const struct star_function *function = request->fnctset->functions[number];
    return call_work(request, function, star_work_init, call);
}

/* How far the program's function is, nobody tells. */
static int progress(struct star_request *request, int number, bool *done)
{
    *done = !request->fnctset->functions[number]->overlaps;
    return *done || !star_request_ask_blindly(request, done) ? STAR_SUCCESS : STAR_ERR_INTERN;
}

static int wait_for(struct star_request *request, int number, const char *call)
{
    const struct star_function *function = request->fnctset->functions[number];
    return call_work(request, function, star_work_wait, call);
}

const struct star_pattern star_pattern_own = {
    .group = group, .init = init, .progress = progress, .wait = wait_for, .problem = star_hist_word};
