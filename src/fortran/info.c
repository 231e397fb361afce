/* SPDX-License-Identifier: BSD-3-Clause
 * STAR_Info_get. */
#include "fortran/fortran.h"
#include "startune.h"

static void info_get(int *info, int *ierror)
{
    MPI_Info made;
    int error = STAR_Info_get(&made);
    if (error == MPI_SUCCESS)
        *info = STAR_TO_INT(Info, made);
    star_fortran_say(ierror, error);
}
STAR_FORTRAN_MODULE(info_get, Info_get)
