/* SPDX-License-Identifier: BSD-3-Clause
 * Programs: where they are, what they are linked with, and so which MPI they are for. */
#pragma once

#include "cli/common/mpi_library.h"

enum cli_binary { CLI_SCRIPT, CLI_DYNAMIC, CLI_STATIC };
struct cli_program {
    char path[4096];
    enum cli_binary binary;
    const char *mpi;       /* by what the program is linked with; NULL: none that is known */
    const char *privilege; /* "is set-user-ID …", as nothing is preloaded then; NULL: it has none */
};
/* Looks PROGRAM up as a shell does. CLI_OK, CLI_NOT_FOUND or CLI_CANNOT_RUN with the reason. */
int cli_find_program(const char *name, struct cli_program *program, struct star_why *why);
/* What the bytes of an ELF file name as needed: the kind of binary, and the MPI or NULL. Never reads beyond
 * LENGTH. */
enum cli_binary cli_read_elf(const unsigned char *bytes, size_t length, const char **mpi);
/* The path of the dynamic loader that the bytes name, where it is one that lists a program's libraries when
 * it is asked to, and there may be more than the bytes name; else NULL. Never reads beyond LENGTH. */
const char *cli_listing_loader(const unsigned char *bytes, size_t length);
