/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_NAMESAKES_LIBRARY_H
#define TESTS_NAMESAKES_LIBRARY_H

void log(const char *what, int number);
int logged(void);

#endif
