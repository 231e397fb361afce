/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo/turns.h"
#include "util/why.h"

#include <stdlib.h>

/* A message's place in the order that both its ends work out. */
struct place {
    int pair;   /* of sides */
    int odd;    /* every other one of the neighbours in a row */
    int owner;  /* the rank that has it at its right side */
    int moving; /* to the left, to the right; of messages to itself only */
};

/* Neighbours in a row of a grid are ranks of equal distance: rank / distance tells even from odd. */
static struct place place_of(int side, int sender, int receiver, bool to_right)
{
    int owner = to_right ? sender : receiver, other = to_right ? receiver : sender;
    int distance = abs(owner - other);
    return (struct place){.pair = side / 2,
                          .odd = distance ? owner / distance % 2 : 0,
                          .owner = owner,
                          .moving = distance ? 0 : 1 + to_right};
}

struct message {
    struct place place;
    int side;
    bool sent;
};

static int compare(const void *left, const void *right)
{
    const struct message *a = left, *b = right;
    if (a->place.pair != b->place.pair)
        return a->place.pair < b->place.pair ? -1 : 1;
    if (a->place.odd != b->place.odd)
        return a->place.odd < b->place.odd ? -1 : 1;
    if (a->place.owner != b->place.owner)
        return a->place.owner < b->place.owner ? -1 : 1;
    return a->place.moving - b->place.moving;
}

/* At most two for each side. */
static int list_messages(const struct star_halo *halo, struct message *message)
{
    int count = 0;
    for (int k = 0; k < halo->sides; k++) {
        const struct star_halo_side *side = &halo->side[k];
        if (side->to != STAR_NOBODY)
            message[count++] = (struct message){place_of(k, halo->rank, side->to, k % 2 == 1), k, true};
        if (side->from != STAR_NOBODY)
            message[count++] = (struct message){place_of(k, side->from, halo->rank, k % 2 == 0), k, false};
    }
    qsort(message, (size_t)count, sizeof *message, compare);
    return count;
}

/* Messages of one place are a turn: one is sent at most, and one received. */
static int group_turns(const struct message *message, int count, struct star_turn *turn)
{
    int turns = 0;
    for (int m = 0; m < count; m++) {
        if (m == 0 || compare(&message[m - 1], &message[m]) != 0)
            turn[turns++] = (struct star_turn){STAR_NOBODY, STAR_NOBODY};
        if (message[m].sent)
            turn[turns - 1].send = message[m].side;
        else
            turn[turns - 1].receive = message[m].side;
    }
    return turns;
}

/* At each side, what leaves and what comes. */
static int list_sides(const struct star_halo *halo, struct star_turn *turn)
{
    int turns = 0;
    for (int k = 0; k < halo->sides; k++) {
        bool sends = halo->side[k].to != STAR_NOBODY, receives = halo->side[k].from != STAR_NOBODY;
        if (sends || receives)
            turn[turns++] = (struct star_turn){sends ? k : STAR_NOBODY, receives ? k : STAR_NOBODY};
    }
    return turns;
}

int star_turns_list(const struct star_halo *halo, bool in_order, struct star_turn *turn, int *turns)
{
    if (!in_order) {
        *turns = list_sides(halo, turn);
        return 0;
    }
    struct message *message = calloc(2 * (size_t)halo->sides, sizeof *message);
    if (message == NULL)
        return STAR_EMEMORY;
    *turns = group_turns(message, list_messages(halo, message), turn);
    free(message);
    return 0;
}
