/* SPDX-License-Identifier: BSD-3-Clause */
#include "carried.h"
#include "excerpt/words.h"

/* The file that the build puts together, as it is. */
__asm__(".pushsection .rodata\n"
        "cli_carried_begin:\n"
        ".incbin \"" STARTUNE_CARRIED "\"\n"
        "cli_carried_end:\n"
        ".popsection\n");
extern const char cli_carried_begin[], cli_carried_end[];

struct star_span cli_carried(void)
{
    return (struct star_span){cli_carried_begin, (size_t)(cli_carried_end - cli_carried_begin)};
}
