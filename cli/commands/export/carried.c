/* SPDX-License-Identifier: BSD-3-Clause */
#include "carried.h"

/* The file that the build puts together, as a string. */
__asm__(".pushsection .rodata\n"
        "cli_carried_begin:\n"
        ".incbin \"" STARTUNE_CARRIED "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char cli_carried_begin[];

const char *cli_carried(void)
{
    return cli_carried_begin;
}
