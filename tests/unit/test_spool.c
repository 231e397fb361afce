/* SPDX-License-Identifier: BSD-3-Clause
 * What runs have learned since the store was last written is added once, whoever is killed meanwhile. */
#include "store/fold.h"
#include "util/text.h"
#include "wisdom/message.h"
#include "wisdom/spool.h"
#include "wisdoms.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void make_store(void)
{
    star_wisdom_close(opened(STAR_WISDOM_WRITE));
}

static struct star_text message_of(const char *machine, const char *method, double count)
{
    struct star_text text = {0};
    struct star_fact fact = fact_of(machine, "bcast", 8, method, count);
    star_message_begin(&text, machine);
    star_message_fact(&text, &fact);
    star_message_end(&text);
    return text;
}

static int put(const char *method, double count, size_t *files)
{
    struct star_text text = message_of("m", method, count);
    int error = star_spool_put(path, &text, files, NULL);
    star_text_free(&text);
    return error;
}

static size_t files_there(void)
{
    struct star_spool spool;
    assert_true(star_spool_list(path, &spool));
    size_t count = spool.count;
    star_spool_free(&spool);
    return count;
}

static void fold(char note[400])
{
    static const struct star_facts none;
    struct star_why why;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    if (star_wisdom_fold(store, &none, NOW, note, &why))
        fail_msg("%s", why.text);
    star_wisdom_close(store);
}

static double calls_of(const char *method)
{
    struct star_wisdom *store = opened(STAR_WISDOM_READ);
    struct found found = everything(store);
    double calls = 0;
    for (int i = 0; i < found.count; i++)
        calls += strcmp(found.at[i].method, method) == 0 ? found.at[i].figures.count : 0;
    star_wisdom_close(store);
    return calls;
}

static void a_run_reads_what_lies_there_of_its_machine(void **state)
{
    (void)state;
    size_t files;
    struct star_text answer = {0}, other = message_of("other", "bcast:ring", 3);
    make_store();
    assert_int_equal(put("bcast:chain", 2, &files), 0);
    assert_int_equal(files, 1);
    assert_int_equal(star_spool_put(path, &other, &files, NULL), 0);
    assert_int_equal(files, 2);
    star_message_begin(&answer, "m");
    star_message_end(&answer);
    star_spool_add_to(path, "m", NOW, &answer);
    assert_non_null(strstr(answer.bytes, "machine m\nfact bcast 4 1 8 1 0 2000 "));
    assert_non_null(strstr(answer.bytes, "bcast:chain\nend\n"));
    assert_null(strstr(answer.bytes, "bcast:ring"));
    star_text_free(&answer);
    star_text_free(&other);
}

static void what_an_answer_has_already_is_not_added_to_it(void **state)
{
    (void)state;
    size_t files;
    struct star_spool spool;
    struct star_text answer = {0};
    make_store();
    assert_int_equal(put("bcast:chain", 2, &files), 0);
    assert_true(star_spool_list(path, &spool));
    star_message_begin(&answer, "m");
    star_message_added(&answer, spool.at[0].name);
    star_message_end(&answer);
    star_spool_add_to(path, "m", NOW, &answer);
    assert_null(strstr(answer.bytes, "fact"));
    star_text_free(&answer);
    star_spool_free(&spool);
}

/* As one does that is killed when it has added them. */
static void files_that_stay_are_not_added_again(void **state)
{
    (void)state;
    size_t files;
    char note[400], command[300];
    make_store();
    assert_int_equal(put("bcast:chain", 2, &files), 0);
    snprintf(command, sizeof command, "cp -r '%s.spool' '%s/saved'", path, home);
    assert_int_equal(system(command), 0);
    fold(note);
    assert_int_equal(files_there(), 0);
    snprintf(command, sizeof command, "rmdir '%s.spool' && mv '%s/saved' '%s.spool'", path, home, path);
    assert_int_equal(system(command), 0);
    assert_int_equal(files_there(), 1);
    assert_int_equal(put("bcast:chain", 3, &files), 0);
    fold(note);
    assert_string_equal(note, "");
    assert_int_equal(files_there(), 0);
    assert_float_equal(calls_of("bcast:chain"), 5, 1e-9);
}

