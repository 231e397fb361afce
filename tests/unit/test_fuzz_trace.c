/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated traces: each is refused with a reason, or accepted, replayed, and survives writing and reading.
 * STARTUNE_FUZZ: rounds (4000); STARTUNE_FUZZ_SEED: where the numbers start. */
#include "mutate.h"
#include "replay/replay.h"

#include <stdio.h>

enum { FILE_MOST = 8192 };
static uint64_t seed = 1;
static long rounds = 4000;

static const char *const pieces[] = {"startune trace 1\n",
                                     "context bcast 3 8 1e-5\n",
                                     "method alltoall:pair 0\n",
                                     "method bcast:native 0\n",
                                     "burst 0 1+1 2+0\n",
                                     "burst 1 ",
                                     " 1e5+3",
                                     "end 2\n",
                                     "\n",
                                     " ",
                                     "+",
                                     "-",
                                     "#",
                                     "0",
                                     "1e308",
                                     "1e-320",
                                     "nan",
                                     "99999999999999999999",
                                     "2147483647",
                                     "\xff"};

static const char begin[] = "startune trace 1\ncontext alltoall 4 1024 1.2e-05\nmethod alltoall:native 0\n"
                            "method alltoall:ring 3e-05\nburst 1 30+1 20+2 21+1\nburst 0 25+0 26+1\n"
                            "burst 0 25+0 24+1\ncontext barrier 2 0 0\nmethod barrier:native 0\n"
                            "method barrier:linear 1e-6\nburst 0 3+1 4+1\nburst 1 12345+0.5 8+0\nend 2\n";

static void replay_all(const struct star_traces *traces)
{
    for (int i = 0; i < traces->count; i++) {
        struct star_truth truth;
        struct star_moment moment = {.calls = 60};
        assert_int_equal(star_truth_make(&truth, &traces->at[i], NULL), 0);
        struct star_run run = {.truth = &truth,
                               .tuning = {.strategy = STAR_RACE, .iter = 3, .delta = 1, .delta_most = 4}};
        run.tuning.budget = 0.5;
        assert_int_equal(star_replay(&run, &moment, 1, NULL), 0);
        assert_in_range(moment.chosen, 0, traces->at[i].methods.count - 1);
        star_truth_free(&truth);
    }
}

static void accept(const struct star_traces *traces)
{
    struct star_text first = {0}, second = {0};
    struct star_traces again = {0};
    struct star_why why;
    star_traces_write(traces, &first);
    assert_int_equal(star_traces_parse(first.bytes, first.length, "again", &again, &why), 0);
    assert_int_equal(again.count, traces->count);
    star_traces_write(&again, &second);
    assert_int_equal(first.length > 0, second.length > 0);
    replay_all(traces);
    star_traces_free(&again);
    star_text_free(&first);
    star_text_free(&second);
}

/* Reads LENGTH bytes in room of their very size, so that a sanitizer sees each read beyond them. */
static bool try(const char *text, size_t length)
{
    struct star_traces traces = {0};
    struct star_why why = {{0}};
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    int error = star_traces_parse(exact, length, "fuzz", &traces, &why);
    free(exact);
    if (error) {
        assert_int_equal(error, STAR_EINPUT);
        assert_int_equal(traces.count, 0);
        expect_one_line(why.text);
        assert_int_equal(strncmp(why.text, "fuzz:", 5), 0);
    } else {
        accept(&traces);
    }
    star_traces_free(&traces);
    return error == 0;
}

static void a_trace_is_read_or_refused(void **state)
{
    (void)state;
    static char text[FILE_MOST];
    long good = 0;
    for (long i = 0; i < rounds; i++) {
        memcpy(text, begin, sizeof begin - 1);
        size_t changed =
            mutate(&seed, text, sizeof begin - 1, FILE_MOST, pieces, sizeof pieces / sizeof *pieces);
        good += try(text, changed);
        good += try(text, random_below(&seed, changed + 1)); /* and cut off somewhere */
    }
    assert_true(rounds < 100 || (good > rounds / 20 && good < 2 * rounds)); /* some of both kinds */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_is_read_or_refused)};
    if (getenv("STARTUNE_FUZZ") != NULL)
        rounds = strtol(getenv("STARTUNE_FUZZ"), NULL, 10);
    if (getenv("STARTUNE_FUZZ_SEED") != NULL)
        seed = strtoull(getenv("STARTUNE_FUZZ_SEED"), NULL, 10) | 1;
    print_message("seed %llu, %ld rounds\n", (unsigned long long)seed, rounds);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
