/* SPDX-License-Identifier: BSD-3-Clause
 * The decision map of the setting `map`. Rank 0 of MPI_COMM_WORLD reads it and gives it to all, so that all
 * ranks decide by the same one. */
#include "runtime/maps.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "map/choose.h"
#include "map/map.h"
#include "map/read.h"
#include "map/write.h"
#include "plan/plan.h"
#include "runtime/machine.h"
#include "runtime/policy.h"
#include "runtime/session.h"
#include "runtime/warn.h"
#include "util/why.h"

#include <stdlib.h>
#include <string.h>

static struct star_map *map; /* NULL: none */

/* Whether the map was measured on another machine, and how it differs. What is not known does not differ. */
static bool is_of_another_machine(const struct star_map_machine *machine, struct star_why *why)
{
    struct star_map_machine here = star_machine_here();
    if (machine->mpi[0] != 0 && strcmp(machine->mpi, here.mpi) != 0)
        star_because(why, STAR_EINPUT, "it was measured with %s, and this is %s", machine->mpi, here.mpi);
    else if (machine->nodes > 0 && machine->nodes < here.nodes)
        star_because(why, STAR_EINPUT, "it was measured on %d nodes, and these are %d", machine->nodes,
                     here.nodes);
    else if (machine->ranks_per_node > 0 && machine->ranks_per_node < here.ranks_per_node)
        star_because(why, STAR_EINPUT, "it was measured with %d ranks a node, and these are %d",
                     machine->ranks_per_node, here.ranks_per_node);
    else
        return false;
    return true;
}

/* Decisions need no samples. */
static void drop_samples(struct star_map *read)
{
    for (int i = 0; i < STAR_OPERATIONS; i++)
        for (int j = 0; j < read->of[i].points; j++)
            for (int k = 0; k < read->of[i].point[j].timings; k++) {
                struct star_map_timing *timing = &read->of[i].point[j].timing[k];
                free(timing->samples);
                timing->samples = NULL;
            }
}

/* Of alltoallv, gatherv and scatterv no rank knows a call's bytes. Where the method depends on them, the map
 * has nothing to say. */
static void drop_undecided(struct star_map *read)
{
    for (int i = 0; i < STAR_OPERATIONS; i++)
        if (star_operations[i].measure == STAR_UNKNOWN &&
            !star_map_needs_no_bytes(read, (enum star_operation)i))
            star_map_forget(read, (enum star_operation)i);
}

void star_maps_read(struct star_text *text)
{
    const char *path = star_runtime.settings.map;
    struct star_why why;
    struct star_map *read = NULL;
    if (strcmp(path, "none") == 0)
        return;
    if (star_map_read(path, &read, &why)) {
        star_warn(STAR_WARN_MAP, 0, "%s; going on without a map", why.text);
        return;
    }
    if (!star_runtime.settings.force_machine && is_of_another_machine(&read->machine, &why)) {
        star_warn(STAR_WARN_MAP, 0, "%s: %s; going on without a map (--force-machine uses it)", path,
                  why.text);
    } else {
        drop_samples(read);
        drop_undecided(read);
        star_map_write(read, text);
    }
    star_map_free(read);
}

bool star_maps_find(struct star_text *text, int64_t length)
{
    bool made = !text->failed;
    if (made && length > 0)
        made = star_map_parse(text->bytes, text->length, "the map", &map, NULL) == 0;
    star_text_free(text);
    return made;
}

bool star_maps_know(enum star_operation operation)
{
    return map != NULL && map->of[operation].points > 0 && !star_keeps_rank_order(operation);
}

struct star_method star_maps_choose(enum star_operation operation, const struct star_shape *shape,
                                    int64_t bytes)
{
    const struct star_method *method = star_map_choose_for(map, operation, shape, bytes);
    return method ? *method : star_native_of(operation);
}

void star_maps_forget(void)
{
    star_map_free(map);
    map = NULL;
}
