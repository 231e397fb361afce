/* SPDX-License-Identifier: BSD-3-Clause
 * What stands in a word or a line: numbers, lists of names, placements, costs, addresses, problems. Each line
 * is read as all of them, and what is read is written and read again. */
#include "expect.h"
#include "functions/own_problem.h"
#include "halo/problem.h"
#include "plan/cost.h"
#include "targets.h"
#include "topology/addresses.h"
#include "topology/hostlist.h"
#include "topology/placing.h"
#include "util/parse.h"
#include "util/placement.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES_MOST = 5000 };

static void read_numbers(const char *word)
{
    int64_t bytes, again, whole;
    double number;
    bool on;
    char shown[32];
    if (star_parse_bytes(word, &bytes))
        assert_true(bytes >= 0 && star_parse_bytes(star_format_bytes(bytes, shown, sizeof shown), &again) &&
                    again == bytes);
    if (star_parse_number(word, &number))
        assert_true(isfinite(number));
    if (star_parse_integer(word, &whole)) {
        snprintf(shown, sizeof shown, "%lld", (long long)whole);
        assert_true(star_parse_integer(shown, &again) && again == whole);
    }
    star_parse_switch(word, &on);
}

static int count_name(const char *name, void *count)
{
    assert_true(name[0] != 0);
    return ++*(int *)count > NAMES_MOST;
}

static void read_names(const char *word)
{
    struct star_why why = {{0}};
    int count = 0, error = star_hostlist_each(word, count_name, &count, &why);
    assert_true(error == 0 || error == 1 || error == STAR_EINPUT);
    if (error == STAR_EINPUT)
        expect_one_line(why.text);
}

/* The word, then the pattern. */
static void read_address(const char *word)
{
    const char *pattern = strchr(word, ' ');
    char *address = strndup(word, strcspn(word, " "));
    struct star_text text = {0};
    assert_non_null(address);
    if (pattern != NULL && star_address_is_usable(address, pattern + 1)) {
        assert_true(strchr(address, '[') == NULL && star_address_node(address)[0] != 0);
        star_addresses_write(address, strlen(address), &text);
        assert_true(!text.failed && text.length > 0);
    }
    star_text_free(&text);
    free(address);
}

static void read_places(const char *word)
{
    struct star_placement placement;
    struct star_placing placing;
    if (star_placement_parse(word, &placement, NULL) == 0 && placement.kind >= STAR_PLACED_BLOCK)
        assert_true(star_placement_node(&placement, 12345) >= 0);
    star_placing_parse(word, &placing);
}

static void read_costs(const char *word)
{
    struct star_cost_parameters parameters = star_cost_presets, again = star_cost_presets;
    struct star_text text = {0};
    if (star_cost_parse(word, &parameters, NULL))
        return;
    star_cost_write(&parameters, &text);
    assert_int_equal(star_cost_parse(text.bytes, &again, NULL), 0);
    star_text_free(&text);
}

static void read_problems(const char *word)
{
    struct star_problem problem, other;
    struct star_own_problem own, another;
    char text[300];
    if (star_problem_parse(word, &problem, NULL) == 0 && star_problem_format(&problem, text, sizeof text))
        assert_true(star_problem_parse(text, &other, NULL) == 0 &&
                    star_problem_distance(&problem, &other) == 0);
    if (star_own_problem_parse(word, &own, NULL) == 0 && star_own_problem_format(&own, text, sizeof text))
        assert_true(star_own_problem_parse(text, &another, NULL) == 0 && strcmp(own.name, another.name) == 0);
}

int fuzz_words(const char *text, size_t length, struct star_why *why)
{
    char *copy = strndup(text, length), *rest = copy;
    (void)why;
    assert_non_null(copy);
    for (const char *word; (word = strsep(&rest, "\n")) != NULL;) {
        read_numbers(word);
        read_names(word);
        read_address(word);
        read_places(word);
        read_costs(word);
        read_problems(word);
    }
    free(copy);
    return 0;
}
