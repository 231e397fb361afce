/* SPDX-License-Identifier: BSD-3-Clause
 * Scripts: what a rank does in a neighbourhood exchange, act by act. */
#pragma once

#include "halo/neighborhood.h"

struct star_script {
    int count, prepared; /* acts, and how many of them are done once */
    int turns, requests;
    struct star_turn *turn;
    struct star_act *act;
};
/* STAR_EMEMORY. */
int star_script_make(const struct star_halo *halo, const struct star_neighborhood *method,
                     struct star_script **script, struct star_why *why);
void star_script_free(struct star_script *script);
