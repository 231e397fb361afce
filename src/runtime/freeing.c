/* SPDX-License-Identifier: BSD-3-Clause
 * An error handler or a delete function of the program may leave MPI_Comm_free by longjmp, or by an
 * exception: then nothing behind the call is reached, and what stood on the stack is no more. So handles
 * stand here. One that was left so stays: calls on that communicator, if it lives on, are native's on each
 * rank that left. */
#include "runtime/freeing.h"

enum { DEEPEST = 16 }; /* delete functions free further ones; without those that were left, few */
static _Thread_local struct {
    MPI_Comm comm[DEEPEST];
    int count;
} freeing __attribute__((tls_model("initial-exec")));

static void take_out(int which)
{
    freeing.count--;
    for (int i = which; i < freeing.count; i++)
        freeing.comm[i] = freeing.comm[i + 1];
}

static int find(MPI_Comm comm)
{
    int i = freeing.count - 1;
    while (i >= 0 && freeing.comm[i] != comm)
        i--;
    return i;
}

bool star_is_being_freed(MPI_Comm comm)
{
    return find(comm) >= 0;
}

bool star_freeing_begins(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL || comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF)
        return false;
    if (freeing.count == DEEPEST)
        take_out(0);
    freeing.comm[freeing.count++] = comm;
    return true;
}

void star_freeing_ends(MPI_Comm comm)
{
    int which;
    while ((which = find(comm)) >= 0)
        take_out(which);
}
