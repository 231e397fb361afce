/* SPDX-License-Identifier: BSD-3-Clause
 * STAR_Info_get, in startune's environment with STARTUNE_ITER=7, and out of it. */
#include "startune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

/* WORD NULL: the key must not be there. */
static void expect(MPI_Info info, const char *key, const char *word)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found;
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
    if (found == (word != NULL) && (!found || strcmp(value, word) == 0))
        return;
    fprintf(stderr, "FAILED: %s is '%s', and should be '%s'\n", key, found ? value : "(none)",
            word ? word : "(none)");
    wrong++;
}

static void call(MPI_Comm comm, int times)
{
    int value = 1, sum;
    for (int i = 0; i < times; i++)
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
}

int main(int argc, char **argv)
{
    MPI_Comm own;
    MPI_Info info;
    int keys;
    MPI_Init(&argc, &argv);
    int tuned = STAR_Is_active();
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    call(own, 53);
    MPI_Comm_free(&own);
    call(MPI_COMM_WORLD, 43);
    if (STAR_Info_get(&info) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Info_get_nkeys(info, &keys);
    expect(info, "version", STAR_Get_version());
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", STARTUNE_VERSION_NUM / 10000,
             STARTUNE_VERSION_NUM / 100 % 100, STARTUNE_VERSION_NUM % 100);
    expect(info, "version", version);
    expect(info, "now.active", tuned ? "1" : "0");
    expect(info, "iter", tuned ? "7" : NULL);
    expect(info, "strategy", tuned ? "race" : NULL);
    expect(info, "force", NULL); /* it has no value */
    expect(info, "now.communicators", tuned ? "1" : "0");
    expect(info, "now.contexts", tuned ? "2" : "0");
    expect(info, "now.calls", tuned ? "96" : "0");
    if (tuned ? keys < 30 : keys != 10) {
        fprintf(stderr, "FAILED: %d keys\n", keys);
        wrong++;
    }
    MPI_Info_free(&info);
    MPI_Finalize();
    return wrong != 0;
}
