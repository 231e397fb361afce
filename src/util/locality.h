/* SPDX-License-Identifier: BSD-3-Clause
 * Locality: the package, the NUMA node and the L3 cache that this process is bound to. */
#pragma once

#include <stdint.h>

/* From the outside in, as far as they lie within each other. */
enum { STAR_PACKAGE, STAR_NUMA_NODE, STAR_L3_CACHE, STAR_LOCALITIES };

/* As Linux tells them in FOLDER, which is /sys/devices/system. Takes some 10 µs. */
uint64_t star_locality(const char *folder);
/* 0: not known, or the processors that the process may run on are of several. Else equal for processes of
 * one machine that are bound to the same. */
static inline uint64_t star_locality_of(uint64_t locality, int kind)
{
    return locality >> 16 * kind & 0xffff;
}
