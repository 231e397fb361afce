/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/prove.h"
#include "exec/run.h"
#include "exec/segment.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "scene.h"
#include "shared.h"
#include "topology/network.h"
#include "util/locality.h"
#include "util/settings.h"

#include <sys/mman.h>

void trial_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    star_settings_preset(&star_runtime.settings);
    star_runtime.settings.memory = INT64_MAX / 2;
    PMPI_Comm_dup(MPI_COMM_SELF, &star_runtime.self);
    PMPI_Comm_set_errhandler(star_runtime.self, MPI_ERRORS_RETURN);
    /* MPICH raises errors of MPI_Waitall there. */
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

void trial_end(void)
{
    PMPI_Comm_free(&star_runtime.self);
    PMPI_Finalize();
}

/* Two packages, to which ranks are bound in turn, and L3 caches of three ranks or less. */
static uint64_t made_up_locality(int rank)
{
    uint64_t package = (uint64_t)rank % 2 + 1, cache = (uint64_t)rank / 3 + 1;
    return package << 16 * STAR_PACKAGE | cache << 16 * STAR_L3_CACHE;
}

void ground_open(struct ground *ground, MPI_Comm comm)
{
    *ground = (struct ground){.comm = comm};
    PMPI_Comm_rank(comm, &ground->state.rank);
    PMPI_Comm_size(comm, &ground->state.size);
    PMPI_Comm_dup(comm, &ground->state.private);
    ground->state.route = star_route_alone(ground->state.private);
    PMPI_Comm_set_errhandler(ground->state.private, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    ground->arrivals = shared_by_ranks(comm, sizeof *ground->arrivals);
    struct star_seat seat = {made_up_locality(ground->state.rank), true};
    ground->state.route.segment = star_segment_make(&ground->state.route, NULL, true, seat);
}

void ground_close(struct ground *ground)
{
    star_runners_free(&ground->state);
    star_segment_free(ground->state.route.segment);
    star_network_free(ground->state.network);
    munmap(ground->arrivals, sizeof *ground->arrivals);
    PMPI_Comm_free(&ground->state.private);
}

/* Pairs; in turn; interleaved and uneven; one rank alone, then three, then the rest. */
static int node_of(int placement, int rank)
{
    switch (placement) {
    case 1:
        return rank / 2;
    case 2:
        return rank % 2;
    case 3:
        return (rank * rank + rank / 3) % 3;
    default:
        return rank < 1 ? 0 : rank < 4 ? 1 : 2;
    }
}

void ground_place(struct ground *ground, int placement)
{
    int known[3] = {-1, -1, -1}, nodes = 0;
    if (ground->placement == placement)
        return;
    star_runners_free(&ground->state); /* their plans are for other nodes */
    ground->placement = placement;
    for (int r = 0; placement != 0 && r < ground->state.size; r++) {
        int node = node_of(placement, r);
        if (placement >= 3 && known[node] < 0)
            known[node] = nodes++; /* numbered by first appearance */
        ground->node[r] = placement >= 3 ? known[node] : node;
    }
    ground->state.node = placement != 0 ? ground->node : NULL;
    star_network_free(ground->state.network);
    ground->state.network = NULL;
    if (placement != 0 && star_sample_network(ground->node, ground->state.size,
                                              placement % STAR_NETWORK_FORMS, &ground->state.network, NULL))
        PMPI_Abort(MPI_COMM_WORLD, 1);
}
