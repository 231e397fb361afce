/* SPDX-License-Identifier: BSD-3-Clause
 * Draws values of MPI's types, combines them as the standard says, and lays them out in memory in several
 * ways. */
#include "medley_data.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN = 0xA5, GUARD = 64, PRIME = 97 };

struct short_int {
    short value;
    int place;
};
struct double_int {
    double value;
    int place;
};
struct mixed {
    char letter;
    double number;
};

uint64_t mixed(uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t number = seed;
    const uint64_t parts[] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        number += parts[i] * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u;
        number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9u;
        number = (number ^ number >> 27) * 0x94D049BB133111EBu;
        number ^= number >> 31;
    }
    return number;
}

int roll(struct dice *dice, int sides)
{
    dice->state = mixed(dice->state, 1, 2, 3);
    return (int)((dice->state >> 20) % (unsigned)sides);
}

size_t extent_of(enum kind kind)
{
    static const size_t extents[] = {1,
                                     sizeof(short),
                                     sizeof(int),
                                     sizeof(int64_t),
                                     sizeof(unsigned),
                                     1,
                                     sizeof(bool),
                                     sizeof(float),
                                     sizeof(double),
                                     sizeof(float complex),
                                     sizeof(double complex),
                                     2 * sizeof(int),
                                     sizeof(struct short_int),
                                     sizeof(struct double_int),
                                     sizeof(struct mixed),
                                     2 * sizeof(int),
                                     3 * sizeof(int)};
    return extents[kind];
}

/* The kind's own type; those that are made have to be freed. */
static MPI_Datatype type_of(enum kind kind, bool *made)
{
    const MPI_Datatype types[] = {
        MPI_SIGNED_CHAR, MPI_SHORT,     MPI_INT,    MPI_INT64_T,         MPI_UNSIGNED,         MPI_BYTE,
        MPI_C_BOOL,      MPI_FLOAT,     MPI_DOUBLE, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_2INT,
        MPI_SHORT_INT,   MPI_DOUBLE_INT};
    *made = kind >= MIXED;
    if (!*made)
        return types[kind];
    MPI_Datatype type, whole;
    if (kind == MIXED) {
        const MPI_Datatype members[] = {MPI_SIGNED_CHAR, MPI_DOUBLE};
        MPI_Type_create_struct(2, (int[]){1, 1},
                               (MPI_Aint[]){offsetof(struct mixed, letter), offsetof(struct mixed, number)},
                               members, &type);
    } else {
        MPI_Type_contiguous(2, MPI_INT, &type);
    }
    MPI_Type_create_resized(type, 0, (MPI_Aint)extent_of(kind), &whole);
    MPI_Type_free(&type);
    MPI_Type_commit(&whole);
    return whole;
}

void draw_element(enum kind kind, void *element, uint64_t number)
{
    const int small = (int)(number % 2001) - 1000;
    switch (kind) {
    case CHAR:
    case BYTE:
        *(unsigned char *)element = (unsigned char)number;
        break;
    case SHORT:
        *(short *)element = (short)(number & 0x7fff);
        break;
    case INT:
    case UNSIGNED:
        *(unsigned *)element = (unsigned)number;
        break;
    case LONG:
        *(uint64_t *)element = number;
        break;
    case BOOL:
        *(bool *)element = number & 1;
        break;
    case FLOAT:
        *(float *)element = (float)small;
        break;
    case DOUBLE:
        *(double *)element = small / 4.0;
        break;
    case COMPLEX:
        *(float complex *)element = CMPLXF((float)small, (float)(number >> 40 & 0xff));
        break;
    case DOUBLE_COMPLEX:
        *(double complex *)element = CMPLX(small, (double)(number >> 40 & 0xff));
        break;
    case TWO_INTS:
    case AFFINE:
    case SPARSE:
        ((int *)element)[0] = (int)(number & 0x7fffffff) % PRIME;
        ((int *)element)[1] = (int)(number >> 33) % PRIME;
        break;
    case SHORT_INT:
        ((struct short_int *)element)->value = (short)small;
        ((struct short_int *)element)->place = (int)(number >> 33);
        break;
    case DOUBLE_INT:
        ((struct double_int *)element)->value = small;
        ((struct double_int *)element)->place = (int)(number >> 33);
        break;
    case MIXED:
        ((struct mixed *)element)->letter = (char)(number >> 50);
        ((struct mixed *)element)->number = small;
        break;
    case KINDS:
        break;
    }
}

