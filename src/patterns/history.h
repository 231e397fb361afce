/* SPDX-License-Identifier: BSD-3-Clause
 * Historic learning: what earlier runs saw of similar problems foretells which function of a neighbourhood
 * exchange is the best for a new one. No MPI in here, and no files: the experiences are the wisdom's. */
#ifndef STAR_PATTERNS_HISTORY_H
#define STAR_PATTERNS_HISTORY_H

#include "patterns/halo.h"

#include <stddef.h>

/* What an exchange is about, for one rank in the middle of its grid. */
struct star_problem {
    int dimensions;
    int points[STAR_HALO_DIMENSIONS]; /* of the block, the halo included; the last one is contiguous */
    int grid[STAR_HALO_DIMENSIONS];   /* ranks in each dimension */
    int width;                        /* of the halo */
    int point_bytes;
    int pairs; /* of neighbours: the faces' first */
    enum star_ways ways;
};

/* "neighborhood:66x34/1/8/2x3/2/1", points, halo, bytes of a point, grid, pairs and ways, in one word: no two
 * problems have the same. False: it does not fit in ROOM. Reading it: STAR_EINPUT. */
bool star_problem_format(const struct star_problem *problem, char *text, size_t room);
int star_problem_parse(const char *text, struct star_problem *problem, struct star_why *why);

/* How far problems are from each other, in factors of 2: of the bytes that move through a face (mean over the
 * faces), of the ranks in a dimension (mean over these), and half as much of the bytes that lie in one piece.
 * INFINITY: they have nothing to say to each other, as they differ in dimensions, pairs or ways. */
double star_problem_distance(const struct star_problem *a, const struct star_problem *b);
enum { STAR_PROBLEM_FARTHEST = 4 }; /* what is farther is not asked */

/* That FUNCTION took so long for PROBLEM: so many calls, seconds of one. */
struct star_experience {
    struct star_problem problem;
    int function;
    double count, mean, deviation;
};

/* What is foretold of a function. Count 0: nothing. */
struct star_foretold {
    double count, mean, deviation;
};

/* The mean that is as good as sure: it counts against a function that it was seldom seen, as for the tuner.
 */
double star_history_most(double count, double mean, double deviation);

/* Of FUNCTIONS functions for PROBLEM, from the COUNT experiences. *BEST is the function that the nearest four
 * problems vote for, or −1: each votes for the function that was the fastest there, if it knows two at least,
 * of those of a long run where there are any; a vote counts 2^-d, where d is how far the problem is. Returns
 * how sure that is, from 0 to 1:
 *
 *   a 2^(-d/2) c / (c + 2): a is the share of the votes that BEST has, d how far the nearest problem is, and
 * c the calls that were seen of BEST: so one call, or a far problem, does not convince.
 *
 * A foretold mean is that of the nearest problem that knows the function; where more bytes move here, as many
 * times more, which is the most that it may take. Its count fades as its vote, and its deviation grows with
 * the distance, by a quarter of the mean for each factor of 2. */
double star_history_ask(const struct star_experience *known, int count, const struct star_problem *problem,
                        int functions, struct star_foretold *foretold, int *best);

#endif
