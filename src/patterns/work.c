/* SPDX-License-Identifier: BSD-3-Clause
 * Calls the program's functions. */
#include "patterns/work.h"
#include "patterns/patterns.h"

static int call_half(STAR_Work *work, star_silent_work *silent, star_fortran_work *fortran,
                     STAR_Request request)
{
    int handle = (int)(intptr_t)request, error = 0;
    if (work != NULL)
        return work(request);
    if (silent != NULL)
        silent(request);
    else if (fortran != NULL)
        fortran(&handle, &error);
    return error;
}

int star_work_init(const struct star_work *work, STAR_Request request)
{
    return call_half(work->init, work->silent_init, work->fortran_init, request);
}

int star_work_wait(const struct star_work *work, STAR_Request request)
{
    return call_half(work->wait, work->silent_wait, work->fortran_wait, request);
}
