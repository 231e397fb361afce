/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: module and offset of the caller. Local. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Module and offset of the caller. Is the caller part of the MPI library itself? */
bool star_is_internal(const void *address);
uint64_t star_site_of(const void *address);
void star_site_name(const void *address, char *buffer, size_t room);
/* The path of the module's file, never freed; NULL where it cannot be told. */
const char *star_site_module(const void *address);
