/* SPDX-License-Identifier: BSD-3-Clause
 * The store of wisdom when many write at once, when they are killed, when the disk is full, and when the file
 * is damaged or not ours. */
#include "changed.h"
#include "store/base.h"
#include "store/facts.h"
#include "store/store.h"
#include "util/why.h"
#include "wisdom/fact.h"
#include "wisdoms.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { CHILDREN_MOST = 100, FEW = 20 };

/* A child that adds one call to a fact that all share and one fact of its own. */
static void child(int number, enum star_wisdom_access access)
{
    char method[40];
    struct star_wisdom *store;
    snprintf(method, sizeof method, "bcast:m%d", number);
    struct star_fact facts[] = {fact_of("m", "bcast", 8, "bcast:shared", 1),
                                fact_of("m", "bcast", 8, method, 1)};
    struct star_why why = {{0}};
    facts[0].figures.mean = facts[0].figures.least = 1e-4; /* it comes first */
    if (star_wisdom_open(path, access, &store, &why) || star_wisdom_add(store, facts, 2, NOW, &why)) {
        print_message("%s\n", why.text);
        _exit(1);
    }
    star_wisdom_close(store);
    _exit(0);
}

static void expect_all_of_children(enum star_wisdom_access access)
{
    pid_t children[CHILDREN_MOST];
    int count = trials(CHILDREN_MOST, FEW);
    for (int i = 0; i < count; i++) {
        children[i] = fork();
        if (children[i] == 0)
            child(i, access);
    }
    for (int i = 0; i < count; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    struct star_wisdom *store = opened(access);
    struct found found = everything(store);
    assert_int_equal(found.count, count + 1);
    assert_string_equal(found.at[0].method, "bcast:shared");
    assert_true(fabs(found.at[0].figures.count - count) < 1e-6);
    star_wisdom_close(store);
}

/* As a job that is killed when half of what it changes is in the file. */
static void change_and_die(void)
{
    sqlite3 *base;
    if (sqlite3_open(path, &base) != SQLITE_OK ||
        sqlite3_exec(base, "BEGIN IMMEDIATE; UPDATE fact SET mean = 7;", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_db_cacheflush(base) != SQLITE_OK)
        _exit(1);
    kill(getpid(), SIGKILL);
}

static void make_store_that_a_killed_job_wrote(void)
{
    int status;
    char journal[120];
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:linear", 100);
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, &fact, 1);
    star_wisdom_close(store);
    pid_t job = fork();
    if (job == 0)
        change_and_die();
    assert_int_equal(waitpid(job, &status, 0), job);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    snprintf(journal, sizeof journal, "%s-journal", path);
    assert_int_equal(access(journal, F_OK), 0);
}

static void who_reads_undoes_what_a_killed_job_wrote(void **state)
{
    (void)state;
    make_store_that_a_killed_job_wrote();
    struct star_wisdom *store = opened(STAR_WISDOM_READ);
    struct found found = everything(store);
    struct star_why why = {{0}};
    assert_int_equal(found.count, 1);
    assert_true(fabs(found.at[0].figures.mean - 1e-3) < 1e-9);
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 1);
    assert_int_not_equal(star_wisdom_add(store, &fact, 1, NOW, &why), 0); /* it was opened for reading */
    star_wisdom_close(store);
}

static void nor_does_it_stay_where_the_file_system_has_no_locks(void **state)
{
    (void)state;
    char lock[110];
    make_store_that_a_killed_job_wrote();
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE_UNLOCKABLE);
    struct found found = everything(store);
    assert_int_equal(found.count, 1);
    assert_true(fabs(found.at[0].figures.mean - 1e-3) < 1e-9);
    star_wisdom_close(store);
    snprintf(lock, sizeof lock, "%s.lock", path);
    assert_int_not_equal(access(lock, F_OK), 0);
}

/* Told by its exit status: 0, it was refused for the right reason. */
static void read_as_another_user(void)
{
    struct star_wisdom *store;
    struct star_why why = {{0}};
    if (geteuid() == 0 && seteuid(65534) != 0)
        _exit(2);
    if (star_wisdom_open(path, STAR_WISDOM_READ, &store, &why) == 0)
        _exit(3);
    _exit(strstr(why.text, "killed while it wrote") ? 0 : 4);
}

static void who_may_not_undo_it_is_told(void **state)
{
    (void)state;
    char command[240];
    int status;
    make_store_that_a_killed_job_wrote();
    snprintf(command, sizeof command, "chmod -R a+rX,a-w '%s'", home);
    assert_int_equal(system(command), 0);
    pid_t other = fork();
    if (other == 0)
        read_as_another_user();
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_int_equal(status, 0);
    snprintf(command, sizeof command, "chmod -R u+w '%s'", home);
    assert_int_equal(system(command), 0);
}

static void many_processes_at_once_lose_nothing(void **state)
{
    (void)state;
    expect_all_of_children(STAR_WISDOM_WRITE);
}

