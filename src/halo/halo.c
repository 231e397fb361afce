/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo/halo.h"

#include <stdlib.h>
#include <string.h>

int star_halo_pairs(int dimensions, bool diagonal)
{
    int sides = 1;
    for (int d = 0; diagonal && d < dimensions; d++)
        sides *= 3;
    return diagonal ? (sides - 1) / 2 : dimensions;
}

/* ADCL's order of the left sides of diagonal pairs: one of its own for 2 dimensions, and one for 3. Its
 * corners of 3 dimensions stand in a comment only. */
enum { SQUARE = 2, CUBE = 9 };
static const signed char square[SQUARE][2] = {{-1, -1}, {1, -1}};
static const signed char cube[CUBE + 1][3] = {{-1, -1, 0}, {-1, 1, 0},  {-1, 0, -1},  {0, 1, -1},
                                              {1, 0, -1},  {0, -1, -1}, {-1, -1, -1}, {1, -1, -1},
                                              {1, 1, -1},  {-1, 1, -1}};

/* Number CODE of 3^d directions; false where it is the right side of its pair, or lies outside in other than
 * OUTSIDE dimensions. */
static bool is_left(int dimensions, int outside, int code, signed char *at)
{
    static const signed char digit[] = {0, -1, 1};
    int first = 0;
    for (int d = 0; d < dimensions; d++, code /= 3) {
        at[d] = digit[code % 3];
        outside -= at[d] != 0;
        first = first ? first : at[d];
    }
    return outside == 0 && first < 0;
}

static void list_lefts(int dimensions, int pairs, signed char (*at)[STAR_HALO_DIMENSIONS])
{
    int codes = 2 * star_halo_pairs(dimensions, true) + 1, pair = dimensions;
    for (int outside = 2; outside <= dimensions; outside++)
        for (int code = 0; code < codes && pair < pairs; code++) {
            memset(at[pair], 0, sizeof at[pair]);
            pair += is_left(dimensions, outside, code, at[pair]);
        }
}

void star_halo_lefts(int dimensions, int pairs, signed char (*at)[STAR_HALO_DIMENSIONS])
{
    memset(at, 0, (size_t)pairs * sizeof *at);
    for (int p = 0; p < pairs && p < dimensions; p++)
        at[p][p] = -1;
    if (dimensions == 2 || dimensions == 3) {
        for (int p = dimensions; p < pairs; p++)
            memcpy(at[p], dimensions == 2 ? square[p - 2] : cube[p - 3], (size_t)dimensions);
    } else {
        list_lefts(dimensions, pairs, at);
    }
}

/* The rank that is WAY times AT away, or STAR_NOBODY where the grid ends. */
static int rank_at(const struct star_grid *grid, const int *coordinate, const signed char *at, int way)
{
    int rank = 0;
    for (int d = 0; d < grid->dimensions; d++) {
        int c = coordinate[d] + way * at[d], size = grid->size[d];
        if ((c < 0 || c >= size) && !grid->periodic[d])
            return STAR_NOBODY;
        rank = rank * size + (c + size) % size;
    }
    return rank;
}

int star_grid_neighbors(const struct star_grid *grid, int rank, int pairs, int *left, int *right)
{
    signed char(*at)[STAR_HALO_DIMENSIONS] = malloc((size_t)pairs * sizeof *at + 1);
    int coordinate[STAR_HALO_DIMENSIONS];
    if (at == NULL)
        return STAR_EMEMORY;
    for (int d = grid->dimensions - 1; d >= 0; rank /= grid->size[d], d--)
        coordinate[d] = rank % grid->size[d];
    star_halo_lefts(grid->dimensions, pairs, at);
    for (int p = 0; p < pairs; p++) {
        left[p] = rank_at(grid, coordinate, at[p], 1);
        right[p] = rank_at(grid, coordinate, at[p], -1);
    }
    free(at);
    return 0;
}

static int check_block(const struct star_block *block, struct star_why *why)
{
    if (block->dimensions < 1 || block->dimensions > STAR_HALO_DIMENSIONS)
        return star_because(why, STAR_EINPUT, "a vector of %d dimensions: 1 to %d are possible",
                            block->dimensions, STAR_HALO_DIMENSIONS);
    if (block->width < 0)
        return star_because(why, STAR_EINPUT, "a halo %d points wide: it must be 0 or more", block->width);
    if (block->values < 1)
        return star_because(why, STAR_EINPUT, "%d values at each point: there must be 1 or more",
                            block->values);
    for (int d = 0; d < block->dimensions; d++) {
        int64_t inner = (int64_t)block->size[d] - 2 * (int64_t)block->width;
        if (block->size[d] < 1)
            return star_because(why, STAR_EINPUT, "dimension %d of the vector has %d points", d,
                                block->size[d]);
        if (inner < block->width || inner < 1)
            return star_because(
                why, STAR_EINPUT,
                "the halo is wider than what lies inside of it: dimension %d of the vector has %d "
                "points, of which %d on either side are the halo, and %lld are left",
                d, block->size[d], block->width, (long long)(inner < 0 ? 0 : inner));
    }
    return 0;
}

