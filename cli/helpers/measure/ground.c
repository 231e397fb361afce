/* SPDX-License-Identifier: BSD-3-Clause */
#include "ground.h"
#include "exec/run.h"
#include "exec/segment.h"
#include "runtime/agree.h"
#include "runtime/nodes.h"
#include "runtime/places.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/surroundings.h"
#include "topology/network.h"
#include "util/settings.h"

#include <stdlib.h>

void ground_begin(const char *nodes, const char *topology)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &star_runtime.world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &star_runtime.world_size);
    star_settings_preset(&star_runtime.settings);
    star_settings_set(&star_runtime.settings, "nodes", nodes, NULL);
    star_settings_set(&star_runtime.settings, "topology", topology, NULL);
    star_settings_set(&star_runtime.settings, "wisdom", "off", NULL);
    struct star_greeting greeting = {.unable = false};
    greeting.unable = !star_surroundings_begin(&greeting, true);
    if (!star_agree_greeting(&greeting) || greeting.unable || !star_surroundings_find(&greeting))
        MPI_Abort(MPI_COMM_WORLD, 1);
    star_runtime.crowded = greeting.crowded;
}

void ground_end(void)
{
    star_surroundings_forget();
}

void ground_open(struct ground *ground, MPI_Comm comm)
{
    struct star_communicator *here = &ground->here;
    bool failed, unplaced;
    *ground = (struct ground){.comm = MPI_COMM_NULL};
    MPI_Comm_dup(comm, &ground->comm);
    MPI_Comm_rank(comm, &here->rank);
    MPI_Comm_size(comm, &here->size);
    MPI_Comm_dup(comm, &here->private);
    here->route = star_route_alone(here->private);
    MPI_Comm_set_errhandler(here->private, MPI_ERRORS_RETURN);
    here->node = star_nodes_of(comm, here->size, &failed);
    here->network = star_network_for(comm, here->size, &unplaced);
    if (failed || unplaced)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (star_nodes_are_known())
        here->route.segment = star_segment_make(&here->route, here->node, true,
                                                star_seat_here(here->size, star_runtime.crowded));
}

void ground_close(struct ground *ground)
{
    star_runners_free(&ground->here);
    star_segment_free(ground->here.route.segment);
    free(ground->here.node);
    star_network_free(ground->here.network);
    MPI_Comm_free(&ground->here.private);
    MPI_Comm_free(&ground->comm);
}
