/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks of a node count each other, whatever earlier jobs of the same number have left behind. */
#include "runtime/presence.h"
#include "expect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8 };

/* So many times as fast does the clock go for those who wait for one that never comes: alone, or for each
 * other first. */
enum { ALONE = 30, TOGETHER = 3 };
static int haste = 1;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int status = __real_clock_gettime(clock, now);
    int64_t nanoseconds = haste * (now->tv_sec * INT64_C(1000000000) + now->tv_nsec);
    *now = (struct timespec){.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return status;
}

static void begin_job(const char *number, const char *ranks)
{
    setenv("PMIX_NAMESPACE", number, 1);
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", ranks, 1);
}

static void name_of(const char *job, char name[200])
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    snprintf(name, 200, "startune.%ld.%s.%s", (long)getuid(), host, job);
}

static bool is_left(const char *job)
{
    char name[200], path[256];
    name_of(job, name);
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    return access(path, F_OK) == 0;
}

static mode_t permissions_of(const char *job)
{
    char name[200], path[256];
    struct stat status;
    name_of(job, name);
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 0777;
}

/* So many have come. */
static int counted_in(const char *job)
{
    char name[200], path[256];
    int here = 0;
    name_of(job, name);
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    int file = open(path, O_RDONLY);
    if (file >= 0) {
        assert_true(read(file, &here, sizeof here) >= 0);
        close(file);
    }
    return here;
}

/* As a killed job leaves it. */
static void leave(const char *job, int here, int closed)
{
    char name[200], path[256];
    const int counts[] = {here, 0, closed, 0};
    name_of(job, name);
    snprintf(path, sizeof path, "/%s", name);
    int file = shm_open(path, O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, counts, sizeof counts), sizeof counts);
    close(file);
}

/* COUNT ranks come, and find the same. */
static void run(int count, struct star_presence found[MOST])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    for (int rank = 0; rank < count; rank++)
        if (fork() == 0) {
            struct star_presence mine = {0};
            if (star_presence_begin(false))
                mine = star_presence_find();
            _exit(write(ends[1], &mine, sizeof mine) != sizeof mine);
        }
    int firsts = 0, status;
    for (int rank = 0; rank < count; rank++) {
        assert_int_equal(read(ends[0], &found[rank], sizeof *found), sizeof *found);
        firsts += found[rank].first;
    }
    assert_int_equal(firsts, 1);
    while (wait(&status) > 0)
        assert_int_equal(status, 0);
    close(ends[0]);
    close(ends[1]);
}

static void test_all_have_come(void **state)
{
    (void)state;
    struct star_presence found[MOST];
    begin_job("unit.1", "8");
    for (int again = 0; again < 50; again++) {
        run(8, found);
        for (int rank = 0; rank < 8; rank++)
            assert_true(found[rank].complete && found[rank].all == 8 && found[rank].missing == 0);
        assert_false(is_left("unit.1"));
    }
}

static void test_one_is_missing(void **state)
{
    (void)state;
    struct star_presence found[MOST];
    begin_job("unit.2", "3");
    haste = TOGETHER;
    run(2, found);
    haste = 1;
    for (int rank = 0; rank < 2; rank++)
        assert_true(!found[rank].complete && found[rank].missing == 1);
    assert_false(is_left("unit.2"));
}

static void test_an_earlier_job_of_this_number_was_killed(void **state)
{
    (void)state;
    struct star_presence found[MOST];
    begin_job("unit.3", "3");
    leave("unit.3", 1, 0);
    leave("unit.4", 2, 0);
    haste = TOGETHER;
    run(2, found);
    haste = 1;
    assert_true(!found[0].complete && found[0].missing == 1 && !found[1].complete);
    assert_false(is_left("unit.3") || is_left("unit.4"));
    leave("unit.3", 2, 2); /* where somebody gave up */
    run(3, found);
    for (int rank = 0; rank < 3; rank++)
        assert_true(found[rank].complete);
    assert_false(is_left("unit.3"));
}

