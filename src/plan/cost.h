/* SPDX-License-Identifier: BSD-3-Clause
 * What the plans of all ranks cost on a network: predicted by walking them together, without MPI.
 *
 *   messages   up to EAGER bytes are sent at once; longer ones when both sides are there (rendezvous), which
 *              costs two latencies more. Those of one pair of ranks go one behind the other, as on one
 *              connection; those of different pairs share the links (flows.h)
 *   latency    from when the last byte left until the message is there
 *   overhead   the processor's time, for each message sent and for each received; it does nothing else then
 *   barrier    ⌈log₂ P⌉ rounds of an empty message over the whole network, after the last rank has come
 *   shared     a count that is awaited is seen a tenth of a microsecond after it was posted
 *   machine    ranks of one machine copy to each other: no latency, no shared link
 *
 * Not charged: what a receive that comes late costs (unexpected messages), noise, lost packets. */
#pragma once

#include "plan/flows.h"
#include "plan/plan.h"

/* Seconds, bytes, and bytes a second; a speed of 0 takes no time. */
struct star_cost_parameters {
    double latency;    /* of a message */
    double hop;        /* and of each link on its way */
    double overhead;   /* of each message, on either side */
    double copy;       /* speed of copies, and of messages within a machine */
    double reduce;     /* speed of reductions */
    double contention; /* of flows that meet: struct star_sharing. A free parameter, not measured */
    double framing;    /* bytes on the wire for each byte */
    double host;       /* speed of each rank's link to one ideal switch, where there is no network */
    int64_t eager;     /* the longest message that is sent without asking */
    int64_t block;     /* of plans in units: bytes of each block */
    double patience;   /* seconds that working it out may take; 0: as long as it takes */
};
/* Gigabit Ethernet with TCP: 25 us, 1 us a hop, 2 us, 5 GB/s, 2 GB/s, no contention, 1538 bytes on the wire
 * for each 1448, 125 MB/s, 64 KB; blocks of 1 KB. */
extern const struct star_cost_parameters star_cost_presets;

/* Reads "latency=20e-6,eager=128K,…": the words above but block and patience; what is not named stays.
 * STAR_EINPUT. */
int star_cost_parse(const char *text, struct star_cost_parameters *parameters, struct star_why *why);
/* All of them as star_cost_parse reads them, or as members of a JSON object. */
void star_cost_write(const struct star_cost_parameters *parameters, struct star_text *text);
void star_cost_json(const struct star_cost_parameters *parameters, struct star_text *text);

struct star_cost {
    double seconds;              /* until the last rank is done */
    struct star_link_load *load; /* of directed link 2 × node, + 1 when it goes down */
    int links;                   /* as many */
    int *contended; /* links that were full with two or more flows, the most loaded first: bytes for
                       their rate */
    int contended_count;
};

/* PLANS[r] is rank r's. NETWORK NULL: all ranks on one ideal switch, node COUNT. STAR_EWRONG: the plans do
 * not fit together, or deadlock. STAR_ELIMIT: out of patience. STAR_EMEMORY. */
int star_cost_of(struct star_plan *const *plans, int count, const struct star_network *network,
                 const struct star_cost_parameters *parameters, struct star_cost *cost, struct star_why *why);
void star_cost_free(struct star_cost *cost);
