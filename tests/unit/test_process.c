/* SPDX-License-Identifier: BSD-3-Clause
 * Another program is asked, and the one that asks does not notice. */
#include "expect.h"
#include "util/clock.h"
#include "util/process.h"
#include "util/text.h"
#include "util/why.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t children_ended;

static void count_child(int number)
{
    (void)number;
    children_ended++;
}

/* A shell that runs COMMAND. */
static int ask(const char *command, const struct star_text *input, struct star_text *answer,
               struct star_why *why)
{
    char *words[] = {"/bin/sh", "-c", (char *)(uintptr_t)command, NULL};
    return star_process_ask(words, input, 20, answer, why);
}

static void expect_answer(const char *command, const char *expected)
{
    struct star_text input = {0}, answer = {0};
    struct star_why why = {{0}};
    if (ask(command, &input, &answer, &why))
        fail_msg("%s", why.text);
    assert_string_equal(answer.bytes ? answer.bytes : "", expected);
    star_text_free(&answer);
}

/* More than a socket holds, both ways. */
static void what_is_given_comes_back(void **state)
{
    (void)state;
    struct star_text input = {0}, answer = {0};
    struct star_why why = {{0}};
    for (int i = 0; i < 300000; i++)
        star_text_add(&input, "%d\n", i);
    if (ask("exec cat", &input, &answer, &why))
        fail_msg("%s", why.text);
    assert_int_equal(answer.length, input.length);
    assert_memory_equal(answer.bytes, input.bytes, input.length);
    star_text_free(&answer);
    star_text_free(&input);
}

static void one_that_does_not_listen_is_no_harm(void **state)
{
    (void)state;
    struct star_text input = {0}, answer = {0};
    struct star_why why = {{0}};
    for (int i = 0; i < 300000; i++)
        star_text_add(&input, "%d\n", i);
    assert_int_equal(ask("exec 0<&-; echo done", &input, &answer, &why), 0);
    assert_string_equal(answer.bytes, "done\n");
    star_text_free(&answer);
    star_text_free(&input);
}

/* Nothing is left that somebody would have to wait for: this process stands for process 1, too. */
static void expect_no_child(void)
{
    assert_true(waitpid(-1, NULL, WNOHANG | __WALL) == -1 && errno == ECHILD);
}

static void neither_a_signal_nor_wait_tells_of_it(void **state)
{
    (void)state;
    struct sigaction count = {.sa_handler = count_child}, before;
    assert_int_equal(sigaction(SIGCHLD, &count, &before), 0);
    expect_answer("(exit 3); echo said", "said\n");
    assert_int_equal(children_ended, 0);
    expect_no_child();
    sigaction(SIGCHLD, &before, NULL);
}

/* Then a child of whoever ignores it needs no waiting for, and cannot be waited for. */
static void a_program_that_ignores_its_children_learns_what_was_said(void **state)
{
    (void)state;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    assert_int_equal(sigaction(SIGCHLD, &ignore, &before), 0);
    int64_t begin = star_now();
    expect_answer("sleep 0.1; exec echo said", "said\n");
    assert_true(star_now() - begin < INT64_C(10000000000));
    expect_no_child();
    sigaction(SIGCHLD, &before, NULL);
}

/* It may do so before it ends. */
static void one_that_says_no_more_is_waited_for(void **state)
{
    (void)state;
    int64_t begin = star_now();
    expect_answer("echo said; exec >&- <&-; exec sleep 0.3", "said\n");
    assert_true(star_now() - begin >= INT64_C(300000000));
    expect_no_child();
}

static void of_the_environment_it_gets_what_it_needs(void **state)
{
    (void)state;
    setenv("HOME", "/made/up", 1);
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    setenv("STARTUNE", "on", 1);
    setenv("LD_DEBUG_OUTPUT", "/nowhere", 1);
    setenv("HOMELY", "x", 1);
    expect_answer("echo $HOME-$OMPI_COMM_WORLD_RANK-$STARTUNE-$LD_DEBUG_OUTPUT-$HOMELY", "/made/up----\n");
}

static void a_program_without_an_environment_asks_too(void **state)
{
    (void)state;
    char **before = environ;
    environ = NULL; /* as clearenv leaves it */
    expect_answer("echo \"<$HOME>\"", "<>\n");
    environ = before;
}

/* It could not read what it had written. */
static void what_the_program_keeps_from_others_is_its_own(void **state)
{
    (void)state;
    mode_t mask = umask(0777);
    expect_answer("umask", "0077\n");
    assert_int_equal(umask(mask), 0777);
}

static void no_file_is_handed_on(void **state)
{
    (void)state;
    int file = open("/dev/null", O_RDONLY);
    char command[100];
    assert_true(file > 2);
    snprintf(command, sizeof command, "[ -e /proc/$$/fd/%d ] && echo there; [ -e /proc/$$/fd/0 ] && echo 0",
             file);
    expect_answer(command, "0\n");
    close(file);
}

