/* SPDX-License-Identifier: BSD-3-Clause */
#include "attend.h"
#include "cli/common/messages.h"
#include "util/reached.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t child;

static void hand_on(int number)
{
    if (child > 0)
        kill(child, number);
}

static const int handed_on[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
                                SIGUSR2, SIGCONT, SIGALRM, SIGWINCH};

/* Those that this process ignores, the program ignores as well. */
static void hand_on_signals(void)
{
    struct sigaction action = {.sa_handler = hand_on, .sa_flags = SA_RESTART}, before;
    for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
        if (sigaction(handed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(handed_on[i], &action, NULL);
}

static void end_as(int status)
{
    if (!WIFSIGNALED(status))
        return;
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
}

int cli_attend(void (*become)(void *), void *whom)
{
    int status;
    if (!star_reached_begin())
        return -1;
    pid_t own = getpid();
    child = fork();
    if (child < 0) {
        star_reached_end();
        return -1;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* where this process is killed, the program is to end as well */
        if (getppid() == own)
            become(whom);
        _exit(CLI_CANNOT_RUN);
    }
    hand_on_signals();
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    child = 0;
    if (!star_reached_end() && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        fprintf(stderr,
                "startune: warning: the program ran untuned: it never came to startune's MPI_Init; a script "
                "may unset or overwrite LD_PRELOAD, or it is no MPI program\n");
    end_as(status);
    return WEXITSTATUS(status);
}
