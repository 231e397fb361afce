/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/vector.h"
#include "exec/side.h"
#include "functions/object.h"
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "patterns/vmap.h"
#include "util/export.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void destroy_vector(struct star_object *object)
{
    int ended = 0;
    struct star_vector *vector = (struct star_vector *)object;
    PMPI_Finalized(&ended);
    if (vector->owns_datatype && !ended)
        PMPI_Type_free(&vector->datatype);
    star_object_release(vector->vmap);
    free(vector->owned);
}

int star_vector_of(STAR_Vector handle, struct star_vector **found, const char *call, const char *argument)
{
    *found = NULL;
    if (handle == STAR_VECTOR_NULL)
        return STAR_SUCCESS;
    *found = star_object_of(STAR_KIND_VECTOR, handle, call, argument);
    return *found ? STAR_SUCCESS : STAR_ERR_VECTOR;
}

/* The program may free a datatype of its own as soon as the vector is made. Operators may compare the
 * datatype that they are called with, and get the program's own. */
static int keep_datatype(struct star_vector *vector, MPI_Datatype datatype, const char *call)
{
    int integers, addresses, types, combiner;
    vector->datatype = vector->given = datatype;
    if (PMPI_Type_get_envelope(datatype, &integers, &addresses, &types, &combiner))
        return star_refuse(STAR_ERR_TYPE, call, "datatype is no datatype");
    if (combiner == MPI_COMBINER_NAMED || vector->vmap->map == STAR_MAP_REDUCE)
        return STAR_SUCCESS;
    vector->owns_datatype = star_type_keep(datatype, &vector->datatype) == MPI_SUCCESS;
    return vector->owns_datatype ? STAR_SUCCESS : star_refuse_memory(call);
}

/* Bytes of an element that lies in one piece, where the datatype says; or refused. */
static int check_datatype(MPI_Datatype datatype, int *bytes, const char *call)
{
    MPI_Aint lower, extent, first, moved;
    int size, error = star_refuse_without_mpi(call);
    if (error)
        return error;
    if (datatype == MPI_DATATYPE_NULL)
        return star_refuse(STAR_ERR_TYPE, call, "datatype is MPI_DATATYPE_NULL");
    if (PMPI_Type_get_extent(datatype, &lower, &extent) || PMPI_Type_size(datatype, &size) ||
        PMPI_Type_get_true_extent(datatype, &first, &moved))
        return star_refuse(STAR_ERR_TYPE, call, "datatype is no datatype");
    if (lower != 0 || extent != size || size < 1)
        return star_refuse(STAR_ERR_TYPE, call,
                           "datatype has gaps, or no bytes: %d bytes from %lld on in %lld", size,
                           (long long)lower, (long long)extent);
    if (first != 0 || moved != size) /* as a column resized to its bytes */
        return star_refuse(STAR_ERR_TYPE, call, "datatype has gaps: %d bytes lie from %lld on in %lld", size,
                           (long long)first, (long long)moved);
    *bytes = size;
    return STAR_SUCCESS;
}

static int check_dims(struct star_vector *vector, int ndims, const int dims[], int values, const char *call)
{
    if (ndims < 1 || ndims > STAR_DIMENSIONS_MOST)
        return star_refuse(STAR_ERR_NDIMS, call, "ndims is %d: a vector has 1 to %d dimensions", ndims,
                           STAR_DIMENSIONS_MOST);
    if (dims == NULL)
        return star_refuse(STAR_ERR_DIMS, call, "dims is NULL");
    if (values < 0)
        return star_refuse(STAR_ERR_VALUES, call, "values is %d: a point has 0 (as 1) or more values",
                           values);
    vector->ndims = ndims;
    vector->values = values;
    vector->elements = values > 0 ? values : 1;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 0)
            return star_refuse(STAR_ERR_DIMS, call, "dims[%d] is %d", i, dims[i]);
        vector->dims[i] = dims[i];
        if (__builtin_mul_overflow(vector->elements, (int64_t)dims[i], &vector->elements) ||
            vector->elements > INT_MAX)
            return star_refuse(STAR_ERR_DIMS, call, "the vector has more than %d elements", INT_MAX);
    }
    return STAR_SUCCESS;
}

