/* SPDX-License-Identifier: BSD-3-Clause
 * Requests and timers. */
#include "fortran/fortran.h"

#include <stdlib.h>

STAR_FORTRAN_MAKE(request_create, STAR_Request,
                  (const int *vector, const int *topology, const int *fnctset, int *request, int *ierror),
                  request, Request_create, star_fortran_handle(*vector), star_fortran_handle(*topology),
                  star_fortran_handle(*fnctset), &made)
STAR_FORTRAN(request_create, Request_create, REQUEST_CREATE)

STAR_FORTRAN_MAKE(request_create_generic, STAR_Request,
                  (const int *send, const int *receive, const int *topology, const int *fnctset, int *request,
                   int *ierror),
                  request, Request_create_generic, star_fortran_handle(*send), star_fortran_handle(*receive),
                  star_fortran_handle(*topology), star_fortran_handle(*fnctset), &made)
STAR_FORTRAN(request_create_generic, Request_create_generic, REQUEST_CREATE_GENERIC)

STAR_FORTRAN_MAKE(request_create_generic_rooted, STAR_Request,
                  (const int *send, const int *receive, const int *topology, const int *fnctset,
                   const int *root, int *request, int *ierror),
                  request, Request_create_generic_rooted, star_fortran_handle(*send),
                  star_fortran_handle(*receive), star_fortran_handle(*topology),
                  star_fortran_handle(*fnctset), *root, &made)
STAR_FORTRAN(request_create_generic_rooted, Request_create_generic_rooted, REQUEST_CREATE_GENERIC_ROOTED)

STAR_FORTRAN_FREE(request_free, STAR_Request, Request_free, REQUEST_FREE)

STAR_FORTRAN_CALL(request_start, (const int *request, int *ierror), Request_run,
                  star_fortran_handle(*request))
STAR_FORTRAN(request_start, Request_start, REQUEST_START)
STAR_FORTRAN_MODULE(request_start, Request_run)

STAR_FORTRAN_CALL(request_init, (const int *request, int *ierror), Request_begin,
                  star_fortran_handle(*request))
STAR_FORTRAN(request_init, Request_init, REQUEST_INIT)
STAR_FORTRAN_MODULE(request_init, Request_begin)

STAR_FORTRAN_CALL(request_wait, (const int *request, int *ierror), Request_wait,
                  star_fortran_handle(*request))
STAR_FORTRAN(request_wait, Request_wait, REQUEST_WAIT)

STAR_FORTRAN_CALL(request_progress, (const int *request, int *ierror), Request_progress,
                  star_fortran_handle(*request))
STAR_FORTRAN_MODULE(request_progress, Request_progress)

/* With ADCL's depth, which is not looked at. */
static void request_progress_to(const int *request, const int *depth, int *ierror)
{
    (void)depth;
    request_progress(request, ierror);
}
STAR_FORTRAN_ADCL(request_progress_to, request_progress, REQUEST_PROGRESS)

static void request_start_overlap(const int *request, star_fortran_work *middle, star_fortran_work *end,
                                  star_fortran_work *total, int *ierror)
{
    struct star_parts parts = {star_fortran_works(middle, NULL), star_fortran_works(end, NULL),
                               star_fortran_works(total, NULL)};
    star_fortran_say(
        ierror, star_request_overlap(star_fortran_handle(*request), &parts, "STAR_Request_start_overlap"));
}
STAR_FORTRAN(request_start_overlap, Request_start_overlap, REQUEST_START_OVERLAP)

STAR_FORTRAN_CALL(request_update, (const int *request, const double *seconds, int *ierror), Request_update,
                  star_fortran_handle(*request), *seconds)
STAR_FORTRAN(request_update, Request_update, REQUEST_UPDATE)

static void request_get_comm(const int *request, int *comm, int *rank, int *size, int *ierror)
{
    MPI_Comm found;
    int error = STAR_Request_get_comm(star_fortran_handle(*request), &found, rank, size);
    if (error == STAR_SUCCESS)
        *comm = STAR_TO_INT(Comm, found);
    star_fortran_say(ierror, error);
}
STAR_FORTRAN(request_get_comm, Request_get_comm, REQUEST_GET_COMM)

