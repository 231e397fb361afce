/* SPDX-License-Identifier: BSD-3-Clause */
#include "functions/object.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CHUNK = 1024, CHUNKS = STAR_HANDLE_INDICES / CHUNK };

/* Places of the table never move, so that a handle is looked up without a lock. */
struct place {
    _Atomic(struct star_object *) object; /* NULL: free */
    atomic_int generation;
    int next; /* of the free ones */
};
static _Atomic(struct place *) chunks[CHUNKS];

/* Freed places queue up: the one that was freed first is used first, and only once new ones are scarce. */
static struct {
    pthread_mutex_t lock;
    int used; /* indices that were ever given out; index 0 is none */
    int first, last, waiting;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER, .used = 1};
enum { WAITING_LEAST = 64 };

void *star_object_new(enum star_kind kind, size_t size, void (*destroy)(struct star_object *object))
{
    struct star_object *object = calloc(1, size);
    if (object == NULL)
        return NULL;
    object->kind = kind;
    object->references = 1;
    object->destroy = destroy;
    return object;
}

void star_object_keep(void *object)
{
    pthread_mutex_lock(&table.lock);
    ((struct star_object *)object)->references++;
    pthread_mutex_unlock(&table.lock);
}

bool star_object_keep_living(void *object)
{
    struct star_object *this = object;
    pthread_mutex_lock(&table.lock);
    bool lives = this->references > 0;
    this->references += lives;
    pthread_mutex_unlock(&table.lock);
    return lives;
}

void star_object_release(void *object)
{
    struct star_object *this = object;
    if (this == NULL)
        return;
    pthread_mutex_lock(&table.lock);
    int left = --this->references;
    pthread_mutex_unlock(&table.lock);
    if (left > 0)
        return;
    this->destroy(this);
    free(this);
}

static struct place *place_of(int index)
{
    struct place *chunk = atomic_load_explicit(&chunks[index / CHUNK], memory_order_acquire);
    return chunk ? &chunk[index % CHUNK] : NULL;
}

/* 0: none. */
static int new_index(void)
{
    if (table.used == STAR_HANDLE_INDICES)
        return 0;
    int index = table.used;
    if (place_of(index) == NULL) {
        struct place *chunk = calloc(CHUNK, sizeof *chunk);
        if (chunk == NULL)
            return 0;
        atomic_store_explicit(&chunks[index / CHUNK], chunk, memory_order_release);
    }
    table.used++;
    return index;
}

static int take_index(void)
{
    int index = table.waiting < WAITING_LEAST ? new_index() : 0;
    if (index == 0 && table.waiting > 0) {
        index = table.first;
        table.first = place_of(index)->next;
        table.waiting--;
    }
    return index;
}

intptr_t star_handle_new(struct star_object *object)
{
    pthread_mutex_lock(&table.lock);
    int index = take_index();
    intptr_t handle = 0;
    if (index > 0) {
        struct place *place = place_of(index);
        handle = star_handle_null(object->kind) |
                 (intptr_t)atomic_load(&place->generation) << STAR_HANDLE_INDEX_BITS | index;
        atomic_store_explicit(&place->object, object, memory_order_release);
    }
    pthread_mutex_unlock(&table.lock);
    return handle;
}

intptr_t star_handle_null(enum star_kind kind)
{
    return (intptr_t)kind << (STAR_HANDLE_INDEX_BITS + STAR_HANDLE_GENERATION_BITS);
}

static int index_of(intptr_t handle)
{
    return (int)(handle & (STAR_HANDLE_INDICES - 1));
}

static int generation_of(intptr_t handle)
{
    return (int)(handle >> STAR_HANDLE_INDEX_BITS & STAR_HANDLE_PREDEFINED);
}

/* In full width: no pointer that is no handle has one. */
static intptr_t kind_of(intptr_t handle)
{
    return handle >> (STAR_HANDLE_INDEX_BITS + STAR_HANDLE_GENERATION_BITS);
}

int star_handle_predefined(enum star_kind kind, intptr_t handle)
{
    return kind_of(handle) == (intptr_t)kind && generation_of(handle) == STAR_HANDLE_PREDEFINED
               ? index_of(handle)
               : 0;
}

/* Of a handle that has no object of KIND. */
static enum star_fault fault_of(enum star_kind kind, intptr_t handle)
{
    if (kind_of(handle) <= STAR_KIND_NONE || kind_of(handle) >= STAR_KINDS)
        return STAR_FAULT_UNSET;
    if (kind_of(handle) != (intptr_t)kind)
        return STAR_FAULT_KIND;
    if (handle == star_handle_null(kind))
        return STAR_FAULT_NULL;
    struct place *place = place_of(index_of(handle));
    if (place == NULL)
        return STAR_FAULT_UNSET;
    struct star_object *object = atomic_load(&place->object);
    bool freed = object == NULL || atomic_load(&place->generation) != generation_of(handle);
    return freed ? STAR_FAULT_FREED : STAR_FAULT_UNSET;
}

struct star_object *star_handle_find(enum star_kind kind, intptr_t handle, enum star_fault *fault)
{
    struct place *place = kind_of(handle) == (intptr_t)kind ? place_of(index_of(handle)) : NULL;
    struct star_object *object = place ? atomic_load_explicit(&place->object, memory_order_acquire) : NULL;
    bool valid = object != NULL && object->kind == kind &&
                 atomic_load_explicit(&place->generation, memory_order_relaxed) == generation_of(handle);
    *fault = valid ? STAR_FAULT_NONE : fault_of(kind, handle);
    return valid ? object : NULL;
}

struct star_object *star_handle_drop(intptr_t handle)
{
    int index = index_of(handle);
    struct place *place = place_of(index);
    pthread_mutex_lock(&table.lock);
    struct star_object *object = atomic_load(&place->object);
    atomic_store(&place->object, NULL);
    atomic_store(&place->generation, (generation_of(handle) + 1) % STAR_HANDLE_PREDEFINED);
    if (table.waiting == 0)
        table.first = index;
    else
        place_of(table.last)->next = index;
    table.last = index;
    table.waiting++;
    pthread_mutex_unlock(&table.lock);
    return object;
}
