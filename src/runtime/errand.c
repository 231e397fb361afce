/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/errand.h"
#include "exec/look.h"
#include "exec/native.h"
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

static void give_back(struct star_errand *errand)
{
    if (errand->borrows)
        star_lent_end(&errand->loan);
    errand->borrows = false;
}

static void free_types(struct star_errand *errand)
{
    for (int i = 0; i < 2; i++)
        star_kept_types_free(&errand->kept_types[i]);
    for (int i = 0; i < 2; i++)
        if (errand->kept[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&errand->kept[i]);
    give_back(errand);
}

static int fill(struct star_errand *errand, int size, int rank, const struct star_facts *facts)
{
    struct star_call *call = &errand->call;
    const struct star_communicator ranks = {.size = size, .rank = rank};
    errand->borrows = star_lent_is_needed(call) && star_lent_begin(&errand->loan, call) == MPI_SUCCESS;
    int error = facts != NULL && facts->wrong ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    if (error == MPI_SUCCESS && !errand->borrows)
        error = keep(&call->recvtype, &errand->kept[1]);
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

int star_errand_new(const struct star_call *call, int size, int rank, const struct star_facts *facts,
                    struct star_errand **made)
{
    struct star_errand *errand = *made = star_spare_new(&spare);
    if (errand == NULL)
        return MPI_ERR_NO_MEM;
    *errand = (struct star_errand){.general.forget = forget,
                                   .call = *call,
                                   .kept = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL},
                                   .lane = -1,
                                   .native = MPI_REQUEST_NULL};
    int error = fill(errand, size, rank, facts);
    errand->idles = error != MPI_SUCCESS;
    if (errand->idles)
        free_types(errand);
    return error;
}

int star_errand_begin(struct star_errand *errand, struct star_runner *runner, const struct star_route *route,
                      bool *done)
{
    int error = star_execute_begin(&errand->run, runner, &errand->buffers, route, done);
    *done = *done || error != MPI_SUCCESS;
    return error;
}

/* Simulated ranks wait in it. */
static int begin_idup(struct star_call *call, MPI_Request *request)
{
    MPI_Comm *made = call->recvbuf;
#ifdef STAR_SIMULATED
    return PMPI_Comm_idup(call->comm, made, request);
#else
#if MPI_VERSION >= 4
    if (call->info != MPI_INFO_NULL) {
        int error = star_native.Comm_idup_with_info(call->comm, call->info, made, request);
        PMPI_Info_free(&call->info);
        return error;
    }
#endif
    return star_native.Comm_idup(call->comm, made, request);
#endif
}

int star_errand_begin_natively(struct star_errand *errand, bool *done)
{
    struct star_call *call = &errand->call;
    int error = errand->idles ? MPI_SUCCESS
                : (int)call->operation == STAR_ERRAND_IDUP
                    ? begin_idup(call, &errand->native)
                    : star_servers[call->operation].begin(call, &errand->native);
    give_back(errand); /* now it is the MPI library's */
    *done = errand->idles || error != MPI_SUCCESS;
    return error;
}

int star_errand_go_on(struct star_errand *errand, bool *done)
{
    int over = 0, error;
    if (errand->lane >= 0) {
        error = star_execute_progress(&errand->run, done);
    } else {
        error = star_look(&errand->native, &over);
        *done = over != 0;
    }
    *done = *done || error != MPI_SUCCESS;
    return error;
}

void star_errand_end(struct star_errand *errand, int error)
{
    free_types(errand);
    if (errand->idles)
        star_spare_free(&spare, errand);
    else
        star_general_end(&errand->general, error);
}
