/* SPDX-License-Identifier: BSD-3-Clause
 * Logical meshes: how a number of ranks is factored into dimensions. Member m's coordinate in dimension d is
 * m / (mesh[0] × … × mesh[d−1]) mod mesh[d]. */
#pragma once

#include "algorithms/parts/team.h"

enum { STAR_MESH_DIMENSIONS = 31 }; /* room that is enough for any number of ranks */

enum { STAR_MESH_PRIMES = 0 };
/* The number of dimensions, all longer than 1: as even as can be, and no more than DIMENSIONS; or the prime
 * factors of SIZE. */
int star_mesh_of(int size, int dimensions, int *mesh);