void draw_term(enum reduction reduction, enum kind kind, void *element, uint64_t seed, int rank, int index)
{
    const uint64_t number = mixed(seed, (uint64_t)rank, 77, (uint64_t)index);
    const uint64_t special = mixed(seed, 9, 9, (uint64_t)index) % 16; /* all ranks know of it */
    const bool here = mixed(seed, 8, 8, (uint64_t)index) % 3 == (uint64_t)rank;
    static const double factors[] = {1, 2, -1, 0.5, -2, 1, 1, 1};
    double value = reduction == PROD ? factors[number % 8] : (double)(number % 41) - 20;
    if (reduction == SUM && special == 0)
        value = -0.0;
    else if (reduction == SUM && special == 1 && here)
        value = NAN;
    else if (reduction == SUM && special == 2 && here)
        value = INFINITY;
    switch (kind) {
    case FLOAT:
        *(float *)element = (float)value;
        break;
    case DOUBLE:
        *(double *)element = value;
        break;
    case COMPLEX:
        *(float complex *)element = CMPLXF((float)((int)(number % 5) - 2), (float)((int)(number >> 20) % 3));
        break;
    case DOUBLE_COMPLEX:
        *(double complex *)element =
            CMPLX((double)((int)(number % 5) - 2), (double)((int)(number >> 20 & 0xffff) % 3));
        break;
    case TWO_INTS:
        ((int *)element)[0] = (int)(number % 5) - 2;
        ((int *)element)[1] = (int)(number >> 20 & 0xff) % 9;
        break;
    case SHORT_INT:
        ((struct short_int *)element)->value = (short)(number % 5);
        ((struct short_int *)element)->place = rank;
        break;
    case DOUBLE_INT:
        ((struct double_int *)element)->value = (double)(number % 5) - 2;
        ((struct double_int *)element)->place = 100 - rank;
        break;
    default:
        draw_element(kind, element, number);
        if (reduction >= LAND && reduction <= LXOR && number >> 60 < 8)
            memset(element, 0, extent_of(kind));
        if (kind == UNSIGNED && (reduction == MAX || reduction == MIN))
            *(unsigned *)element >>= 1; /* MPICH 4.0 compares them as if they had signs */
        if (kind == SHORT && reduction == SUM)
            *(short *)element >>= 5; /* no sum overflows */
        if (reduction == JOIN)
            *(int *)element = (int)(number % PRIME);
        break;
    }
}

static bool alike(double left, double right)
{
    return isnan(left) ? isnan(right) : left == right && !signbit(left) == !signbit(right);
}

bool same(enum kind kind, const void *left, const void *right)
{
    switch (kind) {
    case FLOAT:
        return alike(*(const float *)left, *(const float *)right);
    case DOUBLE:
        return alike(*(const double *)left, *(const double *)right);
    case COMPLEX:
        return *(const float complex *)left == *(const float complex *)right;
    case DOUBLE_COMPLEX:
        return *(const double complex *)left == *(const double complex *)right;
    case SHORT_INT:
        return ((const struct short_int *)left)->value == ((const struct short_int *)right)->value &&
               ((const struct short_int *)left)->place == ((const struct short_int *)right)->place;
    case DOUBLE_INT:
        return ((const struct double_int *)left)->value == ((const struct double_int *)right)->value &&
               ((const struct double_int *)left)->place == ((const struct double_int *)right)->place;
    case MIXED:
        return ((const struct mixed *)left)->letter == ((const struct mixed *)right)->letter &&
               ((const struct mixed *)left)->number == ((const struct mixed *)right)->number;
    case SPARSE:
        return memcmp(left, right, 2 * sizeof(int)) == 0;
    default:
        return memcmp(left, right, extent_of(kind)) == 0;
    }
}

static bool is_zero(enum kind kind, const void *element)
{
    static const char zeros[ELEMENT];
    return memcmp(element, zeros, extent_of(kind)) == 0;
}

bool same_result(enum reduction reduction, enum kind kind, const void *left, const void *right)
{
    if (reduction >= LAND && reduction <= LXOR)
        return is_zero(kind, left) == is_zero(kind, right);
    return same(kind, left, right);
}

