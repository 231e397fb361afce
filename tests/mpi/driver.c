/* SPDX-License-Identifier: BSD-3-Clause
 * Stands for the library of CUDA's driver, libcuda.so: it tells where an address is. */
#include "device.h"

#include <stdint.h>

int cuPointerGetAttribute(void *answer, int question, unsigned long long address);

/* Of the device's memory alone it knows anything. */
int cuPointerGetAttribute(void *answer, int question, unsigned long long address)
{
    enum { MEMORY_TYPE = 2, DEVICE = 2, INVALID_VALUE = 1 };
    if (question != MEMORY_TYPE || address - (uintptr_t)device_memory() >= DEVICE_MOST)
        return INVALID_VALUE;
    *(unsigned *)answer = DEVICE;
    return 0;
}
