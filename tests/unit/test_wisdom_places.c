/* SPDX-License-Identifier: BSD-3-Clause
 * The store of wisdom in places of other kinds: on file systems without locks, in folders that may not be
 * written, beside other processes and clocks. The answers of the system stand in for them: its functions of
 * these names are those below. */
#include "store/base.h"
#include "store/place.h"
#include "store/store.h"
#include "util/why.h"
#include "wisdom/fact.h"
#include "wisdoms.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

static int no_locks, no_folders; /* the errno that it answers with; 0: it does what it is asked */
static time_t ahead;             /* how far this node's clock is */
static enum moment { NEVER, WHEN_OPENED, WHEN_RENAMED } moment; /* when another process does OTHERS */
static void others(void);

static bool is_about_locks(int command)
{
    return command == F_GETLK || command == F_SETLK || command == F_SETLKW || command == F_OFD_GETLK ||
           command == F_OFD_SETLK;
}

static int control(int file, int command, void *argument)
{
    if (no_locks && is_about_locks(command)) {
        errno = no_locks;
        return -1;
    }
    return (int)syscall(SYS_fcntl, file, command, argument);
}

/* As SQLite calls it, and as we do. */
#define STANDS_IN_FRONT __attribute__((visibility("default")))

STANDS_IN_FRONT int fcntl64(int file, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return control(file, command, argument);
}

STANDS_IN_FRONT int fcntl(int file, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return control(file, command, argument);
}

STANDS_IN_FRONT int mkdir(const char *folder, mode_t mode)
{
    size_t length = strlen(folder);
    if (no_folders && length > 5 && strcmp(folder + length - 5, ".lock") == 0) {
        errno = no_folders;
        return -1;
    }
    return (int)syscall(SYS_mkdirat, AT_FDCWD, folder, mode);
}

STANDS_IN_FRONT time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds != NULL)
        *seconds = now.tv_sec + ahead;
    return now.tv_sec + ahead;
}

static int open_now(const char *file, int flags, mode_t mode)
{
    int opened_file = (int)syscall(SYS_openat, AT_FDCWD, file, flags, mode);
    if (moment == WHEN_OPENED && (flags & O_ACCMODE) == O_RDWR && strcmp(file, path) == 0)
        others();
    return opened_file;
}

STANDS_IN_FRONT int open64(const char *file, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_now(file, flags, mode);
}

STANDS_IN_FRONT int open(const char *file, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_now(file, flags, mode);
}

static int rename_now(const char *from, const char *to, unsigned flags)
{
    if (moment == WHEN_RENAMED && strstr(from, "-journal") != NULL)
        others();
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

STANDS_IN_FRONT int renameat2(int folder, const char *from, int other, const char *to, unsigned flags)
{
    (void)folder, (void)other;
    return rename_now(from, to, flags);
}

STANDS_IN_FRONT int rename(const char *from, const char *to)
{
    return rename_now(from, to, 0);
}

static int leave(void **state)
{
    no_locks = no_folders = 0;
    ahead = 0;
    moment = NEVER;
    return remove_home(state);
}

static const struct star_fact *a_fact(void)
{
    static struct star_fact fact;
    fact = fact_of("m", "bcast", 8, "bcast:chain", 1);
    return &fact;
}

static void the_first_write_finds_that_there_are_no_locks(void **state)
{
    (void)state;
    static const int answers[] = {ENOLCK, ENOSYS};
    for (int i = 0; i < 2; i++) {
        no_locks = answers[i];
        struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
        assert_true(star_wisdom_is_unlockable(store));
        add(store, a_fact(), 1);
        star_wisdom_close(store);
        store = opened(STAR_WISDOM_READ);
        assert_int_equal(everything(store).count, 1);
        star_wisdom_close(store);
        assert_int_equal(unlink(path), 0);
    }
}

/* As a colleague's store, or the site's. */
static void where_no_lock_can_be_made_it_is_read_without(void **state)
{
    (void)state;
    static const int answers[] = {EACCES, EROFS};
    no_locks = ENOLCK;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, a_fact(), 1);
    star_wisdom_close(store);
    for (int i = 0; i < 2; i++) {
        struct star_why why = {{0}};
        no_folders = answers[i];
        store = opened(STAR_WISDOM_READ);
        assert_int_equal(everything(store).count, 1);
        star_wisdom_close(store);
        assert_int_equal(star_wisdom_open(path, STAR_WISDOM_WRITE, &store, &why), STAR_ESYSTEM);
        expect_reason(&why, strerror(answers[i]));
        expect_reason(&why, ".lock");
    }
}

