/* SPDX-License-Identifier: BSD-3-Clause
 * Three processes: the program asks, an attendant talks for it, and the other program, the helper, answers.
 *
 * A process that becomes another program tells its parent by SIGCHLD when it ends, and its parent must wait
 * for it; that cannot be the program, which knows nothing of it, nor process 1, which in containers often
 * waits for none but its own. So the helper's parent is the attendant, which never becomes another program:
 * it may end silently, is found by none but who asks for such (__WALL), and ends when the helper has. It
 * alone signals the helper, whose number cannot be another's while its parent has not waited for it.
 *
 * Both are begun as posix_spawn does it, sharing the program's memory, because copying that of a large
 * program takes long and harms what network cards have pinned. So the calling thread stands still until the
 * attendant ends. Under tools that make a copy all the same, such as valgrind, what is shared on purpose
 * still is. */
#include "util/process.h"
#include "util/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* All that the helper gets of the environment. */
static const char *const kept[] = {"HOME", "XDG_DATA_HOME", "PATH", "LD_LIBRARY_PATH", "TMPDIR"};
enum { KEPT = sizeof kept / sizeof *kept };
static const size_t stack_room = 1 << 16;

/* How the attendant ends: 0, one of these, or why the helper cannot be run, an errno. */
enum { TOO_LATE = 254, TOO_LONG = 255 };

/* By the helper and the attendant. */
struct said {
    int error; /* why the helper could not become the other program */
    size_t length;
    char bytes[STAR_ANSWER_MOST];
};

struct asking {
    char *const *words;
    char *environment[KEPT + 1];
    const struct star_text *input;
    size_t sent;
    int64_t last; /* when it must have ended, by star_now */
    int ends[2];  /* of the socket: the attendant's, the helper's */
    char *stack;  /* of both */
    struct said *said;
};

/* Signals that the program handles must not run its handlers over here, and what it ignores, such as SIGCHLD,
 * need not be ignored here. */
