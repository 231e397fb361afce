/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of programs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct star_lines;

/* Where the instruction before OFFSET in the module's file is, by its debug information. False where
 * it has none, is no regular file, or was changed after DATE. */
struct star_line {
    char function[200], file[300];
    int line; /* 0: only the function is known */
};
struct star_lines *star_lines_new(void);
void star_lines_free(struct star_lines *lines);
bool star_lines_find(struct star_lines *lines, const char *module, uint64_t offset, int64_t date,
                     struct star_line *line);
