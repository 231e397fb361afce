/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into the ranks of an emulated cluster: makes them wait where an MPI library polls, so that more
 * ranks than cores do not take the processor from one another. After a few polls in a row that found nothing,
 * the next one blocks. Nothing is missed: every message between emulated hosts comes through a socket, and a
 * socket wakes the poll at once; whatever else a rank may wait for is looked at again after 2 ms. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { EMPTY_POLLS = 3 };
static int empty; /* polls in a row that found nothing */

/* Other threads, those of an MPI library too, wait as they like. */
static bool by_main_thread(void)
{
    static __thread int answer;
    if (answer == 0)
        answer = gettid() == getpid() ? 1 : -1;
    return answer > 0;
}

/* How long a poll that asked not to wait does wait. */
static struct timespec patience(void)
{
    return (struct timespec){.tv_nsec = empty < EMPTY_POLLS ? 0 : 2000000};
}

/* A signal may end a wait that the caller does not know of: then it found nothing. */
static int found(int result)
{
    if (result < 0 && errno == EINTR)
        result = 0;
    empty = result == 0 ? empty + (empty < EMPTY_POLLS) : 0;
    return result;
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout)
{
    if (timeout != 0 || !by_main_thread())
        return epoll_pwait(set, events, most, timeout, NULL);
    struct timespec wait = patience();
    return found(epoll_pwait2(set, events, most, &wait, NULL));
}

int poll(struct pollfd *files, nfds_t count, int timeout)
{
    struct timespec wait = {.tv_sec = timeout / 1000, .tv_nsec = timeout % 1000 * 1000000L};
    if (timeout != 0 || count == 0 || !by_main_thread())
        return ppoll(files, count, timeout < 0 ? NULL : &wait, NULL);
    wait = patience();
    return found(ppoll(files, count, &wait, NULL));
}
