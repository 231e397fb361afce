/* SPDX-License-Identifier: BSD-3-Clause
 * Making a border: the datatypes of its sides; then all ranks compare who sends how much to whom through
 * which side, so that what does not fit is refused here and cannot hang later; then the ends of each message
 * tell each other where it lies. */
#include "patterns/border.h"
#include "halo/halo.h"
#include "runtime/agree.h"
#include "util/why.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 64 }; /* a cache line: packed messages do not share one */

int star_border_failed(int mpi_error, const char *what, struct star_why *why)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (mpi_error == MPI_SUCCESS)
        return 0;
    PMPI_Error_string(mpi_error, text, &length);
    return star_because(why, STAR_ESYSTEM, "%s: %.200s", what, text);
}

/* Where an MPI library sees that a part of the block lies in one piece, it sends it as fast as any buffer. A
 * subarray does not always show it. *FIRST and *COUNT are in elements. False: it lies in several pieces. */
static bool in_one_piece(const struct star_block *block, const struct star_end *place, int64_t *first,
                         int *count)
{
    int64_t stride = block->values, elements = block->values;
    bool whole = true; /* all faster dimensions are in it from end to end */
    *first = 0;
    if (block->fortran)
        return false;
    for (int d = block->dimensions - 1; d >= 0; d--) {
        if (place->box.count[d] > 1 && !whole)
            return false;
        whole = whole && place->box.count[d] == place->size[d];
        *first += place->box.start[d] * stride;
        elements *= place->box.count[d];
        stride *= place->size[d];
    }
    *count = (int)elements;
    return elements <= INT_MAX;
}

/* *PLACE gets the bytes before the piece. */
static int find_piece(const struct star_border *border, int64_t first, MPI_Aint *place)
{
    MPI_Aint lower, extent;
    int error = PMPI_Type_get_extent(border->vectors.type, &lower, &extent);
    *place = (MPI_Aint)first * extent;
    return error;
}

/* One piece in a block of bytes; MPI has no other way to give a place in front of it. */
static int piece_type(const struct star_border *border, int64_t first, int count, MPI_Datatype *type)
{
    MPI_Aint place;
    int error = find_piece(border, first, &place);
    return error ? error : PMPI_Type_create_hindexed(1, &count, &place, border->vectors.type, type);
}

int star_border_type(const struct star_border *border, const struct star_end *place, MPI_Datatype *type)
{
    const struct star_block *block = &border->vectors.halo->block;
    int size[STAR_HALO_DIMENSIONS + 1], count[STAR_HALO_DIMENSIONS + 1], start[STAR_HALO_DIMENSIONS + 1];
    for (int d = 0; d < block->dimensions; d++) {
        size[d] = place->size[d];
        count[d] = place->box.count[d];
        start[d] = place->box.start[d];
    }
    size[block->dimensions] = count[block->dimensions] = block->values;
    start[block->dimensions] = 0;
    int64_t first;
    int elements;
    int error = in_one_piece(block, place, &first, &elements)
                    ? piece_type(border, first, elements, type)
                    : PMPI_Type_create_subarray(block->dimensions + (block->values > 1), size, count, start,
                                                block->fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C,
                                                border->vectors.type, type);
    return error ? error : PMPI_Type_commit(type);
}

