/* SPDX-License-Identifier: BSD-3-Clause
 * Files of settings: what is no setting is left out, and the rest is shown and read again. */
#include "util/settings.h"
#include "expect.h"
#include "targets.h"
#include "util/settings_read.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>

static void expect_shown_values_to_be_good(const struct star_settings *settings)
{
    struct star_settings again = *settings;
    char shown[STAR_SETTING_TEXT + 64];
    for (int i = 0; i < star_setting_count; i++) {
        const struct star_setting *setting = &star_setting_table[i];
        assert_int_equal(star_settings_set(&again, setting->name,
                                           star_setting_format(settings, setting, shown, sizeof shown), NULL),
                         0);
    }
}

static void tell(const struct star_setting_doubt *doubt, void *count)
{
    expect_one_line(doubt->reason);
    ++*(int *)count;
}

int fuzz_settings(const char *text, size_t length, struct star_why *why)
{
    struct star_settings settings;
    struct star_origins origins = {{0}};
    int doubts = 0;
    struct star_settings_reader reader = {
        .settings = &settings, .origins = &origins, .doubt = tell, .context = &doubts};
    char list[sizeof reader.list + 32];
    star_settings_preset(&settings);
    star_settings_read_text(&reader, "fuzz", text, length);
    assert_int_equal(reader.malformed + reader.unknown, doubts);
    if (reader.unknown > 0)
        expect_one_line(star_settings_unknown(&reader, list, sizeof list));
    expect_shown_values_to_be_good(&settings);
    star_origins_free(&origins);
    *why = reader.why;
    return reader.malformed > 0 ? STAR_EINPUT : 0;
}