/* A program may have closed what others have always open. */
static void closed_standard_files_stay_closed(void **state)
{
    (void)state;
    int input = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    struct star_text none = {0}, answer = {0};
    struct star_why why = {{0}};
    int error = ask("read line; echo lost >&2; echo said", &none, &answer, &why);
    bool closed = fcntl(STDIN_FILENO, F_GETFD) == -1;
    dup2(input, STDIN_FILENO);
    close(input);
    assert_int_equal(error, 0);
    assert_true(closed);
    assert_string_equal(answer.bytes, "said\n");
    star_text_free(&answer);
}

/* Else what it says there would go into the next file that it opens. */
static void it_has_standard_error_where_the_program_has_not(void **state)
{
    (void)state;
    struct star_text none = {0}, answer = {0};
    struct star_why why = {{0}};
    int errors = dup(STDERR_FILENO);
    close(STDERR_FILENO);
    int error = ask("[ -e /proc/$$/fd/2 ] && echo there", &none, &answer, &why);
    dup2(errors, STDERR_FILENO);
    close(errors);
    assert_int_equal(error, 0);
    assert_string_equal(answer.bytes ? answer.bytes : "", "there\n");
    star_text_free(&answer);
}

static void one_that_takes_too_long_is_killed(void **state)
{
    (void)state;
    char *words[] = {"/bin/sleep", "100", NULL};
    struct star_text none = {0}, answer = {0};
    struct star_why why = {{0}};
    int64_t begin = star_now();
    assert_int_equal(star_process_ask(words, &none, 0.2, &answer, &why), STAR_ESYSTEM);
    assert_true(star_now() - begin < INT64_C(50000000000));
    expect_one_line(why.text);
    assert_non_null(strstr(why.text, "0.2 s"));
    expect_no_child();
}

static void one_that_says_too_much_is_killed(void **state)
{
    (void)state;
    char *words[] = {"/usr/bin/yes", NULL};
    struct star_text none = {0}, answer = {0};
    struct star_why why = {{0}};
    assert_int_equal(star_process_ask(words, &none, 60, &answer, &why), STAR_ESYSTEM);
    expect_one_line(why.text);
    assert_non_null(strstr(why.text, "8 MiB"));
    assert_int_equal(answer.length, 0);
    expect_no_child();
}

static void one_that_is_not_there_is_a_reason(void **state)
{
    (void)state;
    char *words[] = {"/nowhere/startune", NULL};
    struct star_text none = {0}, answer = {0};
    struct star_why why = {{0}};
    assert_int_equal(star_process_ask(words, &none, 5, &answer, &why), STAR_ESYSTEM);
    assert_non_null(strstr(why.text, "/nowhere/startune: No such file"));
    expect_no_child();
}

/* Ends within MOST seconds, whoever it is. */
static bool another_ends(double most)
{
    for (int64_t begin = star_now(); (double)(star_now() - begin) < most * 1e9; usleep(1000))
        if (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
            return true;
    return false;
}

/* Neither of the two goes on without it, keeping what it had open. */
static void where_the_program_is_killed_nothing_goes_on(void **state)
{
    (void)state;
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t program = fork();
    if (program == 0) {
        close(ends[0]);
        ask("exec sleep 100", &(struct star_text){0}, &(struct star_text){0}, NULL);
        _exit(0);
    }
    close(ends[1]);
    usleep(200000); /* most often, it has begun all by then */
    assert_int_equal(kill(program, SIGKILL), 0);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    assert_true(another_ends(20));
    while (another_ends(0.5))
        ;
    expect_no_child();
}

static void it_is_not_bound_where_the_program_is(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    if (CPU_COUNT(&before) < 2)
        skip();
    CPU_ZERO(&one);
    for (int i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    expect_answer("[ $(nproc) -gt 1 ] && echo free", "free\n");
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_comes_back),
        cmocka_unit_test(one_that_does_not_listen_is_no_harm),
        cmocka_unit_test(neither_a_signal_nor_wait_tells_of_it),
        cmocka_unit_test(a_program_that_ignores_its_children_learns_what_was_said),
        cmocka_unit_test(one_that_says_no_more_is_waited_for),
        cmocka_unit_test(of_the_environment_it_gets_what_it_needs),
        cmocka_unit_test(a_program_without_an_environment_asks_too),
        cmocka_unit_test(what_the_program_keeps_from_others_is_its_own),
        cmocka_unit_test(no_file_is_handed_on),
        cmocka_unit_test(closed_standard_files_stay_closed),
        cmocka_unit_test(it_has_standard_error_where_the_program_has_not),
        cmocka_unit_test(one_that_takes_too_long_is_killed),
        cmocka_unit_test(one_that_is_not_there_is_a_reason),
        cmocka_unit_test(one_that_says_too_much_is_killed),
        cmocka_unit_test(where_the_program_is_killed_nothing_goes_on),
        cmocka_unit_test(it_is_not_bound_where_the_program_is),
    };
    /* What nobody waits for becomes a child of this process. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
