/* SPDX-License-Identifier: BSD-3-Clause
 * A run of a request: begin, wait, measure. */
#include "patterns/request_run.h"
#include "functions/object.h"
#include "patterns/choice.h"
#include "patterns/pattern_own.h"
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "patterns/sharing.h"
#include "runtime/warn.h"
#include "util/clock.h"
#include "util/export.h"
#include "util/fpenv.h"

static int prepare(void *what, int function)
{
    struct star_request *request = what;
    const struct star_fnctset *set = request->fnctset;
    int error = set->pattern->prepare ? set->pattern->prepare(request, function) : STAR_SUCCESS;
    if (error != STAR_SUCCESS && request->choice->subject.tuner == NULL && function != 0)
        star_warn(STAR_WARN_FORCE, request->choice->rank, "%s cannot be used here; %s runs instead",
                  set->functions[function]->name, set->functions[0]->name);
    return error;
}

static int refuse_flight(const struct star_request *request, const char *argument, const char *call)
{
    return star_refuse(STAR_ERR_VECTOR, call,
                       "the %s vector of the request (function-set %s) is under way in another request",
                       argument, request->fnctset->name);
}

/* Startune's own functions write halos and buffers while others must not; the program's know what they do. */
static bool claims(const struct star_request *request)
{
    return request->fnctset->pattern != &star_pattern_own;
}

static int claim_vectors(struct star_request *request, const char *call)
{
    if (!claims(request))
        return STAR_SUCCESS;
    if (request->send != NULL && request->send->user != NULL)
        return refuse_flight(request, "sending", call);
    if (request->receive != NULL && request->receive->user != NULL)
        return refuse_flight(request, "receiving", call);
    if (request->send != NULL)
        request->send->user = request;
    if (request->receive != NULL)
        request->receive->user = request;
    return STAR_SUCCESS;
}

static void leave_vectors(struct star_request *request)
{
    if (request->send != NULL && request->send->user == request)
        request->send->user = NULL;
    if (request->receive != NULL && request->receive->user == request)
        request->receive->user = NULL;
}

static int64_t nanoseconds_of(double seconds)
{
    STAR_FPENV_DEFAULT;
    return (int64_t)(seconds * 1e9);
}

/* The run ended at END; each is measured once. A request of a timer is measured by that. */
static void measure(struct star_request *request, int64_t end)
{
    bool open = request->open;
    request->open = false;
    if (!open || request->timer != NULL || !request->timed)
        return;
    if (request->told_once) {
        request->pending = request->told < 0;
        if (!request->pending)
            star_choice_took(request->choice, request->running, nanoseconds_of(request->told));
        request->told = -1;
        return;
    }
    /* Never less than nothing: see star_since. */
    star_choice_took(request->choice, request->running, end > request->began ? end - request->began : 0);
}

/* What is refused has not BEGUN, even if another run is under way. */
static int begin(struct star_request *request, bool *begun, const char *call)
{
    const struct star_fnctset *set = request->fnctset;
    *begun = false;
    if (request->inside)
        return star_refuse(STAR_ERR_REQUEST, call, "a function of function-set %s starts its own request",
                           set->name);
    if (star_request_is_under_way(request))
        return star_refuse(STAR_ERR_REQUEST, call, "request (function-set %s) is under way already",
                           set->name);
    measure(request, request->ended); /* STAR_Request_progress found the end, and nobody waited for it */
    int error = request->measure == request->wanted ? STAR_SUCCESS : star_request_rejoin(request, call);
    if (error != STAR_SUCCESS)
        return error;
    if (request->ready != request->choice->subject.now)
        error = star_choice_settle(request->choice, &request->ready, prepare, request);
    if (error != STAR_SUCCESS)
        return star_refuse(error, call, "none of the functions of function-set %s can be used", set->name);
    error = claim_vectors(request, call);
    if (error != STAR_SUCCESS)
        return error;
    request->running = request->ready;
    request->active = request->open = *begun = true;
    request->in_region = true;
    request->asked = 0;
    request->pending = false;
    request->told = -1;
    request->timed = request->timer == NULL && !star_subject_skips(&request->choice->subject);
    if (request->timed)
        request->began = star_now();
    return set->pattern->init(request, request->running, call);
}

static int complete(struct star_request *request, const char *call)
{
    const struct star_pattern *pattern = request->fnctset->pattern;
    int error = pattern->wait ? pattern->wait(request, request->running, call) : STAR_SUCCESS;
    request->active = false;
    leave_vectors(request);
    return error;
}

static int first_of(int error, int later)
{
    return error != STAR_SUCCESS ? error : later;
}

STAR_EXPORT int STAR_Request_run(STAR_Request request)
{
    struct star_request *found = star_object_of(STAR_KIND_REQUEST, request, __func__, "request");
    if (found == NULL)
        return STAR_ERR_REQUEST;
    bool begun;
    int error = begin(found, &begun, __func__);
    if (!begun)
        return error;
    error = first_of(error, complete(found, __func__));
    measure(found, found->timed ? star_now() : 0);
    return error;
}

