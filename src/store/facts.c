/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/facts.h"
#include "store/base.h"
#include "store/guard.h"
#include "util/grow.h"

#include <stdlib.h>
#include <string.h>

/* What a transaction of adding runs for each fact. */
enum step { NAME_MACHINE, FIND_MACHINE, FIND_FACT, PUT_FACT, STEPS };
static const char *const steps[STEPS] = {
    [NAME_MACHINE] = "INSERT OR IGNORE INTO machine (name) VALUES (?1)",
    [FIND_MACHINE] = "SELECT id FROM machine WHERE name = ?1",
    [FIND_FACT] =
        "SELECT count, mean, squares, least, date FROM fact WHERE machine = ?1 AND operation = ?2 AND"
        " ranks = ?3 AND nodes = ?4 AND bytes = ?5 AND commutative = ?6 AND in_place = ?7 AND method = ?8",
    [PUT_FACT] =
        "INSERT OR REPLACE INTO fact (machine, operation, ranks, nodes, bytes, commutative, in_place, method,"
        " count, mean, squares, least, date)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
};

int star_facts_add(const struct star_fact *fact, void *context)
{
    struct star_facts *facts = context;
    struct star_fact *at = star_grown(facts->at, facts->count, sizeof *at);
    if (at == NULL)
        return STAR_EMEMORY;
    facts->at = at;
    facts->at[facts->count++] = *fact;
    return 0;
}

void star_facts_free(struct star_facts *facts)
{
    free(facts->at);
    *facts = (struct star_facts){0};
}

static struct star_figures read_figures(sqlite3_stmt *row, int first)
{
    return (struct star_figures){.count = sqlite3_column_double(row, first),
                                 .mean = sqlite3_column_double(row, first + 1),
                                 .squares = sqlite3_column_double(row, first + 2),
                                 .least = sqlite3_column_double(row, first + 3),
                                 .date = sqlite3_column_int64(row, first + 4)};
}

static void bind_key(sqlite3_stmt *statement, int64_t machine, const struct star_fact *fact)
{
    sqlite3_bind_int64(statement, 1, machine);
    sqlite3_bind_text(statement, 2, fact->operation, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, fact->ranks);
    sqlite3_bind_int64(statement, 4, fact->nodes);
    sqlite3_bind_int64(statement, 5, fact->bytes);
    sqlite3_bind_int(statement, 6, fact->commutative);
    sqlite3_bind_int(statement, 7, fact->in_place);
    sqlite3_bind_text(statement, 8, fact->method, -1, SQLITE_STATIC);
}

