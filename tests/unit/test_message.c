/* SPDX-License-Identifier: BSD-3-Clause
 * Facts as a run and the command tell them each other. */
#include "expect.h"
#include "util/text.h"
#include "util/why.h"
#include "wisdom/fact.h"
#include "wisdom/message.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 8 };
struct heard {
    int count;
    struct star_fact at[MOST];
    char note[STAR_MESSAGE_NOTE];
    struct star_why why;
};

static int hear_one(const struct star_fact *fact, void *context)
{
    struct heard *heard = context;
    assert_true(heard->count < MOST);
    heard->at[heard->count++] = *fact;
    return 0;
}

static int hear(const char *text, struct heard *heard)
{
    memset(heard, 0, sizeof *heard);
    return star_message_read(text, strlen(text), hear_one, heard, heard->note, &heard->why);
}

static struct star_fact a_fact(void)
{
    struct star_fact fact = {.ranks = 8,
                             .nodes = 2,
                             .bytes = -1,
                             .in_place = true,
                             .figures = {12.5, 3.25e-3, 12.5 * 4e-8, 2e-6, 1700000000}};
    snprintf(fact.machine, sizeof fact.machine, "Open MPI 4.1.4; nodes 2");
    snprintf(fact.operation, sizeof fact.operation, "alltoallv");
    snprintf(fact.method, sizeof fact.method, "alltoallv:ring,sync=light");
    return fact;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct star_fact fact = a_fact();
    struct star_text text = {0};
    struct heard heard;
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is there, it has a decimal comma */
    star_message_begin(&text, fact.machine);
    star_message_fact(&text, &fact);
    star_message_note(&text, "a note\nof two lines");
    star_message_end(&text);
    assert_int_equal(hear(text.bytes, &heard), 0);
    assert_int_equal(heard.count, 1);
    const struct star_fact *read = &heard.at[0];
    assert_string_equal(read->machine, fact.machine);
    assert_string_equal(read->operation, fact.operation);
    assert_string_equal(read->method, fact.method);
    assert_true(read->ranks == 8 && read->nodes == 2 && read->bytes == -1 && read->in_place &&
                !read->commutative);
    assert_true(fabs(read->figures.count - 12.5) < 1e-9 && fabs(read->figures.mean - 3.25e-3) < 1e-12);
    assert_true(fabs(read->figures.squares / (12.5 * 4e-8) - 1) < 1e-6);
    assert_true(fabs(read->figures.least - 2e-6) < 1e-12 && read->figures.date == 1700000000);
    assert_string_equal(heard.note, "a note of two lines");
    setlocale(LC_ALL, "C");
    star_text_free(&text);
}

static void what_has_faded_away_is_not_told(void **state)
{
    (void)state;
    struct star_fact fact = a_fact();
    struct star_text text = {0};
    fact.figures.count = 1e-4;
    star_message_fact(&text, &fact);
    assert_int_equal(text.length, 0);
}

#define HEAD "startune-wisdom 2\nmachine m\n"
#define FACT "fact bcast 4 1 8 1 0 1000 5000000 0 4000000 1700000000 bcast:chain\n"

/* What a message would cut in two is no fact: it would make all that it stands among unreadable. */
static void what_would_cut_a_message_in_two_is_no_fact(void **state)
{
    (void)state;
    struct star_why why;
    struct star_fact method = a_fact(), operation = a_fact();
    snprintf(method.method, sizeof method.method, "my\nfunction");
    snprintf(operation.operation, sizeof operation.operation, "my operation");
    assert_int_equal(star_fact_check(&method, &why), STAR_EINPUT);
    expect_one_line(why.text);
    assert_int_equal(star_fact_check(&operation, &why), STAR_EINPUT);
    method = a_fact();
    assert_int_equal(star_fact_check(&method, &why), 0);
}

/* Facts are not looked at. */
static void expect_checked(const char *text, int expected)
{
    char note[STAR_MESSAGE_NOTE];
    struct star_why why;
    if (star_message_check(text, strlen(text), note, &why) != expected)
        fail_msg("checked: %s", text);
    if (expected)
        expect_one_line(why.text);
}

static void a_check_tells_the_note(void **state)
{
    (void)state;
    char note[STAR_MESSAGE_NOTE];
    const char *const whole = HEAD FACT "note a note\nend\n", *const silent = HEAD FACT "end\n";
    assert_int_equal(star_message_check(whole, strlen(whole), note, NULL), 0);
    assert_string_equal(note, "a note");
    assert_int_equal(star_message_check(silent, strlen(silent), note, NULL), 0);
    assert_string_equal(note, "");
    expect_checked("startune-wisdom 20\nend\n", STAR_EINPUT);
    expect_checked("startune-wisdom 2", STAR_EINPUT);
}