bool reduces(enum reduction reduction, enum kind kind)
{
    const bool integer = kind <= UNSIGNED, floating = kind == FLOAT || kind == DOUBLE,
               of_two = kind == COMPLEX || kind == DOUBLE_COMPLEX;
    switch (reduction) {
    case SUM:
        return (integer && kind != CHAR) || floating || of_two;
    case PROD:
        return (kind == UNSIGNED || kind == LONG) || floating || of_two;
    case MAX:
    case MIN:
        return integer || floating;
    case LAND:
    case LOR:
    case LXOR:
        return integer || kind == BOOL;
    case BAND:
    case BOR:
    case BXOR:
        return integer || kind == BYTE;
    case MINLOC:
    case MAXLOC:
        return kind >= TWO_INTS && kind <= DOUBLE_INT;
    case JOIN:
        return kind == INT;
    case CHAIN:
        return kind == AFFINE || kind == SPARSE;
    case REDUCTIONS:
        break;
    }
    return false;
}

/* right = left op right, as MPI calls it. */
static void join(void *left, void *right, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        const int a = ((int *)left)[i], b = ((int *)right)[i];
        ((int *)right)[i] = (a + b + a * b) % PRIME;
    }
}

static void chain(void *left, void *right, int *count, MPI_Datatype *type)
{
    MPI_Aint lower, extent;
    MPI_Type_get_extent(*type, &lower, &extent);
    for (int i = 0; i < *count; i++) {
        const int *first = (int *)((char *)left + i * extent);
        int *then = (int *)((char *)right + i * extent);
        const int a = first[0] * then[0] % PRIME, b = (first[1] * then[0] + then[1]) % PRIME;
        then[0] = a;
        then[1] = b;
    }
}

