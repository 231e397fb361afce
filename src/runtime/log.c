/* SPDX-License-Identifier: BSD-3-Clause
 * The setting log: each decision in one line on standard error, from rank 0 of the
 * communicator. */
#include "runtime/runtime.h"
#include "util/parse.h"

#include <stdio.h>
#include <string.h>

/* "ring,sync=light": the line names the operation already. */
struct name {
    char text[STAR_METHOD_TEXT];
};

static struct name name_of(const struct star_context *context, int candidate)
{
    char whole[STAR_METHOD_TEXT];
    struct name name;
    star_method_format(&context->candidates.at[candidate], whole, sizeof whole);
    const char *colon = strchr(whole, ':');
    snprintf(name.text, sizeof name.text, "%s", colon ? colon + 1 : whole);
    return name;
}

/* ": 31 us against 52 us", as far as both were measured. */
static void say_times(const struct star_context *context, int candidate, int other, char *text, size_t room)
{
    char time[32], against[32];
    double mine = star_tuner_estimate(context->tuner, candidate),
           theirs = star_tuner_estimate(context->tuner, other);
    text[0] = 0;
    if (mine > 0 && theirs > 0 && other != candidate)
        snprintf(text, room, ": %s against %s", star_format_seconds(mine, time, sizeof time),
                 star_format_seconds(theirs, against, sizeof against));
    else if (mine > 0)
        snprintf(text, room, ": %s", star_format_seconds(mine, time, sizeof time));
}

static void say_line(const struct star_communicator *state, const struct star_context *context,
                     const char *what, const char *times, enum star_reason reason)
{
    char size[32], bytes[40] = "of varying sizes";
    if (context->facts.bytes >= 0)
        snprintf(bytes, sizeof bytes, "%s bytes", star_format_bytes(context->facts.bytes, size, sizeof size));
    fprintf(stderr, "startune: %s %s on %d ranks: %s after %lld calls%s (%s)\n",
            star_operations[context->operation].name, bytes, state->size, what, (long long)context->calls,
            times, star_reason_names[reason]);
}

static bool is_silent(const struct star_communicator *state)
{
    return star_runtime.settings.log != STAR_LOG_DECISIONS || state->rank != 0;
}

void star_log_decision(const struct star_communicator *state, const struct star_context *context,
                       const struct star_decision *decision)
{
    char what[3 * STAR_METHOD_TEXT], times[80] = "";
    if (is_silent(state))
        return;
    int candidate = decision->list[0], before = context->chosen;
    struct name name = name_of(context, candidate), other = name_of(context, before);
    if (decision->stage == STAR_MEASURE && decision->count > 1)
        snprintf(what, sizeof what, "measures %d methods", decision->count);
    else if (decision->stage == STAR_MEASURE)
        snprintf(what, sizeof what, "measures %s", name.text);
    else if (candidate != before)
        snprintf(what, sizeof what, "%s replaces %s", name.text, other.text);
    else
        snprintf(what, sizeof what, "%s stays", name.text);
    if (decision->stage == STAR_MONITOR)
        say_times(context, candidate, before, times, sizeof times);
    say_line(state, context, what, times, (enum star_reason)decision->reason);
}

void star_log_left_out(const struct star_communicator *state, const struct star_context *context,
                       int candidate, enum star_reason reason)
{
    char what[2 * STAR_METHOD_TEXT];
    if (is_silent(state))
        return;
    snprintf(what, sizeof what, "%s is left out", name_of(context, candidate).text);
    say_line(state, context, what, "", reason);
}
