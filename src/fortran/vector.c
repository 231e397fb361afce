/* SPDX-License-Identifier: BSD-3-Clause
 * Vector maps and vectors. */
#include "fortran/fortran.h"

STAR_FORTRAN_MAKE(vmap_halo_allocate, STAR_Vmap, (const int *width, int *vmap, int *ierror), vmap,
                  Vmap_halo_allocate, *width, &made)
STAR_FORTRAN(vmap_halo_allocate, Vmap_halo_allocate, VMAP_HALO_ALLOCATE)

STAR_FORTRAN_MAKE(vmap_list_allocate, STAR_Vmap,
                  (const int *size, const int *counts, const int *displs, int *vmap, int *ierror), vmap,
                  Vmap_list_allocate, *size, counts, displs, &made)
STAR_FORTRAN(vmap_list_allocate, Vmap_list_allocate, VMAP_LIST_ALLOCATE)

STAR_FORTRAN_MAKE(vmap_allreduce_allocate, STAR_Vmap, (const int *op, int *vmap, int *ierror), vmap,
                  Vmap_allreduce_allocate, star_fortran_op(*op), &made)
STAR_FORTRAN(vmap_allreduce_allocate, Vmap_allreduce_allocate, VMAP_ALLREDUCE_ALLOCATE)

STAR_FORTRAN_MAKE(vmap_reduce_allocate, STAR_Vmap, (const int *op, int *vmap, int *ierror), vmap,
                  Vmap_reduce_allocate, star_fortran_op(*op), &made)
STAR_FORTRAN(vmap_reduce_allocate, Vmap_reduce_allocate, VMAP_REDUCE_ALLOCATE)

STAR_FORTRAN_MAKE(vmap_alltoall_allocate, STAR_Vmap,
                  (const int *sendcount, const int *recvcount, int *vmap, int *ierror), vmap,
                  Vmap_alltoall_allocate, *sendcount, *recvcount, &made)
STAR_FORTRAN(vmap_alltoall_allocate, Vmap_alltoall_allocate, VMAP_ALLTOALL_ALLOCATE)

STAR_FORTRAN_MAKE(vmap_all_allocate, STAR_Vmap, (int *vmap, int *ierror), vmap, Vmap_all_allocate, &made)
STAR_FORTRAN(vmap_all_allocate, Vmap_all_allocate, VMAP_ALL_ALLOCATE)

STAR_FORTRAN_MAKE(vmap_inplace_allocate, STAR_Vmap, (int *vmap, int *ierror), vmap, Vmap_inplace_allocate,
                  &made)
STAR_FORTRAN(vmap_inplace_allocate, Vmap_inplace_allocate, VMAP_INPLACE_ALLOCATE)

STAR_FORTRAN_FREE(vmap_free, STAR_Vmap, Vmap_free, VMAP_FREE)

static void vector_register_generic(const int *ndims, const int *dims, const int *values, const int *vmap,
                                    const int *datatype, void *data, int *vector, int *ierror)
{
    STAR_Vector made = STAR_VECTOR_NULL;
    int error = star_vector_register_fortran(*ndims, dims, *values, star_fortran_handle(*vmap),
                                             star_fortran_datatype(*datatype), data, &made);
    star_fortran_made(ierror, error, vector, made);
}
STAR_FORTRAN_ADCL(vector_register_generic, vector_register_generic, VECTOR_REGISTER_GENERIC)

static bool is_refused(const struct star_fortran_argument *data, const char *call, int *ierror)
{
    if (star_fortran_is_whole(data))
        return false;
    star_fortran_say(ierror, star_refuse(STAR_ERR_DATA, call, "data is an array with gaps"));
    return true;
}

static void register_generic(const int *ndims, const int *dims, const int *values, const int *vmap,
                             const int *datatype, const struct star_fortran_argument *data, int *vector,
                             int *ierror)
{
    if (!is_refused(data, "STAR_Vector_register_generic", ierror))
        vector_register_generic(ndims, dims, values, vmap, datatype, data->data, vector, ierror);
}
STAR_FORTRAN_MODULE(register_generic, Vector_register_generic)

static void register_halo(const int *ndims, const int *dims, const int *width, const int *datatype,
                          const struct star_fortran_argument *data, int *vector, int *ierror)
{
    STAR_Vector made = STAR_VECTOR_NULL;
    if (is_refused(data, "STAR_Vector_register", ierror))
        return;
    STAR_Vmap halo = STAR_VMAP_NULL;
    int error = STAR_Vmap_halo_allocate(*width, &halo);
    if (error == STAR_SUCCESS) {
        error = star_vector_register_fortran(*ndims, dims, 0, halo, star_fortran_datatype(*datatype),
                                             data->data, &made);
        STAR_Vmap_free(&halo);
    }
    star_fortran_made(ierror, error, vector, made);
}
STAR_FORTRAN_MODULE(register_halo, Vector_register)

STAR_FORTRAN_FREE(vector_deregister, STAR_Vector, Vector_deregister, VECTOR_DEREGISTER)