static void nor_do_they_where_the_file_system_has_no_locks(void **state)
{
    (void)state;
    expect_all_of_children(STAR_WISDOM_WRITE_UNLOCKABLE);
}

/* Each transaction raises the counts of two facts by one; a writer is killed at any moment of it. On a slow
 * disk perhaps none of theirs ends: the first is nobody's who is killed. */
static void what_is_killed_leaves_it_whole(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct star_fact facts[] = {fact_of("m", "bcast", 8, "bcast:one", 1),
                                fact_of("m", "bcast", 8, "bcast:other", 1)};
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, facts, 2);
    star_wisdom_close(store);
    for (int trial = 0; trial < trials(40, 8); trial++) {
        pid_t writer = fork();
        if (writer == 0) {
            struct star_wisdom *own;
            if (star_wisdom_open(path, STAR_WISDOM_WRITE, &own, NULL))
                _exit(1);
            while (star_wisdom_add(own, facts, 2, NOW, NULL) == 0)
                ;
            _exit(1);
        }
        usleep((useconds_t)random_below(&seed, 30000));
        kill(writer, SIGKILL);
        int status;
        waitpid(writer, &status, 0);
        assert_true(WIFSIGNALED(status));
    }
    struct star_why why = {{0}};
    store = opened(STAR_WISDOM_WRITE);
    assert_string_equal(star_wisdom_note(store), "");
    assert_int_equal(star_wisdom_examine(store, &why), 0);
    struct found found = everything(store);
    assert_int_equal(found.count, 2);
    assert_true(found.at[0].figures.count == found.at[1].figures.count && found.at[0].figures.count > 0);
    star_wisdom_close(store);
}

/* A disk that is full: here, a bound on the size of files. */
static void a_full_disk_is_a_reason_and_loses_nothing(void **state)
{
    (void)state;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 1);
    add(store, &fact, 1);
    star_wisdom_close(store);
    pid_t writer = fork();
    if (writer == 0) {
        static struct star_fact many[2000];
        struct star_why why = {{0}};
        struct rlimit most = {.rlim_cur = 65536, .rlim_max = 65536};
        for (int i = 0; i < 2000; i++)
            many[i] = fact_of("m", "alltoall", i, "alltoall:ring", 1);
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &most);
        bool refused = star_wisdom_open(path, STAR_WISDOM_WRITE, &store, &why) == 0 &&
                       star_wisdom_add(store, many, 2000, NOW, &why) == STAR_ESYSTEM && why.text[0];
        _exit(refused ? 0 : 1);
    }
    int status;
    waitpid(writer, &status, 0);
    assert_int_equal(status, 0);
    store = opened(STAR_WISDOM_WRITE);
    assert_int_equal(star_wisdom_examine(store, NULL), 0);
    assert_int_equal(everything(store).count, 1);
    star_wisdom_close(store);
}

/* One that died held the folder that is the lock. */
static void an_old_lock_is_taken_away(void **state)
{
    (void)state;
    char lock[110];
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 1);
    star_wisdom_close(opened(STAR_WISDOM_WRITE_UNLOCKABLE));
    snprintf(lock, sizeof lock, "%s.lock", path);
    assert_int_equal(mkdir(lock, 0700), 0);
    struct timespec long_ago[2] = {{.tv_sec = NOW}, {.tv_sec = NOW}};
    assert_int_equal(utimensat(AT_FDCWD, lock, long_ago, 0), 0);
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE_UNLOCKABLE);
    assert_true(star_wisdom_is_unlockable(store));
    add(store, &fact, 1);
    assert_int_equal(everything(store).count, 1);
    star_wisdom_close(store);
}

static void overwrite(long from, const char *with, size_t length)
{
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, from, from < 0 ? SEEK_END : SEEK_SET), 0);
    assert_int_equal(fwrite(with, 1, length, file), length);
    fclose(file);
}

static int set_aside(void)
{
    char folder[96];
    int count = 0;
    snprintf(folder, sizeof folder, "%s/a/b", home);
    DIR *all = opendir(folder);
    for (struct dirent *entry; (entry = readdir(all)) != NULL;)
        count += strstr(entry->d_name, ".damaged-") != NULL;
    closedir(all);
    return count;
}

/* In its first bytes, and in the pages of its facts. */
static void a_damaged_file_is_set_aside_and_a_new_one_begun(void **state)
{
    (void)state;
    static char noise[4096 * 3];
    memset(noise, 0x5a, sizeof noise);
    for (int place = 0; place < 2; place++) {
        struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
        struct star_fact facts[200];
        for (int i = 0; i < 200; i++)
            facts[i] = fact_of("m", "bcast", i, "bcast:chain", 1);
        add(store, facts, 200);
        star_wisdom_close(store);
        if (place == 0)
            overwrite(0, noise, 4096);
        else
            overwrite(-(long)sizeof noise, noise, sizeof noise);
        struct star_why why = {{0}};
        if (place == 0)
            assert_int_equal(star_wisdom_open(path, STAR_WISDOM_READ, &store, &why), STAR_EWRONG);
        store = opened(STAR_WISDOM_WRITE);
        add(store, facts, 200);
        assert_int_equal(set_aside(), place + 1);
        expect_one_line(star_wisdom_note(store));
        assert_non_null(strstr(star_wisdom_note(store), ".damaged-"));
        assert_int_equal(everything(store).count, 200);
        assert_int_equal(star_wisdom_examine(store, &why), 0);
        star_wisdom_close(store);
    }
}

