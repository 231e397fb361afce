/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ids.h"
#include "exec/execute.h"
#include "exec/run.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t next = STAR_ID_OF_WORLD + 1; /* all before it are given out */
static int64_t taken = STAR_ID_OF_WORLD;    /* the largest that was taken */
static int64_t most;

void star_ids_begin(int tag_most)
{
    most = (int64_t)tag_most / STAR_TAGS - 1;
}

int64_t star_id_offer(bool threads)
{
    if (!threads)
        return next;
    pthread_mutex_lock(&lock);
    int64_t offered = next++;
    pthread_mutex_unlock(&lock);
    return offered;
}

/* Threads that agree at the same time may come to one number. Only a larger one than all before is taken for
 * new, which refuses some that are: they are offered again. */
bool star_id_take(int64_t id, bool threads)
{
    pthread_mutex_lock(&lock);
    bool fresh = !threads || id > taken;
    taken = id > taken ? id : taken;
    next = id >= next ? id + 1 : next;
    pthread_mutex_unlock(&lock);
    return fresh;
}

int star_id_tag(int64_t id)
{
    return id > most ? -1 : (int)id * STAR_TAGS;
}
