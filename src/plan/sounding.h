/* SPDX-License-Identifier: BSD-3-Clause
 * Soundings: how fast are links, and do machines share some? Where no topology says it, a few messages
 * between machines do, in less time than a method is tried in. One rank of each machine takes part, of 64
 * machines at most, each with a partner, in three parts:
 *
 *   halves   all at once, with who is half of the machines away
 *   turns    all at once, with the neighbour
 *   alone    one pair
 *
 * A part is a train of messages both ways: its head waits for the partner, and fills what may be filled
 * without waiting, such as a token bucket; what the rest takes longer, where it arrives, is what its bytes
 * need on the narrowest link (packet trains: Dovrolis, Ramanathan and Moore, INFOCOM 2001). Where the pairs
 * of a part take longer than one alone, their way shares a link. */
#ifndef STAR_PLAN_SOUNDING_H
#define STAR_PLAN_SOUNDING_H

#include "util/prospect.h"

#include <stdbool.h>
#include <stdint.h>

enum star_sounding_part { STAR_SOUND_HALVES, STAR_SOUND_TURNS, STAR_SOUND_ALONE, STAR_SOUND_PARTS };

/* A train of messages: HEAD and REST of them, of PIECE bytes each. */
struct star_train {
    int64_t piece;
    int head, rest;
};
enum { STAR_TRAIN_PIECE_MOST = 8192, STAR_TRAIN_MOST = 12 /* messages */ };

struct star_soundings {
    int machines; /* that take part: an even number, or 0: there are not two */
    struct star_train train[STAR_SOUND_PARTS];
};

/* Of so many MACHINES. AMOUNT: bytes that the rest of a train of one pair alone has, about. */
struct star_soundings star_soundings_of(int machines, int64_t amount);
/* Bytes for that where the busiest link has so many to carry in a call, at least. */
int64_t star_sounding_amount(double bytes);
/* Which of ALL machines is the K-th that takes part; and the partner of the K-th, as a K of its own, or −1:
 * it has none in this part. */
int star_sounding_machine(const struct star_soundings *soundings, int all, int k);
int star_sounding_partner(const struct star_soundings *soundings, enum star_sounding_part part, int k);
/* Seconds that all of it takes where the narrowest link needs so many SECONDS for a byte, without latencies.
 */
double star_sounding_seconds(const struct star_soundings *soundings, double seconds);
/* In how many seconds the rest of each part's train arrived: in the MEAN over those that took part, and at
 * MOST, for who comes late to the head finds more of it there. ASSUMED: seconds for a byte by the cost model.
 * False: that says nothing. */
struct star_arrival {
    double mean, most;
};
bool star_sounding_tell(const struct star_soundings *soundings, const struct star_arrival *arrival,
                        double assumed, struct star_sounding *sounding);

#endif
