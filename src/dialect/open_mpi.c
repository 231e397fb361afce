/* SPDX-License-Identifier: BSD-3-Clause
 * Open MPI, and what is built of it with its name: NVIDIA's HPC-X. */
#include "dialect/dialect.h"

const struct star_dialect star_open_mpi = {
    .name = "Open MPI",
    .sign = "Open MPI v",
    .build = "openmpi",
    .macro = "OPEN_MPI",
    .linked = {"libmpi.so.40", "libmpi_mpifh.so", "libmpi_usempi", "libopen-rte.so"},
    .inner = {"libmpi.so", "libopen_mpi.so", "mca_", "libopen-rte.so", "libopen-pal.so"},
    .choices = {"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", STAR_NETWORK_CHOICES},
    .receives_in_any_type = true,
    .progress_hook = "opal_progress_register",
    .reduces_by_init_only = true, /* 6.0.0rc2 */
    /* 6.0.0rc2 delivers old values the first time, or waits for ever, between two ranks already. */
    .loses_partitioned = {"Open MPI v6.0", "Open MPI 6.0"},
};
