/* SPDX-License-Identifier: BSD-3-Clause
 * The contexts of a communicator. Siblings are those of one operation and call site, by size: a program may
 * have thousands of either. */
#include "runtime/siblings.h"
#include "algorithms/operations.h"
#include "runtime/call.h"
#include "util/fpenv.h"
#include "util/hash.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Contexts of one operation and site, in the order of `compare`. */
struct star_siblings {
    enum star_operation operation;
    uint64_t site;
    int64_t count, room;
    struct star_context **at;
    struct star_siblings *next; /* of its bucket */
};

static int compare(const struct star_facts *a, const struct star_facts *b)
{
    if (a->in_place != b->in_place)
        return a->in_place ? 1 : -1;
    if (a->commutative != b->commutative)
        return a->commutative ? 1 : -1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static bool is_alike(const struct star_facts *a, const struct star_facts *b)
{
    return a->in_place == b->in_place && a->commutative == b->commutative;
}

static bool is_it(const struct star_context *context, enum star_operation operation,
                  const struct star_facts *facts, uint64_t site)
{
    return context->operation == operation && context->site == site && compare(&context->facts, facts) == 0;
}

static struct star_siblings **bucket_of(const struct star_contexts *contexts, enum star_operation operation,
                                        uint64_t site)
{
    uint64_t hash = star_hash_add(star_hash_add(star_hash_empty, (uint64_t)operation), site);
    return &contexts->buckets[(hash ^ hash >> 32) & (uint64_t)(contexts->room - 1)];
}

static struct star_siblings *siblings_of(const struct star_contexts *contexts, enum star_operation operation,
                                         uint64_t site)
{
    struct star_siblings *siblings = contexts->room > 0 ? *bucket_of(contexts, operation, site) : NULL;
    while (siblings != NULL && (siblings->operation != operation || siblings->site != site))
        siblings = siblings->next;
    return siblings;
}

/* Of the first that is not before FACTS; as many as there are, if all are. */
static int64_t place_of(const struct star_siblings *siblings, const struct star_facts *facts)
{
    int64_t from = 0, to = siblings->count;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (compare(&siblings->at[middle]->facts, facts) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static struct star_context *find_stub(const struct star_contexts *contexts, enum star_operation operation,
                                      const struct star_facts *facts, uint64_t site)
{
    struct star_context *stub = contexts->stubs > 0 ? contexts->first : NULL;
    while (stub != NULL && !(stub->stub && is_it(stub, operation, facts, site)))
        stub = stub->next;
    return stub;
}

struct star_context *star_contexts_find(struct star_contexts *contexts, enum star_operation operation,
                                        const struct star_facts *facts, uint64_t site)
{
    if (contexts->found != NULL && is_it(contexts->found, operation, facts, site))
        return contexts->found;
    const struct star_siblings *siblings = siblings_of(contexts, operation, site);
    int64_t place = siblings ? place_of(siblings, facts) : 0;
    if (siblings == NULL || place == siblings->count || !is_it(siblings->at[place], operation, facts, site))
        return find_stub(contexts, operation, facts, site);
    return contexts->found = siblings->at[place];
}

static double log_distance(int64_t a, int64_t b)
{
    return a > b ? (double)a / (double)b : (double)b / (double)a;
}

/* The largest that is not above FACTS, and the smallest that is not below. */
struct neighbours {
    struct star_context *smaller, *larger;
};

/* A rank that has a stub must find what the others find. */
static void look_at_stubs(const struct star_contexts *contexts, enum star_operation operation,
                          const struct star_facts *facts, uint64_t site, struct neighbours *near)
{
    for (struct star_context *stub = contexts->stubs > 0 ? contexts->first : NULL; stub; stub = stub->next) {
        int64_t bytes = stub->facts.bytes;
        if (!stub->stub || stub->operation != operation || stub->site != site ||
            !is_alike(&stub->facts, facts))
            continue;
        if (bytes < facts->bytes && (near->smaller == NULL || bytes > near->smaller->facts.bytes))
            near->smaller = stub;
        if (bytes >= facts->bytes && (near->larger == NULL || bytes < near->larger->facts.bytes))
            near->larger = stub;
    }
}

struct star_context *star_contexts_nearest(const struct star_contexts *contexts,
                                           enum star_operation operation, const struct star_facts *facts,
                                           uint64_t site)
{
    STAR_FPENV_DEFAULT;
    const struct star_siblings *siblings = siblings_of(contexts, operation, site);
    int64_t place = siblings ? place_of(siblings, facts) : 0;
    struct neighbours near = {.smaller = place > 0 ? siblings->at[place - 1] : NULL,
                              .larger = siblings && place < siblings->count ? siblings->at[place] : NULL};
    if (near.smaller != NULL && !is_alike(&near.smaller->facts, facts))
        near.smaller = NULL;
    if (near.larger != NULL && !is_alike(&near.larger->facts, facts))
        near.larger = NULL;
    look_at_stubs(contexts, operation, facts, site, &near);
    if (near.smaller == NULL || near.larger == NULL)
        return near.smaller ? near.smaller : near.larger;
    double down = log_distance(near.smaller->facts.bytes, facts->bytes),
           up = log_distance(near.larger->facts.bytes, facts->bytes);
    return up < down ? near.larger : near.smaller;
}

int64_t star_contexts_count(const struct star_contexts *contexts, enum star_operation operation,
                            uint64_t site)
{
    const struct star_siblings *siblings = siblings_of(contexts, operation, site);
    int64_t count = siblings ? siblings->count : 0;
    for (const struct star_context *stub = contexts->first; contexts->stubs > 0 && stub; stub = stub->next)
        count += stub->stub && stub->operation == operation && stub->site == site;
    return count;
}

static bool grow(struct star_contexts *contexts)
{
    enum { LEAST = 32 };
    struct star_contexts wider = {.room = contexts->room > 0 ? 2 * contexts->room : LEAST};
    wider.buckets = calloc((size_t)wider.room, sizeof *wider.buckets);
    if (wider.buckets == NULL)
        return false;
    for (int64_t i = 0; i < contexts->room; i++)
        while (contexts->buckets[i] != NULL) {
            struct star_siblings *moved = contexts->buckets[i],
                                 **bucket = bucket_of(&wider, moved->operation, moved->site);
            contexts->buckets[i] = moved->next;
            moved->next = *bucket;
            *bucket = moved;
        }
    free(contexts->buckets);
    contexts->buckets = wider.buckets;
    contexts->room = wider.room;
    return true;
}

static struct star_siblings *add_siblings(struct star_contexts *contexts, enum star_operation operation,
                                          uint64_t site)
{
    if (contexts->count == contexts->room && !grow(contexts))
        return NULL;
    struct star_siblings *siblings = calloc(1, sizeof *siblings);
    if (siblings == NULL)
        return NULL;
    siblings->operation = operation;
    siblings->site = site;
    struct star_siblings **bucket = bucket_of(contexts, operation, site);
    siblings->next = *bucket;
    *bucket = siblings;
    contexts->count++;
    return siblings;
}

bool star_contexts_make_room(struct star_contexts *contexts, enum star_operation operation, uint64_t site)
{
    enum { LEAST = 4 };
    struct star_siblings *siblings = siblings_of(contexts, operation, site);
    if (siblings == NULL && (siblings = add_siblings(contexts, operation, site)) == NULL)
        return false;
    if (siblings->count < siblings->room)
        return true;
    int64_t room = siblings->room > 0 ? 2 * siblings->room : LEAST;
    struct star_context **at = realloc(siblings->at, (size_t)room * sizeof(struct star_context *));
    if (at == NULL)
        return false;
    siblings->at = at;
    siblings->room = room;
    return true;
}

void star_contexts_add(struct star_contexts *contexts, struct star_context *context)
{
    struct star_siblings *siblings = siblings_of(contexts, context->operation, context->site);
    int64_t place = place_of(siblings, &context->facts);
    memmove(siblings->at + place + 1, siblings->at + place,
            (size_t)(siblings->count - place) * sizeof(struct star_context *));
    siblings->at[place] = context;
    siblings->count++;
    context->next = contexts->first;
    atomic_thread_fence(memory_order_release); /* another thread may be in STAR_Info_get */
    contexts->first = contexts->found = context;
}

void star_contexts_drop(struct star_contexts *contexts, struct star_context *context)
{
    struct star_context **link = &contexts->first;
    while (*link != context)
        link = &(*link)->next;
    *link = context->next;
    contexts->found = NULL;
    contexts->stubs -= context->stub;
    if (context->stub)
        return;
    struct star_siblings *siblings = siblings_of(contexts, context->operation, context->site);
    int64_t place = place_of(siblings, &context->facts);
    siblings->count--;
    memmove(siblings->at + place, siblings->at + place + 1,
            (size_t)(siblings->count - place) * sizeof(struct star_context *));
}

void star_contexts_forget(struct star_contexts *contexts)
{
    for (int64_t i = 0; i < contexts->room; i++)
        while (contexts->buckets[i] != NULL) {
            struct star_siblings *next = contexts->buckets[i]->next;
            free(contexts->buckets[i]->at);
            free(contexts->buckets[i]);
            contexts->buckets[i] = next;
        }
    free(contexts->buckets);
    *contexts = (struct star_contexts){0};
}