/* Runs a statement that is bound. A failure is SQLite's last error. */
static bool step(sqlite3_stmt *statement, bool *found)
{
    int code = sqlite3_step(statement);
    *found = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

static bool number_machine(sqlite3_stmt *const *statement, const char *name, int64_t *machine)
{
    bool found, good = true;
    for (int s = NAME_MACHINE; good && s <= FIND_MACHINE; s++) {
        sqlite3_bind_text(statement[s], 1, name, -1, SQLITE_STATIC);
        good = step(statement[s], &found);
        if (good && found)
            *machine = sqlite3_column_int64(statement[s], 0);
        sqlite3_reset(statement[s]);
    }
    return good;
}

/* NOW, or, where the clock was never set, the date of the newest fact. */
static bool set_clock(struct star_wisdom *store, int64_t *now)
{
    sqlite3_stmt *newest = NULL;
    bool found = false;
    if (*now >= STAR_FACT_NEVER_SET)
        return true;
    bool good =
        sqlite3_prepare_v2(store->base, "SELECT max(date) FROM fact", -1, &newest, NULL) == SQLITE_OK &&
        step(newest, &found);
    if (good && found && sqlite3_column_int64(newest, 0) > *now)
        *now = sqlite3_column_int64(newest, 0);
    sqlite3_finalize(newest);
    return good;
}

static bool add_one(sqlite3_stmt *const *statement, const struct star_fact *fact, int64_t now)
{
    int64_t machine = 0;
    bool found, put;
    if (!number_machine(statement, fact->machine, &machine))
        return false;
    struct star_figures figures = star_figures_limit(star_figures_until(fact->figures, now), STAR_FACT_MOST);
    bind_key(statement[FIND_FACT], machine, fact);
    bool good = step(statement[FIND_FACT], &found);
    if (good && found) {
        struct star_figures known = star_figures_until(read_figures(statement[FIND_FACT], 0), now);
        /* Impossible ones, of a damaged file, would make the sum so. */
        figures = star_figures_are_possible(&known) ? star_figures_add(known, figures) : figures;
    }
    sqlite3_reset(statement[FIND_FACT]);
    if (!good)
        return false;
    const double numbers[] = {figures.count, figures.mean, figures.squares, figures.least};
    bind_key(statement[PUT_FACT], machine, fact);
    for (int i = 0; i < 4; i++)
        sqlite3_bind_double(statement[PUT_FACT], 9 + i, numbers[i]);
    sqlite3_bind_int64(statement[PUT_FACT], 13, figures.date);
    good = step(statement[PUT_FACT], &put);
    sqlite3_reset(statement[PUT_FACT]);
    return good;
}

/* What was learned while the clock was never set is as old as NOW, if that is a date. */
static bool date_anew(struct star_wisdom *store, int64_t now)
{
    char date[100];
    sqlite3_snprintf(sizeof date, date, "UPDATE fact SET date = %lld WHERE date < %d", (sqlite3_int64)now,
                     STAR_FACT_NEVER_SET);
    return now < STAR_FACT_NEVER_SET || sqlite3_exec(store->base, date, NULL, NULL, NULL) == SQLITE_OK;
}

/* Old is a fact beside the newest one, too: a clock that is years ahead in one run makes none old. */
static bool forget_old(struct star_wisdom *store, int64_t now)
{
    char forget[150];
    sqlite3_snprintf(sizeof forget, forget,
                     "DELETE FROM fact WHERE date < min(%lld, (SELECT max(date) FROM fact)) - %lld",
                     (sqlite3_int64)now, STAR_FACT_FORGOTTEN * (sqlite3_int64)86400);
    return sqlite3_exec(store->base, forget, NULL, NULL, NULL) == SQLITE_OK;
}

int star_facts_put(struct star_wisdom *store, const struct star_fact *facts, size_t count, int64_t now,
                   struct star_why *why)
{
    sqlite3_stmt *statement[STEPS] = {NULL};
    if (!set_clock(store, &now))
        return star_wisdom_because(store, why);
    bool good = date_anew(store, now) && forget_old(store, now);
    for (int s = 0; good && s < STEPS; s++)
        good = sqlite3_prepare_v2(store->base, steps[s], -1, &statement[s], NULL) == SQLITE_OK;
    for (size_t i = 0; good && i < count; i++)
        good = add_one(statement, &facts[i], now);
    int error = good ? 0 : star_wisdom_because(store, why);
    for (int s = 0; s < STEPS; s++)
        sqlite3_finalize(statement[s]);
    return error;
}

static int transact_once(struct star_wisdom *store, star_wisdom_work *work, void *context,
                         struct star_why *why)
{
    star_wisdom_begin(store);
    int error = star_wisdom_do(store, "BEGIN IMMEDIATE", why);
    if (error)
        return error;
    error = work(store, context, why);
    if (!error)
        error = star_wisdom_do(store, "COMMIT", why);
    if (error)
        star_wisdom_do(store, "ROLLBACK", NULL);
    return error;
}

int star_wisdom_transact(struct star_wisdom *store, star_wisdom_work *work, void *context,
                         struct star_why *why)
{
    int error = transact_once(store, work, context, why);
    if (error != STAR_EWRONG || store->access == STAR_WISDOM_AMEND)
        return error;
    error = star_wisdom_replace(store, why);
    return error ? error : transact_once(store, work, context, why);
}

struct adding {
    const struct star_fact *facts;
    size_t count;
    int64_t now;
};

static int add_them(struct star_wisdom *store, void *context, struct star_why *why)
{
    const struct adding *adding = context;
    return star_facts_put(store, adding->facts, adding->count, adding->now, why);
}

int star_wisdom_add(struct star_wisdom *store, const struct star_fact *facts, size_t count, int64_t now,
                    struct star_why *why)
{
    struct adding adding = {facts, count, now};
    for (size_t i = 0; i < count; i++) {
        int wrong = star_fact_check(&facts[i], why);
        if (wrong)
            return wrong;
    }
    return star_wisdom_transact(store, add_them, &adding, why);
}

/* " WHERE …" for what FILTER names, so that an index serves it. */
static void add_condition(sqlite3_str *sql, const struct star_wisdom_filter *filter)
{
    sqlite3_str_appendall(sql, " WHERE 1");
    if (filter->machine)
        sqlite3_str_appendf(sql, " AND fact.machine = (SELECT id FROM machine WHERE name = %Q)",
                            filter->machine);
    if (filter->operation)
        sqlite3_str_appendf(sql, " AND (operation = %Q OR (operation >= '%q:' AND operation < '%q;'))",
                            filter->operation, filter->operation, filter->operation);
    if (filter->before)
        sqlite3_str_appendf(sql, " AND date BETWEEN %d AND %lld", STAR_FACT_NEVER_SET,
                            (sqlite3_int64)filter->before - 1);
}

static sqlite3_stmt *prepare(struct star_wisdom *store, sqlite3_str *sql)
{
    sqlite3_stmt *statement = NULL;
    char *text = sqlite3_str_finish(sql);
    if (text != NULL)
        sqlite3_prepare_v2(store->base, text, -1, &statement, NULL);
    sqlite3_free(text);
    return statement;
}

static void read_word(sqlite3_stmt *row, int column, char *word, size_t room)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    sqlite3_snprintf((int)room, word, "%s", text ? text : "");
}

