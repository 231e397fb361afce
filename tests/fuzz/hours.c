/* SPDX-License-Identifier: BSD-3-Clause
 * Accounts of runs: what is read is possible, adds up, and survives writing and reading. */
#include "wisdom/hours.h"
#include "expect.h"
#include "targets.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>

int fuzz_hours(const char *text, size_t length, struct star_why *why)
{
    struct star_hours hours = {0}, again = {0};
    struct star_text written = {0};
    assert_true(star_hours_parse(text, length, &hours));
    bool some = hours.count > 0;
    star_hours_shorten(&hours);
    for (size_t i = 0; i < hours.count; i++) {
        const struct star_hours_of *of = &hours.at[i];
        assert_true(isfinite(of->saved) && isfinite(of->error) && of->error >= 0 && of->runs > 0);
        assert_true(of->seconds >= of->unknown_seconds && of->saved >= -of->seconds && of->first <= of->last);
        star_hours_format(of, &written);
    }
    assert_true(star_hours_parse(written.bytes, written.length, &again));
    assert_true(again.count <= hours.count);
    star_text_free(&written);
    star_hours_free(&hours);
    star_hours_free(&again);
    return some ? 0 : star_because(why, STAR_EINPUT, "fuzz: no run");
}