/* The lock that another one has just made is not that of a job that is no more. */
static void a_clock_that_is_ahead_breaks_no_lock(void **state)
{
    (void)state;
    char lock[110];
    star_wisdom_close(opened(STAR_WISDOM_WRITE_UNLOCKABLE));
    snprintf(lock, sizeof lock, "%s.lock", path);
    assert_int_equal(mkdir(lock, 0700), 0);
    ahead = 3600;
    star_place_break_lock(path);
    assert_int_equal(access(lock, F_OK), 0);
    struct timespec long_ago[2] = {{.tv_sec = NOW}, {.tv_sec = NOW}};
    assert_int_equal(utimensat(AT_FDCWD, lock, long_ago, 0), 0);
    ahead = NOW - time(NULL); /* and one that is behind keeps none */
    star_place_break_lock(path);
    assert_int_not_equal(access(lock, F_OK), 0);
}

static pid_t other;

/* Another process finds the file damaged, too, and adds a fact; for half a second it is waited for, as it may
 * have to wait itself. */
static void others(void)
{
    moment = NEVER;
    other = fork();
    if (other == 0) {
        struct star_fact fact = fact_of("m", "bcast", 8, "bcast:others", 1);
        struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
        add(store, &fact, 1);
        star_wisdom_close(store);
        kill(getpid(), SIGKILL); /* its end by itself would be blamed for what its parent holds */
    }
    for (int i = 0; i < 50; i++) {
        siginfo_t ended = {.si_pid = 0};
        if (waitid(P_PID, (id_t)other, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == other)
            break;
        usleep(10000);
    }
}

static void what_is_damaged_is_set_aside_once(enum moment when)
{
    int status;
    char aside[120];
    star_wisdom_close(opened(STAR_WISDOM_WRITE));
    assert_int_equal(truncate(path, 0) || truncate(path, 5000), 0); /* zeros are no SQLite file */
    moment = when;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, a_fact(), 1);
    assert_int_equal(moment, NEVER);
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    star_wisdom_close(store);
    store = opened(STAR_WISDOM_READ);
    assert_int_equal(everything(store).count, 2);
    star_wisdom_close(store);
    snprintf(aside, sizeof aside, "%s.damaged-1", path);
    struct stat damaged;
    assert_int_equal(stat(aside, &damaged), 0);
    assert_int_equal(damaged.st_size, 5000);
    aside[strlen(aside) - 1] = '2';
    assert_int_not_equal(access(aside, F_OK), 0);
}

static void who_opened_the_damaged_file_renames_no_new_one(void **state)
{
    (void)state;
    what_is_damaged_is_set_aside_once(WHEN_OPENED);
}

static void nor_does_who_was_about_to_rename_it(void **state)
{
    (void)state;
    what_is_damaged_is_set_aside_once(WHEN_RENAMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_write_finds_that_there_are_no_locks, make_home, leave),
        cmocka_unit_test_setup_teardown(where_no_lock_can_be_made_it_is_read_without, make_home, leave),
        cmocka_unit_test_setup_teardown(a_clock_that_is_ahead_breaks_no_lock, make_home, leave),
        cmocka_unit_test_setup_teardown(who_opened_the_damaged_file_renames_no_new_one, make_home, leave),
        cmocka_unit_test_setup_teardown(nor_does_who_was_about_to_rename_it, make_home, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
