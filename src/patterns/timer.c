/* SPDX-License-Identifier: BSD-3-Clause
 * Timers: requests that are tuned by the time of a region of the program. Of several requests one takes its
 * turn while the others stay with what they have; once it has chosen, the next one does. Turns follow
 * agreements, so that they are the same on all ranks. */
#include "patterns/timer.h"
#include "functions/object.h"
#include "patterns/choice.h"
#include "patterns/refuse.h"
#include "patterns/sharing.h"
#include "util/clock.h"
#include "util/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void destroy_timer(struct star_object *object)
{
    struct star_timer *timer = (struct star_timer *)object;
    for (int i = 0; i < timer->count; i++) {
        timer->requests[i]->timer = NULL;
        star_request_remeasure(timer->requests[i]);
    }
    free(timer->requests);
}

void star_timer_forget(struct star_timer *timer, struct star_request *request)
{
    int kept = 0;
    for (int i = 0; i < timer->count; i++)
        if (timer->requests[i] != request)
            timer->requests[kept++] = timer->requests[i];
    timer->count = kept;
    if (timer->turn >= kept)
        timer->turn = 0;
    request->timer = NULL;
    star_request_remeasure(request);
}

/* On other ranks, the region would be another one. */
static bool is_congruent(const struct star_request *a, const struct star_request *b)
{
    int relation;
    return a->topology && b->topology &&
           PMPI_Comm_compare(a->topology->comm, b->topology->comm, &relation) == MPI_SUCCESS &&
           (relation == MPI_IDENT || relation == MPI_CONGRUENT);
}

static int add(struct star_timer *timer, STAR_Request handle, const char *argument, const char *call)
{
    struct star_request *request = star_object_of(STAR_KIND_REQUEST, handle, call, argument);
    if (request == NULL)
        return STAR_ERR_REQUEST;
    if (request->timer != NULL)
        return star_refuse(STAR_ERR_REQUEST, call, "%s (function-set %s) has a timer already", argument,
                           request->fnctset->name);
    if (star_request_is_under_way(request))
        return star_refuse(STAR_ERR_REQUEST, call, "%s (function-set %s) is under way", argument,
                           request->fnctset->name);
    if (timer->count > 0 && !is_congruent(timer->requests[0], request))
        return star_refuse(STAR_ERR_TOPOLOGY, call,
                           "%s (function-set %s) has other ranks than the timer's first request", argument,
                           request->fnctset->name);
    struct star_request **room =
        realloc(timer->requests, ((size_t)timer->count + 1) * sizeof(struct star_request *));
    if (room == NULL)
        return star_refuse_memory(call);
    timer->requests = room;
    timer->requests[timer->count++] = request;
    request->timer = timer;
    star_request_remeasure(request);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Timer_create(int count, const STAR_Request requests[], STAR_Timer *timer)
{
    if (count < 0 || (count > 0 && requests == NULL) || timer == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "count is negative, or requests or timer is NULL");
    struct star_timer *made = star_object_new(STAR_KIND_TIMER, sizeof *made, destroy_timer);
    int error = made ? STAR_SUCCESS : star_refuse_memory(__func__);
    if (made != NULL)
        made->measure = star_measure_new();
    for (int i = 0; i < count && error == STAR_SUCCESS; i++) {
        char argument[40];
        snprintf(argument, sizeof argument, "requests[%d]", i);
        error = add(made, requests[i], argument, __func__);
    }
    if (error == STAR_SUCCESS)
        return star_object_publish(made, timer, __func__);
    star_object_release(made);
    return error;
}

/* A timer may be changed, started or stopped while none of its requests is under way. */
static int find(STAR_Timer handle, struct star_timer **timer, const char *call)
{
    *timer = star_object_of(STAR_KIND_TIMER, handle, call, "timer");
    if (*timer == NULL)
        return STAR_ERR_TIMER;
    for (int i = 0; i < (*timer)->count; i++)
        if (star_request_is_under_way((*timer)->requests[i]))
            return star_refuse(STAR_ERR_TIMER, call, "a request of the timer (function-set %s) is under way",
                               (*timer)->requests[i]->fnctset->name);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Timer_add_request(STAR_Timer timer, STAR_Request request)
{
    struct star_timer *found;
    int error = find(timer, &found, __func__);
    return error == STAR_SUCCESS ? add(found, request, "request", __func__) : error;
}

STAR_EXPORT int STAR_Timer_remove_request(STAR_Timer timer, STAR_Request request)
{
    struct star_timer *found;
    int error = find(timer, &found, __func__);
    struct star_request *removed = star_object_of(STAR_KIND_REQUEST, request, __func__, "request");
    if (error != STAR_SUCCESS || removed == NULL)
        return error != STAR_SUCCESS ? error : STAR_ERR_REQUEST;
    if (removed->timer != found)
        return star_refuse(STAR_ERR_REQUEST, __func__, "the request (function-set %s) is none of the timer's",
                           removed->fnctset->name);
    star_timer_forget(found, removed);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Timer_start(STAR_Timer timer)
{
    struct star_timer *found;
    int error = find(timer, &found, __func__);
    if (error != STAR_SUCCESS)
        return error;
    if (found->running)
        return star_refuse(STAR_ERR_TIMER, __func__, "the timer runs already");
    for (int i = 0; i < found->count && error == STAR_SUCCESS; i++)
        if (found->requests[i]->measure != found->requests[i]->wanted)
            error = star_request_rejoin(found->requests[i], __func__);
    if (error != STAR_SUCCESS)
        return error;
    for (int i = 0; i < found->count; i++)
        found->requests[i]->in_region = false;
    found->running = true;
    found->timed = found->count > 0 && !star_subject_skips(&found->requests[found->turn]->choice->subject);
    found->began = star_now();
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Timer_stop(STAR_Timer timer)
{
    struct star_timer *found;
    int error = find(timer, &found, __func__);
    if (error != STAR_SUCCESS)
        return error;
    if (!found->running)
        return star_refuse(STAR_ERR_TIMER, __func__, "the timer does not run");
    int64_t took = star_since(found->began);
    found->running = false;
    if (!found->timed || found->turn >= found->count)
        return STAR_SUCCESS;
    const struct star_request *request = found->requests[found->turn];
    struct star_choice *choice = request->choice;
    bool ran = request->in_region && request->ready == choice->subject.now, decided = false;
    if (ran)
        decided = star_choice_took(choice, request->ready, took) && !star_subject_is_open(&choice->subject);
    found->missed = ran ? 0 : found->missed + 1;
    /* A region without it tells nothing of it: others may run in each, or in turns with it. */
    if (found->missed >= 2 * found->count || decided || choice->subject.tuner == NULL) {
        found->turn = (found->turn + 1) % found->count;
        found->missed = 0;
    }
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Timer_free(STAR_Timer *timer)
{
    struct star_timer *found;
    if (timer == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "timer is NULL");
    int error = find(*timer, &found, __func__);
    return error == STAR_SUCCESS ? star_object_free(STAR_KIND_TIMER, timer, __func__, "timer") : error;
}
