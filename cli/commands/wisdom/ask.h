/* SPDX-License-Identifier: BSD-3-Clause
 * What the actions of `startune wisdom` share: what the options ask for, and the store. */
#pragma once

#include "store/base.h"
#include "store/facts.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_wisdom_ask {
    bool json, all, site;
    const char *store, *machine, *program, *output; /* NULL: not asked for */
    int64_t days;                                   /* --older; 0: not asked for */
};
extern struct cli_wisdom_ask cli_wisdom_ask;

/* Opens the store that was asked for, the user's if none was. Exit status, after saying what is wrong. READ:
 * *STORE is NULL where the user or the site has none yet. */
int cli_wisdom_open(enum star_wisdom_access access, struct star_wisdom **store);
/* Adds to the store PATH what the last runs have left beside it; says so if that fails. */
void cli_wisdom_fold(const char *path);
/* Says first if a damaged one was set aside. */
void cli_wisdom_close(struct star_wisdom *store);
/* The store's path; exit status. */
int cli_wisdom_where(char *path, size_t room);
/* Is WORD an operation that something may be known of? Exit status, after saying that it is none. */
int cli_wisdom_check_operation(const char *word);
/* Reads the facts that the options and OPERATION (NULL: all) choose, without impossible ones. */
int cli_wisdom_read(const char *operation, struct star_facts *facts);
