/* SPDX-License-Identifier: BSD-3-Clause
 * For tests only, preloaded: clocks that step in the middle of a run. The environment's STEPS lists steps
 * with spaces between them, CLOCK:RANK:READING:SECONDS. The clock is "real" (CLOCK_REALTIME, as everybody
 * reads it) or "measure" (CLOCK_MONOTONIC, as startune reads it); the rank one of MPI_COMM_WORLD, or "all".
 * It steps at that reading of it in the process, from 1 on, the same one for both clocks, and says so many
 * seconds more, or less, from then on. Steps add up. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { MOST = 64 };

static struct {
    int count;
    struct step {
        char clock; /* the first letter of its name */
        long reading, seconds;
    } at[MOST];
} steps;
static atomic_long readings[2];

static int is_mine(const char *rank)
{
    const char *own = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    return strcmp(rank, "all") == 0 || (own != NULL && strcmp(rank, own) == 0);
}

__attribute__((constructor)) static void read_steps(void)
{
    char text[4096], *rest = NULL, clock[16], rank[16];
    struct step step;
    snprintf(text, sizeof text, "%s", getenv("STEPS") ? getenv("STEPS") : "");
    for (char *word = strtok_r(text, " ", &rest); steps.count < MOST && word != NULL;
         word = strtok_r(NULL, " ", &rest))
        if (sscanf(word, "%15[^:]:%15[^:]:%ld:%ld", clock, rank, &step.reading, &step.seconds) == 4 &&
            is_mine(rank)) {
            step.clock = clock[0];
            steps.at[steps.count++] = step;
        }
}

static long shift(char clock)
{
    long reading = atomic_fetch_add(&readings[clock == 'r'], 1) + 1, seconds = 0;
    for (int i = 0; i < steps.count; i++)
        if (steps.at[i].clock == clock && steps.at[i].reading <= reading)
            seconds += steps.at[i].seconds;
    return seconds;
}

static int is_startune(const void *caller)
{
    Dl_info found;
    return dladdr(caller, &found) != 0 && found.dli_fname != NULL &&
           strstr(found.dli_fname, "libstartune-") != NULL;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int error = real(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += shift('r');
    else if (clock == CLOCK_MONOTONIC && steps.count > 0 && is_startune(__builtin_return_address(0)))
        now->tv_sec += shift('m');
    return error;
}

__attribute__((visibility("default"))) int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    *now = (struct timeval){.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
    return 0;
}

__attribute__((visibility("default"))) time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds != NULL)
        *seconds = now.tv_sec;
    return now.tv_sec;
}
