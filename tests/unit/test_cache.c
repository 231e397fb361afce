/* SPDX-License-Identifier: BSD-3-Clause
 * An answer is read again as long as nothing has changed that it depends on. */
#include "util/text.h"
#include "wisdom/cache.h"
#include "wisdom/message.h"
#include "wisdom/where.h"
#include "wisdoms.h"

#include <sys/stat.h>

static struct star_cache_question question(void)
{
    return (struct star_cache_question){path, "", "m", NOW};
}

static struct star_text head_of(const struct star_cache_question *question)
{
    struct star_text head = {0};
    bool some;
    assert_true(star_cache_head(question, &head, &some));
    assert_true(some);
    return head;
}

static void keep(const char *note)
{
    struct star_cache_question asked = question();
    struct star_text head = head_of(&asked), answer = {0};
    star_message_begin(&answer, "m");
    star_message_note(&answer, note);
    star_message_end(&answer);
    star_cache_write(&asked, &head, &answer);
    star_text_free(&head);
    star_text_free(&answer);
}

static bool is_kept(const struct star_cache_question *asked)
{
    struct star_text head = head_of(asked), answer = {0};
    bool kept = star_cache_read(asked, &head, &answer);
    assert_true(!kept || strstr(answer.bytes, "note it\nend\n") != NULL);
    assert_int_equal(kept, answer.length > 0);
    star_text_free(&head);
    star_text_free(&answer);
    return kept;
}

static int make_kept(void **state)
{
    make_home(state);
    star_wisdom_close(opened(STAR_WISDOM_WRITE));
    keep("it");
    return 0;
}

static void the_same_question_has_the_same_answer(void **state)
{
    (void)state;
    struct star_cache_question asked = question();
    assert_true(is_kept(&asked));
}

static void a_store_that_was_written_is_asked_again(void **state)
{
    (void)state;
    struct star_cache_question asked = question();
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 2);
    for (int i = 0; i < 20; i++) { /* within one tick of the clock that dates files */
        keep("it");
        assert_true(is_kept(&asked));
        struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
        add(store, &fact, 1);
        star_wisdom_close(store);
        assert_false(is_kept(&asked));
    }
}

static void another_question_has_none(void **state)
{
    (void)state;
    char site[200];
    struct star_cache_question machine = question(), day = question(), sites = question();
    machine.machine = "n";
    day.now += DAY;
    snprintf(site, sizeof site, "%s/site.db", home);
    sites.site = site;
    assert_false(is_kept(&machine));
    assert_false(is_kept(&day));
    assert_false(is_kept(&sites));
}

static struct star_text file_of(const char **name)
{
    static char found[200];
    struct star_text text = {0};
    for (int i = 0; i < STAR_CACHE_FILES && text.length == 0; i++) {
        snprintf(found, sizeof found, "%s.cache/%02d", path, i);
        star_wisdom_read_own(found, STAR_CACHE_BYTES_MOST, &text);
    }
    *name = found;
    return text;
}

static void a_damaged_file_is_none(void **state)
{
    (void)state;
    const char *name;
    struct star_cache_question asked = question();
    struct star_text text = file_of(&name);
    for (size_t length = 0; length <= text.length; length++) {
        FILE *out = fopen(name, "w");
        assert_int_equal(fwrite(text.bytes, 1, length, out), length);
        fclose(out);
        assert_int_equal(is_kept(&asked), length == text.length);
    }
    star_text_free(&text);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(mkfifo(name, 0600), 0);
    assert_false(is_kept(&asked));
    keep("it"); /* nobody reads the pipe, and that is not waited for */
}

static void without_a_store_nothing_is_known(void **state)
{
    (void)state;
    bool some;
    struct star_text head = {0};
    struct star_cache_question asked = question();
    assert_int_equal(unlink(path), 0);
    assert_true(star_cache_head(&asked, &head, &some));
    assert_false(some);
    star_text_free(&head);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(star_cache_head(&asked, &head, &some));
    star_text_free(&head);
}

static void beside_a_store_that_others_write_none_is_read(void **state)
{
    (void)state;
    struct star_cache_question asked = question();
    assert_int_equal(chmod(path, 0664), 0);
    assert_false(is_kept(&asked));
}

#define KEPT(test) cmocka_unit_test_setup_teardown(test, make_kept, remove_home)

int main(void)
{
    const struct CMUnitTest tests[] = {
        KEPT(the_same_question_has_the_same_answer),
        KEPT(a_store_that_was_written_is_asked_again),
        KEPT(another_question_has_none),
        KEPT(a_damaged_file_is_none),
        KEPT(without_a_store_nothing_is_known),
        KEPT(beside_a_store_that_others_write_none_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
