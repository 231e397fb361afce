/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are written: whole or not at all, and devices stay what they are. */
#include "expect.h"
#include "util/file.h"
#include "util/file_write.h"
#include "util/home.h"
#include "util/text.h"
#include "util/why.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[40];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/startune-file-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* The path of NAME in the folder, until the next call but three. */
static const char *at(const char *name)
{
    static char path[4][400];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void put(const char *path, const char *text)
{
    assert_int_equal(star_file_write(path, text, strlen(text), NULL), 0);
}

static void expect_file(const char *path, const char *content)
{
    struct star_text text = {0};
    assert_int_equal(star_file_read(path, &text, NULL), 0);
    assert_string_equal(text.bytes, content);
    star_text_free(&text);
}

static void expect_files(int expected)
{
    int count = 0;
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (struct dirent *file = readdir(files); file; file = readdir(files))
        count += file->d_name[0] != '.';
    closedir(files);
    assert_int_equal(count, expected);
}

static mode_t kind_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode & S_IFMT;
}

static void a_file_gets_new_content_and_nothing_is_left_beside_it(void **state)
{
    (void)state;
    put(at("map"), "old and long");
    put(at("map"), "new");
    expect_file(at("map"), "new");
    expect_files(1);
}

/* Whoever may write in the folder made links of the names that were to come, to files of the user's. */
static void what_is_written_beside_has_a_name_that_nobody_can_foresee(void **state)
{
    (void)state;
    enum { TIMES = 8 };
    union {
        struct inotify_event event;
        char bytes[4096];
    } events;
    char number[24], before[NAME_MAX + 1] = "";
    snprintf(number, sizeof number, "%ld", (long)getpid());
    int made = inotify_init1(IN_NONBLOCK);
    assert_true(inotify_add_watch(made, folder, IN_CREATE) >= 0);
    for (int i = 0; i < TIMES; i++) {
        put(at("map"), "new");
        assert_true(read(made, events.bytes, sizeof events) > 0);
        const char *name = events.event.name;
        assert_int_equal(strlen(name), strlen("map.xxxxxxxx.new"));
        assert_null(strstr(name, number));
        assert_string_not_equal(name, before);
        snprintf(before, sizeof before, "%s", name);
    }
    close(made);
}

/* The user's program is not ended by a limit that it has for itself, nor is a part of a file left. */
static void a_file_that_becomes_too_long_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    enum { MOST = 1 << 16 };
    static char long_one[2 * MOST];
    struct rlimit before, limit;
    struct star_why why;
    put(at("map"), "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){MOST, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    int error = star_file_write(at("map"), long_one, sizeof long_one, &why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(error, STAR_ESYSTEM);
    expect_reason(&why, "File too large");
    expect_file(at("map"), "old");
    expect_files(1);
}

static void ctrl_c_leaves_nothing_beside_it(void **state)
{
    (void)state;
    enum { TIMES = 30, LENGTH = 1 << 20 };
    static char long_one[LENGTH];
    for (int i = 0; i < TIMES; i++) {
        int status, ends[2];
        char byte;
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            signal(SIGINT, SIG_DFL);
            while (star_file_write(at("map"), long_one, sizeof long_one, NULL) == 0 &&
                   write(ends[1], "", 1) == 1)
                ;
            _exit(1);
        }
        assert_int_equal(read(ends[0], &byte, 1), 1); /* it has written one, and writes the next */
        usleep((useconds_t)i * 100);
        assert_int_equal(kill(child, SIGINT), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
        close(ends[0]);
        close(ends[1]);
        expect_files(1);
    }
}

