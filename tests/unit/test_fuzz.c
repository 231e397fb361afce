/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated input to all that reads what people write (tests/fuzz). fuzz.h says how, and how a failure is run
 * again. */
#include "../fuzz/targets.h"
#include "algorithms/method.h"
#include "algorithms/repository.h"
#include "fuzz.h"
#include "util/parse.h"

enum { TEXT_MOST = 400 };
static long rounds;

/* Spellings to begin with: some of our own, and, from the repository, one of each row. */
enum { METHODS_MOST = 400 };
static char spelt[METHODS_MOST][STAR_METHOD_TEXT];
static const char *methods[METHODS_MOST] = {"alltoall:ring",
                                            "alltoall:pair,sync=light,window=2",
                                            "alltoall:ring,sync=barriers:3",
                                            "alltoall:bruck,radix=8",
                                            "alltoall:native",
                                            "alltoall:ring,sync=none,window=2147483647"};
static size_t method_count = 6;

static const char *const lists[] = {"alltoall:ring alltoall:pair,sync=light", "alltoall:bruck",
                                    " alltoall:native  alltoall:simple alltoall:ring,window=5 "};
static const char *const files[] = {
    "iter = 5\n# comment\ndelta=8\n", "strategy = grouped\nestimator=min-of-mean\nepsilon = 10%\n",
    "methods = alltoall:ring alltoall:pair\nmemory = 64K\n\n\nmpi=auto\non=on\n",
    "report=a b c\r\nsites = off\r\n"};
static const char *const numbers[] = {"0",  "-7",   "9223372036854775807", "64K", "1.5e-3", "10%", "2MB",
                                      "1G", "1e308"};
static const char *const pieces[] = {
    ",",        "=",    ":",       "#",    "\n",       " ",  "sync", "barriers:",
    "segment=", "none", "radix=3", "%s%n", "\xff\xfe", "\t", ";",    "9999999999999999999",
    "alltoall", "K",    "%",       "-",    "'",        "e",  "."};

/* One of SEEDS, changed in a few places. TEXT ends in 0, and may hold others before. */
static size_t mutated(char *text, const char *const *seeds, size_t count)
{
    const char *begin = seeds[random_below(&fuzz_seed, count)];
    size_t length = strlen(begin);
    memcpy(text, begin, length);
    length = mutate(&fuzz_seed, text, length, TEXT_MOST - 1, pieces, sizeof pieces / sizeof *pieces);
    text[length] = 0;
    return length;
}

/* Of each row a method whose knobs all stand at the last of their values. */
static void spell_methods(void)
{
    for (int i = 0; i < star_repository_count && method_count < METHODS_MOST; i++) {
        struct star_method method = {.algorithm = star_repository[i]};
        for (int k = 0; k < STAR_KNOBS_MAX && method.algorithm->knobs[k].name; k++) {
            const struct star_values *values = &method.algorithm->knobs[k].values;
            method.knob[k] = values->at[values->count - 1];
        }
        methods[method_count] = star_method_format(&method, spelt[method_count], STAR_METHOD_TEXT);
        method_count++;
    }
}

static void read_mutated(fuzz_reader *read, const char *const *seeds, size_t count)
{
    for (long i = 0; i < rounds; i++) {
        char text[TEXT_MOST];
        fuzz_read(read, text, mutated(text, seeds, count));
    }
}

static void methods_are_read_or_refused(void **state)
{
    (void)state;
    read_mutated(fuzz_methods, methods, method_count);
    read_mutated(fuzz_methods, lists, sizeof lists / sizeof *lists);
}

static void settings_are_read_or_refused(void **state)
{
    (void)state;
    read_mutated(fuzz_settings, files, sizeof files / sizeof *files);
}

static void numbers_are_read_or_refused(void **state)
{
    (void)state;
    read_mutated(fuzz_words, numbers, sizeof numbers / sizeof *numbers);
}

static void the_nearest_word_is_one_of_the_words(void **state)
{
    (void)state;
    for (long i = 0; i < rounds / 20; i++) {
        char text[TEXT_MOST];
        mutated(text, methods, method_count);
        const char *nearest = star_nearest(text, methods, method_count);
        bool known = nearest == NULL;
        for (size_t m = 0; m < method_count; m++)
            known = known || nearest == methods[m];
        assert_true(known);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_read_or_refused),
        cmocka_unit_test(settings_are_read_or_refused),
        cmocka_unit_test(numbers_are_read_or_refused),
        cmocka_unit_test(the_nearest_word_is_one_of_the_words),
    };
    spell_methods();
    rounds = fuzz_rounds(20000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
