/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated traces: each is refused with a reason, or accepted, replayed, and survives writing and reading
 * (tests/fuzz/trace.c). fuzz.h says how. */
#include "../fuzz/targets.h"
#include "fuzz.h"

static long rounds;

static const char *const pieces[] = {"startune trace 3\n",
                                     "context bcast 3 8 1e-5\n",
                                     "method alltoall:pair 0\n",
                                     "method bcast:native 0\n",
                                     "burst 0 1/1/0 2/0/3\n",
                                     "burst 1 ",
                                     " 1e5/3/2",
                                     "end 2\n",
                                     "\n",
                                     " ",
                                     "/",
                                     "-",
                                     "#",
                                     "0",
                                     "1e308",
                                     "1e-320",
                                     "nan",
                                     "99999999999999999999",
                                     "2147483647",
                                     "\xff"};

static const char begin[] =
    "startune trace 3\ncontext alltoall 4 1024 1.2e-05\nmethod alltoall:native 0\n"
    "method alltoall:ring 3e-05 1e-5 4e-6 5e-6 6e-6 7e-6\nburst 1 30/31/29/30 20/22/19/20 21/21/21/20\n"
    "burst 0 25/25/25/25 26/26/27/26\nburst 0 25/25/25/26 24/24/25/24\n"
    "context barrier 2 0 0\nmethod barrier:native 0\nmethod barrier:linear 1e-6\n"
    "burst 0 3/4 4/5\nburst 1 12345/0.5 8/0\nend 2\n";

static void a_trace_is_read_or_refused(void **state)
{
    (void)state;
    fuzz(fuzz_trace, begin, sizeof begin - 1, pieces, sizeof pieces / sizeof *pieces, rounds, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_is_read_or_refused)};
    rounds = fuzz_rounds(4000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
