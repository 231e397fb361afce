/* SPDX-License-Identifier: BSD-3-Clause
 * Names to numbers: a hash table. The names themselves belong to the caller. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct star_names {
    struct star_name {
        const char *text; /* NULL: a free place */
        uint64_t hash;
        int number;
    } * place;
    size_t places, count;
};

/* The number of TEXT, or −1. */
int star_names_get(const struct star_names *names, const char *text);
/* TEXT is new. False: out of memory. */
bool star_names_put(struct star_names *names, const char *text, int number);
void star_names_free(struct star_names *names);
