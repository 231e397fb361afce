/* SPDX-License-Identifier: BSD-3-Clause
 * Of the program `background`: what is sent and received, of all lengths, layouts, datatypes and operators.
 */
#include "background.h"

#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a number lies in an element of a predefined datatype. */
enum class {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    F80,
    C32,
    C64,
    C80,
    TRUTH,
    FORTRAN_TRUTH,
    CLASSES,
    /* A number and an index. */
    SHORT_INT = CLASSES,
    INT_INT,
    LONG_INT,
    FLOAT_INT,
    DOUBLE_INT,
    LONG_DOUBLE_INT,
    FLOAT_FLOAT,
    DOUBLE_DOUBLE
};

/* Of which kind the standard says that it is, for which operators it is. */
enum sort {
    INTEGER = 1,
    FLOATING = 2,
    COMPLEX = 4,
    LOGICAL = 8,
    BYTE = 16,
    LOCATION = 32,
    ADDRESS = 64,
    FORTRAN_INTEGER = 128,
    WHOLE = INTEGER | ADDRESS | FORTRAN_INTEGER
};

struct predefined {
    MPI_Datatype type;
    enum class class;
    enum sort sort;
};

static int list_types(struct predefined *types)
{
    const struct predefined all[] = {
        {MPI_SIGNED_CHAR, I8, INTEGER},
        {MPI_UNSIGNED_CHAR, U8, INTEGER},
        {MPI_SHORT, I16, INTEGER},
        {MPI_UNSIGNED_SHORT, U16, INTEGER},
        {MPI_INT, I32, INTEGER},
        {MPI_UNSIGNED, U32, INTEGER},
        {MPI_LONG, I64, INTEGER},
        {MPI_UNSIGNED_LONG, U64, INTEGER},
        {MPI_LONG_LONG, I64, INTEGER},
        {MPI_UNSIGNED_LONG_LONG, U64, INTEGER},
        {MPI_INT8_T, I8, INTEGER},
        {MPI_UINT8_T, U8, INTEGER},
        {MPI_INT16_T, I16, INTEGER},
        {MPI_UINT16_T, U16, INTEGER},
        {MPI_INT32_T, I32, INTEGER},
        {MPI_UINT32_T, U32, INTEGER},
        {MPI_INT64_T, I64, INTEGER},
        {MPI_UINT64_T, U64, INTEGER},
        {MPI_AINT, I64, ADDRESS},
        {MPI_OFFSET, I64, ADDRESS},
        {MPI_COUNT, I64, ADDRESS},
        {MPI_FLOAT, F32, FLOATING},
        {MPI_DOUBLE, F64, FLOATING},
        {MPI_LONG_DOUBLE, F80, FLOATING},
        {MPI_C_BOOL, TRUTH, LOGICAL},
        {MPI_C_FLOAT_COMPLEX, C32, COMPLEX},
        {MPI_C_DOUBLE_COMPLEX, C64, COMPLEX},
        {MPI_C_LONG_DOUBLE_COMPLEX, C80, COMPLEX},
        {MPI_BYTE, U8, BYTE},
        {MPI_INTEGER, I32, FORTRAN_INTEGER},
        {MPI_INTEGER1, I8, FORTRAN_INTEGER},
        {MPI_INTEGER2, I16, FORTRAN_INTEGER},
        {MPI_INTEGER4, I32, FORTRAN_INTEGER},
        {MPI_INTEGER8, I64, FORTRAN_INTEGER},
        {MPI_REAL, F32, FLOATING},
        {MPI_REAL4, F32, FLOATING},
        {MPI_REAL8, F64, FLOATING},
        {MPI_DOUBLE_PRECISION, F64, FLOATING},
        {MPI_COMPLEX, C32, COMPLEX},
        {MPI_DOUBLE_COMPLEX, C64, COMPLEX},
        {MPI_LOGICAL, FORTRAN_TRUTH, LOGICAL},
        {MPI_SHORT_INT, SHORT_INT, LOCATION},
        {MPI_2INT, INT_INT, LOCATION},
        {MPI_LONG_INT, LONG_INT, LOCATION},
        {MPI_FLOAT_INT, FLOAT_INT, LOCATION},
        {MPI_DOUBLE_INT, DOUBLE_INT, LOCATION},
        {MPI_LONG_DOUBLE_INT, LONG_DOUBLE_INT, LOCATION},
        {MPI_2INTEGER, INT_INT, LOCATION},
        {MPI_2REAL, FLOAT_FLOAT, LOCATION},
        {MPI_2DOUBLE_PRECISION, DOUBLE_DOUBLE, LOCATION},
    };
    memcpy(types, all, sizeof all);
    return sizeof all / sizeof *all;
}