static void a_pipe_that_nobody_reads_any_more_is_an_error_and_no_signal(void **state)
{
    (void)state;
    static const char many[1 << 20];
    struct star_why why;
    int status;
    assert_int_equal(mkfifo(at("pipe"), 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        _exit(read(open(at("pipe"), O_RDONLY), &byte, 1) != 1);
    }
    assert_int_equal(star_file_write(at("pipe"), many, sizeof many, &why), STAR_ESYSTEM);
    expect_reason(&why, "Broken pipe");
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_pipe_stays_a_pipe(void **state)
{
    (void)state;
    char bytes[8] = "";
    assert_int_equal(mkfifo(at("pipe"), 0600), 0);
    int reader = open(at("pipe"), O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    put(at("pipe"), "news");
    assert_int_equal(read(reader, bytes, sizeof bytes), 4);
    assert_string_equal(bytes, "news");
    assert_int_equal(kind_of(at("pipe")), S_IFIFO);
    close(reader);
    assert_int_equal(star_file_write_soon(at("pipe"), "news", 4, NULL), STAR_ESYSTEM); /* nobody reads it */
    assert_false(star_file_is_replaced(at("pipe")));
    assert_false(star_file_is_replaced("/dev/null"));
    put(at("map"), "news");
    assert_true(star_file_is_replaced(at("map")));
    assert_true(star_file_is_replaced(at("new")));
}

/* Whoever may write to /dev made a file of /dev/stdout, where that led to one. */
static void a_name_of_standard_output_stays_one(void **state)
{
    (void)state;
    assert_int_equal(symlink("/proc/self/fd/1", at("stdout")), 0);
    put(at("log"), "before\n");
    pid_t child = fork();
    if (child == 0) {
        dup2(open(at("log"), O_WRONLY | O_APPEND), STDOUT_FILENO);
        _exit(star_file_write(at("stdout"), "news\n", 5, NULL) != 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(kind_of(at("stdout")), S_IFLNK);
    expect_file(at("log"), "before\nnews\n");
}

/* A link was replaced by a file, and what it led to kept the old content. */
static void a_link_stays_and_leads_to_the_new_content(void **state)
{
    (void)state;
    assert_int_equal(mkdir(at("maps"), 0777), 0);
    put(at("maps/1"), "old");
    assert_int_equal(symlink("maps/1", at("latest")), 0);
    put(at("latest"), "new");
    assert_int_equal(kind_of(at("latest")), S_IFLNK);
    assert_int_equal(kind_of(at("maps/1")), S_IFREG);
    expect_file(at("maps/1"), "new");
    assert_int_equal(symlink("nowhere", at("broken")), 0);
    put(at("broken"), "new");
    expect_file(at("broken"), "new");
}

static mode_t permissions_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

/* What had been kept from others was theirs to read when it was written anew. */
static void who_may_read_a_file_stays(void **state)
{
    (void)state;
    mode_t mask = umask(022);
    put(at("map"), "old");
    assert_int_equal(permissions_of(at("map")), 0644);
    const mode_t modes[] = {0600, 0664};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(at("map"), modes[i]), 0);
        put(at("map"), "new");
        assert_int_equal(permissions_of(at("map")), modes[i]);
    }
    umask(mask);
}

static void a_new_file_is_as_the_mask_has_it(void **state)
{
    (void)state;
    mode_t mask = umask(027);
    put(at("map"), "new");
    assert_int_equal(permissions_of(at("map")), 0640);
    umask(mask);
}

/* What runs of programs with such a mask had learned, no run of the user's could read. */
static void its_owner_may_read_it_whatever_mask_there_is(void **state)
{
    (void)state;
    off_t now;
    mode_t mask = umask(0777);
    put(at("map"), "new");
    assert_int_equal(star_file_append(at("spool"), "x", 1, 100, &now, NULL), 0);
    assert_int_equal(star_home_make(at("local/share/startune"), NULL), 0);
    umask(mask);
    assert_int_equal(permissions_of(at("local")), 0700);
    assert_int_equal(permissions_of(at("local/share")), 0700);
    assert_int_equal(permissions_of(at("map")), 0600);
    assert_int_equal(permissions_of(at("spool")), 0600);
}

/* It was the superuser's when it was written anew. */
static void whose_a_file_is_stays(void **state)
{
    (void)state;
    struct stat status;
    if (geteuid() != 0)
        skip();
    put(at("map"), "old");
    assert_int_equal(chown(at("map"), 1234, 4321), 0);
    assert_int_equal(chmod(at("map"), 0660), 0);
    put(at("map"), "new");
    assert_int_equal(stat(at("map"), &status), 0);
    assert_int_equal(status.st_uid, 1234);
    assert_int_equal(status.st_gid, 4321);
    assert_int_equal(status.st_mode & 0777, 0660);
}

static void expect_unwritable(const char *path, int error, const char *word)
{
    struct star_why why;
    assert_int_equal(star_file_check(path, &why), error);
    expect_reason(&why, word);
}

static void whether_a_file_can_be_written_is_known_before(void **state)
{
    (void)state;
    char name[300];
    memset(name, 'x', sizeof name - 1);
    name[250] = 0; /* good itself, but not what is written beside it */
    put(at("map"), "kept");
    assert_int_equal(star_file_check(at("map"), NULL), 0);
    assert_int_equal(star_file_check(at("new"), NULL), 0);
    assert_int_equal(star_file_check("/dev/null", NULL), 0);
    expect_unwritable("", STAR_EINPUT, "empty");
    expect_unwritable(folder, STAR_ESYSTEM, "Is a directory");
    expect_unwritable(at("absent/"), STAR_ESYSTEM, "No such file");
    expect_unwritable(at("map/new"), STAR_ESYSTEM, "Not a directory");
    expect_unwritable(at(name), STAR_ESYSTEM, "name too long");
    assert_int_equal(close(open(at(name), O_CREAT | O_WRONLY, 0600)), 0);
    assert_int_equal(symlink(name, at("link")), 0);
    expect_unwritable(at("link"), STAR_ESYSTEM, "name too long");
    expect_file(at("map"), "kept");
    assert_int_equal(access(at("new"), F_OK), -1);
}

static void another_users_link_where_everybody_may_make_some_is_not_followed(void **state)
{
    (void)state;
    struct star_why why;
    if (geteuid() != 0)
        skip();
    put(at("own"), "kept");
    assert_int_equal(symlink("own", at("map")), 0);
    assert_int_equal(lchown(at("map"), 1234, 1234), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(star_file_write(at("map"), "new", 3, &why), STAR_ESYSTEM);
    expect_reason(&why, "another user's link");
    expect_unwritable(at("map"), STAR_ESYSTEM, "another user's link");
    expect_file(at("own"), "kept");
    assert_int_equal(chmod(folder, 0755), 0); /* then only this user can have let it be there */
    put(at("map"), "new");
    expect_file(at("own"), "new");
}

static void what_fails_is_said_by_its_name(void **state)
{
    (void)state;
    struct star_why why;
    assert_int_equal(star_file_write(at("absent/map"), "x", 1, &why), STAR_ESYSTEM);
    expect_reason(&why, "absent/map: No such file");
    assert_int_equal(star_file_write("/dev/full", "x", 1, &why), STAR_ESYSTEM);
    expect_reason(&why, "/dev/full: No space left");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_gets_new_content_and_nothing_is_left_beside_it),
        IN_FOLDER(what_is_written_beside_has_a_name_that_nobody_can_foresee),
        IN_FOLDER(a_file_that_becomes_too_long_is_an_error_and_leaves_nothing),
        IN_FOLDER(ctrl_c_leaves_nothing_beside_it),
        IN_FOLDER(a_pipe_that_nobody_reads_any_more_is_an_error_and_no_signal),
        IN_FOLDER(a_pipe_stays_a_pipe),
        IN_FOLDER(a_name_of_standard_output_stays_one),
        IN_FOLDER(a_link_stays_and_leads_to_the_new_content),
        IN_FOLDER(who_may_read_a_file_stays),
        IN_FOLDER(a_new_file_is_as_the_mask_has_it),
        IN_FOLDER(its_owner_may_read_it_whatever_mask_there_is),
        IN_FOLDER(whose_a_file_is_stays),
        IN_FOLDER(whether_a_file_can_be_written_is_known_before),
        IN_FOLDER(another_users_link_where_everybody_may_make_some_is_not_followed),
        IN_FOLDER(what_fails_is_said_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
