/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes: where the packed bytes of a signature lie in a program's buffer. */
#include "exec/side.h"

#include <limits.h>
#include <string.h>

/* How a datatype was made, and what of. In MPICH only the functions with large counts know the types that
 * were made with large counts, and those know all others, too. */
#if MPI_VERSION >= 4
int star_combiner_of(MPI_Datatype type, int *combiner)
{
    MPI_Count integers, addresses, counts, types;
    return PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, combiner);
}

static int inner_of(MPI_Datatype type, MPI_Datatype *inner)
{
    int integer[1];
    MPI_Aint address[1];
    MPI_Count count[1];
    return PMPI_Type_get_contents_c(type, 1, 1, 1, 1, integer, address, count, inner);
}
#else
int star_combiner_of(MPI_Datatype type, int *combiner)
{
    int integers, addresses, types;
    return PMPI_Type_get_envelope(type, &integers, &addresses, &types, combiner);
}

static int inner_of(MPI_Datatype type, MPI_Datatype *inner)
{
    int integer[1];
    MPI_Aint address[1];
    return PMPI_Type_get_contents(type, 1, 1, 1, integer, address, inner);
}
#endif

void star_inner_free(MPI_Datatype *inner)
{
    int combiner;
    bool known = star_combiner_of(*inner, &combiner) == MPI_SUCCESS;
    bool lent = known && (combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
                          combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER);
    if (known && !lent)
        PMPI_Type_free(inner);
}

/* Whether the type map runs through memory in order and without gaps: known for named types and for what is
 * built of them by MPI_Type_dup and MPI_Type_contiguous; others are packed, which is right for all. */
static int is_dense(MPI_Datatype type, int depth, bool *dense)
{
    int combiner, error = star_combiner_of(type, &combiner);
    *dense = false;
    if (error || combiner == MPI_COMBINER_NAMED) {
        *dense = !error;
        return error;
    }
    if ((combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) || depth == 0)
        return 0;
    MPI_Datatype inner;
    error = inner_of(type, &inner);
    if (error)
        return error;
    error = is_dense(inner, depth - 1, dense);
    star_inner_free(&inner);
    return error;
}

static int look_at(struct star_side *side, void *base, MPI_Datatype type)
{
    MPI_Count size, bound, extent;
    int combiner;
    *side = (struct star_side){.base = base, .type = type, .scale = 1};
    int error = PMPI_Type_size_x(type, &size);
    if (!error)
        error = PMPI_Type_get_extent_x(type, &bound, &extent);
    if (!error)
        error = star_combiner_of(type, &combiner);
    if (error)
        return error;
    side->size = size;
    side->extent = extent;
    side->named = combiner == MPI_COMBINER_NAMED;
    if (size == extent && bound == 0)
        error = is_dense(type, 16, &side->dense);
    return error;
}

int star_type_keep(MPI_Datatype type, MPI_Datatype *kept)
{
    int error = PMPI_Type_contiguous(1, type, kept);
    return error != MPI_SUCCESS ? error : PMPI_Type_commit(kept);
}

int star_type_from_afar(MPI_Datatype type, int count, MPI_Datatype *found)
{
    MPI_Aint place = -STAR_AFAR;
    int error = PMPI_Type_create_hindexed(1, &count, &place, type, found);
    return error != MPI_SUCCESS ? error : PMPI_Type_commit(found);
}

int star_side_renew(struct star_side *side, void *base, MPI_Datatype type)
{
    if (!side->named || side->type != type)
        return look_at(side, base, type);
    side->base = base;
    return MPI_SUCCESS;
}

int star_side_block(const struct star_side *side, int64_t k, struct star_side *block, int64_t *count)
{
    int64_t at = side->wide ? (int64_t)((const MPI_Aint *)side->displs)[k] : ((const int *)side->displs)[k];
    *count = star_side_count(side, k);
    int error =
        *count > 0 ? star_side_renew(block, star_shifted(side->base, at), side->types[k]) : MPI_SUCCESS;
    if (error != MPI_SUCCESS || block->size == 0)
        *count = 0;
    return error;
}

struct star_side star_side_packed(void *base)
{
    return (struct star_side){
        .base = base, .type = MPI_PACKED, .size = 1, .extent = 1, .dense = true, .named = true, .scale = 1};
}

int star_side_reach(const struct star_side *side, struct star_reach *reach)
{
    MPI_Count lower, extent, first, moved;
    *reach = (struct star_reach){0, side->size, 0, side->size};
    if (side->dense)
        return MPI_SUCCESS;
    int error = PMPI_Type_get_extent_x(side->type, &lower, &extent);
    if (!error)
        error = PMPI_Type_get_true_extent_x(side->type, &first, &moved);
    if (error)
        return error;
    bool within = lower <= first && first + moved <= lower + extent;
    *reach = (struct star_reach){.first = first,
                                 .end = first + moved,
                                 .lower = within ? lower : first,
                                 .upper = within ? lower + extent : first + moved};
    return MPI_SUCCESS;
}

struct star_side star_side_shifted(const struct star_side *side, int64_t elements)
{
    struct star_side shifted = *side;
    shifted.base = star_shifted(side->base, elements * side->extent);
    return shifted;
}

#if MPI_VERSION >= 4
typedef MPI_Count packed;
#define PACK   PMPI_Pack_c
#define UNPACK PMPI_Unpack_c
#else
typedef int packed;
#define PACK   PMPI_Pack
#define UNPACK PMPI_Unpack
#endif

/* MPI_Pack or MPI_Unpack, of COUNT elements AT which there are ROOM bytes. */
static int convert(char *at, int count, MPI_Datatype type, char *bytes, packed room, bool packs,
                   MPI_Comm comm)
{
    MPI_Datatype moved = MPI_DATATYPE_NULL;
    packed position = 0;
    if (star_is_sentinel(at)) {
        int error = star_type_from_afar(type, count, &moved);
        if (error)
            return error;
        at = star_afar(at);
        type = moved;
        count = 1;
    }
    int error = packs ? PACK(at, count, type, bytes, room, &position, comm)
                      : UNPACK(bytes, room, &position, at, count, type, comm);
    if (moved != MPI_DATATYPE_NULL)
        PMPI_Type_free(&moved);
    return error;
}

/* Packs or unpacks LENGTH bytes of whole elements of SIDE, in pieces that MPI can count. */
static int pack(struct star_side side, int64_t offset, char *bytes, int64_t length, bool packs, MPI_Comm comm)
{
    if (length == 0)
        return 0;
    int64_t most = side.size > INT_MAX / 2 ? 1 : INT_MAX / 2 / side.size, elements = length / side.size;
    if (offset % side.size || length % side.size || !star_side_packs(&side))
        return MPI_ERR_INTERN;
    while (elements > 0) {
        int count = (int)(elements < most ? elements : most);
        packed room = (packed)(count * side.size);
        int error = convert(star_shifted(side.base, star_side_place(&side, offset / side.size)), count,
                            side.type, bytes, room, packs, comm);
        if (error)
            return error;
        elements -= count;
        offset += room;
        bytes += room;
    }
    return 0;
}

int star_side_copy(struct star_side to, int64_t to_offset, struct star_side from, int64_t from_offset,
                   int64_t length, MPI_Comm comm)
{
    if (to.dense && from.dense) {
        memcpy((char *)to.base + to_offset, (const char *)from.base + from_offset, (size_t)length);
        return 0;
    }
    if (from.dense)
        return pack(to, to_offset, (char *)from.base + from_offset, length, false, comm);
    return pack(from, from_offset, (char *)to.base + to_offset, length, true, comm);
}