enum meaning { SUM, PROD, MAX, MIN, BAND, BOR, BXOR, LAND, LOR, LXOR, MAXLOC, MINLOC, MEANINGS };

struct operator
{
    MPI_Op op;
    int sorts;
};

static struct operator operator_of(enum meaning meaning)
{
    const struct operator all[MEANINGS] = {
        [SUM] = {MPI_SUM, WHOLE | FLOATING | COMPLEX},
        [PROD] = {MPI_PROD, WHOLE | FLOATING | COMPLEX},
        [MAX] = {MPI_MAX, WHOLE | FLOATING},
        [MIN] = {MPI_MIN, WHOLE | FLOATING},
        [BAND] = {MPI_BAND, WHOLE | BYTE},
        [BOR] = {MPI_BOR, WHOLE | BYTE},
        [BXOR] = {MPI_BXOR, WHOLE | BYTE},
        [LAND] = {MPI_LAND, INTEGER | LOGICAL},
        [LOR] = {MPI_LOR, INTEGER | LOGICAL},
        [LXOR] = {MPI_LXOR, INTEGER | LOGICAL},
        [MAXLOC] = {MPI_MAXLOC, LOCATION},
        [MINLOC] = {MPI_MINLOC, LOCATION},
    };
    return all[meaning];
}

struct number {
    int64_t value, index;
};

#define PAIR(name, number_type, index_type)                                                                  \
    struct name {                                                                                            \
        number_type value;                                                                                   \
        index_type index;                                                                                    \
    }
PAIR(short_int, short, int);
PAIR(int_int, int, int);
PAIR(long_int, long, int);
PAIR(float_int, float, int);
PAIR(double_int, double, int);
PAIR(long_double_int, long double, int);
PAIR(float_float, float, float);
PAIR(double_double, double, double);

/* X(class, type) of those that one number makes, P of the pairs. */
#define PLAIN(X)                                                                                             \
    X(I8, int8_t)                                                                                            \
    X(U8, uint8_t)                                                                                           \
    X(I16, int16_t)                                                                                          \
    X(U16, uint16_t)                                                                                         \
    X(I32, int32_t)                                                                                          \
    X(U32, uint32_t)                                                                                         \
    X(I64, int64_t)                                                                                          \
    X(U64, uint64_t)                                                                                         \
    X(F32, float)                                                                                            \
    X(F64, double)                                                                                           \
    X(F80, long double)                                                                                      \
    X(C32, float complex)                                                                                    \
    X(C64, double complex)                                                                                   \
    X(C80, long double complex)                                                                              \
    X(TRUTH, _Bool)                                                                                          \
    X(FORTRAN_TRUTH, int32_t)
#define PAIRS(X)                                                                                             \
    X(SHORT_INT, short_int)                                                                                  \
    X(INT_INT, int_int)                                                                                      \
    X(LONG_INT, long_int)                                                                                    \
    X(FLOAT_INT, float_int)                                                                                  \
    X(DOUBLE_INT, double_int)                                                                                \
    X(LONG_DOUBLE_INT, long_double_int)                                                                      \
    X(FLOAT_FLOAT, float_float)                                                                              \
    X(DOUBLE_DOUBLE, double_double)

#define STORE(which, type)                                                                                   \
    case which:                                                                                              \
        ((type *)at)[i] = (type)number.value;                                                                \
        break;
#define STORE_PAIR(which, name)                                                                              \
    case which:                                                                                              \
        ((struct name *)at)[i].value = number.value;                                                         \
        ((struct name *)at)[i].index = number.index;                                                         \
        break;
