/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of methods: each is spelt, and read again. */
#include "algorithms/methods.h"
#include "algorithms/method.h"
#include "expect.h"
#include "functions/forced.h"
#include "targets.h"
#include "util/settings.h"
#include "util/why.h"

#include <stdlib.h>

static void expect_to_be_read_again(const struct star_methods *list)
{
    for (int i = 0; i < list->count; i++) {
        char shown[STAR_METHOD_TEXT];
        struct star_method again;
        assert_int_equal(
            star_method_parse(star_method_format(&list->at[i], shown, sizeof shown), &again, NULL), 0);
        assert_true(star_method_equal(&list->at[i], &again));
    }
}

int fuzz_methods(const char *text, size_t length, struct star_why *why)
{
    struct star_methods list;
    struct star_why detail = {{0}};
    char *copy = strndup(text, length), others[STAR_SETTING_TEXT];
    assert_non_null(copy);
    int error = star_forced_split(copy, others, sizeof others, &detail);
    if (!error)
        error = star_methods_parse(others, &list, &detail);
    free(copy);
    if (error)
        return star_because(why, error, "fuzz: %.300s", detail.text);
    expect_to_be_read_again(&list);
    star_methods_free(&list);
    return 0;
}
