/* SPDX-License-Identifier: BSD-3-Clause
 * The ABI that MPI 5 itself sets: programs linked with libmpi_abi.so run with any library that has it. What
 * that one does otherwise stands in its own file, since its version says which it is. */
#include "dialect/dialect.h"

const struct star_dialect star_abi = {
    .name = "MPI's standard ABI",
    .build = "abi",
    .macro = "MPI_H_ABI",
    .linked = {"libmpi_abi"},
    .inner = {"libmpi_abi"},
};
