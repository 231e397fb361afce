/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/base.h"

#include <stddef.h>

int star_wisdom_because(const struct star_wisdom *store, struct star_why *why)
{
    int code = sqlite3_errcode(store->base);
    if (sqlite3_extended_errcode(store->base) == SQLITE_READONLY_ROLLBACK)
        return star_because(why, STAR_ESYSTEM,
                            "%.200s: a job was killed while it wrote; its owner undoes that with startune "
                            "wisdom doctor --store and this path",
                            store->path);
    if (code == SQLITE_INTERRUPT)
        return star_because(why, STAR_EWRONG,
                            "%.200s takes too long to read: it is damaged, or far too large: move it away",
                            store->path);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    int error = damaged ? STAR_EWRONG : code == SQLITE_NOMEM ? STAR_EMEMORY : STAR_ESYSTEM;
    return star_because(why, error, "%.200s: %.150s", store->path, sqlite3_errmsg(store->base));
}

int star_wisdom_do(struct star_wisdom *store, const char *sql, struct star_why *why)
{
    return sqlite3_exec(store->base, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
                                                                         : star_wisdom_because(store, why);
}
