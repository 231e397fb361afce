/* SPDX-License-Identifier: BSD-3-Clause
 * Losses of programs: what is read is possible, and survives writing and reading. */
#include "wisdom/losses.h"
#include "expect.h"
#include "targets.h"
#include "util/text.h"
#include "util/why.h"

int fuzz_losses(const char *text, size_t length, struct star_why *why)
{
    struct star_losses losses = {0}, again = {0};
    struct star_text written = {0};
    struct star_loss sum;
    star_losses_parse(text, length, &losses);
    assert_true(losses.count <= STAR_LOSSES_MOST);
    for (size_t i = 0; i < losses.count; i++) {
        assert_true(losses.at[i].least >= 0 && losses.at[i].least <= losses.at[i].most);
        star_losses_enough(&losses, &losses.at[i].run, losses.at[i].date, 7, &sum);
    }
    star_losses_format(&losses, &written);
    star_losses_parse(written.bytes, written.length, &again);
    assert_int_equal(again.count, losses.count);
    bool some = losses.count > 0;
    star_text_free(&written);
    star_losses_free(&losses);
    star_losses_free(&again);
    return some ? 0 : star_because(why, STAR_EINPUT, "fuzz: no loss");
}
