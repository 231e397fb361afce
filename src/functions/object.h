/* SPDX-License-Identifier: BSD-3-Clause
 * Objects behind handles. A handle is a number of 31 bits in a pointer's place (so that Fortran's integers
 * hold it): kind, generation, index into one table. A freed object's place is used again as late as possible
 * and with another generation, so that freed handles are recognised. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum star_kind {
    STAR_KIND_NONE, /* of what never has a handle */
    STAR_KIND_ATTRIBUTE,
    STAR_KIND_ATTRSET,
    STAR_KIND_FUNCTION,
    STAR_KIND_FNCTSET,
    STAR_KIND_VMAP,
    STAR_KIND_VECTOR,
    STAR_KIND_TOPOLOGY,
    STAR_KIND_REQUEST,
    STAR_KIND_TIMER,
    STAR_KINDS
};

/* Index 0 of each kind is its null handle; the last generation is that of predefined objects, which are in no
 * table. */
enum { STAR_HANDLE_INDEX_BITS = 18, STAR_HANDLE_GENERATION_BITS = 9 };
enum {
    STAR_HANDLE_INDICES = 1 << STAR_HANDLE_INDEX_BITS,
    STAR_HANDLE_PREDEFINED = (1 << STAR_HANDLE_GENERATION_BITS) - 1
};

/* The first member of each object. */
struct star_object {
    enum star_kind kind;
    int references; /* the handle is one */
    void (*destroy)(struct star_object *object);
};

/* What is wrong with a handle. */
enum star_fault {
    STAR_FAULT_NONE,
    STAR_FAULT_UNSET, /* never a handle */
    STAR_FAULT_NULL,
    STAR_FAULT_FREED,
    STAR_FAULT_KIND /* of another kind of object */
};

/* An object of SIZE bytes, zeros, with one reference; NULL when out of memory. DESTROY frees what it points
 * to, not the object. */
void *star_object_new(enum star_kind kind, size_t size, void (*destroy)(struct star_object *object));
void star_object_keep(void *object);
/* The same of an object that may just be about to be destroyed: then false. */
bool star_object_keep_living(void *object);
/* Gives a reference back; the last one destroys the object. NULL is fine. */
void star_object_release(void *object);

/* A handle for OBJECT; 0 when there is no room for one more. */
intptr_t star_handle_new(struct star_object *object);
/* The object of HANDLE, or NULL and *FAULT. */
struct star_object *star_handle_find(enum star_kind kind, intptr_t handle, enum star_fault *fault);
/* Takes HANDLE, a valid one, from its object, whose reference goes to the caller. */
struct star_object *star_handle_drop(intptr_t handle);
/* The number of a predefined object, from 1; 0: it is none. */
int star_handle_predefined(enum star_kind kind, intptr_t handle);
intptr_t star_handle_null(enum star_kind kind);