static void read_fact(sqlite3_stmt *row, struct star_fact *fact)
{
    read_word(row, 0, fact->machine, sizeof fact->machine);
    read_word(row, 1, fact->operation, sizeof fact->operation);
    fact->ranks = sqlite3_column_int64(row, 2);
    fact->nodes = sqlite3_column_int64(row, 3);
    fact->bytes = sqlite3_column_int64(row, 4);
    fact->commutative = sqlite3_column_int(row, 5) != 0;
    fact->in_place = sqlite3_column_int(row, 6) != 0;
    read_word(row, 7, fact->method, sizeof fact->method);
    fact->figures = read_figures(row, 8);
}

/* As read_fact reads them, behind the machine's name. */
static const char columns[] =
    "operation, ranks, nodes, bytes, commutative, in_place, method, count, mean, squares, least, date";

/* Calls VISIT for the rows that SQL chooses. */
static int visit_all(struct star_wisdom *store, sqlite3_str *sql,
                     int (*visit)(const struct star_fact *fact, void *context), void *context,
                     struct star_why *why)
{
    sqlite3_stmt *rows = prepare(store, sql);
    bool good = rows != NULL, found = good;
    int answer = 0;
    while (good && found && answer == 0) {
        struct star_fact fact;
        good = step(rows, &found);
        if (good && found) {
            read_fact(rows, &fact);
            answer = visit(&fact, context);
        }
    }
    if (!good)
        answer = star_wisdom_because(store, why);
    sqlite3_finalize(rows);
    return answer;
}

int star_wisdom_each(struct star_wisdom *store, const struct star_wisdom_filter *filter,
                     int (*visit)(const struct star_fact *fact, void *context), void *context,
                     struct star_why *why)
{
    star_wisdom_begin(store);
    sqlite3_str *sql = sqlite3_str_new(store->base);
    sqlite3_str_appendf(sql, "SELECT machine.name, %s FROM fact JOIN machine ON machine.id = fact.machine",
                        columns);
    add_condition(sql, filter);
    sqlite3_str_appendall(
        sql, " ORDER BY fact.machine, operation, ranks, nodes, bytes, commutative, in_place, mean");
    return visit_all(store, sql, visit, context, why);
}

int star_wisdom_newest(struct star_wisdom *store, const char *machine, int most,
                       int (*visit)(const struct star_fact *fact, void *context), void *context,
                       struct star_why *why)
{
    star_wisdom_begin(store);
    sqlite3_str *sql = sqlite3_str_new(store->base);
    sqlite3_str_appendf(sql, "SELECT %Q, %s FROM fact", machine, columns);
    add_condition(sql, &(struct star_wisdom_filter){.machine = machine});
    sqlite3_str_appendf(sql, " ORDER BY date DESC LIMIT %d", most);
    return visit_all(store, sql, visit, context, why);
}

int star_wisdom_forget(struct star_wisdom *store, const struct star_wisdom_filter *filter, int64_t *count,
                       struct star_why *why)
{
    star_wisdom_begin(store);
    sqlite3_str *sql = sqlite3_str_new(store->base);
    sqlite3_str_appendall(sql, "DELETE FROM fact");
    add_condition(sql, filter);
    sqlite3_stmt *statement = prepare(store, sql);
    bool none, good = statement != NULL && step(statement, &none);
    int error = good ? 0 : star_wisdom_because(store, why);
    *count = good ? sqlite3_changes(store->base) : 0;
    sqlite3_finalize(statement);
    if (!error)
        error = star_wisdom_do(store, "DELETE FROM machine WHERE id NOT IN (SELECT machine FROM fact)", why);
    return error;
}
