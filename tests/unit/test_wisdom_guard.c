/* SPDX-License-Identifier: BSD-3-Clause
 * A file that somebody else has made runs nothing, and keeps nobody waiting. */
#include "changed.h"
#include "store/base.h"
#include "store/facts.h"
#include "store/store.h"
#include "util/why.h"
#include "wisdom/fact.h"

/* A view without end made all commands wait for ever. */
static void a_store_is_tables_and_nothing_else(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *word;
    } others[] = {
        {"DROP TABLE fact; CREATE VIEW fact AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM "
         "c)"
         " SELECT 1 machine, 'bcast' operation, 2 ranks, 1 nodes, 8 bytes, 1 commutative, 0 in_place,"
         " 'bcast:native' method, 1.0 count, 1.0 mean, 0.0 squares, 1.0 least, 1790000000 date FROM c"
         " WHERE x < 0",
         "view"},
        {"CREATE TRIGGER t AFTER INSERT ON fact BEGIN DELETE FROM machine; END", "trigger"},
        {"DROP TABLE machine; CREATE TABLE machine (id INTEGER PRIMARY KEY, name TEXT AS "
         "(hex(zeroblob(id))))",
         "generated column"},
        {"DROP TABLE machine; CREATE VIEW machine AS SELECT 1 id, 'm' name; PRAGMA writable_schema = ON;"
         "UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'machine'",
         "malformed"}}; /* SQLite itself says so */
    struct star_wisdom *store;
    struct star_why why;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        remove(path);
        star_wisdom_close(opened(STAR_WISDOM_WRITE));
        change(others[i].sql);
        assert_int_equal(star_wisdom_open(path, STAR_WISDOM_READ, &store, &why), STAR_EWRONG);
        expect_reason(&why, others[i].word);
        expect_reason(&why, path);
        store = opened(STAR_WISDOM_WRITE); /* it makes way for one */
        expect_one_line(star_wisdom_note(store));
        assert_non_null(strstr(star_wisdom_note(store), ".damaged-"));
        assert_int_equal(everything(store).count, 0);
        star_wisdom_close(store);
    }
}

static void what_takes_too_long_to_read_is_left(void **state)
{
    (void)state;
    enum { MANY = 20000, FEW_STEPS = 50000 };
    static struct star_fact facts[MANY];
    struct star_facts found = {0};
    struct star_why why;
    for (int i = 0; i < MANY; i++)
        facts[i] = fact_of("m", "bcast", i, "bcast:linear", 1);
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, facts, MANY);
    store->steps_most = FEW_STEPS;
    assert_int_equal(star_wisdom_each(store, &(struct star_wisdom_filter){0}, star_facts_add, &found, &why),
                     STAR_EWRONG);
    expect_reason(&why, "takes too long");
    expect_reason(&why, path);
    star_facts_free(&found);
    store->steps_most = 100 * FEW_STEPS; /* for each that is asked */
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            star_wisdom_each(store, &(struct star_wisdom_filter){0}, star_facts_add, &found, &why), 0);
    assert_int_equal(found.count, 3 * MANY);
    star_facts_free(&found);
    star_wisdom_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_HOME(a_store_is_tables_and_nothing_else),
        WITH_HOME(what_takes_too_long_to_read_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
