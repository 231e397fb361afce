/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* startune's own sources, which customised routines are made of: the core, and each algorithm's file behind a
 * form feed. */
const char *cli_carried(void);
