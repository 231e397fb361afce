/* SPDX-License-Identifier: BSD-3-Clause
 * What a byte holds when plans are simulated: a byte of a rank's send buffer, or an expression of such. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* 0: never written. Which byte of which rank's send buffer it is, or STAR_REDUCED and the number of an
 * expression. Equal expressions have equal numbers. */
typedef uint64_t star_symbol;
#define STAR_REDUCED ((star_symbol)1 << 63)

struct star_expression;

struct star_expressions {
    struct star_expression *at;
    uint64_t *ranks; /* WORDS for each: which ranks are in it */
    int *buckets;    /* ROOM of them, a power of two */
    int count, room, words;
};

/* For symbols of SIZE ranks; nothing is allocated yet. */
struct star_expressions star_expressions_of(int size);
void star_expressions_free(struct star_expressions *all);

static inline star_symbol star_symbol_of(int rank, int64_t offset)
{
    return ((star_symbol)rank << 40 | (star_symbol)offset) + 1;
}

/* Of a byte that is not reduced. */
static inline int star_symbol_rank(star_symbol leaf)
{
    return (int)((leaf - 1) >> 40);
}

/* Which byte of the vectors it is, or of the send buffer. */
int64_t star_symbol_offset(const struct star_expressions *all, star_symbol value);
/* The ranks in it, when they follow each other and are combined in order; else *FIRST > *LAST. */
void star_symbol_ranks(const struct star_expressions *all, star_symbol value, int *first, int *last);
bool star_symbol_has(const struct star_expressions *all, star_symbol value, int rank);
/* A rank that is in both, or −1. */
int star_symbol_common(const struct star_expressions *all, star_symbol a, star_symbol b);
/* Are the ranks of RIGHT in order, and just those behind the ranks of LEFT, in order too? */
bool star_symbol_follows(const struct star_expressions *all, star_symbol left, star_symbol right);
/* Are they the same expression of the same ranks, though of different bytes? */
bool star_symbol_same_tree(const struct star_expressions *all, star_symbol a, star_symbol b);

/* LEFT op RIGHT, which stand for the same place of the vector and have no rank in common; 0 when out of
 * memory. */
star_symbol star_symbol_combine(struct star_expressions *all, star_symbol left, star_symbol right);
/* r0 op (r1 op (r2 op …)) of ranks FIRST…LAST; 0 when out of memory. */
star_symbol star_symbol_in_rank_order(struct star_expressions *all, int first, int last, int64_t offset);
