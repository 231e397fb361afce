/* SPDX-License-Identifier: BSD-3-Clause
 * Vector maps: what of a vector is communicated. */
#include "patterns/vmap.h"
#include "functions/object.h"
#include "patterns/refuse.h"
#include "util/export.h"

#include <stdlib.h>
#include <string.h>

const char *const star_map_names[] = {"halo", "list", "reduce", "alltoall", "all", "inplace"};

static void destroy_vmap(struct star_object *object)
{
    struct star_vmap *vmap = (struct star_vmap *)object;
    free(vmap->counts);
    free(vmap->displs);
}

static struct star_vmap *new_vmap(enum star_map map)
{
    struct star_vmap *made = star_object_new(STAR_KIND_VMAP, sizeof *made, destroy_vmap);
    if (made != NULL) {
        made->map = map;
        made->op = MPI_OP_NULL;
    }
    return made;
}

/* MADE may be NULL: out of memory. */
static int publish(struct star_vmap *made, STAR_Vmap *vmap, const char *call)
{
    if (made == NULL)
        return star_refuse_memory(call);
    if (vmap == NULL) {
        star_object_release(made);
        return star_refuse(STAR_ERR_ARG, call, "vmap is NULL");
    }
    return star_object_publish(made, vmap, call);
}

struct star_vmap *star_vmap_halo(int width, int *error, const char *call)
{
    *error = STAR_SUCCESS;
    if (width < 0) {
        *error = star_refuse(STAR_ERR_WIDTH, call, "width is %d: a halo has 0 points or more", width);
        return NULL;
    }
    struct star_vmap *made = new_vmap(STAR_MAP_HALO);
    if (made == NULL)
        *error = star_refuse_memory(call);
    else
        made->width = width;
    return made;
}

STAR_EXPORT int STAR_Vmap_halo_allocate(int width, STAR_Vmap *vmap)
{
    int error;
    struct star_vmap *made = star_vmap_halo(width, &error, __func__);
    return made ? publish(made, vmap, __func__) : error;
}

static bool copy_list(struct star_vmap *made, int size, const int counts[], const int displs[])
{
    made->size = size;
    made->counts = malloc((size_t)size * sizeof *counts);
    made->displs = malloc((size_t)size * sizeof *displs);
    if (made->counts == NULL || made->displs == NULL)
        return false;
    memcpy(made->counts, counts, (size_t)size * sizeof *counts);
    memcpy(made->displs, displs, (size_t)size * sizeof *displs);
    return true;
}

STAR_EXPORT int STAR_Vmap_list_allocate(int size, const int counts[], const int displs[], STAR_Vmap *vmap)
{
    if (size < 1)
        return star_refuse(STAR_ERR_ARG, __func__, "size is %d: a list has an entry for each rank", size);
    if (counts == NULL || displs == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "%s is NULL", counts ? "displs" : "counts");
    for (int i = 0; i < size; i++)
        if (counts[i] < 0)
            return star_refuse(STAR_ERR_ARG, __func__, "counts[%d] is %d", i, counts[i]);
    struct star_vmap *made = new_vmap(STAR_MAP_LIST);
    if (made != NULL && !copy_list(made, size, counts, displs)) {
        star_object_release(made);
        made = NULL;
    }
    return publish(made, vmap, __func__);
}

static int allocate_reduce(MPI_Op op, STAR_Vmap *vmap, const char *call)
{
    if (op == MPI_OP_NULL)
        return star_refuse(STAR_ERR_OP, call, "op is MPI_OP_NULL");
    struct star_vmap *made = new_vmap(STAR_MAP_REDUCE);
    if (made != NULL)
        made->op = op;
    return publish(made, vmap, call);
}

STAR_EXPORT int STAR_Vmap_allreduce_allocate(MPI_Op op, STAR_Vmap *vmap)
{
    return allocate_reduce(op, vmap, __func__);
}

STAR_EXPORT int STAR_Vmap_reduce_allocate(MPI_Op op, STAR_Vmap *vmap)
{
    return allocate_reduce(op, vmap, __func__);
}

STAR_EXPORT int STAR_Vmap_alltoall_allocate(int sendcount, int recvcount, STAR_Vmap *vmap)
{
    if (sendcount < 0 || recvcount < 0)
        return star_refuse(STAR_ERR_ARG, __func__, "%s is %d", sendcount < 0 ? "sendcount" : "recvcount",
                           sendcount < 0 ? sendcount : recvcount);
    struct star_vmap *made = new_vmap(STAR_MAP_ALLTOALL);
    if (made != NULL) {
        made->sendcount = sendcount;
        made->recvcount = recvcount;
    }
    return publish(made, vmap, __func__);
}

STAR_EXPORT int STAR_Vmap_all_allocate(STAR_Vmap *vmap)
{
    return publish(new_vmap(STAR_MAP_ALL), vmap, __func__);
}

STAR_EXPORT int STAR_Vmap_inplace_allocate(STAR_Vmap *vmap)
{
    return publish(new_vmap(STAR_MAP_IN_PLACE), vmap, __func__);
}

STAR_EXPORT int STAR_Vmap_free(STAR_Vmap *vmap)
{
    return star_object_free(STAR_KIND_VMAP, vmap, __func__, "vmap");
}