STAR_FORTRAN_CALL(request_get_data, (const int *request, void **send, void **receive, int *ierror),
                  Request_get_data, star_fortran_handle(*request), send, receive)
STAR_FORTRAN_MODULE(request_get_data, Request_get_data)

STAR_FORTRAN_CALL(request_get_value, (const int *request, const int *attribute, int *value, int *ierror),
                  Request_get_value, star_fortran_handle(*request), *attribute - 1, value)
STAR_FORTRAN_MODULE(request_get_value, Request_get_value)

STAR_FORTRAN_CALL(request_get_state, (const int *request, int *state, int *ierror), Request_get_state,
                  star_fortran_handle(*request), state)
STAR_FORTRAN(request_get_state, Request_get_state, REQUEST_GET_STATE)

STAR_FORTRAN_CALL(request_get_ndims, (const int *request, int *ndims, int *ierror), Request_get_ndims,
                  star_fortran_handle(*request), ndims)
STAR_FORTRAN_MODULE(request_get_ndims, Request_get_ndims)
STAR_FORTRAN_ADCL(request_get_ndims, request_get_tndims, REQUEST_GET_TNDIMS)

static void request_get_functions(const int *request, int *count, int *current, int *ierror)
{
    int error = STAR_Request_get_functions(star_fortran_handle(*request), count, current);
    if (error == STAR_SUCCESS)
        ++*current;
    star_fortran_say(ierror, error);
}
STAR_FORTRAN_MODULE(request_get_functions, Request_get_functions)

static void request_get_function(const int *request, const int *function,
                                 const struct star_fortran_argument *name, int *attributes, int *ierror)
{
    char text[STAR_MAX_NAME];
    int error = STAR_Request_get_function(star_fortran_handle(*request), *function - 1, text, attributes);
    if (error == STAR_SUCCESS)
        star_fortran_text(name->data, name->bytes, text);
    star_fortran_say(ierror, error);
}
STAR_FORTRAN_MODULE(request_get_function, Request_get_function)

STAR_FORTRAN_CALL(request_get_times,
                  (const int *request, const int *function, double *filtered, double *mean, double *outliers,
                   int *ierror),
                  Request_get_times, star_fortran_handle(*request), *function - 1, filtered, mean, outliers)
STAR_FORTRAN_MODULE(request_get_times, Request_get_times)

static void timer_create(const int *count, const int *requests, int *timer, int *ierror)
{
    STAR_Timer made = STAR_TIMER_NULL;
    STAR_Request *all = star_fortran_handles(*count, requests);
    int error = STAR_Timer_create(*count, all, &made);
    free((void *)all);
    star_fortran_made(ierror, error, timer, made);
}
STAR_FORTRAN(timer_create, Timer_create, TIMER_CREATE)

STAR_FORTRAN_CALL(timer_add_request, (const int *timer, const int *request, int *ierror), Timer_add_request,
                  star_fortran_handle(*timer), star_fortran_handle(*request))
STAR_FORTRAN(timer_add_request, Timer_add_request, TIMER_ADD_REQUEST)

STAR_FORTRAN_CALL(timer_remove_request, (const int *timer, const int *request, int *ierror),
                  Timer_remove_request, star_fortran_handle(*timer), star_fortran_handle(*request))
STAR_FORTRAN(timer_remove_request, Timer_remove_request, TIMER_REMOVE_REQUEST)

STAR_FORTRAN_CALL(timer_start, (const int *timer, int *ierror), Timer_start, star_fortran_handle(*timer))
STAR_FORTRAN(timer_start, Timer_start, TIMER_START)

STAR_FORTRAN_CALL(timer_stop, (const int *timer, int *ierror), Timer_stop, star_fortran_handle(*timer))
STAR_FORTRAN(timer_stop, Timer_stop, TIMER_STOP)

STAR_FORTRAN_FREE(timer_free, STAR_Timer, Timer_free, TIMER_FREE)
