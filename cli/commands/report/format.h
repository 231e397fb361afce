/* SPDX-License-Identifier: BSD-3-Clause
 * Figures of a report as its tables show them. */
#pragma once

#include <jansson.h>

/* A whole number, or 0. */
long long cli_count_of(const json_t *object, const char *key);

/* Bytes of a row, or "varies". */
const char *cli_bytes_of(int64_t bytes, char *buffer, size_t room);
/* "1.20 ms"; NaN: "?". */
const char *cli_seconds_of(double seconds, char *buffer, size_t room);
/* "+1.20 ms", "-"; NaN: "?". */
const char *cli_signed_seconds(double seconds, char *buffer, size_t room);
