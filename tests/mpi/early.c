/* SPDX-License-Identifier: BSD-3-Clause
 * A program that calls MPI by a library alone, which has called MPI_Init before main begins. */
#include "early_library.h"

int main(void)
{
    return early_failures() != 0;
}
