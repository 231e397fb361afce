/* SPDX-License-Identifier: BSD-3-Clause
 * What Fortran's arguments are in C. */
#include "fortran/fortran.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<ISO_Fortran_binding.h>)
#include <ISO_Fortran_binding.h>

bool star_fortran_is_whole(const struct star_fortran_argument *array)
{
    const CFI_cdesc_t *known = (const void *)array;
    if (array->version != CFI_VERSION)
        return true;
    CFI_index_t stride = (CFI_index_t)array->bytes;
    for (int i = 0; i < known->rank; i++) {
        if (known->dim[i].extent < 0) /* the last one of an array of unknown size */
            return true;
        if (known->dim[i].extent > 1 && known->dim[i].sm != stride)
            return false;
        stride *= known->dim[i].extent;
    }
    return true;
}
#else
bool star_fortran_is_whole(const struct star_fortran_argument *array)
{
    (void)array;
    return true;
}
#endif

void star_fortran_name(char name[STAR_MAX_NAME], const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length > STAR_MAX_NAME - 1)
        length = STAR_MAX_NAME - 1;
    memcpy(name, text, length);
    name[length] = '\0';
}

void star_fortran_text(char *text, size_t length, const char *name)
{
    size_t full = strnlen(name, length);
    memcpy(text, name, full);
    memset(text + full, ' ', length - full);
}

static int call_fortran(star_any_work *work, STAR_Request request)
{
    int handle = (int)(intptr_t)request, error = 0;
    ((star_fortran_work *)work)(&handle, &error);
    return error;
}

struct star_work star_fortran_works(star_fortran_work *init, star_fortran_work *wait)
{
    return (struct star_work){call_fortran, (star_any_work *)init, (star_any_work *)wait};
}

void *star_fortran_handles(int count, const int *handles)
{
    void **all = count > 0 ? malloc((size_t)count * sizeof *all) : NULL;
    for (int i = 0; all != NULL && i < count; i++)
        all[i] = star_fortran_handle(handles[i]);
    return (void *)all;
}

/* Open MPI's conversions return NULL for what is no handle; it is a pointer there, and a number in MPICH. */
MPI_Comm star_fortran_comm(int comm)
{
    const MPI_Comm none = (MPI_Comm)0;
    MPI_Comm found = STAR_FROM_INT(Comm, comm);
    return found == none ? MPI_COMM_NULL : found;
}

MPI_Datatype star_fortran_datatype(int datatype)
{
    const MPI_Datatype none = (MPI_Datatype)0;
    MPI_Datatype found = STAR_FROM_INT(Type, datatype);
    return found == none ? MPI_DATATYPE_NULL : found;
}

MPI_Op star_fortran_op(int op)
{
    const MPI_Op none = (MPI_Op)0;
    MPI_Op found = STAR_FROM_INT(Op, op);
    return found == none ? MPI_OP_NULL : found;
}
