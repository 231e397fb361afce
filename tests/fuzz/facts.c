/* SPDX-License-Identifier: BSD-3-Clause
 * Facts of wisdom as JSON: accepted ones are good, and survive writing and reading. */
#include "store/facts.h"
#include "cli/commands/wisdom/json.h"
#include "expect.h"
#include "targets.h"
#include "util/text.h"
#include "util/why.h"
#include "wisdom/fact.h"

int fuzz_facts(const char *text, size_t length, struct star_why *why)
{
    struct star_facts facts = {0}, again = {0};
    struct star_text written = {0};
    int error = cli_wisdom_parse(text, length, "fuzz", &facts, why);
    for (size_t i = 0; !error && i < facts.count; i++)
        assert_int_equal(star_fact_check(&facts.at[i], NULL), 0);
    if (!error) {
        cli_wisdom_json(&facts, &written);
        assert_int_equal(cli_wisdom_parse(written.bytes, written.length, "again", &again, NULL), 0);
        assert_int_equal(again.count, facts.count);
    }
    star_text_free(&written);
    star_facts_free(&facts);
    star_facts_free(&again);
    return error;
}
