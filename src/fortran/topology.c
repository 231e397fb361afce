/* SPDX-License-Identifier: BSD-3-Clause
 * Topologies, and what ADCL's programs begin and end with. */
#include "fortran/fortran.h"

/* Nothing needs to be begun or ended. */
static void ready(int *ierror)
{
    star_fortran_say(ierror, STAR_SUCCESS);
}
STAR_FORTRAN_ADCL(ready, init, INIT)
STAR_FORTRAN_ADCL(ready, finalize, FINALIZE)

STAR_FORTRAN_MAKE(topology_create, STAR_Topology, (const int *comm, int *topology, int *ierror), topology,
                  Topology_create, star_fortran_comm(*comm), &made)
STAR_FORTRAN(topology_create, Topology_create, TOPOLOGY_CREATE)

STAR_FORTRAN_MAKE(topology_create_extended, STAR_Topology, (const int *cart, int *topology, int *ierror),
                  topology, Topology_create_extended, star_fortran_comm(*cart), &made)
STAR_FORTRAN(topology_create_extended, Topology_create_extended, TOPOLOGY_CREATE_EXTENDED)

STAR_FORTRAN_MAKE(topology_create_generic, STAR_Topology,
                  (const int *ndims, const int *pairs, const int *left, const int *right, const int *flip,
                   const int *coords, const int *direction, const int *comm, int *topology, int *ierror),
                  topology, Topology_create_generic, *ndims, *pairs, left, right, flip, coords, *direction,
                  star_fortran_comm(*comm), &made)
STAR_FORTRAN(topology_create_generic, Topology_create_generic, TOPOLOGY_CREATE_GENERIC)

STAR_FORTRAN_FREE(topology_free, STAR_Topology, Topology_free, TOPOLOGY_FREE)

STAR_FORTRAN_CALL(topology_dump, (const int *topology, int *ierror), Topology_dump,
                  star_fortran_handle(*topology))
STAR_FORTRAN(topology_dump, Topology_dump, TOPOLOGY_DUMP)

STAR_FORTRAN_CALL(topology_get_cart_number_neighbors,
                  (const int *ndims, const int *extended, int *pairs, int *ierror),
                  Topology_get_cart_number_neighbors, *ndims, *extended, pairs)
STAR_FORTRAN(topology_get_cart_number_neighbors, Topology_get_cart_number_neighbors,
             TOPOLOGY_GET_CART_NUMBER_NEIGHBORS)

STAR_FORTRAN_CALL(topology_get_cart_neighbors,
                  (const int *pairs, int *left, int *right, int *flip, const int *cart, int *ierror),
                  Topology_get_cart_neighbors, *pairs, left, right, flip, star_fortran_comm(*cart))
STAR_FORTRAN(topology_get_cart_neighbors, Topology_get_cart_neighbors, TOPOLOGY_GET_CART_NEIGHBORS)
