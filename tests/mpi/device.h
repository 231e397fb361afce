/* SPDX-License-Identifier: BSD-3-Clause
 * Stands for a GPU's memory, and for an MPI library that takes buffers there. Where an address is, the driver
 * tells, libcuda.so, which a program may open at any time. */
#ifndef TESTS_DEVICE_H
#define TESTS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

/* The one piece of memory that there is, of so many bytes at most. */
enum { DEVICE_MOST = 8 << 20 };
void *device_memory(void);
/* May the host touch it? It may not at first, but inside of the MPI library's functions that take buffers of
 * the program. */
void device_open(bool open);

#endif
