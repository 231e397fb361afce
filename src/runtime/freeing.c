/* SPDX-License-Identifier: BSD-3-Clause
 * An error handler or a delete function of the program may leave MPI_Comm_free by longjmp, or by an
 * exception: then nothing behind the call is reached, and what stood on the stack is no more. So handles
 * stand here. One that was left so stays: calls on that communicator, if it lives on, are native's on each
 * rank that left. */
#include "runtime/freeing.h"

#include <pthread.h>
#include <stdatomic.h>

/* Of all threads; delete functions free further ones. Without those that were left, few. */
enum { MOST = 64 };
static struct {
    pthread_t thread;
    MPI_Comm comm;
} freeing[MOST];
static atomic_int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take_out(int which)
{
    count--;
    for (int i = which; i < count; i++)
        freeing[i] = freeing[i + 1];
}

static int find(MPI_Comm comm)
{
    int i = count - 1;
    while (i >= 0 && (freeing[i].comm != comm || !pthread_equal(freeing[i].thread, pthread_self())))
        i--;
    return i;
}

/* Nearly always there is none. */
bool star_is_being_freed(MPI_Comm comm)
{
    if (atomic_load_explicit(&count, memory_order_acquire) == 0)
        return false;
    pthread_mutex_lock(&lock);
    bool found = find(comm) >= 0;
    pthread_mutex_unlock(&lock);
    return found;
}

bool star_freeing_begins(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL || comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF)
        return false;
    pthread_mutex_lock(&lock);
    if (count == MOST)
        take_out(0);
    freeing[count].thread = pthread_self();
    freeing[count].comm = comm;
    count++;
    pthread_mutex_unlock(&lock);
    return true;
}

void star_freeing_ends(MPI_Comm comm)
{
    int which;
    if (atomic_load_explicit(&count, memory_order_acquire) == 0)
        return;
    pthread_mutex_lock(&lock);
    while ((which = find(comm)) >= 0)
        take_out(which);
    pthread_mutex_unlock(&lock);
}
