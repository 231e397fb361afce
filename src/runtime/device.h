/* SPDX-License-Identifier: BSD-3-Clause
 * Does a buffer of this process lie in a device's memory, or may one? Local. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does the MPI library take buffers in a device's memory? Settled when MPI has begun. */
bool star_device_taken(void);
/* May a buffer of this process lie in a device's memory? */
bool star_device_possible(void);
/* May one, and nobody could tell which? */
bool star_device_unknowable(void);

/* The runtimes that are loaded now, by what they are asked with. */
struct star_device {
    int (*cuda)(void *answer, int question, uint64_t address);
    int (*hip)(void *answer, const void *address);
    int (*hip_forget)(void); /* that a question failed */
    int hip_hosts;           /* kinds of memory below this one are the host's */
    bool silent;             /* one is there that cannot be asked */
    bool all;                /* no further one can come whose buffers the MPI library takes */
};
/* None where the MPI library takes no buffers in a device's memory. */
struct star_device star_device_now(void);
static inline bool star_device_is_there(const struct star_device *device)
{
    return device->cuda != NULL || device->hip != NULL || device->silent;
}
/* Does ADDRESS lie in a device's memory, or must that be feared? */
bool star_device_holds(const struct star_device *device, const void *address);