/* Describes one way through side K. */
static int open_passage(const struct star_border *border, struct star_passage *passage, int64_t *buffer,
                        struct star_why *why)
{
    const struct star_block *block = &border->vectors.halo->block;
    MPI_Count bytes;
    int64_t first;
    memcpy(passage->mine.size, block->size, sizeof passage->mine.size);
    int error = star_border_type(border, &passage->mine, &passage->type);
    if (!error && in_one_piece(block, &passage->mine, &first, &passage->elements))
        error = find_piece(border, first, &passage->place);
    else
        passage->elements = 0;
    if (!error)
        error = PMPI_Type_size_x(passage->type, &bytes);
    if (!error && bytes > INT_MAX / 2)
        return star_because(why, STAR_ELIMIT, "a side of the vector has %lld bytes: %d are possible",
                            (long long)bytes, INT_MAX / 2);
    if (!error)
        error = PMPI_Pack_size(1, passage->type, border->vectors.comm, &passage->packed_bytes);
    passage->mine.packed_at = *buffer;
    *buffer += ((int64_t)passage->packed_bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    return star_border_failed(error, "the datatype of a side cannot be made", why);
}

static int open_passages(struct star_border *border, struct star_why *why)
{
    const struct star_halo *halo = border->vectors.halo;
    int error = 0;
    for (int k = 0; k < halo->sides && !error; k++) {
        struct star_passage *sent = &border->sent[k], *received = &border->received[k];
        *sent = (struct star_passage){.peer = halo->side[k].to,
                                      .tag = border->vectors.tag + k,
                                      .type = MPI_DATATYPE_NULL,
                                      .mine.box = star_halo_sent(halo, k)};
        *received = (struct star_passage){.peer = halo->side[k].from,
                                          .tag = border->vectors.tag + (k ^ 1),
                                          .type = MPI_DATATYPE_NULL,
                                          .mine.box = star_halo_received(halo, k)};
        if (sent->peer != STAR_NOBODY)
            error = open_passage(border, sent, &border->sent_bytes, why);
        if (!error && received->peer != STAR_NOBODY)
            error = open_passage(border, received, &border->received_bytes, why);
    }
    return error;
}

/* What a rank sends to, or expects from, each other: three numbers each, one behind the other. */
enum { MESSAGES, BYTES, MIXED, NUMBERS };

/* Through which sides how much moves, in one number: whatever the order of the sides. */
static int64_t mixed(int sending_side, int64_t bytes)
{
    uint64_t x = (uint64_t)bytes * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)sending_side + 1;
    x = (x ^ x >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
    return (int64_t)((x ^ x >> 27) >> 16); /* sums stay far from the limit */
}

static void add_up(const struct star_border *border, const struct star_passage *passage, int64_t *number)
{
    size_t ranks = (size_t)border->ranks;
    for (int k = 0; k < border->vectors.halo->sides; k++) {
        MPI_Count bytes = 0;
        if (passage[k].peer == STAR_NOBODY)
            continue;
        PMPI_Type_size_x(passage[k].type, &bytes);
        number[MESSAGES * ranks + (size_t)passage[k].peer]++;
        number[BYTES * ranks + (size_t)passage[k].peer] += bytes;
        number[MIXED * ranks + (size_t)passage[k].peer] += mixed(passage[k].tag - border->vectors.tag, bytes);
    }
}

static int compare(const struct star_border *border, const int64_t *expected, const int64_t *told,
                   struct star_why *why)
{
    int self = border->vectors.halo->rank;
    size_t ranks = (size_t)border->ranks;
    for (int r = 0; r < border->ranks; r++) {
        const int64_t *mine = expected + r, *theirs = told + r;
        if (mine[MESSAGES * ranks] != theirs[MESSAGES * ranks] ||
            mine[BYTES * ranks] != theirs[BYTES * ranks])
            return star_because(
                why, STAR_EINPUT,
                "rank %d sends %lld messages of %lld bytes in all to rank %d, which expects %lld of "
                "%lld: their neighbours, or their vectors, do not fit",
                r, (long long)theirs[MESSAGES * ranks], (long long)theirs[BYTES * ranks], self,
                (long long)mine[MESSAGES * ranks], (long long)mine[BYTES * ranks]);
        if (mine[MIXED * ranks] == theirs[MIXED * ranks])
            continue;
        if (r == self)
            return star_because(why, STAR_EINPUT,
                                "rank %d is its own neighbour at one side, but not at the opposite one",
                                self);
        return star_because(
            why, STAR_EINPUT,
            "rank %d and rank %d do not agree on the sides at which they are neighbours: left of "
            "one must be right of the other",
            r < self ? r : self, r < self ? self : r);
    }
    return 0;
}

/* Collective: do all messages have both their ends? */
static int match(const struct star_border *border, struct star_why *why)
{
    size_t ranks = (size_t)border->ranks;
    int64_t *number = calloc(3 * ranks * NUMBERS, sizeof *number);
    int error = star_agree_error(
        border->vectors.comm,
        number ? 0 : star_because(why, STAR_EMEMORY, "out of memory for %zu ranks", ranks), why);
    if (!error) {
        int64_t *mine = number, *expected = mine + NUMBERS * ranks, *told = expected + NUMBERS * ranks;
        bool heard = true;
        add_up(border, border->sent, mine);
        add_up(border, border->received, expected);
        for (size_t n = 0; n < NUMBERS; n++)
            heard = star_agree_pairs(border->vectors.comm, mine + n * ranks, told + n * ranks) && heard;
        error = heard ? compare(border, expected, told, why)
                      : star_because(why, STAR_ESYSTEM, "MPI failed while neighbours were compared");
        error = star_agree_error(border->vectors.comm, error, why);
    }
    free(number);
    return error;
}

/* Each message's TELLING end says where it lies. A message has its sender's tag in either direction. */
static int tell(const struct star_border *border, struct star_passage *telling,
                struct star_passage *listening, MPI_Request *request)
{
    int count = 0, error = 0;
    for (int k = 0; k < border->vectors.halo->sides && !error; k++)
        if (listening[k].peer != STAR_NOBODY)
            error = PMPI_Irecv(&listening[k].theirs, sizeof listening[k].theirs, MPI_BYTE, listening[k].peer,
                               listening[k].tag, border->vectors.comm, &request[count++]);
    for (int k = 0; k < border->vectors.halo->sides && !error; k++)
        if (telling[k].peer != STAR_NOBODY)
            error = PMPI_Isend(&telling[k].mine, sizeof telling[k].mine, MPI_BYTE, telling[k].peer,
                               telling[k].tag, border->vectors.comm, &request[count++]);
    return error ? error : PMPI_Waitall(count, request, MPI_STATUSES_IGNORE);
}

static int tell_all(const struct star_border *border, struct star_why *why)
{
    MPI_Request *request = calloc(2 * (size_t)border->vectors.halo->sides, sizeof *request);
    int failed = request ? 0 : star_because(why, STAR_EMEMORY, "out of memory for the requests of a border");
    failed = star_agree_error(border->vectors.comm, failed, why);
    if (!failed) {
        int error = tell(border, border->sent, border->received, request);
        if (!error)
            error = tell(border, border->received, border->sent, request);
        failed = star_agree_error(border->vectors.comm,
                                  star_border_failed(error, "neighbours cannot be reached", why), why);
    }
    free(request);
    return failed;
}

static struct star_border *allocate(const struct star_vectors *vectors)
{
    struct star_border *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->vectors = *vectors;
    made->sent = calloc((size_t)vectors->halo->sides, sizeof *made->sent);
    made->received = calloc((size_t)vectors->halo->sides, sizeof *made->received);
    made->shared = calloc(1, sizeof *made->shared);
    if (made->shared)
        made->shared->graph = MPI_COMM_NULL;
    for (int k = 0; made->sent && made->received && k < vectors->halo->sides; k++)
        made->sent[k].peer = made->received[k].peer = STAR_NOBODY; /* while they are not opened */
    return made;
}

int star_border_make(const struct star_vectors *vectors, struct star_border **border, struct star_why *why)
{
    struct star_border *made = allocate(vectors);
    int error = 0;
    if (made == NULL || made->sent == NULL || made->received == NULL || made->shared == NULL)
        error = star_because(why, STAR_EMEMORY, "out of memory for %d sides", vectors->halo->sides);
    if (!error)
        error = star_border_failed(PMPI_Comm_size(vectors->comm, &made->ranks), "no communicator", why);
    if (!error)
        error = open_passages(made, why);
    error = star_agree_error(vectors->comm, error, why);
    if (!error)
        error = match(made, why);
    if (!error)
        error = tell_all(made, why);
    if (error)
        star_border_free(made);
    else
        *border = made;
    return error;
}

static void close_passages(struct star_passage *passage, int sides)
{
    for (int k = 0; passage && k < sides; k++)
        if (passage[k].peer != STAR_NOBODY && passage[k].type != MPI_DATATYPE_NULL)
            PMPI_Type_free(&passage[k].type);
    free(passage);
}

static void release(struct star_shared *shared)
{
    if (shared == NULL)
        return;
    if (shared->graph != MPI_COMM_NULL)
        PMPI_Comm_free(&shared->graph);
    free(shared->sent_buffer);
    free(shared->received_buffer);
    free(shared);
}

void star_border_free(struct star_border *border)
{
    if (border == NULL)
        return;
    release(border->shared);
    close_passages(border->sent, border->vectors.halo->sides);
    close_passages(border->received, border->vectors.halo->sides);
    free(border);
}
