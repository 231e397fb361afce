/* SPDX-License-Identifier: BSD-3-Clause
 * Topologies as text. */
#pragma once

#include "topology/topology.h"

/* In our text format, which star_topology_parse reads back as the same tree. */
void star_topology_write(const struct star_topology *topology, struct star_text *text);
/* As JSON. */
void star_topology_json(const struct star_topology *topology, struct star_text *text);
