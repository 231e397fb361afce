/* SPDX-License-Identifier: BSD-3-Clause
 * Both functions stay calls of which a compiler knows nothing: else it might move calculations over them. */
#include "util/fpenv.h"

#ifdef __clang__
#define CALLED __attribute__((noinline))
#else
#define CALLED __attribute__((noipa))
#endif

#ifdef STAR_FPENV_WORDS

#include <fpu_control.h>
#include <stdbool.h>
#include <xmmintrin.h>

static const unsigned int sse_default = 0x1f80; /* as a process begins, and as FE_DFL_ENV has it */

/* An exception of the x87 unit that will trap in its next instruction: to set its control word is one. */
static bool is_pending(void)
{
    enum { SUMMARY = 0x80 };
    unsigned short status;
    __asm__ volatile("fnstsw %0" : "=am"(status));
    return (status & SUMMARY) != 0;
}

CALLED struct star_fpenv star_fpenv_default(void)
{
    struct star_fpenv before = {.sse = _mm_getcsr()};
    fpu_control_t usual = _FPU_DEFAULT;
    _mm_setcsr(sse_default);
    _FPU_GETCW(before.x87);
    if (before.x87 != usual && is_pending())
        before.x87 = usual; /* nothing is to be restored */
    else if (before.x87 != usual)
        _FPU_SETCW(usual);
    return before;
}

CALLED void star_fpenv_restore(const struct star_fpenv *before)
{
    if (before->x87 != _FPU_DEFAULT)
        _FPU_SETCW(before->x87);
    _mm_setcsr(before->sse);
}

#else

CALLED struct star_fpenv star_fpenv_default(void)
{
    struct star_fpenv before;
    fegetenv(&before.all);
    fesetenv(FE_DFL_ENV);
    return before;
}

CALLED void star_fpenv_restore(const struct star_fpenv *before)
{
    fesetenv(&before->all);
}

#endif
