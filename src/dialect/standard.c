/* SPDX-License-Identifier: BSD-3-Clause
 * A library of which nothing is known: what is right with all of them. Where one refuses a call that others
 * take, the call is tuned: it is a mistake, and a rank that left it to the library could wait for ever. */
#include "dialect/dialect.h"

const struct star_dialect star_standard = {
    .name = "an unknown MPI library",
    .build = "standard",
    .choices = {STAR_NETWORK_CHOICES},
    .receives_in_any_type = false,
    .waitall_raises_on_world = true,
    .refuses_one_buffer = false,
};
