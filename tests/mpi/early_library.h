/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STAR_TEST_EARLY_LIBRARY_H
#define STAR_TEST_EARLY_LIBRARY_H

int early_failures(void);

#endif
