/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks.h"
#include "runtime/session.h"

#include <stdlib.h>
#include <string.h>

/* How they lie to the world's. False: not even that may be asked, as it is of another session; in Open MPI
 * that is an error, which is no matter of the program's. */
static bool compare(MPI_Comm comm, int *result)
{
    return PMPI_Comm_compare(star_world(), comm, result) == MPI_SUCCESS;
}

/* The ranks of the world, in their order. To translate them takes Open MPI a look at each for each. */
bool star_is_of_world(MPI_Comm comm, int size)
{
    int result;
    if (comm == star_all())
        return true;
    return size == star_runtime.world_size && compare(comm, &result) && result == MPI_CONGRUENT;
}

/* Ranks FIRST to FIRST + COUNT of COMM, as ranks of MPI_COMM_WORLD. */
enum { AT_ONCE = 256 };
static bool translate(MPI_Group group, MPI_Group world, int first, int count, int *found)
{
    int own[AT_ONCE];
    for (int i = 0; i < count; i++)
        own[i] = first + i;
    return PMPI_Group_translate_ranks(group, count, own, world, found) == MPI_SUCCESS;
}

/* Calls VISIT for pieces of a list of all ranks of COMM, as ranks of MPI_COMM_WORLD, until it returns false.
 * Allocates nothing. False: it did, or MPI failed. */
static bool each_piece(MPI_Comm comm, int size,
                       bool (*visit)(const int *world, int first, int count, void *into), void *into)
{
    int found[AT_ONCE];
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    bool good =
        PMPI_Comm_group(comm, &group) == MPI_SUCCESS && PMPI_Comm_group(star_all(), &world) == MPI_SUCCESS;
    for (int first = 0; good && first < size; first += AT_ONCE) {
        int count = size - first < AT_ONCE ? size - first : AT_ONCE;
        good = translate(group, world, first, count, found) && visit(found, first, count, into);
    }
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (world != MPI_GROUP_NULL)
        PMPI_Group_free(&world);
    return good;
}

static bool copy_piece(const int *world, int first, int count, void *into)
{
    memcpy((int *)into + first, world, (size_t)count * sizeof *world);
    return true;
}

int *star_world_ranks(MPI_Comm comm, int size)
{
    int *found = malloc((size_t)size * sizeof *found);
    bool world = star_is_of_world(comm, size);
    for (int r = 0; world && found != NULL && r < size; r++)
        found[r] = r;
    if (found == NULL || world || each_piece(comm, size, copy_piece, found))
        return found;
    free(found);
    return NULL;
}

/* INTO: is one not known? */
static bool knows_all(const int *world, int first, int count, void *into)
{
    (void)first;
    for (int i = 0; i < count; i++)
        if (world[i] == MPI_UNDEFINED)
            *(bool *)into = true;
    return !*(bool *)into;
}

bool star_ranks_are_known(MPI_Comm comm, int size)
{
    int result;
    bool strange = false;
    if (star_is_of_world(comm, size))
        return true;
    if (!compare(comm, &result))
        return false;
    each_piece(comm, size, knows_all, &strange);
    return !strange; /* where the MPI library has no memory to tell, ranks hardly ever are */
}

struct comparing {
    const int *of_world;
    int first;
};

static bool is_as_the_first(const int *world, int first, int count, void *into)
{
    struct comparing *comparing = into;
    if (first == 0)
        comparing->first = comparing->of_world[world[0]];
    for (int i = 0; i < count; i++)
        if (comparing->of_world[world[i]] != comparing->first)
            return false;
    return true;
}

bool star_ranks_differ(MPI_Comm comm, int size, const int *of_world)
{
    struct comparing comparing = {.of_world = of_world};
    return !each_piece(comm, size, is_as_the_first, &comparing);
}
