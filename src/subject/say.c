/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject/say.h"
#include "subject/figures.h"
#include "util/fpenv.h"
#include "util/parse.h"
#include "util/voice.h"

#include <stdio.h>

static void say_line(const struct star_subject *subject, enum star_reason reason, const char *what,
                     const char *times)
{
    char about[STAR_SUBJECT_NAME];
    subject->kind->about(subject, about);
    fprintf(star_voice(), "startune: %s on %d ranks: %s after %lld calls%s (%s)\n", about, subject->ranks,
            what, (long long)subject->calls, times, star_reason_names[reason]);
}

/* ": 31 us against 52 us", as far as both were measured. */
static void write_times(const struct star_subject *subject, char *text, size_t room)
{
    char time[32], against[32];
    double seconds = star_subject_estimate(subject, subject->now),
           before = star_subject_estimate(subject, subject->chosen);
    text[0] = 0;
    if (seconds > 0 && before > 0 && subject->now != subject->chosen)
        snprintf(text, room, ": %s against %s", star_format_seconds(seconds, time, sizeof time),
                 star_format_seconds(before, against, sizeof against));
    else if (seconds > 0)
        snprintf(text, room, ": %s", star_format_seconds(seconds, time, sizeof time));
}

void star_subject_say(const struct star_subject *subject, const struct star_decision *decision)
{
    STAR_FPENV_DEFAULT;
    char what[3 * STAR_SUBJECT_NAME], times[80] = "", name[STAR_SUBJECT_NAME], before[STAR_SUBJECT_NAME];
    subject->kind->shortly(subject, subject->now, name);
    subject->kind->shortly(subject, subject->chosen, before);
    if (decision->stage == STAR_MEASURE && decision->count > 1)
        snprintf(what, sizeof what, "measures %d %ss", decision->count, subject->kind->alternative);
    else if (decision->stage == STAR_MEASURE)
        snprintf(what, sizeof what, "measures %s", name);
    else if (subject->now != subject->chosen)
        snprintf(what, sizeof what, "%s replaces %s", name, before);
    else
        snprintf(what, sizeof what, "%s stays", name);
    if (decision->stage != STAR_MEASURE)
        write_times(subject, times, sizeof times);
    say_line(subject, (enum star_reason)decision->reason, what, times);
}

void star_subject_say_left_out(const struct star_subject *subject, enum star_reason reason)
{
    char what[2 * STAR_SUBJECT_NAME], name[STAR_SUBJECT_NAME];
    subject->kind->shortly(subject, subject->now, name);
    snprintf(what, sizeof what, "%s is left out", name);
    say_line(subject, reason, what, "");
}