static void put_file(const char *name, const char *text)
{
    char file[200];
    snprintf(file, sizeof file, "%s.spool/%s", path, name);
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void a_damaged_file_loses_itself_alone(void **state)
{
    (void)state;
    size_t files;
    char note[400];
    make_store();
    assert_int_equal(put("bcast:chain", 2, &files), 0);
    put_file("learned-0000000000000001-0000000000000001",
             "startune-wisdom 2\nmachine m\nfact bcast 4 1 8 1 0 9000 1000000000 0 1000000000 1700000000 "
             "bcast:x\n");
    put_file("not ours", "");
    fold(note);
    assert_non_null(strstr(note, "learned-0000000000000001-0000000000000001"));
    assert_int_equal(files_there(), 0);
    assert_float_equal(calls_of("bcast:chain"), 2, 1e-9);
    assert_float_equal(calls_of("bcast:x"), 0, 0);
    fold(note);
    assert_string_equal(note, "");
}

static void links_and_pipes_are_left_alone(void **state)
{
    (void)state;
    size_t files;
    char note[400], name[200];
    make_store();
    assert_int_equal(put("bcast:chain", 2, &files), 0);
    snprintf(name, sizeof name, "%s.spool/learned-0000000000000001-0000000000000001", path);
    assert_int_equal(symlink("/etc/passwd", name), 0);
    name[strlen(name) - 1] = '2';
    assert_int_equal(mkfifo(name, 0600), 0);
    fold(note);
    assert_string_equal(note, "");
    assert_int_equal(files_there(), 2);
    assert_float_equal(calls_of("bcast:chain"), 2, 1e-9);
}

static void halves_are_removed_when_they_are_old(void **state)
{
    (void)state;
    size_t files;
    char note[400], name[200];
    struct timespec old[2] = {{1, 0}, {1, 0}};
    make_store();
    assert_int_equal(put("bcast:chain", 2, &files), 0);
    put_file("learned-0000000000000001-0000000000000001.abcdefgh.new", "");
    put_file("learned-0000000000000001-0000000000000002.abcdefgh.new", "");
    snprintf(name, sizeof name, "%s.spool/learned-0000000000000001-0000000000000001.abcdefgh.new", path);
    assert_int_equal(utimensat(AT_FDCWD, name, old, 0), 0);
    fold(note);
    assert_int_equal(access(name, F_OK), -1);
    *strstr(name, "1.abc") = '2';
    assert_int_equal(access(name, F_OK), 0);
}

static void only_a_store_that_nobody_else_writes_has_one(void **state)
{
    (void)state;
    size_t files;
    assert_int_equal(put("bcast:chain", 2, &files), STAR_ENEEDS); /* there is no store */
    make_store();
    assert_int_equal(chmod(path, 0664), 0);
    assert_int_equal(put("bcast:chain", 2, &files), STAR_ENEEDS);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(put("bcast:chain", 2, &files), 0);
}

static void it_is_bounded(void **state)
{
    (void)state;
    size_t files;
    struct star_text text = {0};
    make_store();
    star_text_extend(&text, STAR_SPOOL_BYTES_MOST + 1);
    assert_int_equal(star_spool_put(path, &text, &files, NULL), STAR_ENEEDS);
    star_text_free(&text);
    for (size_t i = 1; i <= STAR_SPOOL_MOST; i++) {
        assert_int_equal(put("bcast:chain", 1, &files), 0);
        assert_int_equal(files, i);
    }
    assert_int_equal(put("bcast:chain", 1, &files), STAR_ENEEDS);
}

/* `startune wisdom` looks at a store, and does not set a damaged one aside. */
static void a_damaged_store_stays_and_so_does_its_spool(void **state)
{
    (void)state;
    size_t files;
    struct star_why why;
    make_store();
    assert_int_equal(put("bcast:chain", 2, &files), 0);
    FILE *out = fopen(path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("no database at all, ", out);
    fclose(out);
    assert_int_equal(star_wisdom_fold_in(path, NOW, &why), STAR_EWRONG);
    assert_int_equal(files_there(), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(star_wisdom_fold_in(path, NOW, &why), 0);
    assert_int_equal(access(path, F_OK), -1);
    make_store();
    assert_int_equal(star_wisdom_fold_in(path, NOW, &why), 0);
    assert_float_equal(calls_of("bcast:chain"), 2, 1e-9);
}

static pid_t begin_folding(void)
{
    pid_t child = fork();
    if (child == 0)
        for (;;)
            star_wisdom_fold_in(path, NOW, NULL);
    return child;
}

static void nobody_who_is_killed_loses_or_doubles_any(void **state)
{
    enum { TURNS = 40, EACH = 5 };
    (void)state;
    double told = 0;
    size_t files;
    struct star_why why;
    make_store();
    srand(7);
    for (int turn = 0; turn < TURNS; turn++) {
        pid_t child[2] = {begin_folding(), begin_folding()};
        for (int i = 0; i < EACH; i++) {
            told += put("bcast:chain", 1, &files) == 0;
            usleep((useconds_t)(rand() % 2000));
        }
        for (int i = 0; i < 2; i++) {
            kill(child[i], SIGKILL);
            assert_int_equal(waitpid(child[i], NULL, 0), child[i]);
        }
    }
    if (star_wisdom_fold_in(path, NOW, &why))
        fail_msg("%s", why.text);
    assert_int_equal(files_there(), 0);
    assert_float_equal(calls_of("bcast:chain"), told, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_HOME(a_run_reads_what_lies_there_of_its_machine),
        WITH_HOME(what_an_answer_has_already_is_not_added_to_it),
        WITH_HOME(files_that_stay_are_not_added_again),
        WITH_HOME(a_damaged_file_loses_itself_alone),
        WITH_HOME(links_and_pipes_are_left_alone),
        WITH_HOME(halves_are_removed_when_they_are_old),
        WITH_HOME(only_a_store_that_nobody_else_writes_has_one),
        WITH_HOME(it_is_bounded),
        WITH_HOME(a_damaged_store_stays_and_so_does_its_spool),
        WITH_HOME(nobody_who_is_killed_loses_or_doubles_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
