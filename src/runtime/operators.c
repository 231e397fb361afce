/* SPDX-License-Identifier: BSD-3-Clause
 * Which of MPI's operators may be used with which of its datatypes (MPI-4.0, sections 6.9.2 and 6.9.4). All
 * else is native's, which says what is wrong with it. */
#include "runtime/operators.h"

#include <stddef.h>

enum kind {
    UNKNOWN,
    INTEGER = 1,
    FLOATING = 2,
    LOGICAL = 4,
    COMPLEX = 8,
    BYTE = 16,
    MULTI = 32,       /* MPI_AINT, MPI_OFFSET, MPI_COUNT */
    PAIR = 64,        /* a floating-point number, and an int */
    WHOLE_PAIR = 128, /* two integers */
    EVEN_PAIR = 256,  /* two floating-point numbers */
    PAIRS = PAIR | WHOLE_PAIR | EVEN_PAIR,
    NO_NUMBER = 512, /* for no operator */
    FORTRAN_INTEGER = 1024,
    WHOLE = INTEGER | FORTRAN_INTEGER | MULTI
};

static const struct {
    MPI_Datatype type;
    enum kind kind;
} types[] = {
    {MPI_INT, INTEGER},
    {MPI_DOUBLE, FLOATING},
    {MPI_FLOAT, FLOATING},
    {MPI_LONG, INTEGER},
    {MPI_LONG_LONG, INTEGER},
    {MPI_UNSIGNED, INTEGER},
    {MPI_UNSIGNED_LONG, INTEGER},
    {MPI_UNSIGNED_LONG_LONG, INTEGER},
    {MPI_SHORT, INTEGER},
    {MPI_UNSIGNED_SHORT, INTEGER},
    {MPI_SIGNED_CHAR, INTEGER},
    {MPI_UNSIGNED_CHAR, INTEGER},
    {MPI_INT8_T, INTEGER},
    {MPI_INT16_T, INTEGER},
    {MPI_INT32_T, INTEGER},
    {MPI_INT64_T, INTEGER},
    {MPI_UINT8_T, INTEGER},
    {MPI_UINT16_T, INTEGER},
    {MPI_UINT32_T, INTEGER},
    {MPI_UINT64_T, INTEGER},
    {MPI_INTEGER, FORTRAN_INTEGER},
    {MPI_LONG_DOUBLE, FLOATING},
    {MPI_REAL, FLOATING},
    {MPI_DOUBLE_PRECISION, FLOATING},
    {MPI_LOGICAL, LOGICAL},
    {MPI_C_BOOL, LOGICAL},
    {MPI_COMPLEX, COMPLEX},
    {MPI_DOUBLE_COMPLEX, COMPLEX},
    {MPI_C_FLOAT_COMPLEX, COMPLEX},
    {MPI_C_DOUBLE_COMPLEX, COMPLEX},
    {MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX},
    {MPI_BYTE, BYTE},
    {MPI_AINT, MULTI},
    {MPI_OFFSET, MULTI},
    {MPI_COUNT, MULTI},
    {MPI_FLOAT_INT, PAIR},
    {MPI_DOUBLE_INT, PAIR},
    {MPI_LONG_INT, WHOLE_PAIR},
    {MPI_2INT, WHOLE_PAIR},
    {MPI_SHORT_INT, WHOLE_PAIR},
    {MPI_LONG_DOUBLE_INT, PAIR},
    {MPI_2REAL, EVEN_PAIR},
    {MPI_2DOUBLE_PRECISION, EVEN_PAIR},
    {MPI_2INTEGER, WHOLE_PAIR},
    {MPI_REAL4, FLOATING},
    {MPI_REAL8, FLOATING},
    {MPI_INTEGER1, FORTRAN_INTEGER},
    {MPI_INTEGER2, FORTRAN_INTEGER},
    {MPI_INTEGER4, FORTRAN_INTEGER},
    {MPI_INTEGER8, FORTRAN_INTEGER},
    {MPI_COMPLEX8, COMPLEX},
    {MPI_COMPLEX16, COMPLEX},
    {MPI_CHAR, NO_NUMBER},
    {MPI_WCHAR, NO_NUMBER},
    {MPI_CHARACTER, NO_NUMBER},
    {MPI_PACKED, NO_NUMBER},
};

/* KINDS: those that the operator takes; none of those that are not for reductions. */
static const struct {
    const char *name;
    MPI_Op op;
    unsigned kinds;
} operators[] = {
    {"MPI_SUM", MPI_SUM, WHOLE | FLOATING | COMPLEX},
    {"MPI_PROD", MPI_PROD, WHOLE | FLOATING | COMPLEX},
    {"MPI_MAX", MPI_MAX, WHOLE | FLOATING},
    {"MPI_MIN", MPI_MIN, WHOLE | FLOATING},
    {"MPI_LAND", MPI_LAND, INTEGER | LOGICAL},
    {"MPI_LOR", MPI_LOR, INTEGER | LOGICAL},
    {"MPI_LXOR", MPI_LXOR, INTEGER | LOGICAL},
    {"MPI_BAND", MPI_BAND, WHOLE | BYTE},
    {"MPI_BOR", MPI_BOR, WHOLE | BYTE},
    {"MPI_BXOR", MPI_BXOR, WHOLE | BYTE},
    {"MPI_MAXLOC", MPI_MAXLOC, PAIRS},
    {"MPI_MINLOC", MPI_MINLOC, PAIRS},
    {"MPI_REPLACE", MPI_REPLACE, 0},
    {"MPI_NO_OP", MPI_NO_OP, 0},
    {"MPI_OP_NULL", MPI_OP_NULL, 0},
};

static enum kind kind_of_type(MPI_Datatype type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type && type != MPI_DATATYPE_NULL)
            return types[i].kind;
    return UNKNOWN;
}

const char *star_operator_name(MPI_Op op, int *number)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].op == op) {
            *number = (int)i;
            return operators[i].name;
        }
    *number = -1;
    return NULL;
}

MPI_Op star_operator_at(int number)
{
    bool known = number >= 0 && (size_t)number < sizeof operators / sizeof *operators;
    return known ? operators[number].op : MPI_OP_NULL;
}

enum star_numbers star_numbers_of(MPI_Datatype type)
{
    switch (kind_of_type(type)) {
    case INTEGER:
    case FORTRAN_INTEGER:
    case LOGICAL:
    case BYTE:
    case MULTI:
        return STAR_NUMBERS_EXACT;
    case FLOATING:
        return STAR_NUMBERS_FLOATING;
    case COMPLEX:
        return STAR_NUMBERS_COMPLEX;
    case PAIR:
        return STAR_NUMBERS_LOCATED;
    case EVEN_PAIR:
        return STAR_NUMBERS_TWO;
    case WHOLE_PAIR:
    case NO_NUMBER:
        return STAR_NUMBERS_BYTES;
    default:
        return STAR_NUMBERS_OTHER;
    }
}

bool star_operator_suits(MPI_Op op, MPI_Datatype type)
{
    /* Predefined handles keep their meaning: what was found of them is found again. */
    static _Thread_local struct {
        MPI_Op op;
        MPI_Datatype type;
        bool known, suits;
    } last;
    if (last.known && last.op == op && last.type == type)
        return last.suits;
    int number;
    if (star_operator_name(op, &number) == NULL)
        return true; /* the program's own */
    last.known = true;
    last.op = op;
    last.type = type;
    last.suits = ((unsigned)kind_of_type(type) & operators[number].kinds) != 0;
    return last.suits;
}
