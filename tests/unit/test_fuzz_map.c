/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated maps: each is refused with a reason, or accepted and survives writing and reading.
 * STARTUNE_FUZZ: rounds (4000); STARTUNE_FUZZ_SEED: where the numbers start. */
#include "maps.h"
#include "mutate.h"

#include <stdio.h>

enum { FILE_MOST = 8192 };
static uint64_t seed = 1;
static long rounds = 4000;

static const char *const pieces[] = {
    "startune map 1\n",
    "operation alltoall\n",
    "operation bcast\n",
    "point 4 2048 grid\n",
    "guessed 5 1 search\n",
    "winner bcast:chain ",
    "winner alltoall:pair 1 1\n",
    "tied ",
    "slower ",
    "end 2\n",
    "\n",
    " ",
    "-",
    "0",
    "1e308",
    "1e-320",
    "nan",
    "99999999999999999999",
    "2147483647",
    "nodes 3\n",
    "mpi x\n",
    "\xff",
    ",sync=light",
};

static const char begin[] =
    "startune map 1\nmpi Open MPI\nnodes 2\noperation alltoall\npoint 4 1024 grid\n"
    "winner alltoall:ring 1.25e-05 2 1.2e-05 1.3e-05\nslower alltoall:native 2e-05 40\n"
    "guessed 8 1024 search\nwinner alltoall:ring - 0\noperation bcast\npoint 2 0 grid\n"
    "winner bcast:chain,segment=8K 1e-06 5\nend 3\n";

static void accept(const struct star_map *map)
{
    struct star_text first = {0}, second = {0};
    star_map_write(map, &first);
    struct star_map *again = map_parsed(first.bytes);
    star_map_write(again, &second);
    assert_string_equal(first.bytes, second.bytes);
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        assert_int_equal(map->of[i].points, again->of[i].points);
        assert_true((star_map_choose(map, (enum star_operation)i, 5, 2000) != NULL) ==
                    (map->of[i].points > 0));
    }
    star_map_free(again);
    star_text_free(&first);
    star_text_free(&second);
}

/* Reads LENGTH bytes in room of their very size, so that a sanitizer sees each read beyond them. */
static bool try(const char *text, size_t length)
{
    struct star_map *map = NULL;
    struct star_why why = {{0}};
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    int error = star_map_parse(exact, length, "fuzz", &map, &why);
    free(exact);
    if (error) {
        assert_int_equal(error, STAR_EINPUT);
        assert_null(map);
        expect_one_line(why.text);
        assert_int_equal(strncmp(why.text, "fuzz:", 5), 0);
        return false;
    }
    accept(map);
    star_map_free(map);
    return true;
}

static void a_map_is_read_or_refused(void **state)
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_map_is_read_or_refused)};
    if (getenv("STARTUNE_FUZZ") != NULL)
        rounds = strtol(getenv("STARTUNE_FUZZ"), NULL, 10);
    if (getenv("STARTUNE_FUZZ_SEED") != NULL)
        seed = strtoull(getenv("STARTUNE_FUZZ_SEED"), NULL, 10) | 1;
    print_message("seed %llu, %ld rounds\n", (unsigned long long)seed, rounds);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