MPI_Op operator_of(enum reduction reduction, bool *made)
{
    const MPI_Op operators[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,   MPI_LOR,
                                MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
    *made = reduction >= JOIN;
    if (!*made)
        return operators[reduction];
    MPI_Op op;
    MPI_Op_create(reduction == JOIN ? join : chain, reduction == JOIN, &op);
    return op;
}

#define ARITHMETIC(T)                                                                                        \
    {                                                                                                        \
        T *a = left;                                                                                         \
        const T b = *(const T *)right;                                                                       \
        *a = (T)(reduction == SUM    ? *a + b                                                                \
                 : reduction == PROD ? *a * b                                                                \
                 : reduction == MAX  ? (*a > b ? *a : b)                                                     \
                                     : (*a < b ? *a : b));                                                    \
        return;                                                                                              \
    }
#define BITS(T)                                                                                              \
    if (reduction >= LAND && reduction <= BXOR) {                                                            \
        T *a = left;                                                                                         \
        const T b = *(const T *)right;                                                                       \
        *a = (T)(reduction == LAND   ? *a && b                                                               \
                 : reduction == LOR  ? *a || b                                                               \
                 : reduction == LXOR ? !*a != !b                                                             \
                 : reduction == BAND ? *a & b                                                                \
                 : reduction == BOR  ? *a | b                                                                \
                                     : *a ^ b);                                                               \
        return;                                                                                              \
    }
#define LOCATED(T)                                                                                           \
    {                                                                                                        \
        T *a = left;                                                                                         \
        const T *b = right;                                                                                  \
        if (reduction == MINLOC ? b->value < a->value : b->value > a->value)                                 \
            *a = *b;                                                                                         \
        else if (b->value == a->value && b->place < a->place)                                                \
            a->place = b->place;                                                                             \
        return;                                                                                              \
    }

struct two_ints {
    int value, place;
};

void combine(enum reduction reduction, enum kind kind, void *left, const void *right)
{
    switch (kind) {
    case CHAR:
        BITS(signed char)
        ARITHMETIC(signed char) case SHORT : BITS(short) ARITHMETIC(short) case INT : if (reduction == JOIN)
        {
            const int a = *(int *)left, b = *(const int *)right;
            *(int *)left = (a + b + a * b) % PRIME;
            return;
        }
        if (reduction == SUM) {
            *(unsigned *)left += *(const unsigned *)right;
            return;
        }
        BITS(int)
        ARITHMETIC(int)
    case LONG:
        if (reduction == SUM || reduction == PROD)
            ARITHMETIC(uint64_t)
        BITS(int64_t)
        ARITHMETIC(int64_t)
    case UNSIGNED:
        BITS(unsigned) ARITHMETIC(unsigned) case BYTE : BITS(unsigned char) return;
    case BOOL:
        BITS(bool) return;
    case FLOAT:
        ARITHMETIC(float)
    case DOUBLE:
        ARITHMETIC(double)
    case COMPLEX:
        if (reduction == SUM)
            *(float complex *)left += *(const float complex *)right;
        else
            *(float complex *)left *= *(const float complex *)right;
        return;
    case DOUBLE_COMPLEX:
        if (reduction == SUM)
            *(double complex *)left += *(const double complex *)right;
        else
            *(double complex *)left *= *(const double complex *)right;
        return;
    case TWO_INTS:
        LOCATED(struct two_ints)
    case SHORT_INT:
        LOCATED(struct short_int)
    case DOUBLE_INT:
        LOCATED(struct double_int)
    case AFFINE:
    case SPARSE: {
        int *first = left;
        const int *then = right;
        const int a = first[0] * then[0] % PRIME, b = (first[1] * then[0] + then[1]) % PRIME;
        first[0] = a;
        first[1] = b;
        return;
    }
    default:
        return;
    }
}

/* The ways to lay a block out: as it is, as one element, with gaps, strided, backwards, before its address,
 * in threes. */
enum { PLAIN, WHOLE, GAPS, STRIDED, BACKWARDS, BEFORE, THREES, WAYS };

static MPI_Aint offset_in(const struct block *block, MPI_Aint extent, int index)
{
    switch (block->way) {
    case GAPS:
        return 2 * index * extent;
    case STRIDED:
        return 3 * index * extent;
    case BACKWARDS:
        return 2 * (block->length - 1 - index) * extent;
    case BEFORE:
        return -index * extent;
    case THREES:
        return (index / 3 * 4 + index % 3) * extent;
    default:
        return index * extent;
    }
}

static void lay_out(struct block *block, enum kind kind, int length, int way)
{
    const MPI_Aint extent = (MPI_Aint)extent_of(kind);
    bool made;
    MPI_Datatype type = type_of(kind, &made), then = MPI_DATATYPE_NULL;
    *block = (struct block){.count = length, .length = length, .way = way, .stride = extent};
    switch (way) {
    case WHOLE:
        MPI_Type_contiguous(length, type, &then);
        break;
    case GAPS:
        MPI_Type_create_resized(type, 0, 2 * extent, &then);
        break;
    case STRIDED:
        MPI_Type_vector(length, 1, 3, type, &then);
        break;
    case BACKWARDS: {
        MPI_Aint *places = malloc((size_t)length * sizeof *places);
        for (int i = 0; i < length; i++)
            places[i] = 2 * (length - 1 - i) * extent;
        MPI_Type_create_hindexed_block(length, 1, places, type, &then);
        free(places);
        break;
    }
    case BEFORE:
        MPI_Type_create_hvector(length, 1, -extent, type, &then);
        break;
    case THREES: {
        MPI_Datatype three;
        MPI_Type_contiguous(3, type, &three);
        MPI_Type_create_resized(three, 0, 4 * extent, &then);
        MPI_Type_free(&three);
        break;
    }
    default:
        break;
    }
    if (then != MPI_DATATYPE_NULL) {
        if (made)
            MPI_Type_free(&type);
        MPI_Type_commit(&then);
        type = then;
        made = true;
        block->count = way == GAPS ? length : way == THREES ? length / 3 : 1;
        MPI_Aint lower;
        MPI_Type_get_extent(type, &lower, &block->stride);
    }
    block->type = type;
    block->made = made;
}

/* WAY: one for all, or -1: of DICE. */
void make_buffer(struct buffer *buffer, enum kind kind, enum shape shape, int blocks, const int *lengths,
                 int way, struct dice *dice)
{
    *buffer = (struct buffer){.kind = kind, .blocks = blocks};
    buffer->block = calloc((size_t)blocks + 1, sizeof *buffer->block);
    buffer->counts = calloc((size_t)blocks + 1, sizeof(int));
    buffer->places = calloc((size_t)blocks + 1, sizeof(int));
    buffer->types = calloc((size_t)blocks + 1, sizeof(MPI_Datatype));
    const MPI_Aint extent = (MPI_Aint)extent_of(kind);
    const bool backwards = shape != LINED && roll(dice, 2);
    const int drawn = way >= 0 ? way : roll(dice, 3) ? PLAIN : roll(dice, WAYS);
    MPI_Aint low = 0, high = 0, next = 0;
    for (int step = 0; step < blocks; step++) {
        const int b = backwards ? blocks - 1 - step : step;
        struct block *block = &buffer->block[b];
        int here = shape == LOOSE && way < 0 && roll(dice, 2) ? roll(dice, WAYS) : drawn;
#ifdef OPEN_MPI
        if (here == BEFORE) /* its own copies are wrong then */
            here = WHOLE;
#endif
        if (lengths[b] == 0 || (here == THREES && lengths[b] % 3 != 0) || (shape == LISTED && here != GAPS))
            here = PLAIN;
        if (step == 0 || shape == LOOSE) {
            lay_out(block, kind, lengths[b], here);
        } else {
            *block = buffer->block[backwards ? blocks - 1 : 0];
            block->made = false;
            block->length = lengths[b];
            if (shape == LISTED) {
                block->way = block->stride > extent ? GAPS : PLAIN;
                block->count = lengths[b];
            }
        }
        if (shape == LISTED && step == 0 && lengths[b] == 0 && block->way == PLAIN)
            block->stride = extent;
        if (shape == LOOSE) {
            /* The whole of what it covers, behind what came before. */
            MPI_Aint least = 0, most = 0;
            for (int i = 0; i < lengths[b]; i++) {
                const MPI_Aint at = offset_in(block, extent, i);
                least = at < least ? at : least;
                most = at + extent > most ? at + extent : most;
            }
            block->at = next - least + 8 * roll(dice, 2);
            block->at = (block->at + 15) / 16 * 16;
            next = block->at + most;
        } else {
            block->at = next;
            next += block->count * block->stride + (shape == LISTED ? block->stride * roll(dice, 2) : 0);
        }
        buffer->counts[b] = block->count;
        buffer->places[b] = (int)(shape == LISTED ? block->at / block->stride : block->at);
        buffer->types[b] = block->type;
        for (int i = 0; i < lengths[b]; i++) {
            const MPI_Aint at = block->at + offset_in(block, extent, i);
            low = at < low ? at : low;
            high = at + extent > high ? at + extent : high;
        }
    }
    low = low / 16 * 16 - 16; /* as aligned as before */
    buffer->bytes = (size_t)(high - low) + 2 * GUARD;
    buffer->memory = malloc(buffer->bytes);
    memset(buffer->memory, PATTERN, buffer->bytes);
    buffer->base = buffer->memory + GUARD - low;
    buffer->given = buffer->base;
    if (blocks == 1 && way < 0 && lengths[0] > 0 && roll(dice, 12) == 0) {
        struct block *block = &buffer->block[0];
        MPI_Aint address;
        MPI_Datatype type;
        MPI_Get_address(buffer->base, &address);
        MPI_Type_create_hindexed(1, &block->count, &address, block->type, &type);
        MPI_Type_commit(&type);
        if (block->made)
            MPI_Type_free(&block->type);
        block->type = buffer->types[0] = type;
        block->count = buffer->counts[0] = 1;
        block->made = true;
        buffer->given = MPI_BOTTOM;
    }
}

char *element_at(const struct buffer *buffer, int block, int index)
{
    return buffer->base + buffer->block[block].at +
           offset_in(&buffer->block[block], (MPI_Aint)extent_of(buffer->kind), index);
}

void free_types(struct buffer *buffer)
{
    for (int b = 0; b < buffer->blocks; b++)
        if (buffer->block[b].made) {
            MPI_Type_free(&buffer->block[b].type);
            buffer->block[b].made = false;
        }
}

void free_buffer(struct buffer *buffer)
{
    free_types(buffer);
    free(buffer->memory);
    free(buffer->block);
    free(buffer->counts);
    free(buffer->places);
    free(buffer->types);
    *buffer = (struct buffer){0};
}

void stamp(struct buffer *buffer, int block, int index)
{
    memset(element_at(buffer, block, index), PATTERN, extent_of(buffer->kind));
}

bool untouched(const struct buffer *buffer)
{
    for (size_t i = 0; i < buffer->bytes; i++)
        if ((unsigned char)buffer->memory[i] != PATTERN)
            return false;
    return true;
}
