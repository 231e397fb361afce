/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated maps: each is refused with a reason, or accepted and survives writing and reading
 * (tests/fuzz/map.c). fuzz.h says how. */
#include "../fuzz/targets.h"
#include "fuzz.h"

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

static void a_map_is_read_or_refused(void **state)
{
    (void)state;
    fuzz(fuzz_map, begin, sizeof begin - 1, pieces, sizeof pieces / sizeof *pieces, rounds, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_map_is_read_or_refused)};
    rounds = fuzz_rounds(4000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
