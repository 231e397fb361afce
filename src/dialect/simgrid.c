/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's SMPI, which simulates ranks and their network. Programs are not started with it, only tests. */
#include "dialect/dialect.h"

const struct star_dialect star_simgrid = {
    .name = "SMPI",
    .sign = "SMPI Version ",
    .build = "smpi",
    .receives_in_any_type = true,
};
