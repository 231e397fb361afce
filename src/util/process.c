/* SPDX-License-Identifier: BSD-3-Clause
 * The process is begun as posix_spawn does it, sharing memory until it becomes the other program, because
 * copying that of a large program takes long and harms what network cards have pinned. A child that becomes
 * another program tells its parent by SIGCHLD when it ends; so one in the middle, whose end is silent, begins
 * it and leaves. */
#include "util/process.h"
#include "util/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* All that it gets of the environment. */
static const char *const kept[] = {"HOME", "XDG_DATA_HOME", "PATH", "LD_LIBRARY_PATH", "TMPDIR"};
enum { KEPT = sizeof kept / sizeof *kept };
static const size_t stack_room = 1 << 16;

struct becoming {
    char *const *words;
    char *environment[KEPT + 1];
    int end; /* of the socket */
    char *stack;
    pid_t process; /* or −1, */
    int error;     /* and why; also where it could not become the other program */
};

/* Signals that the program handles must not run its handlers over here. */
static void forget_handlers(void)
{
    struct sigaction action;
    for (int s = 1; s < NSIG; s++)
        if (sigaction(s, NULL, &action) == 0 && action.sa_handler != SIG_IGN &&
            action.sa_handler != SIG_DFL) {
            memset(&action, 0, sizeof action);
            action.sa_handler = SIG_DFL;
            sigaction(s, &action, NULL);
        }
}

/* Ranks are bound to processors that they keep busy. */
static void be_anywhere(void)
{
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all); /* all that the job may use; else it stays where it is */
}

static int become(void *context)
{
    struct becoming *becoming = context;
    sigset_t none;
    forget_handlers();
    be_anywhere();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO); /* first: NOWHERE may be one of the other two */
    dup2(becoming->end, STDIN_FILENO);
    dup2(becoming->end, STDOUT_FILENO);
#ifdef SYS_close_range
    enum { CLOSE_ON_EXEC = 4 };
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, CLOSE_ON_EXEC);
#endif
    execve(becoming->words[0], becoming->words, becoming->environment);
    becoming->error = errno;
    _exit(127);
}

static int be_between(void *context)
{
    struct becoming *becoming = context;
    becoming->process =
        clone(become, becoming->stack + stack_room, CLONE_VM | CLONE_VFORK | SIGCHLD, becoming);
    if (becoming->process < 0)
        becoming->error = errno;
    _exit(0);
}

static void fill_environment(char **environment)
{
    int count = 0;
    for (char **entry = environ; *entry != NULL; entry++)
        for (int i = 0; i < KEPT; i++) {
            size_t length = strlen(kept[i]);
            if (count < KEPT && strncmp(*entry, kept[i], length) == 0 && (*entry)[length] == '=')
                environment[count++] = *entry;
        }
    environment[count] = NULL;
}

/* Its number; −1, with errno. */
static pid_t begin(char *const *words, int end)
{
    struct becoming becoming = {.words = words, .end = end, .process = -1};
    sigset_t all, before;
    becoming.stack = malloc(2 * stack_room); /* of both */
    if (becoming.stack == NULL)
        return -1;
    fill_environment(becoming.environment);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t between = clone(be_between, becoming.stack + 2 * stack_room, CLONE_VM | CLONE_VFORK, &becoming);
    if (between < 0)
        becoming.error = errno;
    while (between > 0 && waitpid(between, NULL, __WALL) < 0 && errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(becoming.stack);
    errno = becoming.error;
    return becoming.error ? -1 : becoming.process;
}

/* Above the standard ones, which the program may have closed. */
static bool open_ends(int ends[2])
{
    int low[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(low[i]);
    }
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    return false;
}

/* Sends what is left of INPUT, and says when it is all. */
static void send_some(int end, const struct star_text *input, size_t *sent)
{
    ssize_t more = send(end, input->bytes + *sent, input->length - *sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (more > 0)
        *sent += (size_t)more;
    else if (more < 0 && errno != EAGAIN && errno != EINTR)
        *sent = input->length; /* it does not listen any more */
    if (*sent == input->length)
        shutdown(end, SHUT_WR);
}

/* False: it has ended, or an error. */
static bool receive_some(int end, struct star_text *answer)
{
    char bytes[1 << 14];
    ssize_t more = recv(end, bytes, sizeof bytes, MSG_DONTWAIT);
    if (more > 0)
        star_text_append(answer, bytes, (size_t)more);
    return more > 0 || (more < 0 && (errno == EAGAIN || errno == EINTR));
}

/* False: out of time. */
static bool talk(int end, const struct star_text *input, double seconds, struct star_text *answer)
{
    int64_t last = star_now() + (int64_t)(seconds * 1e9);
    size_t sent = 0;
    if (input->length == 0)
        shutdown(end, SHUT_WR);
    for (;;) {
        int64_t left = (last - star_now()) / 1000000;
        struct pollfd socket = {.fd = end, .events = POLLIN};
        if (sent < input->length)
            socket.events |= POLLOUT;
        if (left <= 0)
            return false;
        int ready = poll(&socket, 1, (int)left);
        if (ready < 0 && errno != EINTR)
            return true;
        if (ready > 0 && (socket.revents & POLLOUT) != 0 && sent < input->length)
            send_some(end, input, &sent);
        if (ready > 0 && (socket.revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !receive_some(end, answer))
            return true;
    }
}

int star_process_begin(struct star_process *process, char *const *words, struct star_why *why)
{
    int ends[2];
    if (!open_ends(ends))
        return star_because(why, STAR_ESYSTEM, "no socket for %.200s: %s", words[0], strerror(errno));
    *process = (struct star_process){.number = begin(words, ends[1]), .end = ends[0]};
    int error = errno;
    close(ends[1]);
    if (process->number > 0)
        return 0;
    close(ends[0]);
    *process = (struct star_process){0};
    return star_because(why, STAR_ESYSTEM, "%.200s: %s", words[0], strerror(error));
}

int star_process_talk(struct star_process *process, const char *name, const struct star_text *input,
                      double seconds, struct star_text *answer, struct star_why *why)
{
    if (!talk(process->end, input, seconds, answer)) {
        star_process_abandon(process);
        return star_because(why, STAR_ESYSTEM, "%.200s has not ended after %g s", name, seconds);
    }
    close(process->end);
    *process = (struct star_process){0};
    return answer->failed ? star_because(why, STAR_EMEMORY, "out of memory") : 0;
}

void star_process_abandon(struct star_process *process)
{
    if (process->number > 0) {
        close(process->end);
        kill(process->number, SIGKILL);
    }
    *process = (struct star_process){0};
}
