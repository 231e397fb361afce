/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/started.h"

#include <stdlib.h>

/* Lists of few requests each. */
enum { LISTS = 1024 };
static struct entry {
    struct star_started started;
    struct entry *next;
} * lists[LISTS];

static struct entry **place_of(MPI_Request request)
{
    uint64_t bits = (uint64_t)(uintptr_t)request * UINT64_C(0x9e3779b97f4a7c15);
    struct entry **place = &lists[bits >> 54];
    while (*place != NULL && (*place)->started.request != request)
        place = &(*place)->next;
    return place;
}

void star_started_add(MPI_Request request, int peer, int64_t bytes)
{
    struct entry **place = place_of(request);
    if (*place == NULL && (*place = calloc(1, sizeof **place)) == NULL)
        return;
    (*place)->started = (struct star_started){request, peer, bytes};
}

const struct star_started *star_started_find(MPI_Request request)
{
    struct entry *entry = *place_of(request);
    return entry ? &entry->started : NULL;
}

void star_started_remove(MPI_Request request)
{
    struct entry **place = place_of(request), *entry = *place;
    if (entry == NULL)
        return;
    *place = entry->next;
    free(entry);
}
