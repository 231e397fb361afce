/* SPDX-License-Identifier: BSD-3-Clause
 * The target FUZZ_TARGET for libFuzzer. */
#include "fuzz.h"
#include "targets.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    fuzz_read(FUZZ_TARGET, (const char *)bytes, length);
    return 0;
}