static void store(enum class class, void *at, int i, struct number number)
{
    switch ((int)class) {
        PLAIN(STORE)
        PAIRS(STORE_PAIR)
    }
}

#define IS(which, type)                                                                                      \
    case which:                                                                                              \
        return ((const type *)at)[i] == (type)number.value;
#define IS_PAIR(which, name)                                                                                 \
    case which:                                                                                              \
        return ((const struct name *)at)[i].value == number.value &&                                         \
               ((const struct name *)at)[i].index == number.index;
static bool is(enum class class, const void *at, int i, struct number number)
{
    switch ((int)class) {
        PLAIN(IS)
        PAIRS(IS_PAIR)
    }
    return false;
}

/* Small enough for all types, also the product. */
static struct number number_of(enum meaning meaning, enum sort sort, int who, int i)
{
    int drawn = (int)(work_mix((uint64_t)who, (uint64_t)i) % 1000);
    if (sort == LOGICAL || (meaning >= LAND && meaning <= LXOR))
        return (struct number){drawn % 3 > 0, 0};
    if (meaning == PROD)
        return (struct number){drawn % 4 == 0 ? 2 : 1, 0};
    if (meaning >= MAXLOC)
        return (struct number){drawn % 3, drawn % 100};
    return (struct number){drawn % 16, 0};
}

static struct number combine(enum meaning meaning, struct number a, struct number b)
{
    bool first = a.value == b.value ? a.index < b.index : (a.value > b.value) == (meaning == MAXLOC);
    switch (meaning) {
    case SUM:
        return (struct number){a.value + b.value, 0};
    case PROD:
        return (struct number){a.value * b.value, 0};
    case MAX:
        return a.value > b.value ? a : b;
    case MIN:
        return a.value < b.value ? a : b;
    case BAND:
        return (struct number){a.value & b.value, 0};
    case BOR:
        return (struct number){a.value | b.value, 0};
    case BXOR:
        return (struct number){a.value ^ b.value, 0};
    case LAND:
        return (struct number){a.value && b.value, 0};
    case LOR:
        return (struct number){a.value || b.value, 0};
    case LXOR:
        return (struct number){!a.value != !b.value, 0};
    default:
        return first ? a : b;
    }
}

