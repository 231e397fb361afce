/* SPDX-License-Identifier: BSD-3-Clause
 * Round trips between all hosts, as a tournament: in each round everybody has one partner at most. */
#include "trips.h"
#include "cli/common/progress.h"
#include "cli/helpers/measure/rank.h"
#include "util/clock.h"
#include "util/random.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>

enum { WARM_UPS = 3, SWEEPS_LEAST = 3 };
#define SECONDS_MOST 60.0 /* all sweeps of a call together */

/* The partner of PLAYER in ROUND of PLAYERS − 1, an even number: all but the last go round a table. */
static int partner_of(int player, int round, int players)
{
    int seats = players - 1, partner = ((2 * round - player) % seats + seats) % seats;
    if (player == seats)
        return round % seats;
    return partner == player ? seats : partner;
}

/* How long one end of a pair may ask: on a busy machine a round trip may take a thousand times as long. */
struct patience {
    int trips;
    int64_t nanoseconds;
};

/* The least of many round trips from here to PEER and back. The byte says which one is the last. */
static double ask(const struct speakers *speakers, int peer, struct patience patience)
{
    double least = INFINITY;
    char last = 0, back;
    int64_t end = star_now(), until = end + patience.nanoseconds;
    for (int i = -WARM_UPS; !last; i++) {
        last = i + 1 >= patience.trips || (i >= 0 && end >= until);
        int64_t begin = star_now();
        MPI_Send(&last, 1, MPI_CHAR, peer, 0, speakers->comm);
        MPI_Recv(&back, 1, MPI_CHAR, peer, 0, speakers->comm, MPI_STATUS_IGNORE);
        end = star_now();
        if (i >= 0)
            least = fmin(least, (double)(end - begin) * 1e-9);
    }
    return least;
}

static void answer(const struct speakers *speakers, int peer)
{
    for (char last = 0; !last;) {
        MPI_Recv(&last, 1, MPI_CHAR, peer, 0, speakers->comm, MPI_STATUS_IGNORE);
        MPI_Send(&last, 1, MPI_CHAR, peer, 0, speakers->comm);
    }
}

static double both_ways(const struct speakers *speakers, int peer, struct patience patience)
{
    double seconds;
    if (speakers->rank < peer) {
        seconds = ask(speakers, peer, patience);
        answer(speakers, peer);
    } else {
        answer(speakers, peer);
        seconds = ask(speakers, peer, patience);
    }
    return seconds;
}

/* In every other sweep runs where the system likes, in those between on one processor, another each time: how
 * long a wake-up takes depends on where both ends run, and the system would keep them there. */
static void move(const cpu_set_t *allowed, int sweep)
{
    int skip = sweep / 2 % CPU_COUNT(allowed), processor = 0;
    while (!CPU_ISSET(processor, allowed) || skip-- > 0)
        processor++;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, sweep % 2 ? &one : allowed); /* where it fails, it stays */
}

/* AT: the rank in each seat. ROW: what this rank measured. TOGETHER or pair after pair. */
static void play_round(const struct speakers *speakers, const int *at, int round, struct patience patience,
                       bool together, double *row)
{
    int players = speakers->count + speakers->count % 2;
    for (int seat = 0; seat < speakers->count; seat++) {
        int other = partner_of(seat, round, players);
        if (other < seat || other >= speakers->count)
            continue;
        if (at[seat] == speakers->rank)
            row[at[other]] = both_ways(speakers, at[other], patience);
        if (at[other] == speakers->rank)
            row[at[seat]] = both_ways(speakers, at[seat], patience);
        if (!together)
            MPI_Barrier(speakers->comm);
    }
    if (together)
        MPI_Barrier(speakers->comm);
}

void trips_begin(struct measured *measured, const struct speakers *speakers, int sweeps_most)
{
    size_t count = (size_t)speakers->count;
    *measured = (struct measured){.random = 1,
                                  .row = must(calloc(count, sizeof *measured->row)),
                                  .at = must(malloc(count * sizeof *measured->at))};
    if (speakers->rank == 0)
        measured->seconds = must(malloc((size_t)sweeps_most * count * count * sizeof *measured->seconds));
    for (int i = 0; i < speakers->count; i++)
        measured->at[i] = i;
}

void trips_end(struct measured *measured)
{
    free(measured->row);
    free(measured->at);
    free(measured->seconds);
}

/* A sweep of all pairs, whose round trips rank 0 gets. */
static void sweep(struct measured *measured, const struct speakers *speakers, struct patience patience,
                  bool together)
{
    size_t cells = (size_t)speakers->count * (size_t)speakers->count;
    int rounds = speakers->count + speakers->count % 2 - 1;
    /* Who sits where: the same on all ranks, and otherwise in each sweep, so that no pair always comes after
     * the same one. */
    star_shuffle(measured->at, speakers->count, &measured->random);
    for (int round = 0; round < rounds; round++)
        play_round(speakers, measured->at, round, patience, together, measured->row);
    double *to = speakers->rank == 0 ? measured->seconds + (size_t)measured->sweeps * cells : NULL;
    MPI_Gather(measured->row, speakers->count, MPI_DOUBLE, to, speakers->count, MPI_DOUBLE, 0,
               speakers->comm);
    measured->sweeps++;
}

void trips_measure(struct measured *measured, const struct speakers *speakers, int sweeps, int trips,
                   bool together)
{
    int seats = speakers->count + speakers->count % 2, ends = together ? 2 : seats;
    double asks = (double)sweeps * ends * (seats - 1), part = 0;
    struct patience patience = {trips, (int64_t)(1e9 * SECONDS_MOST / asks)};
    cpu_set_t allowed;
    bool moves = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    int64_t begin = star_now();
    for (int i = 0; i < sweeps && (i < SWEEPS_LEAST || part < 1); i++) {
        if (speakers->rank == 0)
            cli_progress("round trips", part, begin);
        if (moves)
            move(&allowed, measured->sweeps);
        sweep(measured, speakers, patience, together);
        part = fmax((double)(i + 1) / sweeps, (double)(star_now() - begin) * 1e-9 / SECONDS_MOST);
        MPI_Bcast(&part, 1, MPI_DOUBLE, 0, speakers->comm);
    }
    if (moves)
        sched_setaffinity(0, sizeof allowed, &allowed);
}