static void forget_handlers(void)
{
    struct sigaction action;
    for (int s = 1; s < NSIG; s++)
        if (sigaction(s, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
            (action.sa_handler != SIG_IGN || s == SIGCHLD)) {
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

/* The helper. */
static int become(void *context)
{
    struct asking *asking = context;
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* whatever happens to the attendant, nothing stays */
    be_anywhere();
    umask(umask(0) & ~(mode_t)S_IRWXU); /* what it makes it has to read again */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO); /* first: NOWHERE may be one of the other two */
    dup2(asking->ends[1], STDIN_FILENO);
    dup2(asking->ends[1], STDOUT_FILENO);
#ifdef SYS_close_range
    enum { CLOSE_ON_EXEC = 4 };
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, CLOSE_ON_EXEC);
#endif
    execve(asking->words[0], asking->words, asking->environment);
    asking->said->error = errno;
    _exit(127);
}

/* Sends what is left of the input, and says when it is all. */
static void send_some(struct asking *asking)
{
    const struct star_text *input = asking->input;
    ssize_t more = send(asking->ends[0], input->bytes + asking->sent, input->length - asking->sent,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (more > 0)
        asking->sent += (size_t)more;
    else if (more < 0 && errno != EAGAIN && errno != EINTR)
        asking->sent = input->length; /* it does not listen any more */
    if (asking->sent == input->length)
        shutdown(asking->ends[0], SHUT_WR);
}

/* False: it has ended, or there is no more room. */
static bool receive_some(struct asking *asking)
{
    struct said *said = asking->said;
    ssize_t more =
        recv(asking->ends[0], said->bytes + said->length, sizeof said->bytes - said->length, MSG_DONTWAIT);
    if (more > 0)
        said->length += (size_t)more;
    return more > 0 ? said->length < sizeof said->bytes : more < 0 && (errno == EAGAIN || errno == EINTR);
}

static int milliseconds_until(int64_t last)
{
    int64_t left = (last - star_now()) / 1000000;
    return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

/* 0 when the helper has closed its end. */
static int talk(struct asking *asking)
{
    if (asking->input->length == 0)
        shutdown(asking->ends[0], SHUT_WR);
    for (;;) {
        int left = milliseconds_until(asking->last);
        struct pollfd socket = {.fd = asking->ends[0], .events = POLLIN};
        if (asking->sent < asking->input->length)
            socket.events |= POLLOUT;
        if (left == 0)
            return TOO_LATE;
        int ready = poll(&socket, 1, left);
        if (ready > 0 && (socket.revents & POLLOUT) != 0)
            send_some(asking);
        if (ready > 0 && (socket.revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !receive_some(asking))
            return asking->said->length < sizeof asking->said->bytes ? 0 : TOO_LONG;
    }
}

/* Waits for the helper's end until LAST. All signals are blocked. */
static bool reap(pid_t helper, int64_t last)
{
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    while (waitpid(helper, NULL, WNOHANG) == 0) {
        int left = milliseconds_until(last);
        struct timespec most = {left / 1000, left % 1000 * 1000000L};
        if (left == 0)
            return false;
        sigtimedwait(&ended, NULL, &most);
    }
    return true;
}

/* Above the standard ones, which the program may have closed. The program itself has none of them. */
static bool open_ends(int ends[2])
{
    int low[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(low[i]);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

/* The attendant. A helper that does not even die, as the disk that it reads from does not answer, is left to
 * itself. */
static int attend(void *context)
{
    static const int64_t to_die = 1000000000;
    struct asking *asking = context;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it keeps all that the program has open */
    forget_handlers();
    if (!open_ends(asking->ends))
        _exit(errno);
    pid_t helper = clone(become, asking->stack + stack_room, CLONE_VM | CLONE_VFORK | SIGCHLD, asking);
    if (helper < 0)
        _exit(errno);
    close(asking->ends[1]);
    int how = asking->said->error ? asking->said->error : talk(asking);
    if (how == 0 && !reap(helper, asking->last))
        how = TOO_LATE;
    if (how != 0) {
        kill(helper, SIGKILL);
        reap(helper, star_now() + to_die);
    }
    _exit(how);
}

static void fill_environment(char **environment)
{
    int count = 0;
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) /* none behind clearenv */
        for (int i = 0; i < KEPT; i++) {
            size_t length = strlen(kept[i]);
            if (count < KEPT && strncmp(*entry, kept[i], length) == 0 && (*entry)[length] == '=')
                environment[count++] = *entry;
        }
    environment[count] = NULL;
}

/* Begins the attendant and waits for its end, which it returns as `attend` says, or an errno. It calls what a
 * thread could be cancelled in, and must not be in the attendant. */
static int have_attended(struct asking *asking)
{
    sigset_t all, before;
    int cancelling, status = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t attendant = clone(attend, asking->stack + 2 * stack_room, CLONE_VM | CLONE_VFORK, asking);
    int error = attendant < 0 ? errno : 0;
    while (attendant > 0 && waitpid(attendant, &status, __WALL) < 0 && errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancelling, NULL);
    return error ? error : WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

/* What both processes write to is shared, copy or not. */
static bool make_room(struct asking *asking)
{
    asking->stack = malloc(2 * stack_room);
    void *room = mmap(NULL, sizeof *asking->said, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    asking->said = room != MAP_FAILED ? room : NULL;
    return asking->stack != NULL && asking->said != NULL;
}

static void free_room(struct asking *asking)
{
    free(asking->stack);
    if (asking->said != NULL)
        munmap(asking->said, sizeof *asking->said);
}

static int refuse(int how, const char *name, double seconds, struct star_why *why)
{
    if (how == TOO_LATE)
        return star_because(why, STAR_ESYSTEM, "%.200s has not ended after %g s", name, seconds);
    if (how == TOO_LONG)
        return star_because(why, STAR_ESYSTEM, "%.200s has said more than %d MiB", name,
                            STAR_ANSWER_MOST >> 20);
    return star_because(why, STAR_ESYSTEM, "%.200s: %s", name, strerror(how));
}

int star_process_ask(char *const *words, const struct star_text *input, double seconds,
                     struct star_text *answer, struct star_why *why)
{
    struct asking asking = {.words = words, .input = input};
    int error = 0;
    asking.last = star_now() + (int64_t)(seconds * 1e9);
    fill_environment(asking.environment);
    if (!make_room(&asking)) {
        error = star_because(why, STAR_EMEMORY, "out of memory for %.200s", words[0]);
    } else {
        int how = have_attended(&asking);
        if (how != 0)
            error = refuse(how, words[0], seconds, why);
        else
            star_text_append(answer, asking.said->bytes, asking.said->length);
    }
    free_room(&asking);
    return error == 0 && answer->failed ? star_because(why, STAR_EMEMORY, "out of memory") : error;
}