/* A halo lies on both sides, and what is sent lies between: the neighbours' halos are as wide. */
static int check_width(const struct star_vector *vector, const char *call)
{
    int width = vector->vmap->width;
    for (int i = 0; vector->vmap->map == STAR_MAP_HALO && i < vector->ndims; i++)
        if (vector->dims[i] < 3LL * width)
            return star_refuse(STAR_ERR_DIMS, call,
                               "dims[%d] is %d: with a halo of %d points on both sides, the block between "
                               "them has fewer than the halo",
                               i, vector->dims[i], width);
    return STAR_SUCCESS;
}

static int describe(struct star_vector *vector, int ndims, const int dims[], int values,
                    MPI_Datatype datatype, const char *call)
{
    if (vector->vmap->map == STAR_MAP_IN_PLACE) {
        vector->data = MPI_IN_PLACE;
        return STAR_SUCCESS;
    }
    int error = check_dims(vector, ndims, dims, values, call);
    if (error == STAR_SUCCESS)
        error = check_datatype(datatype, &vector->element_bytes, call);
    if (error == STAR_SUCCESS)
        error = check_width(vector, call);
    return error == STAR_SUCCESS ? keep_datatype(vector, datatype, call) : error;
}

/* With its own reference to the map. NULL: refused, and *ERROR. */
static struct star_vector *new_vector(struct star_vmap *vmap, int ndims, const int dims[], int values,
                                      MPI_Datatype datatype, int *error, const char *call)
{
    struct star_vector *made = star_object_new(STAR_KIND_VECTOR, sizeof *made, destroy_vector);
    if (made == NULL) {
        *error = star_refuse_memory(call);
        return NULL;
    }
    star_object_keep(vmap);
    made->vmap = vmap;
    made->datatype = made->given = MPI_DATATYPE_NULL;
    *error = describe(made, ndims, dims, values, datatype, call);
    if (*error == STAR_SUCCESS)
        return made;
    star_object_release(made);
    return NULL;
}

/* The innermost pointers of an array of LEVELS dimensions point into ELEMENTS; those before point at them. */
static void link_rows(void **rows, const int *dims, int levels, char *elements, size_t element_bytes)
{
    size_t above = 1;
    for (int level = 0; level < levels - 1; level++) {
        size_t here = above * (size_t)dims[level];
        void **below = rows + here;
        for (size_t i = 0; i < here; i++)
            rows[i] = level < levels - 2 ? (void *)(below + i * (size_t)dims[level + 1])
                                         : (void *)(elements + i * (size_t)dims[level + 1] * element_bytes);
        rows = below;
        above = here;
    }
}

/* One piece: first the pointers, then the elements. *SHOWN is what the program indexes. */
static bool allocate(struct star_vector *vector, void **shown)
{
    enum { ALIGNED = 64 };
    int dims[STAR_DIMENSIONS_MOST + 1], levels = vector->ndims;
    memcpy(dims, vector->dims, sizeof vector->dims);
    if (vector->values > 0)
        dims[levels++] = vector->values;
    size_t pointers = 0, above = 1;
    for (int level = 0; level < levels - 1; level++)
        pointers += above *= (size_t)dims[level];
    size_t rows = (pointers * sizeof(void *) + ALIGNED - 1) / ALIGNED * ALIGNED;
    char *memory = calloc(1, rows + (size_t)vector->elements * (size_t)vector->element_bytes + 1);
    if (memory == NULL)
        return false;
    vector->owned = memory;
    vector->data = memory + rows;
    link_rows((void **)(void *)memory, dims, levels, memory + rows, (size_t)vector->element_bytes);
    *shown = pointers > 0 ? memory : vector->data;
    return true;
}

static int register_vector(int ndims, const int dims[], int values, struct star_vmap *vmap,
                           MPI_Datatype datatype, void *data, STAR_Vector *vector, const char *call)
{
    int error;
    if (vector == NULL)
        return star_refuse(STAR_ERR_ARG, call, "vector is NULL");
    if (vmap->map == STAR_MAP_IN_PLACE && data != MPI_IN_PLACE)
        return star_refuse(STAR_ERR_DATA, call, "data is not MPI_IN_PLACE, as the vector map says");
    struct star_vector *made = new_vector(vmap, ndims, dims, values, datatype, &error, call);
    if (made == NULL)
        return error;
    if (data == NULL && made->elements > 0) {
        star_object_release(made);
        return star_refuse(STAR_ERR_DATA, call, "data is NULL");
    }
    made->data = data;
    return star_object_publish(made, vector, call);
}