static void an_empty_file_holds_nothing_and_becomes_a_store(void **state)
{
    (void)state;
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 1);
    struct star_why why;
    star_wisdom_close(opened(STAR_WISDOM_WRITE));
    assert_int_equal(truncate(path, 0), 0);
    struct star_wisdom *store = opened(STAR_WISDOM_READ);
    assert_int_equal(everything(store).count, 0);
    assert_int_equal(star_wisdom_examine(store, &why), 0);
    star_wisdom_close(store);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_size, 0);
    store = opened(STAR_WISDOM_WRITE);
    add(store, &fact, 1);
    assert_string_equal(star_wisdom_note(store), "");
    assert_int_equal(everything(store).count, 1);
    star_wisdom_close(store);
}

/* Whatever it says of one method, all that a run has learned is added. */
static void an_impossible_fact_is_replaced_and_no_other_lost(void **state)
{
    (void)state;
    static const char *const damages[] = {"mean = 9e999", "squares = 9e999", "count = -1", "mean = 'much'",
                                          "least = 9"};
    struct star_fact facts[] = {fact_of("m", "bcast", 8, "bcast:chain", 1),
                                fact_of("m", "bcast", 8, "bcast:ring", 1)};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char sql[120];
        struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
        add(store, facts, 1);
        star_wisdom_close(store);
        snprintf(sql, sizeof sql, "UPDATE fact SET %s WHERE method = 'bcast:chain'", damages[i]);
        change(sql);
        store = opened(STAR_WISDOM_WRITE);
        add(store, facts, 2);
        struct found found = everything(store);
        assert_int_equal(found.count, 2);
        for (int j = 0; j < 2; j++)
            assert_int_equal(star_fact_check(&found.at[j], NULL), 0);
        assert_true(found.at[0].figures.count == 1);
        star_wisdom_close(store);
        assert_int_equal(unlink(path), 0);
    }
}

static void refuse(const char *sql, const char *word)
{
    struct star_wisdom *store;
    struct stat before, after;
    change(sql);
    assert_int_equal(stat(path, &before), 0);
    for (int access = STAR_WISDOM_READ; access <= STAR_WISDOM_WRITE; access++) {
        struct star_why why = {{0}};
        assert_int_equal(star_wisdom_open(path, (enum star_wisdom_access)access, &store, &why), STAR_EINPUT);
        expect_reason(&why, word);
        assert_null(store);
    }
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size);
}

static void a_file_of_a_newer_startune_is_left_alone(void **state)
{
    (void)state;
    star_wisdom_close(opened(STAR_WISDOM_WRITE));
    refuse("PRAGMA user_version=3", "newer");
}

static void a_file_of_an_older_startune_is_set_aside(void **state)
{
    (void)state;
    struct star_why why = {{0}};
    struct star_wisdom *store;
    star_wisdom_close(opened(STAR_WISDOM_WRITE));
    change("PRAGMA user_version=1");
    assert_int_equal(star_wisdom_open(path, STAR_WISDOM_READ, &store, &why), STAR_EWRONG);
    expect_reason(&why, "older");
    store = opened(STAR_WISDOM_WRITE);
    assert_int_equal(set_aside(), 1);
    expect_one_line(star_wisdom_note(store));
    star_wisdom_close(store);
}

static void a_file_of_another_program_is_left_alone(void **state)
{
    (void)state;
    star_wisdom_close(opened(STAR_WISDOM_WRITE));
    refuse("PRAGMA application_id=7", "another program");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_HOME(who_reads_undoes_what_a_killed_job_wrote),
        WITH_HOME(nor_does_it_stay_where_the_file_system_has_no_locks),
        WITH_HOME(who_may_not_undo_it_is_told),
        WITH_HOME(many_processes_at_once_lose_nothing),
        WITH_HOME(nor_do_they_where_the_file_system_has_no_locks),
        WITH_HOME(what_is_killed_leaves_it_whole),
        WITH_HOME(a_full_disk_is_a_reason_and_loses_nothing),
        WITH_HOME(an_old_lock_is_taken_away),
        WITH_HOME(a_damaged_file_is_set_aside_and_a_new_one_begun),
        WITH_HOME(an_empty_file_holds_nothing_and_becomes_a_store),
        WITH_HOME(an_impossible_fact_is_replaced_and_no_other_lost),
        WITH_HOME(a_file_of_a_newer_startune_is_left_alone),
        WITH_HOME(a_file_of_an_older_startune_is_set_aside),
        WITH_HOME(a_file_of_another_program_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
