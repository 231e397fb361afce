/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's header under its own name. */
#include "adcl.h"