/* What others hold on to, and what is of another kind, stays. */
static void test_jobs_that_run_are_left_alone(void **state)
{
    (void)state;
    struct star_presence found[MOST];
    begin_job("unit.5", "2");
    mode_t mask = umask(0777);
    assert_true(star_presence_begin(false));
    umask(mask);
    if (fork() == 0) {
        execl("/proc/self/exe", "presence", "another", (char *)NULL);
        _exit(1);
    }
    int status;
    wait(&status);
    assert_int_equal(status, 0);
    assert_true(is_left("unit.5"));
    assert_int_equal(permissions_of("unit.5"), 0600); /* else ranks could not count themselves */
    haste = ALONE;
    found[0] = star_presence_find();
    haste = 1;
    assert_true(found[0].missing == 1 && !is_left("unit.5"));
}

/* In a process of its own: is nobody counted, without a signal, and nothing left? */
static bool nobody_is_counted(bool (*prepare)(void))
{
    int status = 0;
    begin_job("unit.7", "2");
    if (fork() == 0)
        _exit(prepare() &&
              (star_presence_begin(false) || !star_presence_find().complete || is_left("unit.7")));
    wait(&status);
    return status == 0;
}

static bool have_no_file_longer(void)
{
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_FSIZE, &none) == 0;
}

/* False: who may not change what is mounted has nothing to show. */
static bool fill_shared_memory(void)
{
    static const char bytes[1 << 16];
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "/dev/shm", "tmpfs", 0, "size=4k") != 0)
        return false;
    int file = shm_open("/full", O_RDWR | O_CREAT, 0600);
    ssize_t written = write(file, bytes, sizeof bytes);
    close(file);
    return written > 0;
}

/* A sandbox that refuses flock(). */
static bool have_no_locks(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void test_without_room_or_locks_for_the_counts(void **state)
{
    (void)state;
    assert_true(nobody_is_counted(have_no_file_longer));
    assert_true(nobody_is_counted(fill_shared_memory));
    assert_true(nobody_is_counted(have_no_locks));
}

static bool have_no_file(void)
{
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_NOFILE, &none) == 0;
}

static bool have_no_addresses(void)
{
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_AS, &none) == 0;
}

/* A rank that comes second, in a process of its own. */
static bool finds(bool (*prepare)(void), bool counted)
{
    int status = 0;
    fflush(NULL);
    if (fork() == 0) {
        bool begun = prepare() && star_presence_begin(false);
        _exit(begun != counted || star_presence_find().complete != counted);
    }
    wait(&status);
    return status == 0;
}

/* Whoever cannot count itself where others can must know that they wait for it, and will go on without. */
static void test_one_alone_cannot_be_counted(void **state)
{
    (void)state;
    begin_job("unit.8", "2");
    if (fork() == 0) {
        execl("/proc/self/exe", "presence", "awaited", (char *)NULL);
        _exit(1);
    }
    while (counted_in("unit.8") == 0)
        usleep(1000);
    assert_true(finds(have_no_file, false));
    assert_true(finds(have_no_addresses, false));
    assert_true(finds(have_no_locks, false));
    assert_true(finds(have_no_file_longer, true)); /* it is long enough */
    int status;
    wait(&status);
    assert_int_equal(status, 0);
    assert_false(is_left("unit.8"));
}

/* The one that comes first, and waits for another. */
static int be_awaited(void)
{
    begin_job("unit.8", "2");
    if (!star_presence_begin(false))
        return 1;
    return !star_presence_find().complete;
}

static int be_another(void)
{
    struct star_presence found;
    begin_job("unit.6", "2");
    bool begun = star_presence_begin(false);
    haste = ALONE;
    found = star_presence_find();
    return !(begun && found.missing == 1 && is_left("unit.5") && !is_left("unit.6"));
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_have_come),
        cmocka_unit_test(test_one_is_missing),
        cmocka_unit_test(test_an_earlier_job_of_this_number_was_killed),
        cmocka_unit_test(test_jobs_that_run_are_left_alone),
        cmocka_unit_test(test_without_room_or_locks_for_the_counts),
        cmocka_unit_test(test_one_alone_cannot_be_counted),
    };
    if (count > 1)
        return strcmp(words[1], "another") == 0 ? be_another() : be_awaited();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
