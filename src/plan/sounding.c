/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/sounding.h"

#include <math.h>

enum { MACHINES_MOST = 64 };
/* Of one pair alone: a token bucket holds a few packets. */
enum { HEAD = 4, REST = 8, AMOUNT_LEAST = 8192, AMOUNT_MOST = REST * STAR_TRAIN_PIECE_MOST };
/* Of all at once, where many may share a link. */
enum { HEAD_OF_ALL = 1, REST_OF_ALL = 4, PIECE_LEAST = 256 };
/* The part of what a call has to carry. */
static const double share = 0.2;
/* A link is shared where trains arrive in more of the time of one alone, in the mean, and in the geometric
 * mean of that and the longest. Who comes late to short ones finds more there: they seem to take 0.5 to 0.7
 * where nobody shares a link, and long ones 1.1. */
static const double shared_mean = 1, shared_most = 1.25;
/* So much longer or shorter alone than with others at once: one of both was disturbed. */
static const double absurd = 3;

_Static_assert(HEAD + REST <= STAR_TRAIN_MOST, "trains are no longer than that");

static int64_t at_least(int64_t bytes, int64_t least)
{
    return bytes < least ? least : bytes;
}

static int64_t at_most(int64_t bytes, int64_t most)
{
    return bytes > most ? most : bytes;
}

int64_t star_sounding_amount(double bytes)
{
    return (int64_t)fmin(fmax(share * bytes, AMOUNT_LEAST), AMOUNT_MOST);
}

struct star_soundings star_soundings_of(int machines, int64_t amount)
{
    int some = machines > MACHINES_MOST ? MACHINES_MOST : machines;
    struct star_soundings soundings = {.machines = some / 2 * 2};
    if (soundings.machines == 0)
        return soundings;
    amount = at_most(at_least(amount, REST), AMOUNT_MOST);
    int64_t of_all = at_least(amount / soundings.machines, PIECE_LEAST);
    const struct star_train all = {at_most(of_all, STAR_TRAIN_PIECE_MOST), HEAD_OF_ALL, REST_OF_ALL},
                            alone = {amount / REST, HEAD, REST};
    soundings.train[STAR_SOUND_HALVES] = soundings.train[STAR_SOUND_TURNS] = all;
    soundings.train[STAR_SOUND_ALONE] = alone;
    return soundings;
}

int star_sounding_machine(const struct star_soundings *soundings, int all, int k)
{
    return (int)((int64_t)k * all / soundings->machines);
}

int star_sounding_partner(const struct star_soundings *soundings, enum star_sounding_part part, int k)
{
    int half = soundings->machines / 2, across = k < half ? k + half : k - half;
    if (part == STAR_SOUND_ALONE)
        return k == 0 || k == half ? across : -1;
    if (soundings->machines == 2)
        return -1; /* one pair alone says it all */
    return part == STAR_SOUND_HALVES ? across : k ^ 1;
}

/* Of a part in which all meet at once. */
static int pairs_of(const struct star_soundings *soundings)
{
    return soundings->machines / 2;
}

static int64_t bytes_of(const struct star_train *train)
{
    return train->piece * (train->head + train->rest);
}

double star_sounding_seconds(const struct star_soundings *soundings, double seconds)
{
    double bytes = (double)bytes_of(&soundings->train[STAR_SOUND_ALONE]);
    if (soundings->machines > 2)
        for (int part = 0; part < STAR_SOUND_ALONE; part++)
            bytes += pairs_of(soundings) * (double)bytes_of(&soundings->train[part]);
    return bytes * seconds;
}

static double of_byte(const struct star_train *train, double seconds)
{
    return seconds / (double)(train->rest * train->piece);
}

/* Seconds for a byte of the link that the pairs of PART share; 0: they share none. */
static double shared_link(const struct star_soundings *soundings, enum star_sounding_part part,
                          const struct star_arrival *arrival, double alone)
{
    const struct star_train *train = &soundings->train[part];
    double mean = of_byte(train, arrival[part].mean), most = of_byte(train, arrival[part].most);
    bool is_shared = mean > shared_mean * alone && sqrt(mean * most) > shared_most * alone;
    return soundings->machines > 2 && is_shared ? most / pairs_of(soundings) : 0;
}

static bool is_absurd(const struct star_soundings *soundings, const struct star_arrival *arrival,
                      double alone)
{
    if (!(alone > 0) || isinf(alone))
        return true;
    double halves = of_byte(&soundings->train[STAR_SOUND_HALVES], arrival[STAR_SOUND_HALVES].most),
           turns = of_byte(&soundings->train[STAR_SOUND_TURNS], arrival[STAR_SOUND_TURNS].most);
    return soundings->machines > 2 &&
           (absurd * alone < fmin(halves, turns) || alone > absurd * fmax(halves, turns));
}

bool star_sounding_tell(const struct star_soundings *soundings, const struct star_arrival *arrival,
                        double assumed, struct star_sounding *sounding)
{
    if (soundings->machines == 0 || !(assumed > 0))
        return false;
    double alone = of_byte(&soundings->train[STAR_SOUND_ALONE], arrival[STAR_SOUND_ALONE].most);
    if (is_absurd(soundings, arrival, alone))
        return false;
    *sounding = (struct star_sounding){alone / assumed,
                                       shared_link(soundings, STAR_SOUND_HALVES, arrival, alone) / assumed,
                                       shared_link(soundings, STAR_SOUND_TURNS, arrival, alone) / assumed};
    return true;
}
