/* SPDX-License-Identifier: BSD-3-Clause
 * Readers are given mutated texts: each is refused with a reason, or accepted. STARTUNE_FUZZ: rounds;
 * STARTUNE_FUZZ_SEED: where the numbers start. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "expect.h"
#include "mutate.h"
#include "util/why.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FUZZ_ROOM = 16384 };
static uint64_t fuzz_seed = 1;

/* How many rounds are asked for, else PRESET in long tests, or an eighth of it. The first thing that a test
 * does. */
static inline long fuzz_rounds(long preset)
{
    const char *rounds = getenv("STARTUNE_FUZZ"), *seed = getenv("STARTUNE_FUZZ_SEED");
    long asked = rounds ? strtol(rounds, NULL, 10) : trials((int)preset, (int)preset / 8);
    if (seed != NULL)
        fuzz_seed = strtoull(seed, NULL, 10) | 1;
    print_message("seed %llu, %ld rounds\n", (unsigned long long)fuzz_seed, asked);
    return asked;
}

/* Reads TEXT, which reasons call "fuzz", and uses what comes of it, which is gone again when it returns. */
typedef int fuzz_reader(const char *text, size_t length, struct star_why *why);

/* Reads LENGTH bytes in room of their very size, so that a sanitizer sees each read beyond them. */
static inline bool fuzz_read(fuzz_reader *read, const char *text, size_t length)
{
    struct star_why why = {{0}};
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    int error = read(exact, length, &why);
    free(exact);
    if (error == 0)
        return true;
    assert_int_equal(error, STAR_EINPUT);
    expect_one_line(why.text);
    assert_int_equal(strncmp(why.text, "fuzz:", 5), 0);
    return false;
}

/* Mutates BEGIN with PIECES so often, and cuts what comes of it off somewhere, too. Of 300 rounds or more
 * LEAST a hundred must be good, and not all. */
static inline void fuzz(fuzz_reader *read, const char *begin, size_t length, const char *const *pieces,
                        size_t count, long rounds, long least)
{
    static char text[FUZZ_ROOM];
    long good = 0;
    assert_true(length <= sizeof text);
    for (long i = 0; i < rounds; i++) {
        memcpy(text, begin, length);
        size_t changed = mutate(&fuzz_seed, text, length, sizeof text, pieces, count);
        good += fuzz_read(read, text, changed);
        good += fuzz_read(read, text, random_below(&fuzz_seed, changed + 1));
    }
    assert_true(rounds < 300 || (good > least * rounds / 100 && good < 2 * rounds));
}

#endif
