/* SPDX-License-Identifier: BSD-3-Clause
 * A store is data, whoever wrote the file. SQLite files may hold more: views and triggers, which are programs
 * that need not end, tables that other code makes up, columns that are worked out. None of it is ours, so a
 * file with any is refused; SQLite is told to run none, should one be hidden from that look; and what takes
 * too many steps all the same, in a file that is damaged or absurdly large, is ended. */
#include "store/guard.h"

/* SQLite's virtual machine runs ten million of them a second at least: a list of a million facts takes one in
 * a hundred of these. */
static const int64_t steps_most = 2000000000;
enum { STEPS_BETWEEN_LOOKS = 10000 };

static int is_over(void *context)
{
    struct star_wisdom *store = context;
    store->steps -= STEPS_BETWEEN_LOOKS;
    return store->steps <= 0;
}

void star_wisdom_begin(struct star_wisdom *store)
{
    store->steps = store->steps_most;
}

/* Names that this SQLite does not know yet are nothing that it could do. */
static void forbid(sqlite3 *base)
{
    static const struct {
        int what, on;
    } settings[] = {{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
#ifdef SQLITE_DBCONFIG_DEFENSIVE
                    {SQLITE_DBCONFIG_DEFENSIVE, 1},
#endif
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
#endif
                    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(base, settings[i].what, settings[i].on, (int *)NULL);
}

static void limit(sqlite3 *base)
{
    static const struct {
        int what, most;
    } limits[] = {{SQLITE_LIMIT_LENGTH, 1 << 20},     {SQLITE_LIMIT_SQL_LENGTH, 1 << 16},
                  {SQLITE_LIMIT_COLUMN, 100},         {SQLITE_LIMIT_EXPR_DEPTH, 100},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 10}, {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},    {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(base, limits[i].what, limits[i].most);
}

int star_wisdom_guard(struct star_wisdom *store, struct star_why *why)
{
    forbid(store->base);
    limit(store->base);
    store->steps_most = steps_most;
    star_wisdom_begin(store);
    sqlite3_progress_handler(store->base, STEPS_BETWEEN_LOOKS, is_over, store);
    return star_wisdom_do(store, "PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON", why);
}

int star_wisdom_check_tables(struct star_wisdom *store, struct star_why *why)
{
    static const char other[] =
        "SELECT CASE type WHEN 'trigger' THEN 'trigger' WHEN 'view' THEN 'view' ELSE 'virtual table' END"
        " FROM sqlite_master WHERE type NOT IN ('table', 'index') OR coalesce(rootpage, 0) < 1"
        " OR (type = 'table' AND sql NOT LIKE 'CREATE TABLE %')"
        " UNION ALL SELECT 'generated column' FROM pragma_table_xinfo('fact') WHERE hidden > 1"
        " UNION ALL SELECT 'generated column' FROM pragma_table_xinfo('machine') WHERE hidden > 1"
        " UNION ALL SELECT 'generated column' FROM pragma_table_xinfo('added') WHERE hidden > 1";
    sqlite3_stmt *found = NULL;
    int code = sqlite3_prepare_v2(store->base, other, -1, &found, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(found);
    int error = code == SQLITE_DONE ? 0
                : code == SQLITE_ROW
                    ? star_because(why, STAR_EWRONG,
                                   "%.200s is no store as startune makes it (it has a %s): move it away",
                                   store->path, (const char *)sqlite3_column_text(found, 0))
                    : star_wisdom_because(store, why);
    sqlite3_finalize(found);
    return error;
}
