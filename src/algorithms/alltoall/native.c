/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/method.h"

const struct star_algorithm star_alltoall_native = {
    .operation = STAR_ALLTOALL,
    .name = "native",
    .moves = "the MPI library's own routine",
    .optimises = "native",
    .cost = "the MPI library's",
    .source = "the MPI library",
};
