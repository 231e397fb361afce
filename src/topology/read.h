/* SPDX-License-Identifier: BSD-3-Clause
 * Topology files, of all kinds. */
#pragma once

#include "topology/topology.h"

/* Reads a file of any kind that is known: our text format, Slurm's topology.conf and topology.yaml,
 * ibnetdiscover's output, hwloc's XML; recognised by its content. "-" is standard input. STAR_EINPUT names
 * file and line, STAR_ESYSTEM, STAR_EMEMORY. */
int star_topology_read(const char *path, struct star_topology **topology, struct star_why *why);
/* The same from memory: BYTES need no end; NAME stands for the file in reasons. */
int star_topology_parse(const char *bytes, size_t length, const char *name, struct star_topology **topology,
                        struct star_why *why);

/* Where a user's own lies: $XDG_CONFIG_HOME/startune/topology, or that in ~/.config. As star_home_path. */
int star_topology_own_path(char *path, size_t room, struct star_why *why);