static void what_is_cut_off_or_wrong_is_refused(void **state)
{
    (void)state;
    const char *const wrong[] = {
        "",
        "end\n",
        "startune-wisdom 1\nend\n",
        HEAD FACT,
        HEAD FACT "end",
        HEAD "fact\nend\n",
        HEAD "facts bcast\nend\n",
        HEAD "fact bcast 4 1 8 1 0 1000 5000000 0 4000000 1700000000\nend\n",
        HEAD "fact bcast 4 1 8x 1 0 1000 5000000 0 4000000 1700000000 bcast:chain\nend\n",
        HEAD "fact bcast 4 1 99999999999999999999 1 0 1000 5000000 0 4000000 1700000000 bcast:chain\nend\n",
        HEAD "fact bcast 0 1 8 1 0 1000 5000000 0 4000000 1700000000 bcast:chain\nend\n",
        HEAD "fact bcast 4 1 8 1 0 -1000 5000000 0 4000000 1700000000 bcast:chain\nend\n",
        "startune-wisdom 2\n" FACT "end\n",
    };
    struct heard heard;
    assert_int_equal(hear(HEAD FACT FACT "end\n", &heard), 0);
    assert_int_equal(heard.count, 2);
    assert_int_equal(hear(HEAD "fact own:a:1 4 1 8 1 0 1000 5000000 0 4000000 1700000000 a b\nend\n", &heard),
                     0);
    assert_string_equal(heard.at[0].method, "a b"); /* a program's functions may have such names */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect_checked(wrong[i], i < 5 ? STAR_EINPUT : 0);
        if (hear(wrong[i], &heard) != STAR_EINPUT)
            fail_msg("taken: %s", wrong[i]);
        expect_one_line(heard.why.text);
    }
}

/* Each byte of a good message changed in turn: it is read or refused, and nothing worse. */
static void damaged_bytes_do_no_harm(void **state)
{
    (void)state;
    char text[] = HEAD FACT "note n\nend\n";
    struct heard heard;
    for (size_t i = 0; i < sizeof text - 1; i++)
        for (int byte = 0; byte < 256; byte += 5) {
            char kept = text[i];
            text[i] = (char)byte;
            memset(&heard, 0, sizeof heard);
            int error = star_message_read(text, sizeof text - 1, hear_one, &heard, heard.note, &heard.why);
            assert_true(error == 0 || error == STAR_EINPUT);
            text[i] = kept;
        }
}

static void a_message_is_opened_again_for_more(void **state)
{
    (void)state;
    struct star_fact fact = a_fact();
    struct star_text text = {0};
    struct heard heard;
    assert_false(star_message_has_added(&text, "a file"));
    star_message_begin(&text, "m");
    star_message_added(&text, "a file");
    star_message_end(&text);
    star_message_reopen(&text);
    star_message_reopen(&text); /* it is open */
    star_message_fact(&text, &fact);
    star_message_end(&text);
    assert_int_equal(hear(text.bytes, &heard), 0);
    assert_int_equal(heard.count, 1);
    assert_true(star_message_has_added(&text, "a file"));
    assert_false(star_message_has_added(&text, "a"));
    star_text_free(&text);
}

static void what_has_faded_is_told_as_it_is_now(void **state)
{
    (void)state;
    struct star_fact fact = a_fact();
    struct star_text text = {0};
    struct heard heard;
    star_message_begin(&text, "m");
    star_message_fact_now(&text, &fact, fact.figures.date + STAR_FACT_HALF * INT64_C(86400));
    fact.ranks = 0; /* impossible */
    star_message_fact_now(&text, &fact, fact.figures.date);
    star_message_end(&text);
    assert_int_equal(hear(text.bytes, &heard), 0);
    assert_int_equal(heard.count, 1);
    assert_true(fabs(heard.at[0].figures.count - 6.25) < 1e-9);
    star_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_opened_again_for_more),
        cmocka_unit_test(what_has_faded_is_told_as_it_is_now),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_has_faded_away_is_not_told),
        cmocka_unit_test(what_would_cut_a_message_in_two_is_no_fact),
        cmocka_unit_test(what_is_cut_off_or_wrong_is_refused),
        cmocka_unit_test(a_check_tells_the_note),
        cmocka_unit_test(damaged_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
