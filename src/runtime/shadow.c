/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/shadow.h"
#include "exec/side.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 256, ALIGNMENT = 64, PIECE = 1 << 16, PATTERN = 0x5a };
enum { GAP, OPERATORS, INPUT, RESULT }; /* OPERATORS: what the program's may touch */

struct star_area star_area_of(const struct star_side *side, int64_t elements, int ranks)
{
    return (struct star_area){*side, elements, side->size == 0 ? 0 : side->counts != NULL ? ranks : 1};
}

struct star_side star_area_block(const struct star_area *area, int k, int64_t behind, int64_t *count)
{
    const struct star_side *side = &area->side;
    if (side->types != NULL) {
        struct star_side block = {0};
        if (star_side_block(side, k, &block, count) != MPI_SUCCESS || *count == 0)
            block = star_side_packed(side->base);
        return block;
    }
    *count = side->counts ? star_side_count(side, k) : area->elements;
    int64_t first = side->displs == NULL ? behind
                    : side->wide         ? (int64_t)((const MPI_Aint *)side->displs)[k]
                                         : ((const int *)side->displs)[k];
    return star_side_shifted(side, first);
}

int64_t star_area_bytes(const struct star_area *area)
{
    int64_t count, total = 0;
    for (int k = 0; k < area->blocks; k++) {
        int64_t size = star_area_block(area, k, 0, &count).size;
        total += count * size;
    }
    return total;
}

/* Calls VISIT for each piece of the packed bytes of AREA, BYTES long at most; CONTEXT goes along. */
static int each_piece(const struct star_area *area,
                      int (*visit)(const struct star_side *block, int64_t offset, int64_t bytes,
                                   void *context),
                      void *context)
{
    int64_t behind = 0, count;
    for (int k = 0; k < area->blocks; k++) {
        struct star_side block = star_area_block(area, k, behind, &count);
        int64_t size = block.size, most = size > PIECE ? size : size > 0 ? PIECE / size * size : 0;
        for (int64_t done = 0; done < count * size; done += most) {
            int64_t left = count * size - done;
            int error = visit(&block, done, left < most ? left : most, context);
            if (error)
                return error;
        }
        behind += count;
    }
    return MPI_SUCCESS;
}

struct packing {
    char *bytes, *piece;
    int64_t done, shift; /* SHIFT: from the program's buffer to the mask */
    MPI_Comm comm;
};

static int pack_piece(const struct star_side *block, int64_t offset, int64_t bytes, void *context)
{
    struct packing *p = context;
    int error = star_side_copy(star_side_packed(p->bytes), p->done, *block, offset, bytes, p->comm);
    p->done += bytes;
    return error;
}

/* Does MPI take it? */
static int check(const struct star_area *area, MPI_Comm comm)
{
    int64_t count;
    int error = area->side.types == NULL ? star_side_check(&area->side, comm) : MPI_SUCCESS;
    for (int k = 0; !error && area->side.types != NULL && k < area->blocks; k++) {
        struct star_side block = star_area_block(area, k, 0, &count);
        error = count > 0 ? star_side_check(&block, comm) : MPI_SUCCESS;
    }
    return error;
}

int star_area_pack(const struct star_area *area, char *bytes, MPI_Comm comm)
{
    struct packing packing = {.bytes = bytes, .comm = comm};
    int error = star_area_bytes(area) > 0 ? check(area, comm) : MPI_SUCCESS;
    return error ? error : each_piece(area, pack_piece, &packing);
}

static int unpack_piece(const struct star_side *block, int64_t offset, int64_t bytes, void *context)
{
    struct packing *p = context;
    int error = star_side_copy(*block, offset, star_side_packed(p->bytes + p->done), 0, bytes, p->comm);
    p->done += bytes;
    return error;
}

int star_area_unpack(const struct star_area *area, char *bytes, MPI_Comm comm)
{
    struct packing packing = {.bytes = bytes, .comm = comm};
    return each_piece(area, unpack_piece, &packing);
}

struct showing {
    struct packing packing;
    star_area_visit *visit;
    star_shadow_compare *compare;
    void *context;
};

static int show_piece(const struct star_side *block, int64_t offset, int64_t bytes, void *context)
{
    struct showing *s = context;
    int error = star_side_copy(star_side_packed(s->packing.piece), 0, *block, offset, bytes, s->packing.comm);
    if (!error)
        s->visit(s->packing.piece, bytes, s->context);
    return error;
}

