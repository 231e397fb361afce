/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/errand.h"
#include "runtime/operations.h"
#include "util/spare.h"

#include <stdlib.h>

/* What all ranks have begun does a rank without memory, too. */
STAR_SPARES(struct star_errand, spare, 64);

static void forget(struct star_general *general)
{
    star_spare_free(&spare, general);
}

/* The program may free a datatype of its own as soon as the call has begun. */
static int keep(MPI_Datatype *type, MPI_Datatype *kept)
{
    static const MPI_Datatype none;
    int combiner, error = MPI_SUCCESS;
    if (*type == none || *type == MPI_DATATYPE_NULL)
        return error;
    error = star_combiner_of(*type, &combiner);
    if (error != MPI_SUCCESS || combiner == MPI_COMBINER_NAMED)
        return error;
    error = star_type_keep(*type, kept);
    if (error == MPI_SUCCESS)
        *type = *kept;
    return error;
}

/* The same where each block has one. */
static int keep_each(const struct star_call *call, int size, const void *counts, const void *displs,
                     const MPI_Datatype **types, struct star_kept_types *kept)
{
    struct star_blocks blocks = {size, call->large, counts, displs, *types, INT64_MAX};
    if (*types == NULL)
        return MPI_SUCCESS;
    int error = star_blocks_keep(&blocks, false, kept);
    *types = blocks.types;
    return error;
}

static void free_types(struct star_errand *errand)
{
    for (int i = 0; i < 2; i++)
        star_kept_types_free(&errand->kept_types[i]);
    for (int i = 0; i < 2; i++)
        if (errand->kept[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&errand->kept[i]);
}

static int fill(struct star_errand *errand, int size, int rank, const struct star_facts *facts)
{
    struct star_call *call = &errand->call;
    const struct star_communicator ranks = {.size = size, .rank = rank};
    int error = keep(&call->recvtype, &errand->kept[1]);
    if (error == MPI_SUCCESS && call->sendbuf != MPI_IN_PLACE)
        error = keep(&call->sendtype, &errand->kept[0]);
    if (error == MPI_SUCCESS && call->sendbuf != MPI_IN_PLACE)
        error = keep_each(call, size, call->sendcounts, call->senddispls, &call->sendtypes,
                          &errand->kept_types[0]);
    if (error == MPI_SUCCESS)
        error = keep_each(call, size, call->recvcounts, call->recvdispls, &call->recvtypes,
                          &errand->kept_types[1]);
    if (error == MPI_SUCCESS && facts != NULL)
        error = star_servers[call->operation].buffers(call, &ranks, facts, &errand->buffers);
    return error != MPI_SUCCESS ? error : star_general_start(&errand->general);
}

struct star_errand *star_errand_new(const struct star_call *call, int size, int rank,
                                    const struct star_facts *facts)
{
    struct star_errand *errand = star_spare_new(&spare);
    if (errand == NULL)
        return NULL;
    *errand = (struct star_errand){.general.forget = forget,
                                   .call = *call,
                                   .kept = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL},
                                   .lane = -1,
                                   .native = MPI_REQUEST_NULL};
    if (fill(errand, size, rank, facts) == MPI_SUCCESS)
        return errand;
    free_types(errand);
    star_spare_free(&spare, errand);
    return NULL;
}

int star_errand_begin(struct star_errand *errand, struct star_runner *runner, const struct star_route *route,
                      bool *done)
{
    int error = star_execute_begin(&errand->run, runner, &errand->buffers, route, done);
    *done = *done || error != MPI_SUCCESS;
    return error;
}

int star_errand_begin_natively(struct star_errand *errand, bool *done)
{
    int error = star_servers[errand->call.operation].begin(&errand->call, &errand->native);
    *done = error != MPI_SUCCESS;
    return error;
}

int star_errand_go_on(struct star_errand *errand, bool *done)
{
    int over = 0, error;
    if (errand->lane >= 0) {
        error = star_execute_progress(&errand->run, done);
    } else {
        error = PMPI_Test(&errand->native, &over, MPI_STATUS_IGNORE);
        *done = over != 0;
    }
    *done = *done || error != MPI_SUCCESS;
    return error;
}

void star_errand_end(struct star_errand *errand, int error)
{
    free_types(errand);
    star_general_end(&errand->general, error);
}
