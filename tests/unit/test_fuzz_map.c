/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated maps: each is refused with a reason, or accepted and survives writing and reading. fuzz.h says how.
 */
#include "maps.h"
#include "fuzz.h"

#include <stdio.h>

static long rounds;

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

static int read_map(const char *text, size_t length, struct star_why *why)
{
    struct star_map *map = NULL;
    int error = star_map_parse(text, length, "fuzz", &map, why);
    if (error)
        assert_null(map);
    else
        accept(map);
    star_map_free(map);
    return error;
}

static void a_map_is_read_or_refused(void **state)
{
    (void)state;
    fuzz(read_map, begin, sizeof begin - 1, pieces, sizeof pieces / sizeof *pieces, rounds, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_map_is_read_or_refused)};
    rounds = fuzz_rounds(4000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
