/* SPDX-License-Identifier: BSD-3-Clause
 * Reports of runs that are kept: so many, the last ones, and nothing else is touched. */
#include "expect.h"
#include "util/file_write.h"
#include "util/kept.h"
#include "util/why.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

static char folder[64], home[40];

static int make_home(void **state)
{
    (void)state;
    snprintf(home, sizeof home, "/tmp/startune-kept-XXXXXX");
    assert_non_null(mkdtemp(home));
    snprintf(folder, sizeof folder, "%s/a/b", home);
    return 0;
}

static int remove_home(void **state)
{
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command);
}

static int synced;

/* In the C library's place. */
int fsync(int file)
{
    (void)file;
    synced++;
    return 0;
}

/* It took 2 to 10 ms at the end of each program. */
static void nobody_waits_for_the_disk(void **state)
{
    (void)state;
    struct star_why why;
    synced = 0;
    assert_int_equal(star_kept_add(folder, "{}", 2, 3, &why), 0);
    assert_int_equal(synced, 0);
}

static void put(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(star_file_write(path, "x", 1, NULL), 0);
}

static bool is_there(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static int kept_now(void)
{
    struct star_kept kept;
    assert_int_equal(star_kept_list(folder, &kept, NULL), 0);
    int count = kept.count;
    for (int i = 1; i < count; i++)
        assert_true(strcmp(kept.name[i - 1], kept.name[i]) < 0);
    star_kept_free(&kept);
    return count;
}

static void the_last_ones_are_kept_and_the_oldest_goes(void **state)
{
    (void)state;
    assert_int_equal(kept_now(), 0); /* no folder yet */
    assert_int_equal(star_kept_add(folder, "new", 3, 3, NULL), 0);
    put("2001-02-03T04.05.06.000000-1.json");
    put("2001-02-03T04.05.05.000000-1.json");
    assert_int_equal(kept_now(), 3);
    assert_int_equal(star_kept_add(folder, "newer", 5, 3, NULL), 0);
    assert_int_equal(kept_now(), 3);
    assert_false(is_there("2001-02-03T04.05.05.000000-1.json"));
    assert_true(is_there("2001-02-03T04.05.06.000000-1.json"));
    assert_int_equal(star_kept_add(folder, "newest", 6, 1, NULL), 0);
    assert_int_equal(kept_now(), 1);
}

static void those_of_a_clock_that_was_ahead_go_first(void **state)
{
    (void)state;
    assert_int_equal(star_kept_add(folder, "old", 3, 3, NULL), 0);
    put("2001-02-03T04.05.06.000000-1.json");
    put("2991-02-03T04.05.05.000000-1.json");
    put("2991-02-03T04.05.06.000000-1.json");
    assert_int_equal(star_kept_add(folder, "new", 3, 4, NULL), 0);
    assert_false(is_there("2991-02-03T04.05.05.000000-1.json"));
    struct star_kept kept;
    assert_int_equal(star_kept_list(folder, &kept, NULL), 0);
    assert_int_equal(kept.count, 4);
    assert_string_equal(kept.name[0], "2991-02-03T04.05.06.000000-1.json");
    assert_string_equal(kept.name[1], "2001-02-03T04.05.06.000000-1.json");
    star_kept_free(&kept);
    assert_int_equal(star_kept_add(folder, "newest", 6, 1, NULL), 0);
    assert_int_equal(kept_now(), 1);
    assert_false(is_there("2001-02-03T04.05.06.000000-1.json"));
}

static void other_files_stay_and_halves_of_killed_jobs_go(void **state)
{
    (void)state;
    char path[200];
    assert_int_equal(star_kept_add(folder, "new", 3, 1, NULL), 0);
    put("notes.json");
    put("2001.txt");
    put("2001-02-03.json.77.new");
    put("2002-02-03.json.78.new");
    snprintf(path, sizeof path, "%s/2001-02-03.json.77.new", folder);
    assert_int_equal(utime(path, &(struct utimbuf){1000, 1000}), 0);
    assert_int_equal(star_kept_add(folder, "new", 3, 1, NULL), 0);
    assert_true(is_there("notes.json") && is_there("2001.txt"));
    assert_false(is_there("2001-02-03.json.77.new"));
    assert_true(is_there("2002-02-03.json.78.new")); /* being written, perhaps */
}

static void jobs_that_end_together_lose_none(void **state)
{
    (void)state;
    enum { JOBS = 20 };
    for (int i = 0; i < JOBS; i++)
        if (fork() == 0)
            _exit(star_kept_add(folder, "together", 8, JOBS, NULL) != 0);
    int status;
    while (wait(&status) > 0)
        assert_int_equal(status, 0);
    assert_int_equal(kept_now(), JOBS);
}

static void a_full_disk_leaves_nothing_behind(void **state)
{
    (void)state;
    assert_int_equal(star_kept_add(folder, "whole", 5, 5, NULL), 0);
    pid_t child = fork();
    if (child == 0) { /* a file that may not grow fails as one on a full disk */
        struct star_why why;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){3, 3});
        _exit(star_kept_add(folder, "too long", 8, 5, &why) == STAR_ESYSTEM ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    char command[120];
    snprintf(command, sizeof command, "test $(ls %s | wc -l) = 1", folder);
    assert_int_equal(system(command), 0);
}

/* Nobody is told that nothing is kept. */
static void a_folder_that_cannot_be_read_is_not_an_empty_one(void **state)
{
    (void)state;
    struct star_kept kept;
    struct star_why why;
    assert_int_equal(star_kept_list("/dev/null", &kept, &why), STAR_ESYSTEM);
    expect_reason(&why, "/dev/null");
    assert_int_equal(kept.count, 0);
}

static void what_cannot_be_kept_is_said_by_its_kind(void **state)
{
    (void)state;
    struct star_why why;
    assert_int_equal(star_kept_add("/dev/null/reports", "x", 1, 5, &why), STAR_ENEEDS);
    expect_reason(&why, "/dev/null");
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    char path[100];
    assert_int_equal(star_kept_folder(path, sizeof path, &why), STAR_ENEEDS);
    setenv("XDG_STATE_HOME", "/state", 1);
    assert_int_equal(star_kept_folder(path, sizeof path, &why), 0);
    assert_string_equal(path, "/state/startune/reports");
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/home/x", 1);
    assert_int_equal(star_kept_folder(path, sizeof path, &why), 0);
    assert_string_equal(path, "/home/x/.local/state/startune/reports");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_last_ones_are_kept_and_the_oldest_goes, make_home, remove_home),
        cmocka_unit_test_setup_teardown(those_of_a_clock_that_was_ahead_go_first, make_home, remove_home),
        cmocka_unit_test_setup_teardown(other_files_stay_and_halves_of_killed_jobs_go, make_home,
                                        remove_home),
        cmocka_unit_test_setup_teardown(jobs_that_end_together_lose_none, make_home, remove_home),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_nothing_behind, make_home, remove_home),
        cmocka_unit_test_setup_teardown(nobody_waits_for_the_disk, make_home, remove_home),
        cmocka_unit_test(a_folder_that_cannot_be_read_is_not_an_empty_one),
        cmocka_unit_test(what_cannot_be_kept_is_said_by_its_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
