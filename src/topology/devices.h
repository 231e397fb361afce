/* SPDX-License-Identifier: BSD-3-Clause
 * The devices of an InfiniBand fabric, and what to call the switches and hosts that they are: a device has an
 * id, which nobody else has, and a description, which people or makers wrote. */
#pragma once

#include "topology/names.h"

#include <stdint.h>

struct star_device {
    char *id;       /* "S-…": a switch, "H-…": a host's adapter; others are none of ours */
    char *name;     /* of the switch or host, by the description; the id where that is no name */
    char *called;   /* the host's name and the adapter's: "n1 mlx5_0" */
    uint64_t board; /* adapters on one board have the same; 0: unknown */
    bool ambiguous; /* of the first device of a name: different hosts have it */
    int node;       /* of the graph; −1: none yet */
};

struct star_devices {
    struct star_device *at;
    int count;
    struct star_names ids, names, called; /* to the first device of AT that has it; of hosts but for ids */
};

/* Adds the device ID, unless it is there. False: out of memory. */
bool star_devices_add(struct star_devices *devices, const char *id, const char *description);
/* What board a device is on: devices that are not there are passed over. */
void star_devices_board(struct star_devices *devices, const char *id, uint64_t board);
/* Finds out which names several hosts have, once all devices are there. Adapters of one name are one host's
 * where adapters have other names ("n1 mlx5_0", "n1 mlx5_1") or are on one board. False: out of memory. */
bool star_devices_compare(struct star_devices *devices);
/* What to call it: its name, or its id where several hosts have that name. */
const char *star_device_name(const struct star_devices *devices, const struct star_device *device);
/* The device of that id, or NULL. */
struct star_device *star_devices_find(const struct star_devices *devices, const char *id);
void star_devices_free(struct star_devices *devices);