static int allocate_vector(int ndims, const int dims[], int values, struct star_vmap *vmap,
                           MPI_Datatype datatype, void *data, STAR_Vector *vector, const char *call)
{
    int error;
    void *shown = NULL;
    bool in_place = vmap->map == STAR_MAP_IN_PLACE;
    if (vector == NULL || (data == NULL && !in_place))
        return star_refuse(STAR_ERR_ARG, call, "%s is NULL", vector ? "data" : "vector");
    struct star_vector *made = new_vector(vmap, ndims, dims, values, datatype, &error, call);
    if (made == NULL)
        return error;
    if (!in_place && !allocate(made, &shown)) {
        star_object_release(made);
        return star_refuse_memory(call);
    }
    error = star_object_publish(made, vector, call);
    if (error == STAR_SUCCESS && !in_place)
        memcpy(data, &shown, sizeof shown);
    return error;
}

STAR_EXPORT int STAR_Vector_register_generic(int ndims, const int dims[], int values, STAR_Vmap vmap,
                                             MPI_Datatype datatype, void *data, STAR_Vector *vector)
{
    struct star_vmap *map = star_object_of(STAR_KIND_VMAP, vmap, __func__, "vmap");
    return map ? register_vector(ndims, dims, values, map, datatype, data, vector, __func__) : STAR_ERR_VMAP;
}

STAR_EXPORT int STAR_Vector_allocate_generic(int ndims, const int dims[], int values, STAR_Vmap vmap,
                                             MPI_Datatype datatype, void *data, STAR_Vector *vector)
{
    struct star_vmap *map = star_object_of(STAR_KIND_VMAP, vmap, __func__, "vmap");
    return map ? allocate_vector(ndims, dims, values, map, datatype, data, vector, __func__) : STAR_ERR_VMAP;
}

int star_vector_register_fortran(int ndims, const int dims[], int values, STAR_Vmap vmap,
                                 MPI_Datatype datatype, void *data, STAR_Vector *vector)
{
    static const char call[] = "STAR_Vector_register_generic";
    struct star_vmap *map = star_object_of(STAR_KIND_VMAP, vmap, call, "vmap");
    if (map == NULL)
        return STAR_ERR_VMAP;
    int error = register_vector(ndims, dims, values, map, datatype,
                                map->map == STAR_MAP_IN_PLACE ? MPI_IN_PLACE : data, vector, call);
    if (error == STAR_SUCCESS)
        ((struct star_vector *)star_object_of(STAR_KIND_VECTOR, *vector, call, "vector"))->fortran = true;
    return error;
}

static int with_halo(bool owned, int ndims, const int dims[], int width, MPI_Datatype datatype, void *data,
                     STAR_Vector *vector, const char *call)
{
    int error;
    struct star_vmap *map = star_vmap_halo(width, &error, call);
    if (map == NULL)
        return error;
    error = owned ? allocate_vector(ndims, dims, 0, map, datatype, data, vector, call)
                  : register_vector(ndims, dims, 0, map, datatype, data, vector, call);
    star_object_release(map);
    return error;
}

STAR_EXPORT int STAR_Vector_register(int ndims, const int dims[], int width, MPI_Datatype datatype,
                                     void *data, STAR_Vector *vector)
{
    return with_halo(false, ndims, dims, width, datatype, data, vector, __func__);
}

STAR_EXPORT int STAR_Vector_allocate(int ndims, const int dims[], int width, MPI_Datatype datatype,
                                     void *data, STAR_Vector *vector)
{
    return with_halo(true, ndims, dims, width, datatype, data, vector, __func__);
}

/* Freeing takes what allocating made, and deregistering what registering made. */
static int give_up(STAR_Vector *vector, bool owned, const char *call)
{
    if (vector == NULL)
        return star_refuse(STAR_ERR_ARG, call, "vector is NULL");
    const struct star_vector *found = star_object_of(STAR_KIND_VECTOR, *vector, call, "vector");
    if (found == NULL)
        return STAR_ERR_VECTOR;
    bool in_place = found->vmap->map == STAR_MAP_IN_PLACE;
    if (!in_place && (found->owned != NULL) != owned)
        return star_refuse(STAR_ERR_DATA, call, "vector was %s",
                           owned ? "registered: STAR_Vector_deregister takes it"
                                 : "allocated: STAR_Vector_free takes it");
    return star_object_free(STAR_KIND_VECTOR, vector, call, "vector");
}

STAR_EXPORT int STAR_Vector_deregister(STAR_Vector *vector)
{
    return give_up(vector, false, __func__);
}

STAR_EXPORT int STAR_Vector_free(STAR_Vector *vector)
{
    return give_up(vector, true, __func__);
}
