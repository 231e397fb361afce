/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/refuse.h"
#include "startune_patterns.h"
#include "util/voice.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *null;
    int code;
} kinds[STAR_KINDS] = {
    [STAR_KIND_ATTRIBUTE] = {"attribute", "STAR_ATTRIBUTE_NULL", STAR_ERR_ATTRIBUTE},
    [STAR_KIND_ATTRSET] = {"attribute-set", "STAR_ATTRSET_NULL", STAR_ERR_ATTRSET},
    [STAR_KIND_FUNCTION] = {"function", "STAR_FUNCTION_NULL", STAR_ERR_FUNCTION},
    [STAR_KIND_FNCTSET] = {"function-set", "STAR_FNCTSET_NULL", STAR_ERR_FNCTSET},
    [STAR_KIND_VMAP] = {"vector map", "STAR_VMAP_NULL", STAR_ERR_VMAP},
    [STAR_KIND_VECTOR] = {"vector", "STAR_VECTOR_NULL", STAR_ERR_VECTOR},
    [STAR_KIND_TOPOLOGY] = {"topology", "STAR_TOPOLOGY_NULL", STAR_ERR_TOPOLOGY},
    [STAR_KIND_REQUEST] = {"request", "STAR_REQUEST_NULL", STAR_ERR_REQUEST},
    [STAR_KIND_TIMER] = {"timer", "STAR_TIMER_NULL", STAR_ERR_TIMER},
};

/* A loop that goes on in spite of errors does not fill the disk. */
enum { LINES_MOST = 100 };

int star_refuse(int code, const char *call, const char *format, ...)
{
    static atomic_int said;
    char text[400];
    if (atomic_fetch_add(&said, 1) >= LINES_MOST)
        return code;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(star_voice(), "startune: error: %s: %s\n", call, text);
    return code;
}

int star_refuse_without_mpi(const char *call)
{
    int begun = 0, ended = 0;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    if (begun && !ended)
        return STAR_SUCCESS;
    return star_refuse(STAR_ERR_INTERN, call, "it is called %s",
                       ended ? "after MPI_Finalize" : "before MPI_Init");
}

int star_refuse_memory(const char *call)
{
    return star_refuse(STAR_ERR_MEMORY, call, "out of memory");
}

int star_refuse_others(const char *call)
{
    return star_refuse(STAR_ERR_USER, call, "another rank's arguments are wrong");
}

void *star_object_of(enum star_kind kind, const void *handle, const char *call, const char *argument)
{
    enum star_fault fault;
    struct star_object *object = star_handle_find(kind, (intptr_t)handle, &fault);
    if (object != NULL)
        return object;
    const char *name = kinds[kind].name;
    int code = kinds[kind].code;
    if (fault == STAR_FAULT_UNSET)
        star_refuse(code, call, "%s is no %s: it was never made", argument, name);
    if (fault == STAR_FAULT_NULL)
        star_refuse(code, call, "%s is %s, but a %s is needed", argument, kinds[kind].null, name);
    if (fault == STAR_FAULT_FREED)
        star_refuse(code, call, "%s is a %s that has been freed", argument, name);
    if (fault == STAR_FAULT_KIND)
        star_refuse(code, call, "%s is an object of another kind, not a %s", argument, name);
    return NULL;
}

int star_object_publish(void *object, void *handle, const char *call)
{
    intptr_t made = star_handle_new(object);
    if (made == 0) {
        star_object_release(object);
        return star_refuse(STAR_ERR_INTERN, call, "there are more objects than startune has room for");
    }
    memcpy(handle, &made, sizeof made);
    return STAR_SUCCESS;
}

int star_object_free(enum star_kind kind, void *handle, const char *call, const char *argument)
{
    intptr_t value, null = star_handle_null(kind);
    if (handle == NULL)
        return star_refuse(STAR_ERR_ARG, call, "%s is NULL", argument);
    memcpy(&value, handle, sizeof value);
    if (star_handle_predefined(kind, value))
        return star_refuse(kinds[kind].code, call, "%s is a predefined %s, which is never freed", argument,
                           kinds[kind].name);
    if (star_object_of(kind, (const void *)value, call, argument) == NULL)
        return kinds[kind].code;
    if (kind == STAR_KIND_REQUEST && star_refuse_without_mpi(call)) /* its datatypes and windows are MPI's */
        return STAR_ERR_INTERN;
    star_object_release(star_handle_drop(value));
    memcpy(handle, &null, sizeof null);
    return STAR_SUCCESS;
}
