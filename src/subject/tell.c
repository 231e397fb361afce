/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject/tell.h"
#include "subject/figures.h"
#include "util/seconds.h"
#include "util/text.h"

#include <stdio.h>

/* "native_once", "remembered_methods". */
static const char *key(char *room, size_t size, const char *before, const char *word, const char *behind)
{
    snprintf(room, size, "%s%s%s", before, word, behind);
    return room;
}

void star_subject_tell(struct star_text *text, const struct star_subject *subject,
                       const struct star_balance *balance)
{
    char name[STAR_SUBJECT_NAME], member[64];
    const struct star_subject_kind *kind = subject->kind;
    kind->name(subject, star_subject_chosen(subject), name);
    star_json_add(text, "calls: %jd, timed_calls: %jd, seconds: %g", balance->calls,
                  balance->calls - subject->skipped, balance->seconds);
    star_json_string(text, kind->alternative, name);
    star_json_bool(text, "tuned", subject->tuner != NULL);
    if (balance->native_calls > 0)
        star_json_number(text, key(member, sizeof member, "", kind->first, "_seconds_per_call"),
                         balance->native_seconds / (double)balance->native_calls);
    else if (balance->remembered)
        star_json_number(text, key(member, sizeof member, "", kind->first, "_seconds_per_call"),
                         subject->native_before);
    if (balance->known) {
        star_json_bool(text, key(member, sizeof member, "", kind->first, "_remembered"), balance->remembered);
        star_json_bool(text, key(member, sizeof member, "", kind->first, "_once"), balance->native_once);
        star_json_add(text,
                      "saved_seconds: %g, saved_low_seconds: %g, saved_high_seconds: %g, tuning_seconds: %g",
                      balance->saved, balance->saved - balance->error, balance->saved + balance->error,
                      balance->tuning);
    }
    star_json_integer(text, "tuning_calls", subject->tuning_calls);
    if (subject->recalled > 0) {
        star_json_integer(text, key(member, sizeof member, "remembered_", kind->alternative, "s"),
                          subject->recalled);
        star_json_number(text, "remembered_confidence", subject->confidence);
    }
}

static void add_switch(struct star_text *text, const struct star_subject *subject,
                       const struct star_switch *made)
{
    char name[STAR_SUBJECT_NAME];
    subject->kind->name(subject, made->alternative, name);
    star_json_add(text, "{call: %jd, at_seconds: %g", made->call, made->seconds);
    star_json_string(text, subject->kind->alternative, name);
    star_json_add(text, "stage: %s, reason: %s, delta: %d",
                  made->stage == STAR_MEASURE ? "measure" : "monitor", star_reason_names[made->reason],
                  made->delta);
    star_json_seconds(text, "mean_seconds", made->mean);
    star_json_close(text, '}');
}

static void add_alternative(struct star_text *text, const struct star_subject *subject, int i)
{
    char name[STAR_SUBJECT_NAME];
    const struct star_tally *tally = &subject->tally[i];
    int count;
    const double *samples = star_subject_samples(subject, i, &count);
    double mean =
        tally->calls > 0 ? (double)tally->nanoseconds * 1e-9 / (double)tally->calls : STAR_UNKNOWN_SECONDS;
    subject->kind->name(subject, i, name);
    star_json_open(text, NULL, '{');
    star_json_string(text, subject->kind->alternative, name);
    star_json_integer(text, "calls", tally->calls);
    star_json_seconds(text, "mean_seconds", mean);
    star_json_seconds(text, "mean_error_seconds", star_balance_error(subject, i));
    star_json_seconds(text, "estimate_seconds", star_subject_estimate(subject, i));
    star_json_add(text, "left_out: %i, samples: [", star_subject_is_left_out(subject, i));
    for (int j = 0; j < count; j++)
        star_json_number(text, NULL, samples[j]);
    star_json_close(text, ']');
    subject->kind->describe(subject, i, text);
    star_json_close(text, '}');
}

void star_subject_tell_course(struct star_text *text, const struct star_subject *subject)
{
    char member[64];
    star_json_open(text, "history", '[');
    for (int i = 0; i < subject->switches; i++)
        add_switch(text, subject, &subject->history[i]);
    star_json_add(text, "], agreements: %jd, agreement_seconds: %g", subject->agreements,
                  (double)subject->agreement_nanoseconds * 1e-9);
    star_json_open(text, key(member, sizeof member, "", subject->kind->alternative, "s"), '[');
    for (int i = 0; i < subject->count; i++) {
        star_text_add(text, i ? "" : "\n");
        add_alternative(text, subject, i);
    }
    star_json_close(text, ']');
}
