/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values, elements and where they lie, for medley.c. */

struct dice {
    uint64_t state;
};
/* A number from 0 to SIDES - 1. */
int roll(struct dice *dice, int sides);
uint64_t mixed(uint64_t seed, uint64_t a, uint64_t b, uint64_t c);

enum kind {
    CHAR,
    SHORT,
    INT,
    LONG,
    UNSIGNED,
    BYTE,
    BOOL,
    FLOAT,
    DOUBLE,
    COMPLEX,
    DOUBLE_COMPLEX,
    TWO_INTS,
    SHORT_INT,
    DOUBLE_INT,
    MIXED,  /* a char and a double, made */
    AFFINE, /* two ints, made: x -> ax + b */
    SPARSE, /* the same, with a gap */
    KINDS
};
enum reduction {
    SUM,
    PROD,
    MAX,
    MIN,
    LAND,
    LOR,
    LXOR,
    BAND,
    BOR,
    BXOR,
    MINLOC,
    MAXLOC,
    JOIN,
    CHAIN,
    REDUCTIONS
};

bool reduces(enum reduction reduction, enum kind kind);
/* The operator; *MADE says whether it is to be freed. */
MPI_Op operator_of(enum reduction reduction, bool *made);
void combine(enum reduction reduction, enum kind kind, void *left,
             const void *right); /* left = left op right */

enum { ELEMENT = 24 }; /* bytes that hold an element of each kind */
size_t extent_of(enum kind kind);
void draw_element(enum kind kind, void *element, uint64_t number);
/* What RANK contributes to element INDEX of the reduction of SEED. */
void draw_term(enum reduction reduction, enum kind kind, void *element, uint64_t seed, int rank, int index);
bool same(enum kind kind, const void *left, const void *right);
/* The same as far as a reduction says what it is. */
bool same_result(enum reduction reduction, enum kind kind, const void *left, const void *right);

/* Blocks of elements of one kind. A block has a type of its own if all are LOOSE, and else that of block 0.
 */
enum shape { LINED, LISTED, LOOSE };
struct block {
    MPI_Datatype type;
    int count, length, way;
    MPI_Aint at, stride;
    bool made;
};
struct buffer {
    char *memory, *base;
    void *given; /* what MPI is given as address */
    size_t bytes;
    enum kind kind;
    int blocks;
    struct block *block;
    int *counts, *places; /* as the functions with lists take them */
    MPI_Datatype *types;
};
void make_buffer(struct buffer *buffer, enum kind kind, enum shape shape, int blocks, const int *lengths,
                 int way, struct dice *dice);
char *element_at(const struct buffer *buffer, int block, int index);
void free_types(struct buffer *buffer);
void free_buffer(struct buffer *buffer);
/* Marks an element that was looked at; then tells whether all other bytes are as they were. */
void stamp(struct buffer *buffer, int block, int index);
bool untouched(const struct buffer *buffer);
