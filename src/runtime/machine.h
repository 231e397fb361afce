/* SPDX-License-Identifier: BSD-3-Clause
 * The machine that a run is on. Local. */
#pragma once

struct star_map_machine;

/* The MPI library, nodes and ranks a node; the rest is not known. Local. */
struct star_map_machine star_machine_here(void);
/* In one line, as wisdom and reports call it: what is measured on one holds for the other where their names
 * are equal. It is what it was when first asked for. Of ranks that know the topology. */
const char *star_machine_name(void);
