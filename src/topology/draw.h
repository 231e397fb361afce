/* SPDX-License-Identifier: BSD-3-Clause
 * Topologies as pictures. */
#pragma once

#include "topology/topology.h"

/* Draws it for a terminal, in UTF-8. STAR_ELIMIT: nobody could look at so many rows. */
int star_topology_draw(const struct star_topology *topology, struct star_text *text, struct star_why *why);
/* Draws it as SVG. STAR_ELIMIT as above. */
int star_topology_svg(const struct star_topology *topology, struct star_text *text, struct star_why *why);
