/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of places that call: found out once each, in whatever order and by however many threads they
 * call. Linked so that questions for the loader are counted. */
#include "runtime/site.h"

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 200, ROUNDS = 100, THREADS = 4 };

static atomic_int asked, failures;
static char place[PLACES][256]; /* as far apart as call sites that once were in each other's way */
static uint64_t site[PLACES];

int __real_dladdr1(const void *address, Dl_info *info, void **extra, int flags);
int __wrap_dladdr1(const void *address, Dl_info *info, void **extra, int flags);
int __wrap_dladdr1(const void *address, Dl_info *info, void **extra, int flags)
{
    asked++;
    return __real_dladdr1(address, info, extra, flags);
}

static void check(bool right, const char *what)
{
    if (!right && failures++ < 10)
        fprintf(stderr, "FAILED: %s\n", what);
}

/* Two places that call by turns, whichever they are, and a few more. */
static void by_turns(void)
{
    for (int other = 1; other < PLACES; other++) {
        for (int round = 0; round < ROUNDS; round++) {
            check(!star_is_internal(place[0]) && !star_is_internal(place[other]),
                  "a place is the MPI library's");
            check(star_site_of(place[0]) != star_site_of(place[other]), "two places are one site");
        }
        check(asked <= 3 * other + 2, "the loader is asked again and again");
    }
}

static void *call(void *nothing)
{
    for (int i = 0; i < ROUNDS * PLACES; i++) {
        int k = (i * 37 + (i / PLACES)) % PLACES;
        check(star_site_of(place[k]) == site[k] && site[k] != 0, "a site is another one to a thread");
        check(!star_is_internal(place[k]), "a thread's place is the MPI library's");
    }
    return nothing;
}

static void by_threads(void)
{
    pthread_t thread[THREADS];
    for (int k = 0; k < PLACES; k++)
        site[k] = star_site_of(place[k]);
    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&thread[t], NULL, call, NULL) != 0)
            exit(77);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
}

int main(void)
{
    by_turns();
    by_threads();
    int version;
    PMPI_Get_version(&version, &version); /* so that the MPI library is linked */
    check(star_is_internal(dlsym(RTLD_DEFAULT, "PMPI_Alltoall")), "the MPI library is taken for a program");
    return failures != 0;
}