static int check_neighbors(const struct star_block *block, const struct star_neighbors *neighbors,
                           struct star_why *why)
{
    int most = star_halo_pairs(block->dimensions, true);
    if (neighbors->pairs < 1 || neighbors->pairs > most)
        return star_because(why, STAR_EINPUT,
                            "%d pairs of neighbours: a vector of %d dimensions has 1 to %d pairs of sides",
                            neighbors->pairs, block->dimensions, most);
    for (int p = 0; p < neighbors->pairs; p++)
        for (int side = 0; side < 2; side++) {
            int rank = side == 0 ? neighbors->left[p] : neighbors->right[p];
            if (rank >= neighbors->ranks)
                return star_because(why, STAR_EINPUT,
                                    "the %s neighbour %d of pair %d is no rank: there are %d",
                                    side == 0 ? "left" : "right", rank, p, neighbors->ranks);
        }
    if (neighbors->ways < STAR_BOTH_WAYS || neighbors->ways > STAR_RIGHT_TO_LEFT)
        return star_because(why, STAR_EINPUT,
                            "unknown direction %d: 1 is both ways, 2 left to right, 3 right to left",
                            (int)neighbors->ways);
    return 0;
}

static void place(struct star_halo_side *side, const signed char *left, int way)
{
    for (int d = 0; d < STAR_HALO_DIMENSIONS; d++)
        side->at[d] = (signed char)(way * left[d]);
}

/* Through left sides values leave that move to the left, and come in that move to the right. */
static void connect(struct star_halo *halo, const struct star_neighbors *neighbors)
{
    bool leftwards = neighbors->ways != STAR_LEFT_TO_RIGHT,
         rightwards = neighbors->ways != STAR_RIGHT_TO_LEFT;
    for (int k = 0; k < halo->sides; k++) {
        int rank = k % 2 == 0 ? neighbors->left[k / 2] : neighbors->right[k / 2];
        bool leaves = k % 2 == 0 ? leftwards : rightwards, comes = k % 2 == 0 ? rightwards : leftwards;
        if (rank < 0 || halo->block.width == 0)
            rank = STAR_NOBODY;
        halo->side[k].to = leaves ? rank : STAR_NOBODY;
        halo->side[k].from = comes ? rank : STAR_NOBODY;
    }
}

int star_halo_make(const struct star_block *block, const struct star_neighbors *neighbors,
                   struct star_halo **halo, struct star_why *why)
{
    int error = check_block(block, why);
    if (!error)
        error = check_neighbors(block, neighbors, why);
    if (error)
        return error;
    size_t pairs = (size_t)neighbors->pairs;
    struct star_halo *made = calloc(1, sizeof *made + 2 * pairs * sizeof *made->side);
    signed char(*left)[STAR_HALO_DIMENSIONS] = malloc(pairs * sizeof *left);
    if (made == NULL || left == NULL) {
        free(made);
        free(left);
        return star_because(why, STAR_EMEMORY, "out of memory for %zu pairs of sides", pairs);
    }
    *made = (struct star_halo){.block = *block, .rank = neighbors->rank, .sides = 2 * neighbors->pairs};
    star_halo_lefts(block->dimensions, neighbors->pairs, left);
    for (int k = 0; k < made->sides; k++)
        place(&made->side[k], left[k / 2], k % 2 == 0 ? 1 : -1);
    connect(made, neighbors);
    free(left);
    *halo = made;
    return 0;
}

/* The layer WIDTH deep at SIDE, whose first point is DEPTH points inside of the block. */
static struct star_box layer(const struct star_halo *halo, int side, int depth)
{
    const struct star_block *block = &halo->block;
    struct star_box box = {{0}, {0}};
    for (int d = 0; d < block->dimensions; d++) {
        signed char at = halo->side[side].at[d];
        box.count[d] = at ? block->width : block->size[d] - 2 * block->width;
        box.start[d] = at == 0 ? block->width : at < 0 ? depth : block->size[d] - depth - block->width;
    }
    return box;
}

struct star_box star_halo_sent(const struct star_halo *halo, int side)
{
    return layer(halo, side, halo->block.width);
}

struct star_box star_halo_received(const struct star_halo *halo, int side)
{
    return layer(halo, side, 0);
}

int64_t star_halo_elements(const struct star_halo *halo, int side)
{
    struct star_box box = star_halo_sent(halo, side);
    int64_t elements = halo->block.values;
    for (int d = 0; d < halo->block.dimensions; d++)
        elements *= box.count[d];
    return elements;
}