static int compare_piece(const struct star_side *block, int64_t offset, int64_t bytes, void *context)
{
    struct packing *p = context;
    int error = star_side_copy(star_side_packed(p->piece), 0, *block, offset, bytes, p->comm);
    if (!error && memcmp(p->piece, p->bytes + p->done, (size_t)bytes) != 0)
        error = MPI_ERR_BUFFER;
    p->done += bytes;
    return error;
}

/* So long a piece may be: an element, or many. */
static size_t longest_piece(const struct star_area *area)
{
    int64_t most = area->side.size > PIECE ? area->side.size : PIECE, count;
    for (int k = 0; area->side.types != NULL && k < area->blocks; k++) {
        int64_t size = star_area_block(area, k, 0, &count).size;
        most = size > most ? size : most;
    }
    return (size_t)most;
}

static char *new_piece(const struct star_area *area)
{
    return malloc(longest_piece(area));
}

int star_area_each(const struct star_area *area, star_area_visit *visit, void *context, MPI_Comm comm)
{
    struct showing showing = {.packing = {.piece = new_piece(area), .comm = comm}, .visit = visit};
    showing.context = context;
    int error = showing.packing.piece ? each_piece(area, show_piece, &showing) : MPI_ERR_NO_MEM;
    free(showing.packing.piece);
    return error;
}

bool star_area_is(const struct star_area *area, const char *bytes, MPI_Comm comm)
{
    struct packing packing = {.bytes = (char *)(uintptr_t)bytes, .piece = new_piece(area), .comm = comm};
    bool is = packing.piece == NULL || each_piece(area, compare_piece, &packing) == MPI_SUCCESS;
    free(packing.piece);
    return is;
}

static int mark_piece(const struct star_side *block, int64_t offset, int64_t bytes, void *context)
{
    struct packing *p = context;
    struct star_side mask = *block;
    mask.base = star_shifted(block->base, p->shift);
    return star_side_copy(mask, offset, star_side_packed(p->piece), 0, bytes, p->comm);
}

/* Where the elements of AREA lie, the mask gets KIND: the MPI library knows where that is. */
static bool mark(const struct star_shadow *shadow, const struct star_area *area, int kind, MPI_Comm comm)
{
    struct packing packing = {.piece = new_piece(area), .comm = comm};
    packing.shift = (int64_t)((uintptr_t)shadow->mask - (uintptr_t)shadow->low);
    if (packing.piece != NULL)
        memset(packing.piece, kind, longest_piece(area));
    bool marked = packing.piece != NULL && each_piece(area, mark_piece, &packing) == MPI_SUCCESS;
    free(packing.piece);
    return marked;
}

bool star_area_span(const struct star_area *area, bool whole, int64_t *low, int64_t *high, MPI_Comm comm)
{
    struct star_reach reach;
    int64_t behind = 0, count;
    if (star_area_bytes(area) == 0)
        return true;
    if (check(area, comm) || star_side_reach(&area->side, &reach))
        return false;
    for (int k = 0; k < area->blocks; k++) {
        struct star_side block = star_area_block(area, k, behind, &count);
        if (area->side.types != NULL && star_side_reach(&block, &reach))
            return false;
        int64_t begin = whole ? reach.lower : reach.first, end = whole ? reach.upper : reach.end;
        int64_t last = (count - 1) * block.extent;
        int64_t from = (int64_t)(uintptr_t)block.base + begin + (last < 0 ? last : 0);
        int64_t to = (int64_t)(uintptr_t)block.base + end + (last > 0 ? last : 0);
        behind += count;
        if (count == 0)
            continue;
        *low = from < *low ? from : *low;
        *high = to > *high ? to : *high;
    }
    return true;
}

/* Between the bounds of the area's elements the mask gets OPERATORS. */
static void mark_whole(const struct star_shadow *shadow, const struct star_area *area)
{
    struct star_reach reach;
    int64_t behind = 0, count;
    if (star_area_bytes(area) == 0 || star_side_reach(&area->side, &reach))
        return;
    if (reach.lower == reach.first && reach.upper == reach.end)
        return;
    for (int k = 0; k < area->blocks; k++) {
        struct star_side block = star_area_block(area, k, behind, &count);
        int64_t at = (int64_t)(uintptr_t)block.base - shadow->low + reach.lower;
        for (int64_t i = 0; i < count; i++)
            memset(shadow->mask + at + i * block.extent, OPERATORS, (size_t)(reach.upper - reach.lower));
        behind += count;
    }
}

