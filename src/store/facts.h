/* SPDX-License-Identifier: BSD-3-Clause
 * Facts in a store: adding, listing and forgetting them. */
#pragma once

#include "store/store.h"
#include "wisdom/fact.h"

#include <stddef.h>

/* Facts, read from a store or a file. */
struct star_facts {
    struct star_fact *at;
    size_t count;
};
/* STAR_EMEMORY. Also for star_wisdom_each, which hands it to CONTEXT. */
int star_facts_add(const struct star_fact *fact, void *context);
void star_facts_free(struct star_facts *facts);

/* Adds COUNT facts to what is known, all or none; forgets what has faded by NOW, and beside the newest fact.
 * Should the file prove damaged, it is set aside as above; a fact with impossible figures is replaced. */
int star_wisdom_add(struct star_wisdom *store, const struct star_fact *facts, size_t count, int64_t now,
                    struct star_why *why);

/* Calls WORK within a transaction, which is undone where it fails. Should the file prove damaged, it is set
 * aside, where it may be, and WORK called again. */
typedef int star_wisdom_work(struct star_wisdom *store, void *context, struct star_why *why);
int star_wisdom_transact(struct star_wisdom *store, star_wisdom_work *work, void *context,
                         struct star_why *why);
/* As star_wisdom_add, of facts that are possible, within a transaction. */
int star_facts_put(struct star_wisdom *store, const struct star_fact *facts, size_t count, int64_t now,
                   struct star_why *why);

/* NULL: any; "neighborhood" is also "neighborhood:66x34/…", the problems of one operation. BEFORE: last seen
 * before this date, by a clock that was set; 0: whenever. */
struct star_wisdom_filter {
    const char *machine, *operation;
    int64_t before;
};
/* Calls VISIT for each fact, until it returns other than 0, which is returned: by machine, operation, ranks,
 * nodes, bytes, operator, place, the fastest method first. Figures are as they were at their date. Nothing
 * is checked: in a damaged file facts may be impossible. */
int star_wisdom_each(struct star_wisdom *store, const struct star_wisdom_filter *filter,
                     int (*visit)(const struct star_fact *fact, void *context), void *context,
                     struct star_why *why);
/* The same for the MOST newest facts of one machine, the newest first: what is read does not grow with the
 * store. */
int star_wisdom_newest(struct star_wisdom *store, const char *machine, int most,
                       int (*visit)(const struct star_fact *fact, void *context), void *context,
                       struct star_why *why);
int star_wisdom_forget(struct star_wisdom *store, const struct star_wisdom_filter *filter, int64_t *count,
                       struct star_why *why);
