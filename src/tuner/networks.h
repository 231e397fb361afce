/* SPDX-License-Identifier: BSD-3-Clause
 * Which network it may be, and what is foreseen of candidates. */
#pragma once

#include "tuner/outlook.h"
#include "tuner/standing.h"
#include "util/prospect.h"

/* Networks that are told apart, where the cost model says something. Of each there are two suppositions: what
 * it says of methods' times is right, or it is in proportion only. And what contexts of the same ranks have
 * found out: the logarithm of how likely each is. Zeroed: nothing. */
enum { STAR_NETWORKS = 39, STAR_SUPPOSITIONS = 2 * STAR_NETWORKS };
struct star_networks {
    double evidence[STAR_SUPPOSITIONS];
    int contexts; /* that have told something */
};

/* On each network that it may be what is foreseen of each candidate, the logarithm of its seconds (LEVEL, of
 * candidate i on network n at i × STAR_NETWORKS + n, where it SAYS something of it), and the MEAN and the
 * LEAST of those; and how likely each supposition is by what was measured here, as it was last TOLD to SHARED
 * (NULL: nobody). */
struct star_foreseen {
    bool says[STAR_CANDIDATES_MAX];
    double mean[STAR_NETWORKS], least[STAR_NETWORKS], told[STAR_SUPPOSITIONS];
    struct star_networks *shared;
    bool tells; /* it is one of the contexts that SHARED counts */
    float level[];
};

/* Works out what the cost model's word of EACH is on all networks; where there is no memory for that, it is
 * as if it said nothing. What is found out is told to SHARED (NULL: to nobody). */
void star_networks_foresee(struct star_standing *standing, const struct star_prospect *each,
                           struct star_networks *shared);
/* Bytes that this takes. */
size_t star_networks_bytes(const struct star_standing *standing);
/* Does the cost model say anything of candidate I? */
bool star_is_foreseen(const struct star_standing *standing, int i);
/* Of each that the cost model foresees: the logarithm of its seconds, over the networks that it may be, by
 * what was MEASURED; and how far these are apart. NATIVE is what that takes, where it is not one of them
 * (NULL: it is, or was not measured). STANDING has FORESEEN. What was measured is told to those who share it.
 */
void star_networks_expect(const struct star_standing *standing, const struct star_outlook *measured,
                          const struct star_outlook *native, struct star_outlook *each);
