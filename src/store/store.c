/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/base.h"
#include "store/guard.h"
#include "store/place.h"
#include "util/file_write.h"
#include "util/home.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "STAR" in the file's header says whose it is. */
enum { APPLICATION = 0x53544152, PATIENCE = 60000 /* milliseconds that a writer waits for others */ };

static const char schema[] =
    "CREATE TABLE machine (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE fact (machine INTEGER NOT NULL, operation TEXT NOT NULL, ranks INTEGER NOT NULL,"
    " nodes INTEGER NOT NULL, bytes INTEGER NOT NULL, commutative INTEGER NOT NULL,"
    " in_place INTEGER NOT NULL, method TEXT NOT NULL,"
    " count REAL NOT NULL, mean REAL NOT NULL, squares REAL NOT NULL, least REAL NOT NULL,"
    " date INTEGER NOT NULL,"
    " PRIMARY KEY (machine, operation, ranks, nodes, bytes, commutative, in_place, method)) WITHOUT ROWID;"
    "CREATE INDEX newest ON fact (machine, date, count, mean, squares, least);"; /* all columns: no look-ups
                                                                                  */

static int read_number(struct star_wisdom *store, const char *sql, int64_t *number, struct star_why *why)
{
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(store->base, sql, -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;
    if (good)
        *number = sqlite3_column_int64(statement, 0);
    int error = good ? 0 : star_wisdom_because(store, why);
    sqlite3_finalize(statement);
    return error;
}

/* Within a transaction, so that no other process makes the tables between. An empty file is nobody's yet. */
static int read_marks(struct star_wisdom *store, bool *is_empty, struct star_why *why)
{
    int64_t application = 0, version = 0, tables = 0;
    int error = read_number(store, "PRAGMA application_id", &application, why);
    if (!error)
        error = read_number(store, "PRAGMA user_version", &version, why);
    if (!error)
        error = read_number(store, "SELECT count(*) FROM sqlite_master", &tables, why);
    if (error)
        return error;
    *is_empty = application == 0 && version == 0 && tables == 0;
    if (!*is_empty && application != APPLICATION)
        return star_because(why, STAR_EINPUT, "%.300s is another program's SQLite file", store->path);
    if (version > STAR_WISDOM_VERSION)
        return star_because(
            why, STAR_EINPUT,
            "%.200s was written by a newer startune, in version %lld; this one reads up to %d", store->path,
            (long long)version, STAR_WISDOM_VERSION);
    if (!*is_empty && version < STAR_WISDOM_VERSION)
        return star_because(why, STAR_EWRONG, "%.300s was written by an older startune", store->path);
    return star_wisdom_check_tables(store, why);
}

/* Another process may have been first. */
static int make_tables(struct star_wisdom *store, struct star_why *why)
{
    bool is_empty = false;
    char marks[100];
    sqlite3_snprintf(sizeof marks, marks, "PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION,
                     STAR_WISDOM_VERSION);
    int error = star_wisdom_do(store, "BEGIN IMMEDIATE", why);
    if (error)
        return error;
    error = read_marks(store, &is_empty, why);
    if (!error && is_empty)
        error = star_wisdom_do(store, schema, why);
    if (!error && is_empty)
        error = star_wisdom_do(store, marks, why);
    if (!error)
        error = star_wisdom_do(store, "COMMIT", why);
    if (error)
        star_wisdom_do(store, "ROLLBACK", NULL);
    return error;
}

/* Where the lock is a folder, SQLite takes its own for another's, and so each journal for one of a job that
 * is still writing. While nobody has the folder, none is. False: no folder may be made there. */
static bool undo_unfinished(const struct star_wisdom *store)
{
    sqlite3 *base = NULL;
    star_place_break_lock(store->path);
    if (!star_place_take_lock(store->path))
        return errno == EEXIST;
    if (star_place_has_journal(store->path)) {
        if (sqlite3_open_v2(store->path, &base, SQLITE_OPEN_READWRITE, "unix-none") == SQLITE_OK)
            sqlite3_exec(base, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
        sqlite3_close(base);
    }
    star_place_give_lock(store->path);
    return true;
}

/* Whose lock a folder is: *VFS is SQLite's name for that. Others' stores, and those in a folder that may not
 * be written, are read without a lock. */
static int choose_folder(const struct star_wisdom *store, bool is_own, int *flags, const char **vfs,
                         struct star_why *why)
{
    bool writes = store->access != STAR_WISDOM_READ;
    *vfs = "unix-dotfile";
    if ((writes || is_own) && undo_unfinished(store))
        return 0;
    if (writes)
        return star_because(why, STAR_ESYSTEM, "%.300s.lock: %s", store->path, strerror(errno));
    *vfs = "unix-none";
    *flags = SQLITE_OPEN_READONLY;
    star_place_await_lock(store->path);
    return 0;
}

/* Remembers which file has that name. True: it is another one than was remembered, as a damaged file may have
 * been set aside meanwhile. So the number before and after opening is that of the open file. */
static bool take_number(struct star_wisdom *store)
{
    struct stat status = {.st_ino = 0};
    dev_t device = store->device;
    ino_t number = store->number;
    stat(store->path, &status);
    store->device = status.st_dev;
    store->number = status.st_ino;
    return device != store->device || number != store->number;
}

static int open_file(struct star_wisdom *store, struct star_why *why)
{
    struct stat status;
    const char *vfs = NULL;
    int error = star_place_check(store->path, why);
    if (error)
        return error;
    bool is_there = stat(store->path, &status) == 0;
    bool writes = store->access != STAR_WISDOM_READ, is_own = is_there && status.st_uid == geteuid();
    /* Who reads a store of their own may have to undo what a job wrote that was killed; in others' files
     * nothing is changed. */
    bool makes = writes && store->access != STAR_WISDOM_AMEND;
    int flags = makes              ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                : writes || is_own ? SQLITE_OPEN_READWRITE
                                   : SQLITE_OPEN_READONLY;
    store->unlockable =
        store->access == STAR_WISDOM_WRITE_UNLOCKABLE || !star_place_has_locks(store->path, makes);
    error = store->unlockable ? choose_folder(store, is_own, &flags, &vfs, why) : 0;
    if (error)
        return error;
    do {
        sqlite3_close(store->base);
        store->base = NULL;
        take_number(store);
        if (sqlite3_open_v2(store->path, &store->base, flags, vfs) != SQLITE_OK)
            return star_wisdom_because(store, why);
    } while (take_number(store));
    sqlite3_busy_timeout(store->base, PATIENCE);
    return star_wisdom_guard(store, why);
}

/* An empty file is what a job leaves that was killed before it had written anything, or on a full disk: who
 * reads it finds a store of no facts. */
static int read_none(struct star_wisdom *store, struct star_why *why)
{
    sqlite3_close(store->base);
    if (sqlite3_open(":memory:", &store->base) != SQLITE_OK)
        return star_wisdom_because(store, why);
    return star_wisdom_do(store, schema, why);
}

static int open_base(struct star_wisdom *store, struct star_why *why)
{
    bool writes = store->access != STAR_WISDOM_READ, is_empty = false;
    int64_t none;
    int error = open_file(store, why);
    if (!error && !writes)
        error = star_wisdom_do(store, "PRAGMA query_only = ON", why);
    if (!error)
        error = star_wisdom_do(store, "BEGIN", why);
    if (!error)
        error = read_marks(store, &is_empty, why);
    if (!error)
        error = star_wisdom_do(store, "COMMIT", why);
    if (!error && is_empty && writes)
        error = make_tables(store, why);
    if (!error && is_empty && !writes)
        error = read_none(store, why);
    if (!error) /* are the tables there, and their first pages? */
        error = read_number(store, "SELECT count(*) FROM (SELECT 1 FROM fact, machine LIMIT 1)", &none, why);
    return error;
}

int star_wisdom_hurry(struct star_wisdom *store, struct star_why *why)
{
    return star_wisdom_do(store, "PRAGMA synchronous = OFF", why);
}

int star_wisdom_replace(struct star_wisdom *store, struct star_why *why)
{
    enum { PATH_MOST = 4096 };
    char aside[PATH_MOST];
    sqlite3_close(store->base);
    store->base = NULL;
    int error = star_place_set_aside(store->path, store->device, store->number, aside, sizeof aside, why);
    if (aside[0])
        sqlite3_snprintf(sizeof store->note, store->note,
                         "%.160s was damaged, too old or not as startune makes it, and is %.150s now",
                         store->path, aside);
    return error ? error : open_base(store, why);
}

int star_wisdom_open(const char *path, enum star_wisdom_access access, struct star_wisdom **store,
                     struct star_why *why)
{
    *store = NULL;
    int error = access != STAR_WISDOM_READ ? star_file_check_link(path, why) : 0;
    if (!error && access != STAR_WISDOM_READ)
        error = star_home_make(path, why);
    if (error)
        return error;
    struct star_wisdom *made = calloc(1, sizeof *made);
    if (made != NULL)
        made->path = strdup(path);
    if (made == NULL || made->path == NULL) {
        free(made);
        return star_because(why, STAR_EMEMORY, "out of memory");
    }
    made->access = access;
    error = open_base(made, why);
    if (error == STAR_EWRONG && access != STAR_WISDOM_READ && access != STAR_WISDOM_AMEND)
        error = star_wisdom_replace(made, why);
    if (error) {
        star_wisdom_close(made);
        return error;
    }
    *store = made;
    return 0;
}

void star_wisdom_close(struct star_wisdom *store)
{
    if (store == NULL)
        return;
    sqlite3_close(store->base);
    free(store->path);
    free(store);
}

const char *star_wisdom_note(const struct star_wisdom *store)
{
    return store->note;
}

bool star_wisdom_is_unlockable(const struct star_wisdom *store)
{
    return store->unlockable;
}

int star_wisdom_examine(struct star_wisdom *store, struct star_why *why)
{
    sqlite3_stmt *statement = NULL;
    star_wisdom_begin(store);
    int error =
        sqlite3_prepare_v2(store->base, "PRAGMA integrity_check(1)", -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW
            ? 0
            : star_wisdom_because(store, why);
    const char *verdict = error ? NULL : (const char *)sqlite3_column_text(statement, 0);
    if (!error && (verdict == NULL || strcmp(verdict, "ok") != 0)) {
        int length = verdict ? (int)strcspn(verdict, "\n") : 0;
        error = star_because(why, STAR_EWRONG, "%.200s: %.*s", store->path, length < 150 ? length : 150,
                             verdict ? verdict : "");
    }
    sqlite3_finalize(statement);
    return error;
}
