/* SPDX-License-Identifier: BSD-3-Clause
 * A program that is linked with startune and calls each operation by both names, MPI_X and STAR_X: explicit
 * [ROUNDS]. Both must give the same. Prints whether calls of MPI_X are tuned, and how many calls there were
 * that can be. */
#include "each.h"
#include "exec/native.h"
#include "startune.h"

#include <stdio.h>
#include <stdlib.h>

#define STAR_FUNCTION(name) STAR_##name,
static const struct each_functions star = {EACH_OPERATION(STAR_FUNCTION)};
#undef STAR_FUNCTION

int main(int argc, char **argv)
{
    int rank, rounds = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    each_begin();
    if (rank == 0)
        printf("startune %s, active %d\n", STAR_Get_version(), STAR_Is_active());
    for (int which = 0; which < EACH_OPERATIONS; which++) {
        uint64_t all = 0;
        long calls = 0;
        for (int round = 0; round < rounds; round++)
            for (int form = 0; form < EACH_FORMS; form++) {
                const struct each_call call = {.which = which,
                                               .form = (enum each_form)form,
                                               .comm = MPI_COMM_WORLD,
                                               .count = 1 + round % 2 * 30,
                                               .round = round};
                uint64_t tuned = each_make(&star, &call), plain = each_make(&each_mpi, &call);
                if (tuned != plain)
                    fprintf(stderr, "FAILED: STAR_%s gives something else than MPI_%s\n", each_name[which],
                            each_name[which]);
                calls += which != EACH_Alltoallv || form != EACH_IN_PLACE;
                all = each_mix(all, tuned);
            }
        each_say(each_name[which], all);
        if (rank == 0)
            printf("calls %s %ld\n", each_name[which], calls);
    }
    each_end();
    MPI_Finalize();
    return 0;
}
