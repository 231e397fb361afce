/* SPDX-License-Identifier: BSD-3-Clause */
#include "functions/overlap.h"

#include <stddef.h>
#include <string.h>

/* How often progress goes on is worth a function each, wherever it matters. */
#define EACH(word, call, method)                                                                             \
    {word ",progress=each", {call, 1}, method}, {word ",progress=eighth", {call, 8}, method},                \
    {                                                                                                        \
        word ",progress=rarely", {call, 64}, method                                                          \
    }
#define SET(first_word, first, second_word, second)                                                          \
    EACH("nonblocking", STAR_NONBLOCKING, NULL), {"blocking", {STAR_BLOCKING, 1}, NULL},                     \
        EACH(first_word, STAR_FIRST_PLAN, first), EACH(second_word, STAR_SECOND_PLAN, second)

/* Of each operation a method that is good for short messages and one for long ones. */
enum { FUNCTIONS = 10 };
static const struct {
    const char *set;
    struct star_overlap functions[FUNCTIONS];
} sets[] = {
    {"ibcast", {SET("binomial", "bcast:binomial", "chain", "bcast:chain,segment=16K")}},
    {"ialltoall", {SET("bruck", "alltoall:bruck", "ring", "alltoall:ring")}},
    {"iallgather", {SET("bruck", "allgather:bruck", "ring", "allgather:ring")}},
    {"ireduce", {SET("binomial", "reduce:binomial", "chain", "reduce:chain,segment=16K")}},
};

const struct star_overlap *star_overlaps_of(const char *set, int *count)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strcmp(sets[i].set, set) == 0) {
            *count = FUNCTIONS;
            return sets[i].functions;
        }
    return NULL;
}
