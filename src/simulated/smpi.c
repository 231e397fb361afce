/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

int star_smpi_host_name(char *name, size_t room)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    if (PMPI_Get_processor_name(host, &length) != MPI_SUCCESS)
        return -1;
    snprintf(name, room, "%s", host);
    return 0;
}
