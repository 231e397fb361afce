/* SPDX-License-Identifier: BSD-3-Clause
 * One-sided messages, between fences or between post and start. The window is the vector; or, where messages
 * are packed, the buffer that they are written to or read from. */
#include "patterns/transfer_windows.h"
#include "halo/halo.h"
#include "halo/neighborhood.h"
#include "halo/script.h"
#include "halo/turns.h"
#include "patterns/border.h"
#include "patterns/exchange.h"
#include "patterns/placing.h"
#include "runtime/agree.h"
#include "util/why.h"

#include <stdlib.h>

/* What a rank does at the other end of its messages is described there. */
static int make_far(struct star_exchange *exchange, const struct star_passage *passage)
{
    int sides = exchange->border->vectors.halo->sides, error = 0;
    exchange->far = malloc((size_t)sides * sizeof(MPI_Datatype));
    if (exchange->far == NULL)
        return MPI_ERR_NO_MEM;
    for (int k = 0; k < sides; k++)
        exchange->far[k] = MPI_DATATYPE_NULL;
    for (int k = 0; k < sides && !error && !exchange->packs; k++)
        if (passage[k].peer != STAR_NOBODY)
            error = star_border_type(exchange->border, &passage[k].theirs, &exchange->far[k]);
    return error;
}

/* The ranks at the other ends of the turns' messages that are sent, or received, each once. */
static int group_of(const struct star_exchange *exchange, const struct star_act *act, bool sent,
                    MPI_Group all, MPI_Group *group)
{
    int *rank = malloc((size_t)act->count * sizeof *rank), ranks = 0;
    if (rank == NULL)
        return MPI_ERR_NO_MEM;
    for (int t = act->first; t < act->first + act->count; t++) {
        const struct star_turn *turn = &exchange->script->turn[t];
        int side = sent ? turn->send : turn->receive, seen = 0;
        if (side == STAR_NOBODY)
            continue;
        rank[ranks] = sent ? exchange->sent[side].peer : exchange->received[side].peer;
        while (rank[seen] != rank[ranks])
            seen++;
        ranks += seen == ranks;
    }
    int error = PMPI_Group_incl(all, ranks, rank, group);
    free(rank);
    return error;
}

/* PUTS: those who access write, so they are at the ends of what this rank receives. */
static int make_groups(struct star_exchange *exchange, bool puts)
{
    const struct star_script *script = exchange->script;
    MPI_Group all;
    exchange->group = malloc((size_t)script->count * sizeof(MPI_Group));
    if (exchange->group == NULL)
        return MPI_ERR_NO_MEM;
    for (int a = 0; a < script->count; a++)
        exchange->group[a] = MPI_GROUP_NULL;
    int error = PMPI_Comm_group(exchange->border->vectors.comm, &all);
    if (error)
        return error;
    for (int a = script->prepared; a < script->count && !error; a++) {
        const struct star_act *act = &script->act[a];
        if (act->deed == STAR_DO_POST || act->deed == STAR_DO_ACCESS)
            error = group_of(exchange, act, puts == (act->deed == STAR_DO_ACCESS), all, &exchange->group[a]);
    }
    PMPI_Group_free(&all);
    return error;
}

/* Did the library make the window where it was asked to? MPICH takes what UCX answers for the window's
 * beginning: UCX 1.13 rounds it down to 16 bytes, or to the beginning of other memory that the vector lies
 * in. All messages would go to other places than they should. */
static int check_beginning(MPI_Win window, const void *wanted)
{
    void *base = NULL;
    int found = 0, error = PMPI_Win_get_attr(window, MPI_WIN_BASE, (void *)&base, &found);
    return error ? error : found && base == wanted ? MPI_SUCCESS : MPI_ERR_BASE;
}

/* The bytes of a vector, those before its first element too where the datatype begins before. */
static int open_vector(struct star_exchange *exchange, const void *vector)
{
    const struct star_vectors *vectors = &exchange->border->vectors;
    MPI_Aint bound, extent, true_bound, true_extent;
    int64_t elements = vectors->halo->block.values;
    for (int d = 0; d < vectors->halo->block.dimensions; d++)
        elements *= vectors->halo->block.size[d];
    int error = PMPI_Type_get_extent(vectors->type, &bound, &extent);
    if (!error)
        error = PMPI_Type_get_true_extent(vectors->type, &true_bound, &true_extent);
    if (error)
        return error;
    exchange->before = true_bound < 0 ? -true_bound : 0;
    MPI_Aint bytes = (elements - 1) * extent + true_bound + true_extent + exchange->before;
    char *begin = (char *)vector - exchange->before;
    error = PMPI_Win_create(begin, bytes, 1, MPI_INFO_NULL, vectors->comm, &exchange->window);
    return error ? error : check_beginning(exchange->window, begin);
}

