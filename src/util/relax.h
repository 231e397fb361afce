/* SPDX-License-Identifier: BSD-3-Clause
 * Inside a loop that waits for another processor's store. */
#pragma once

static inline void star_relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}
