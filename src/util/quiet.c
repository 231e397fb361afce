/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/quiet.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

static const int of_writing[] = {SIGPIPE, SIGXFSZ};
enum { OF_WRITING = sizeof of_writing / sizeof *of_writing };

void star_quiet_begin(struct star_quiet *quiet, bool all)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int i = 0; i < OF_WRITING; i++)
        sigaddset(&blocked, of_writing[i]);
    if (all)
        sigfillset(&blocked);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &blocked, &quiet->mask);
}

void star_quiet_end(const struct star_quiet *quiet)
{
    static const struct timespec at_once = {0, 0};
    int error = errno;
    for (int i = 0; i < OF_WRITING; i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, of_writing[i]);
        if (!sigismember(&quiet->pending, of_writing[i]))
            sigtimedwait(&one, NULL, &at_once);
    }
    pthread_sigmask(SIG_SETMASK, &quiet->mask, NULL);
    errno = error;
}
