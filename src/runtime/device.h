/* SPDX-License-Identifier: BSD-3-Clause
 * May a buffer of this process lie in a device's memory? Local. */
#ifndef STAR_RUNTIME_DEVICE_H
#define STAR_RUNTIME_DEVICE_H

#include <stdbool.h>

/* May a buffer of this process lie in a device's memory? */
bool star_device_possible(void);

#endif