static void fill(struct star_shadow *shadow)
{
    memset(shadow->copy - GUARD, PATTERN, GUARD);
    memset(shadow->copy + shadow->bytes, PATTERN, GUARD);
    const char *program = (const char *)(uintptr_t)shadow->low;
    for (int64_t i = 0; i < shadow->bytes; i++)
        shadow->copy[i] = shadow->mask[i] < INPUT ? PATTERN : program[i];
}

bool star_shadow_open(struct star_shadow *shadow, const struct star_area *result,
                      const struct star_area *input, bool whole, int64_t limit, MPI_Comm comm)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    *shadow = (struct star_shadow){0};
    if (!star_area_span(result, whole, &low, &high, comm) || !star_area_span(input, whole, &low, &high, comm))
        return false;
    if (low > high)
        return true; /* this rank receives nothing */
    if (high - low > (limit - 2 * (int64_t)GUARD - ALIGNMENT) / 2)
        return false;
    shadow->low = low;
    shadow->bytes = high - low;
    shadow->memory = malloc((size_t)shadow->bytes + 2 * (size_t)GUARD + ALIGNMENT);
    shadow->mask = calloc((size_t)shadow->bytes + 1, 1);
    if (shadow->memory == NULL || shadow->mask == NULL)
        return false;
    /* As the program's buffer is aligned. */
    uintptr_t start = (uintptr_t)shadow->memory + GUARD;
    shadow->copy = shadow->memory + GUARD + ((uintptr_t)low - start) % ALIGNMENT;
    if (whole) {
        mark_whole(shadow, input);
        mark_whole(shadow, result);
    }
    if (!mark(shadow, input, INPUT, comm) || !mark(shadow, result, RESULT, comm))
        return false;
    fill(shadow);
    return true;
}

void star_shadow_close(struct star_shadow *shadow)
{
    free(shadow->memory);
    free(shadow->mask);
}

void *star_shadow_at(const struct star_shadow *shadow, const void *address)
{
    /* The address may be MPI_BOTTOM: no pointer arithmetic. */
    uintptr_t distance = shadow->copy ? (uintptr_t)shadow->copy - (uintptr_t)shadow->low : 0;
    return (void *)((uintptr_t)address + distance);
}

bool star_shadow_is_sound(const struct star_shadow *shadow, int64_t *where)
{
    for (int64_t i = -GUARD; shadow->copy != NULL && i < shadow->bytes + GUARD; i++) {
        bool inside = i >= 0 && i < shadow->bytes;
        if (shadow->copy[i] != PATTERN && (!inside || shadow->mask[i] == GAP)) {
            *where = i;
            return false;
        }
    }
    return true;
}

bool star_shadow_is_result(const struct star_shadow *shadow, int64_t *where)
{
    const char *program = (const char *)(uintptr_t)shadow->low;
    for (int64_t i = 0; i < shadow->bytes; i++)
        if (shadow->mask[i] == RESULT && shadow->copy[i] != program[i]) {
            *where = i;
            return false;
        }
    return true;
}

static int show_both(const struct star_side *block, int64_t offset, int64_t bytes, void *context)
{
    struct showing *s = context;
    struct star_side copy = *block;
    copy.base = star_shifted(block->base, s->packing.shift);
    int error = star_side_copy(star_side_packed(s->packing.bytes), 0, copy, offset, bytes, s->packing.comm);
    if (!error)
        error = star_side_copy(star_side_packed(s->packing.piece), 0, *block, offset, bytes, s->packing.comm);
    if (!error)
        s->compare(s->packing.bytes, s->packing.piece, bytes, s->context);
    return error;
}

int star_shadow_each(const struct star_shadow *shadow, const struct star_area *result,
                     star_shadow_compare *compare, void *context, MPI_Comm comm)
{
    struct showing showing = {.compare = compare, .context = context};
    showing.packing = (struct packing){.bytes = new_piece(result), .piece = new_piece(result), .comm = comm};
    showing.packing.shift = (int64_t)((uintptr_t)shadow->copy - (uintptr_t)shadow->low);
    bool able = showing.packing.bytes != NULL && showing.packing.piece != NULL;
    int error = able ? each_piece(result, show_both, &showing) : MPI_ERR_NO_MEM;
    free(showing.packing.bytes);
    free(showing.packing.piece);
    return error;
}
