/* SPDX-License-Identifier: BSD-3-Clause
 * Adding what runs have left in the spool beside a store (wisdom/spool.h). */
#pragma once

#include "store/facts.h"

/* Adds it and MORE, in one transaction, and then removes it. NOTE says which of it could not be read; "". */
int star_wisdom_fold(struct star_wisdom *store, const struct star_facts *more, int64_t now, char note[400],
                     struct star_why *why);
/* The same of the store PATH, where it is this user's and has a spool. It is neither made nor set aside. */
int star_wisdom_fold_in(const char *path, int64_t now, struct star_why *why);
/* Calls VISIT for the names in the spool that are added and may not be removed yet. */
int star_wisdom_each_added(struct star_wisdom *store, void (*visit)(const char *name, void *context),
                           void *context, struct star_why *why);
