/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/expression.h"

#include <stdlib.h>
#include <string.h>

/* LEFT op RIGHT. */
struct star_expression {
    star_symbol left, right;
    int64_t offset;
    int first, last; /* the ranks in it are these, in order; FIRST > LAST: they are in no such order */
    int next;        /* of its bucket */
};

struct star_expressions star_expressions_of(int size)
{
    return (struct star_expressions){.words = (size + 63) / 64};
}

void star_expressions_free(struct star_expressions *all)
{
    free(all->at);
    free(all->ranks);
    free(all->buckets);
}

static const struct star_expression *expression_of(const struct star_expressions *all, star_symbol value)
{
    return &all->at[value & ~STAR_REDUCED];
}

static uint64_t *rank_words(const struct star_expressions *all, star_symbol value)
{
    return &all->ranks[(size_t)(value & ~STAR_REDUCED) * (size_t)all->words];
}

int64_t star_symbol_offset(const struct star_expressions *all, star_symbol value)
{
    return value & STAR_REDUCED ? expression_of(all, value)->offset
                                : (int64_t)((value - 1) & (((star_symbol)1 << 40) - 1));
}

void star_symbol_ranks(const struct star_expressions *all, star_symbol value, int *first, int *last)
{
    bool leaf = !(value & STAR_REDUCED);
    *first = leaf ? star_symbol_rank(value) : expression_of(all, value)->first;
    *last = leaf ? star_symbol_rank(value) : expression_of(all, value)->last;
}

bool star_symbol_has(const struct star_expressions *all, star_symbol value, int rank)
{
    if (!(value & STAR_REDUCED))
        return star_symbol_rank(value) == rank;
    return rank_words(all, value)[rank / 64] >> rank % 64 & 1;
}

int star_symbol_common(const struct star_expressions *all, star_symbol a, star_symbol b)
{
    if (!(a & STAR_REDUCED))
        return star_symbol_has(all, b, star_symbol_rank(a)) ? star_symbol_rank(a) : -1;
    if (!(b & STAR_REDUCED))
        return star_symbol_has(all, a, star_symbol_rank(b)) ? star_symbol_rank(b) : -1;
    for (int w = 0; w < all->words; w++) {
        uint64_t both = rank_words(all, a)[w] & rank_words(all, b)[w];
        if (both != 0)
            return w * 64 + __builtin_ctzll(both);
    }
    return -1;
}

bool star_symbol_follows(const struct star_expressions *all, star_symbol left, star_symbol right)
{
    int first, last, then, end;
    star_symbol_ranks(all, left, &first, &last);
    star_symbol_ranks(all, right, &then, &end);
    return first <= last && then <= end && last + 1 == then;
}

bool star_symbol_same_tree(const struct star_expressions *all, star_symbol a, star_symbol b)
{
    if (!(a & b & STAR_REDUCED))
        return !((a | b) & STAR_REDUCED) && star_symbol_rank(a) == star_symbol_rank(b);
    const struct star_expression *one = expression_of(all, a), *other = expression_of(all, b);
    return star_symbol_same_tree(all, one->left, other->left) &&
           star_symbol_same_tree(all, one->right, other->right);
}

/* Neighbouring bytes have neighbouring buckets, as they are reduced one after the other. */
static int *bucket_of(const struct star_expressions *all, star_symbol left, star_symbol right)
{
    uint64_t ranks = (left >> 40) * 0x9e3779b97f4a7c15u ^ (right >> 40) * 0xbf58476d1ce4e5b9u;
    return &all->buckets[((ranks >> 32) + left + 3 * right) & (uint64_t)(all->room - 1)];
}

static void fill_buckets(struct star_expressions *all)
{
    for (int i = 0; i < all->room; i++)
        all->buckets[i] = -1;
    for (int i = 0; i < all->count; i++) {
        int *bucket = bucket_of(all, all->at[i].left, all->at[i].right);
        all->at[i].next = *bucket;
        *bucket = i;
    }
}

static bool make_room(struct star_expressions *all)
{
    if (all->count < all->room)
        return true;
    size_t room = all->room ? (size_t)all->room * 2 : 256;
    struct star_expression *at = realloc(all->at, room * sizeof *at);
    if (at != NULL)
        all->at = at;
    uint64_t *ranks = realloc(all->ranks, room * (size_t)all->words * sizeof *ranks);
    if (ranks != NULL)
        all->ranks = ranks;
    int *buckets = realloc(all->buckets, room * sizeof *buckets);
    if (buckets != NULL)
        all->buckets = buckets;
    if (at == NULL || ranks == NULL || buckets == NULL)
        return false;
    all->room = (int)room;
    fill_buckets(all);
    return true;
}

static void add_ranks(const struct star_expressions *all, star_symbol value, uint64_t *ranks)
{
    if (!(value & STAR_REDUCED))
        ranks[star_symbol_rank(value) / 64] |= (uint64_t)1 << star_symbol_rank(value) % 64;
    for (int w = 0; (value & STAR_REDUCED) && w < all->words; w++)
        ranks[w] |= rank_words(all, value)[w];
}

star_symbol star_symbol_combine(struct star_expressions *all, star_symbol left, star_symbol right)
{
    if (!make_room(all))
        return 0;
    int *bucket = bucket_of(all, left, right);
    for (int i = *bucket; i >= 0; i = all->at[i].next)
        if (all->at[i].left == left && all->at[i].right == right)
            return STAR_REDUCED | (star_symbol)i;
    int first, last, then, end, index = all->count++;
    bool ordered = star_symbol_follows(all, left, right);
    star_symbol_ranks(all, left, &first, &last);
    star_symbol_ranks(all, right, &then, &end);
    all->at[index] = (struct star_expression){.left = left,
                                              .right = right,
                                              .offset = star_symbol_offset(all, left),
                                              .first = ordered ? first : 1,
                                              .last = ordered ? end : 0,
                                              .next = *bucket};
    *bucket = index;
    star_symbol value = STAR_REDUCED | (star_symbol)index;
    memset(rank_words(all, value), 0, (size_t)all->words * sizeof *all->ranks);
    add_ranks(all, left, rank_words(all, value));
    add_ranks(all, right, rank_words(all, value));
    return value;
}

star_symbol star_symbol_in_rank_order(struct star_expressions *all, int first, int last, int64_t offset)
{
    star_symbol value = star_symbol_of(last, offset);
    for (int r = last - 1; value != 0 && r >= first; r--)
        value = star_symbol_combine(all, star_symbol_of(r, offset), value);
    return value;
}
