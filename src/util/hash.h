/* SPDX-License-Identifier: BSD-3-Clause
 * Hashes: FNV-1a (Fowler, Noll and Vo), of 64 bits, by bytes or larger numbers; the same on all ranks. */
#pragma once

#include <stdint.h>

/* A hash of nothing; star_hash_add adds to it. */
static const uint64_t star_hash_empty = UINT64_C(14695981039346656037);

static inline uint64_t star_hash_add(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(1099511628211);
}

static inline uint64_t star_hash_text(uint64_t hash, const char *text)
{
    for (; *text != 0; text++)
        hash = star_hash_add(hash, (unsigned char)*text);
    return hash;
}
