/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/words.h"
#include "map/map.h"

const struct star_map_fact star_map_facts[] = {
    {"made-by", offsetof(struct star_map_machine, startune), true, false},
    {"date", offsetof(struct star_map_machine, date), true, false},
    {"mpi", offsetof(struct star_map_machine, mpi), true, true},
    {"topology", offsetof(struct star_map_machine, topology), true, true},
    {"nodes", offsetof(struct star_map_machine, nodes), false, true},
    {"ranks-per-node", offsetof(struct star_map_machine, ranks_per_node), false, true},
};
const int star_map_fact_count = sizeof star_map_facts / sizeof *star_map_facts;

const char *const star_map_roles[STAR_MAP_ROLES] = {"winner", "tied", "slower"};
const char *const star_map_origins[2] = {"grid", "search"};
