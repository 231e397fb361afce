/* SPDX-License-Identifier: BSD-3-Clause
 * A store of wisdom that another program has changed. */
#ifndef TESTS_CHANGED_H
#define TESTS_CHANGED_H

#include "wisdoms.h"

#include <sqlite3.h>

static inline void change(const char *sql)
{
    sqlite3 *base;
    assert_int_equal(sqlite3_open(path, &base), SQLITE_OK);
    assert_int_equal(sqlite3_exec(base, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(base), SQLITE_OK);
}

#endif