static int open_buffer(struct star_exchange *exchange, int64_t bytes, char **buffer)
{
    int error = PMPI_Win_allocate(bytes, 1, MPI_INFO_NULL, exchange->border->vectors.comm, (void *)buffer,
                                  &exchange->window);
    if (error)
        return error;
    star_place_messages(exchange);
    return bytes > 0 ? check_beginning(exchange->window, *buffer) : MPI_SUCCESS;
}

/* Collective: what each rank needs for itself, before any of them makes the window. */
static int make_ends(struct star_exchange *exchange, const struct star_passage *passage, bool puts)
{
    int error = make_far(exchange, passage);
    if (!error)
        error = make_groups(exchange, puts);
    int failed = star_agree_error(exchange->border->vectors.comm, error ? STAR_ESYSTEM : 0, NULL);
    return failed && !error ? MPI_ERR_OTHER : error;
}

int star_do_make_open(struct star_exchange *exchange, const struct star_act *act)
{
    (void)act;
    const struct star_border *border = exchange->border;
    int error = make_ends(exchange, border->sent, true);
    if (error)
        return error;
    return exchange->packs ? open_buffer(exchange, border->received_bytes, &exchange->received_buffer)
                           : open_vector(exchange, border->vectors.into);
}

int star_do_make_readable(struct star_exchange *exchange, const struct star_act *act)
{
    (void)act;
    const struct star_border *border = exchange->border;
    int error = make_ends(exchange, border->received, false);
    if (error)
        return error;
    return exchange->packs ? open_buffer(exchange, border->sent_bytes, &exchange->sent_buffer)
                           : open_vector(exchange, border->vectors.from);
}

int star_do_fence(struct star_exchange *exchange, const struct star_act *act)
{
    (void)act;
    return PMPI_Win_fence(MPI_MODE_NOPRECEDE, exchange->window);
}

int star_do_last_fence(struct star_exchange *exchange, const struct star_act *act)
{
    (void)act;
    return PMPI_Win_fence(MPI_MODE_NOSUCCEED, exchange->window);
}

int star_do_post(struct star_exchange *exchange, const struct star_act *act)
{
    return PMPI_Win_post(exchange->group[act - exchange->script->act], 0, exchange->window);
}

int star_do_access(struct star_exchange *exchange, const struct star_act *act)
{
    return PMPI_Win_start(exchange->group[act - exchange->script->act], 0, exchange->window);
}

int star_do_put(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->sent[act->send];
    if (!exchange->packs)
        return PMPI_Put(m->at, m->count, m->type, m->peer, exchange->before, 1, exchange->far[act->send],
                        exchange->window);
    return PMPI_Put(m->at, m->count, MPI_BYTE, m->peer, exchange->border->sent[act->send].theirs.packed_at,
                    m->count, MPI_BYTE, exchange->window);
}

int star_do_get(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->received[act->receive];
    if (!exchange->packs)
        return PMPI_Get(m->at, m->count, m->type, m->peer, exchange->before, 1, exchange->far[act->receive],
                        exchange->window);
    return PMPI_Get(m->at, m->count, MPI_BYTE, m->peer,
                    exchange->border->received[act->receive].theirs.packed_at, m->count, MPI_BYTE,
                    exchange->window);
}

int star_do_complete(struct star_exchange *exchange, const struct star_act *act)
{
    (void)act;
    return PMPI_Win_complete(exchange->window);
}

int star_do_wait_exposed(struct star_exchange *exchange, const struct star_act *act)
{
    (void)act;
    return PMPI_Win_wait(exchange->window);
}

int star_try_wait_exposed(struct star_exchange *exchange, const struct star_act *act, bool *done)
{
    (void)act;
    int flag = 0;
    int error = PMPI_Win_test(exchange->window, &flag);
    *done = flag != 0;
    return error;
}

void star_free_window(struct star_exchange *exchange)
{
    for (int k = 0; exchange->far && k < exchange->border->vectors.halo->sides; k++)
        if (exchange->far[k] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&exchange->far[k]);
    for (int a = 0; exchange->group && a < exchange->script->count; a++)
        if (exchange->group[a] != MPI_GROUP_NULL)
            PMPI_Group_free(&exchange->group[a]);
    free(exchange->far);
    free(exchange->group);
    if (exchange->window != MPI_WIN_NULL)
        PMPI_Win_free(&exchange->window);
}
