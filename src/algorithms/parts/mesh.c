/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parts/mesh.h"

/* Largest divisor of SIZE whose POWER-th power is at most SIZE. */
static int balanced_divisor(int size, int power)
{
    int best = 1;
    for (int64_t d = 1; d <= size; d++) {
        int64_t product = d;
        for (int i = 1; i < power; i++)
            product *= d;
        if (product > size)
            break;
        if (size % d == 0)
            best = (int)d;
    }
    return best;
}

int star_mesh_of(int size, int dimensions, int *mesh)
{
    int count = 0;
    for (int d = 2; dimensions == STAR_MESH_PRIMES && d <= size / d; d++)
        for (; size % d == 0; size /= d)
            mesh[count++] = d;
    for (int left = dimensions; left > 1; left--) {
        int d = balanced_divisor(size, left);
        if (d > 1)
            mesh[count++] = d;
        size /= d;
    }
    if (size > 1)
        mesh[count++] = size;
    return count;
}
