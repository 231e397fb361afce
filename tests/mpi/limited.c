/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that the system allows little, once MPI has begun: limited files|addresses|locked. Each prints
 * what went wrong. */
#include "program.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { COMMUNICATORS = 40, MB = 1 << 20 };

/* In kB, from /proc. */
static long status(const char *key)
{
    char line[256];
    long value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            value = atol(line + strlen(key));
    if (file != NULL)
        fclose(file);
    return value;
}

static void limit(int what, rlim_t most)
{
    struct rlimit limits = {most, most};
    if (setrlimit(what, &limits) != 0)
        failed("setrlimit", MPI_COMM_WORLD, 0);
}

static MPI_Comm comms[COMMUNICATORS];

/* A few calls on each of many communicators that live at the same time. */
static void work(void)
{
    for (int i = 0; i < COMMUNICATORS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        for (int round = 0; round < 8; round++)
            exchange("many communicators", comms[i], 1 + round, round % 2, round);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    exchange("at first", MPI_COMM_WORLD, 1, 0, 0);
    if (strcmp(what, "files") == 0) {
        limit(RLIMIT_FSIZE, 100000);
        work();
    } else if (strcmp(what, "addresses") == 0) {
        const size_t needed = 100 * (size_t)MB;
        limit(RLIMIT_AS, (rlim_t)status("VmSize:") * 1024 + 2 * needed);
        work();
        void *memory = malloc(needed);
        if (memory == NULL)
            failed("malloc", MPI_COMM_WORLD, 0);
        free(memory);
    } else { /* locked */
        bool locks = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
        long before = status("VmLck:");
        work();
        if (locks && status("VmLck:") - before > COMMUNICATORS * 1024L)
            failed("more than 1 MB is locked for each communicator", MPI_COMM_WORLD, 0);
    }
    for (int i = 0; i < COMMUNICATORS; i++)
        MPI_Comm_free(&comms[i]);
    return finish();
}
