/* SPDX-License-Identifier: BSD-3-Clause
 * A file of the spool is removed after the transaction that adds it. Who is killed between leaves it there;
 * so the transaction notes its name in a table of the store, where the next one finds it. Names whose files
 * are gone leave the table. Older releases of this version do not know the table, and leave it as it is. */
#include "store/fold.h"
#include "store/base.h"
#include "wisdom/message.h"
#include "wisdom/spool.h"
#include "wisdom/where.h"

#include <stdio.h>
#include <string.h>

static bool has_table(struct star_wisdom *store)
{
    sqlite3_stmt *found = NULL;
    bool has = sqlite3_prepare_v2(store->base, "SELECT 1 FROM sqlite_master WHERE name = 'added'", -1, &found,
                                  NULL) == SQLITE_OK &&
               sqlite3_step(found) == SQLITE_ROW;
    sqlite3_finalize(found);
    return has;
}

int star_wisdom_each_added(struct star_wisdom *store, void (*visit)(const char *name, void *context),
                           void *context, struct star_why *why)
{
    sqlite3_stmt *names = NULL;
    int code = SQLITE_OK;
    if (!has_table(store))
        return 0;
    code = sqlite3_prepare_v2(store->base, "SELECT name FROM added", -1, &names, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(names);
        const char *name = code == SQLITE_ROW ? (const char *)sqlite3_column_text(names, 0) : NULL;
        if (name != NULL)
            visit(name, context);
    }
    int error = code == SQLITE_DONE ? 0 : star_wisdom_because(store, why);
    sqlite3_finalize(names);
    return error;
}

struct folding {
    struct star_spool spool;
    const struct star_facts *more;
    int64_t now;
    char *note;
};

static void mark(const char *name, void *context)
{
    struct folding *folding = context;
    for (size_t i = 0; i < folding->spool.count; i++)
        if (strcmp(folding->spool.at[i].name, name) == 0)
            folding->spool.at[i].added = true;
}

/* Adds one file's facts to FACTS, all or none: nobody will ever make more of one that is no message. */
static int take(const struct star_wisdom *store, struct folding *folding, struct star_spool_file *file,
                struct star_facts *facts, struct star_why *why)
{
    struct star_text message = {0};
    char note[STAR_MESSAGE_NOTE];
    size_t before = facts->count;
    if (!star_spool_read(store->path, file->name, &message)) {
        star_text_free(&message);
        return 0;
    }
    struct star_why wrong;
    int error = star_message_read(message.bytes ? message.bytes : "", message.length, star_facts_add, facts,
                                  note, &wrong);
    star_text_free(&message);
    file->added = error != STAR_EMEMORY;
    if (error == STAR_EMEMORY)
        return star_because(why, STAR_EMEMORY, "out of memory");
    if (error) {
        facts->count = before;
        snprintf(folding->note, 400, "what a run has learned is lost: %.100s.spool/%s: %.150s", store->path,
                 file->name, wrong.text);
    }
    return 0;
}

/* The names of all that is done; the others' files are gone. */
static int note_names(struct star_wisdom *store, const struct folding *folding, struct star_why *why)
{
    int error = star_wisdom_do(
        store, "CREATE TABLE IF NOT EXISTS added (name TEXT PRIMARY KEY) WITHOUT ROWID; DELETE FROM added",
        why);
    for (size_t i = 0; !error && i < folding->spool.count; i++) {
        const struct star_spool_file *file = &folding->spool.at[i];
        char insert[100];
        sqlite3_snprintf(sizeof insert, insert, "INSERT INTO added VALUES (%Q)", file->name);
        error = file->added ? star_wisdom_do(store, insert, why) : 0;
    }
    return error;
}

/* Within a transaction: no other process adds or removes meanwhile. */
static int fold(struct star_wisdom *store, void *context, struct star_why *why)
{
    struct folding *folding = context;
    struct star_facts facts = {0};
    star_spool_free(&folding->spool);
    if (!star_spool_list(store->path, &folding->spool))
        return star_because(why, STAR_EMEMORY, "out of memory");
    int error = star_wisdom_each_added(store, mark, folding, why);
    for (size_t i = 0; !error && i < folding->spool.count; i++)
        if (!folding->spool.at[i].added)
            error = take(store, folding, &folding->spool.at[i], &facts, why);
    for (size_t i = 0; !error && i < folding->more->count; i++)
        if (star_facts_add(&folding->more->at[i], &facts))
            error = star_because(why, STAR_EMEMORY, "out of memory");
    if (!error)
        error = star_facts_put(store, facts.at, facts.count, folding->now, why);
    if (!error && folding->spool.count > 0)
        error = note_names(store, folding, why);
    star_facts_free(&facts);
    return error;
}

int star_wisdom_fold(struct star_wisdom *store, const struct star_facts *more, int64_t now, char note[400],
                     struct star_why *why)
{
    struct folding folding = {.more = more, .now = now, .note = note};
    note[0] = 0;
    int error = star_wisdom_transact(store, fold, &folding, why);
    for (size_t i = 0; !error && i < folding.spool.count; i++)
        if (folding.spool.at[i].added)
            star_spool_remove(store->path, folding.spool.at[i].name);
    star_spool_free(&folding.spool);
    return error;
}

int star_wisdom_fold_in(const char *path, int64_t now, struct star_why *why)
{
    static const struct star_facts none;
    struct star_spool spool = {0};
    struct star_wisdom *store;
    char note[400];
    bool some = star_wisdom_is_own(path) && (!star_spool_list(path, &spool) || spool.count > 0);
    star_spool_free(&spool);
    if (!some)
        return 0;
    int error = star_wisdom_open(path, STAR_WISDOM_AMEND, &store, why);
    if (error)
        return error;
    error = star_wisdom_fold(store, &none, now, note, why);
    star_wisdom_close(store);
    return !error && note[0] ? star_because(why, STAR_EWRONG, "%s", note) : error;
}