static void tell_type(const char *what, MPI_Datatype type, enum meaning meaning)
{
    static const char *const names[MEANINGS] = {"sum",  "prod", "max", "min",  "band",   "bor",
                                                "bxor", "land", "lor", "lxor", "maxloc", "minloc"};
    char name[MPI_MAX_OBJECT_NAME] = "", text[2 * MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Type_get_name(type, name, &length);
    snprintf(text, sizeof text, "%s, %s of %s", what, names[meaning], name);
    expect(false, text, -1);
}

enum { NUMBERS_MOST = 24, WIDEST = 32 };

/* Both calls under way at a time; the second one in place, at its root alone. */
static void reduce_numbers(const struct predefined *kind, enum meaning meaning, int count)
{
    _Alignas(16) char out[NUMBERS_MOST * WIDEST], sum[NUMBERS_MOST * WIDEST], own[NUMBERS_MOST * WIDEST];
    MPI_Request requests[2];
    MPI_Op op = operator_of(meaning).op;
    int root = count % size;
    memset(out, 0, sizeof out);
    memset(sum, 0, sizeof sum);
    memset(own, 0, sizeof own);
    for (int i = 0; i < count; i++) {
        store(kind->class, out, i, number_of(meaning, kind->sort, rank, i));
        store(kind->class, own, i, number_of(meaning, kind->sort, rank, i));
    }
    MPI_Iallreduce(out, sum, count, kind->type, op, MPI_COMM_WORLD, &requests[0]);
    MPI_Ireduce(rank == root ? MPI_IN_PLACE : own, rank == root ? own : NULL, count, kind->type, op, root,
                MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    bool right[3] = {true, true, true};
    for (int i = 0; i < count; i++) {
        struct number all = number_of(meaning, kind->sort, size - 1, i);
        for (int r = size - 2; r >= 0; r--)
            all = combine(meaning, number_of(meaning, kind->sort, r, i), all);
        right[0] &= is(kind->class, sum, i, all);
        right[1] &= rank != root || is(kind->class, own, i, all);
        right[2] &= is(kind->class, out, i, number_of(meaning, kind->sort, rank, i));
    }
    for (int i = 0; i < 3; i++)
        if (!right[i])
            tell_type(i == 0   ? "Iallreduce"
                      : i == 1 ? "Ireduce in place"
                               : "a send buffer",
                      kind->type, meaning);
}

/* All predefined operators, with all datatypes that they are for. */
void operators(void)
{
    struct predefined types[64];
    int count = list_types(types);
    for (int t = 0; t < count; t++)
        for (int meaning = 0; types[t].type != MPI_DATATYPE_NULL && meaning < MEANINGS; meaning++)
            for (int n = 1;
                 n <= NUMBERS_MOST && operator_of((enum meaning)meaning).sorts & (int)types[t].sort;
                 n = n * 2 + 1)
                reduce_numbers(&types[t], (enum meaning)meaning, n);
    /* The program's own, of elements with gaps and without, commutative ones and others. */
    for (int r = 0; r < reduction_count; r++)
        for (int which = 0; which < WORK_KINDS; which++)
            for (int n = 0; n < 12; n++) {
                struct work work;
                struct work_call call = {.which = (enum work_kind)which,
                                         .comm = MPI_COMM_WORLD,
                                         .reduction = &reductions[r],
                                         .root = n % size,
                                         .units = n < 9 ? n : 100 * n,
                                         .in_place = n % 3 == 2,
                                         .seed = (uint64_t)n};
                if (!work_reduces(call.which) || !work_is_possible(&call))
                    continue;
                work_begin(&work, &call);
                wait_and_check(&work, reductions[r].name);
            }
}

/* Different datatypes of one signature on even and odd ranks, to send and to receive. */
void layouts(void)
{
    for (int k = 0; k < kind_count; k++)
        for (int which = 0; which < WORK_KINDS; which++)
            for (int n = 0; n < 16; n++) {
                struct work work[2];
                struct work_call call = {.which = (enum work_kind)which,
                                         .comm = MPI_COMM_WORLD,
                                         .kind = &kinds[k],
                                         .root = n % size,
                                         .units = n < 12 ? n : 30 * n,
                                         .in_place = n % 3 == 2,
                                         .seed = (uint64_t)n};
                if (work_reduces(call.which) || !work_is_possible(&call))
                    continue;
                for (int i = 0; i < 2; i++, call.seed++)
                    work_begin(&work[i], &call);
                for (int i = 0; i < 2; i++)
                    wait_and_check(&work[i], kinds[k].name);
            }
}

/* From nothing to 100 KB, on all alignments. */
void lengths(void)
{
    static const int units[] = {0,    1,    2,    3,    4,    5,    7,     8,     9,     15,    16,
                                17,   31,   32,   33,   63,   64,   65,    127,   128,   129,   255,
                                256,  257,  500,  511,  512,  513,  1000,  1023,  1024,  1025,  2047,
                                2048, 2049, 4095, 4096, 4097, 8192, 16384, 16385, 25600, 65536, 100000};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (int which = 0; which < WORK_KINDS; which++)
            for (int form = 0; form < 4; form++) {
                struct work work;
                struct work_call call = {.which = (enum work_kind)which,
                                         .comm = MPI_COMM_WORLD,
                                         .root = (int)u % size,
                                         .units = units[u],
                                         .in_place = form % 2 == 1,
                                         .shift = form >= 2 ? 1 + (int)u % 7 : 0,
                                         .kind = kind_named("bytes"),
                                         .reduction = reduction_named(form % 2 ? "bxor" : "sum-doubles"),
                                         .seed = u};
                if (call.units > 4097 && (which >= WORK_SHORT_KINDS || form >= 2))
                    continue;
                if (work_reduces(call.which) && form % 2 == 0)
                    call.units /= 8;
                if (!work_is_possible(&call))
                    continue;
                work_begin(&work, &call);
                wait_and_check(&work, "lengths");
            }
}

/* Datatypes and operators that are freed while the call is under way. */
void released(void)
{
    for (int k = 0; k < kind_count; k++)
        for (int which = 0; which < WORK_KINDS; which++) {
            struct work work[4];
            struct work_call call = {.which = (enum work_kind)which,
                                     .comm = MPI_COMM_WORLD,
                                     .kind = &kinds[k],
                                     .reduction = &reductions[k % reduction_count],
                                     .root = k % size,
                                     .units = 6,
                                     .frees = true,
                                     .seed = (uint64_t)k};
            if (!work_is_possible(&call))
                continue;
            for (int i = 0; i < 4; i++, call.seed++)
                work_begin(&work[i], &call);
            for (int i = 3; i >= 0; i--)
                wait_and_check(&work[i], "whose datatype and operator are freed");
        }
}

enum { RANKS = 16 };
static int copies, deletions;

static int copy_attribute(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)type, (void)key, (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

/* A vector with an attribute, which the program may well free where it is deleted. */
static MPI_Datatype attributed_vector(int key)
{
    MPI_Datatype type;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_set_attr(type, key, &copies);
    return type;
}

/* ROUND by blocks of one datatype, or with one for each rank. */
static void exchange_attributed(MPI_Datatype type, int round)
{
    enum { EXTENT = 4 };
    static int own[EXTENT], all[EXTENT * RANKS], counts[RANKS], places[RANKS], at[RANKS];
    MPI_Datatype types[RANKS];
    MPI_Request request;
    for (int r = 0; r < size; r++) {
        counts[r] = 1;
        places[r] = 0;
        at[r] = r * EXTENT * (int)sizeof(int);
        types[r] = type;
    }
    own[2] = rank * 10 + round;
    if (round % 2 == 0)
        MPI_Iallgather(own, 1, type, all, 1, type, MPI_COMM_WORLD, &request);
    else
        MPI_Ialltoallw(own, counts, places, types, all, counts, at, types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int r = 0; r < size; r++)
        expect(all[r * (round % 2 == 0 ? EXTENT - 1 : EXTENT) + 2] == r * 10 + round, "with an attribute",
               -1);
}

/* The program's functions for attributes of datatypes are called for what the program does alone. */
void attributed(void)
{
    enum { ROUNDS = 40 };
    int key;
    if (size > RANKS)
        return;
    MPI_Type_create_keyval(copy_attribute, delete_attribute, &key, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Datatype type = attributed_vector(key);
        exchange_attributed(type, round);
        MPI_Type_free(&type);
    }
    expect(copies == 0, "an attribute of a datatype is copied", -1);
    /* Of one rank alone Open MPI 5.0 keeps some datatypes. */
    expect(deletions == ROUNDS || (size == 1 && deletions < ROUNDS),
           "attributes of datatypes are not deleted once", -1);
    MPI_Type_free_keyval(&key);
}

/* Who is through uses its buffers for other things, and calls on, while others are late: neither does what it
 * writes there reach them, nor what comes later its own. */
void reused(void)
{
    enum { ROUNDS = 300, NUMBERS = 9 };
    int out[NUMBERS], in[NUMBERS];
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request request;
        int root = round % size, kind = round % 3;
        bool receives = kind != 2 || rank == root;
        if (rank == (round / 7) % size && round % 20 == 0)
            nap(2);
        for (int i = 0; i < NUMBERS; i++) {
            out[i] = rank * 10 + round + i;
            in[i] = kind == 1 && rank == root ? round * 3 + i : -7;
        }
        if (kind == 0)
            MPI_Iallreduce(out, in, NUMBERS, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        else if (kind == 1)
            MPI_Ibcast(in, NUMBERS, MPI_INT, root, MPI_COMM_WORLD, &request);
        else
            MPI_Ireduce(out, in, NUMBERS, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < NUMBERS; i++) {
            int sum = 10 * size * (size - 1) / 2 + size * (round + i);
            int right = kind == 1 ? round * 3 + i : receives ? sum : -7;
            expect(in[i] == right, "a buffer used again", -1);
            in[i] = out[i] = 12345;
        }
    }
}
