/* SPDX-License-Identifier: BSD-3-Clause
 * A store of wisdom in a folder of its own, and made-up facts. */
#ifndef TESTS_WISDOMS_H
#define TESTS_WISDOMS_H

#include "expect.h"
#include "store/facts.h"
#include "store/store.h"
#include "wisdom/fact.h"

#include <stdio.h>
#include <unistd.h>

enum { NOW = 1700000000, DAY = 86400 };

static char home[64], path[96];

static inline int make_home(void **state)
{
    (void)state;
    snprintf(home, sizeof home, "/tmp/startune-wisdom-XXXXXX");
    assert_non_null(mkdtemp(home));
    snprintf(path, sizeof path, "%s/a/b/wisdom.db", home);
    return 0;
}

static inline int remove_home(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", home);
    return system(command);
}

static inline struct star_wisdom *opened(enum star_wisdom_access access)
{
    struct star_wisdom *store;
    struct star_why why;
    if (star_wisdom_open(path, access, &store, &why))
        fail_msg("%s", why.text);
    return store;
}

/* COUNT calls of a millisecond each. */
static inline struct star_fact fact_of(const char *machine, const char *operation, int64_t bytes,
                                       const char *method, double count)
{
    struct star_fact fact = {.ranks = 4,
                             .nodes = 1,
                             .bytes = bytes,
                             .commutative = true,
                             .figures = {.count = count, .mean = 1e-3, .least = 1e-3, .date = NOW}};
    snprintf(fact.machine, sizeof fact.machine, "%s", machine);
    snprintf(fact.operation, sizeof fact.operation, "%s", operation);
    snprintf(fact.method, sizeof fact.method, "%s", method);
    return fact;
}

static inline void add(struct star_wisdom *store, const struct star_fact *facts, size_t count)
{
    struct star_why why;
    if (star_wisdom_add(store, facts, count, NOW, &why))
        fail_msg("%s", why.text);
}

struct found {
    int count;
    struct star_fact at[16];
};

static inline int find(const struct star_fact *fact, void *context)
{
    struct found *found = context;
    if (found->count < 16)
        found->at[found->count] = *fact;
    found->count++;
    return 0;
}

static inline struct found all_of(struct star_wisdom *store, struct star_wisdom_filter filter)
{
    struct found found = {0};
    struct star_why why;
    if (star_wisdom_each(store, &filter, find, &found, &why))
        fail_msg("%s", why.text);
    return found;
}

static inline struct found everything(struct star_wisdom *store)
{
    return all_of(store, (struct star_wisdom_filter){0});
}

#define WITH_HOME(test) cmocka_unit_test_setup_teardown(test, make_home, remove_home)

#endif