STAR_EXPORT int STAR_Request_begin(STAR_Request request)
{
    struct star_request *found = star_object_of(STAR_KIND_REQUEST, request, __func__, "request");
    if (found == NULL)
        return STAR_ERR_REQUEST;
    bool begun;
    int error = begin(found, &begun, __func__);
    found->choice->overlapped = true;
    return error;
}

STAR_EXPORT int STAR_Request_start(STAR_Request request) __attribute__((alias("STAR_Request_run")));
STAR_EXPORT int STAR_Request_init(STAR_Request request) __attribute__((alias("STAR_Request_begin")));

/* What is measured ends here even where STAR_Request_progress has found the end before: functions that end
 * early and those that end late are compared by the same computation. */
STAR_EXPORT int STAR_Request_wait(STAR_Request request)
{
    struct star_request *found = star_object_of(STAR_KIND_REQUEST, request, __func__, "request");
    if (found == NULL)
        return STAR_ERR_REQUEST;
    if (found->inside)
        return star_refuse(STAR_ERR_REQUEST, __func__,
                           "a function of function-set %s waits for its own request", found->fnctset->name);
    if (!found->open) /* as with MPI_Wait */
        return STAR_SUCCESS;
    int error = found->active ? complete(found, __func__) : STAR_SUCCESS;
    if (!found->in_parts) /* STAR_Request_start_overlap measures behind them */
        measure(found, star_now());
    return error;
}

STAR_EXPORT int STAR_Request_progress(STAR_Request request)
{
    bool done;
    struct star_request *found = star_object_of(STAR_KIND_REQUEST, request, __func__, "request");
    if (found == NULL)
        return STAR_ERR_REQUEST;
    if (found->inside) /* it is not done before its function is */
        return STAR_CONTINUE;
    if (!found->active)
        return STAR_SUCCESS;
    int error = found->fnctset->pattern->progress(found, found->running, &done);
    found->asked++;
    if (error != STAR_SUCCESS)
        return star_refuse(error, __func__, "function %s failed",
                           found->fnctset->functions[found->running]->name);
    if (!done)
        return STAR_CONTINUE;
    error = complete(found, __func__);
    found->ended = star_now();
    return error;
}

/* One of the program's three functions, which may be none. */
static int call_part(struct star_request *request, const struct star_work *part, const char *which,
                     const char *call)
{
    int result = star_work_run(part, part->init, request->handle);
    return result == 0 ? STAR_SUCCESS : star_refuse(STAR_ERR_USER, call, "%s returned %d", which, result);
}

static int run_parts(struct star_request *request, const struct star_parts *parts, const char *call)
{
    int error = STAR_SUCCESS;
    bool overlaps = request->fnctset->functions[request->running]->overlaps;
    request->in_parts = true;
    if (overlaps)
        error = call_part(request, &parts->middle, "middle", call);
    if (request->active) /* MIDDLE's calls of STAR_Request_progress may have found the end */
        error = first_of(error, complete(request, call));
    error = first_of(error, overlaps ? call_part(request, &parts->end, "end", call)
                                     : call_part(request, &parts->total, "total", call));
    request->in_parts = false;
    return error;
}

/* All that the program computes is measured, so that functions that overlap and those that do not are
 * compared by the same. */
int star_request_overlap(STAR_Request request, const struct star_parts *parts, const char *call)
{
    struct star_request *found = star_object_of(STAR_KIND_REQUEST, request, call, "request");
    if (found == NULL)
        return STAR_ERR_REQUEST;
    bool begun;
    int error = begin(found, &begun, call);
    if (!begun)
        return error;
    found->choice->overlapped = true;
    error = first_of(error, run_parts(found, parts, call));
    measure(found, star_now());
    return error;
}

STAR_EXPORT int STAR_Request_start_overlap(STAR_Request request, STAR_Work *middle, STAR_Work *end,
                                           STAR_Work *total)
{
    struct star_parts parts = {{star_work_call, (star_any_work *)middle, NULL},
                               {star_work_call, (star_any_work *)end, NULL},
                               {star_work_call, (star_any_work *)total, NULL}};
    return star_request_overlap(request, &parts, __func__);
}

/* Of what the program says, which may be no number at all. */
static bool is_time(double seconds)
{
    STAR_FPENV_DEFAULT;
    return seconds >= 0 && seconds < 1e9;
}

/* A clock may step back on one rank alone: the run counts there too, as one that took no time, so that ranks
 * count the same runs. */
STAR_EXPORT int STAR_Request_update(STAR_Request request, double seconds)
{
    struct star_request *found = star_object_of(STAR_KIND_REQUEST, request, __func__, "request");
    if (found == NULL)
        return STAR_ERR_REQUEST;
    bool good = is_time(seconds);
    double told = good ? seconds : 0;
    if (!found->told_once) {
        found->told_once = true;
        star_request_remeasure(found);
    }
    if (found->open) /* whether this rank's progress has found the end or not */
        found->told = told;
    else if (found->pending) {
        found->pending = false;
        star_choice_took(found->choice, found->running, nanoseconds_of(told));
    }
    return good ? STAR_SUCCESS : star_refuse(STAR_ERR_ARG, __func__, "seconds is %g", seconds);
}
