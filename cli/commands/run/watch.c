/* SPDX-License-Identifier: BSD-3-Clause
 * The watcher is neither above nor below the program. That keeps the process that the launcher started, with
 * its group and all signals for either, and has no child that it knows nothing of. */
#include "watch.h"
#include "util/reached.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the watcher has what it watches, instead of the program's input and output. */
enum { END = STDIN_FILENO, FOLDER = STDOUT_FILENO };

/* Readable when this process has ended, whatever it has become. Negative: the system is too old to tell. */
static int open_end(void)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, getpid(), 0);
#else
    return -1;
#endif
}

/* As of Linux 6.13, whose headers few have. What is asked for first is what is known. */
struct information {
    uint64_t known, group;
    uint32_t numbers[11];
    int32_t status;
};
enum { STATUS = 1 << 3 }; /* which Linux knows as of 6.15 */

/* How the program has ended that the launcher no longer knows; 0 where the system does not, either. */
static int ask_status(void)
{
    struct information asked = {.known = STATUS};
    bool told = ioctl(END, _IOWR(0xff, 11, struct information), &asked) == 0 && (asked.known & STATUS) != 0;
    return told ? asked.status : 0;
}

/* Has the program ended, and how? */
static bool has_ended(int *status)
{
    char line[1024] = "";
    int file = openat(FOLDER, "stat", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, line, sizeof line - 1) : -1;
    bool gone = length < 0 && (errno == ESRCH || errno == ENOENT);
    if (file >= 0)
        close(file);
    const char *state = strrchr(line, ')'), *last = strrchr(line, ' ');
    *status = gone ? ask_status() : last != NULL ? atoi(last) : 0;
    return gone || (state != NULL && (strncmp(state, ") Z", 3) == 0 || strncmp(state, ") X", 3) == 0));
}

/* Keeps nothing of the program but its standard error, and ends by itself. */
static void let_go(int end, int folder)
{
    enum { SOME = 1024 };
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    int moved = chdir("/");
    (void)moved;
    close(END);
    dup2(end, END); /* where there is one */
    dup2(folder, FOLDER);
#ifdef SYS_close_range
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0) == 0)
        return;
#endif
    for (int i = STDERR_FILENO + 1; i < SOME; i++)
        close(i);
}

static void watch(int end, int folder)
{
    enum { LOOKS = 100 }; /* milliseconds, where the system does not tell */
    struct pollfd ended = {.fd = end < 0 ? -1 : END, .events = POLLIN};
    int status;
    let_go(end, folder);
    do
        poll(&ended, 1, end < 0 ? LOOKS : -1);
    while (!has_ended(&status) && ended.revents == 0);
    if (!star_reached_end() && status == 0)
        fprintf(stderr,
                "startune: warning: the program ran untuned: it never came to startune's MPI_Init; a script "
                "may unset or overwrite LD_PRELOAD, or it is no MPI program\n");
}

/* Does process 1 of a container care when a process ends? Many wait for none but their own. */
static bool cares(void)
{
    const unsigned long long ended = 1ull << (SIGCHLD - 1);
    char line[256], of[4];
    unsigned long long signals, any = 0;
    FILE *status = fopen("/proc/1/status", "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "Sig%3[BlkIgnCt]: %llx", of, &signals) == 2)
            any |= signals;
    if (status != NULL)
        fclose(status);
    return (any & ended) != 0;
}

/* The watcher is left to process 1, as are all whose parents have ended. The system's waits for them. */
static bool is_waited_for(void)
{
    const ino_t system = 0xeffffffc; /* the first space of numbers has this one, the same everywhere */
    struct stat space;
    return (stat("/proc/self/ns/pid", &space) == 0 && space.st_ino == system) || cares();
}

/* The watcher's parent ends at once, so that the program is not its parent. */
static bool begin(int end, int folder)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        pid_t watcher = fork();
        if (watcher == 0)
            watch(end, folder);
        _exit(watcher < 0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && status == 0;
}

/* Above the standard ones, which may be closed. */
static int raise_descriptor(int low)
{
    int high = low < 0 ? low : fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (low >= 0)
        close(low);
    return high;
}

void cli_watch(void)
{
    char path[64];
    if (!is_waited_for() || !star_reached_begin())
        return;
    snprintf(path, sizeof path, "/proc/%ld", (long)getpid());
    int end = raise_descriptor(open_end());
    int folder = raise_descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder < 0 || !begin(end, folder))
        star_reached_end();
    if (end >= 0)
        close(end);
    if (folder >= 0)
        close(folder);
}
