/* SPDX-License-Identifier: BSD-3-Clause
 * MPICH. Of its relatives, which keep its mpi.h, those are meant too that have no file of their own. */
#include "dialect/dialect.h"

const struct star_dialect star_mpich = {
    .name = "MPICH",
    .sign = "MPICH Version:",
    .build = "mpich",
    .macro = "MPICH_VERSION",
    .linked = {"libmpich.so", "libmpichfort.so", "libmpi.so.12", "libmpifort.so.12"},
    .inner = {"libmpi.so", "libmpich.so"},
    .choices = {STAR_NETWORK_CHOICES, "MPIR_CVAR_OFI_USE_PROVIDER", "MPIR_CVAR_CH4_NETMOD"},
    /* MPICH 4.0 ends a message of over 8 KB with MPI_ERR_TRUNCATE when packed bytes arrive in a type with
     * gaps. */
    .receives_in_any_type = false,
    .waitall_raises_on_world = true, /* MPI_Wait raises them where they belong */
    .refuses_one_buffer = true,
    /* Of a persistent collective, MPI_Testall says MPI_ERR_IN_STATUS, or MPI_Waitall never ends. */
    .persists_wrongly = "MPICH Version:", /* 4.0.2, 4.2.1 and 5.0.2 */
    .polled_start = "MPIX_Grequest_start",
    /* From 4.3 on, not in the standard ABI. The device ch3 of 5.0 sleeps without calling them.
     * MPIX_STREAM_NULL and MPIX_ASYNC_DONE. */
    .things = {"MPIX_Async_start", "MPIX_Request_is_complete", "ch4:", .stream = 0x3c000000, .done = 1},
    /* It ends an epoch before all of its messages have arrived, and shifts windows of existing memory:
     * docs/explanation/halos.md. Which of UCX's versions it runs on cannot be asked. */
    .loses_one_sided = {"ch4:ucx", "MPICH over UCX"},
};
