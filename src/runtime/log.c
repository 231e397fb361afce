/* SPDX-License-Identifier: BSD-3-Clause
 * The setting log: each decision in one line on standard error, from rank 0 of the
 * communicator. */
#include "runtime/log.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "runtime/session.h"
#include "runtime/state.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "util/fpenv.h"
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
static void say_times(const struct star_said *said, char *text, size_t room)
{
    char time[32], against[32];
    text[0] = 0;
    if (said->seconds > 0 && said->against > 0 && strcmp(said->name, said->before) != 0)
        snprintf(text, room, ": %s against %s", star_format_seconds(said->seconds, time, sizeof time),
                 star_format_seconds(said->against, against, sizeof against));
    else if (said->seconds > 0)
        snprintf(text, room, ": %s", star_format_seconds(said->seconds, time, sizeof time));
}

static void say_line(const struct star_said *said, const char *what, const char *times)
{
    fprintf(stderr, "startune: %s on %d ranks: %s after %lld calls%s (%s)\n", said->about, said->ranks, what,
            (long long)said->calls, times, star_reason_names[said->reason]);
}

bool star_log_is_wanted(int rank)
{
    return star_runtime.settings.log == STAR_LOG_DECISIONS && rank == 0;
}

void star_log_say(const struct star_said *said)
{
    STAR_FPENV_DEFAULT;
    char what[3 * STAR_METHOD_TEXT], times[80] = "";
    if (said->measured > 1)
        snprintf(what, sizeof what, "measures %d %s", said->measured, said->kind);
    else if (said->measured == 1)
        snprintf(what, sizeof what, "measures %s", said->name);
    else if (strcmp(said->name, said->before) != 0)
        snprintf(what, sizeof what, "%s replaces %s", said->name, said->before);
    else
        snprintf(what, sizeof what, "%s stays", said->name);
    if (said->measured == 0)
        say_times(said, times, sizeof times);
    say_line(said, what, times);
}

void star_log_say_left_out(const struct star_said *said)
{
    char what[2 * STAR_METHOD_TEXT];
    snprintf(what, sizeof what, "%s is left out", said->name);
    say_line(said, what, "");
}

static struct star_said said_of(const struct star_communicator *state, const struct star_context *context,
                                enum star_reason reason)
{
    struct star_said said = {
        .kind = "methods", .ranks = state->size, .calls = context->calls, .reason = reason};
    const char *operation = star_operations[context->operation].name;
    char size[32];
    if (context->facts.bytes >= 0)
        snprintf(said.about, sizeof said.about, "%s %s bytes", operation,
                 star_format_bytes(context->facts.bytes, size, sizeof size));
    else
        snprintf(said.about, sizeof said.about, "%s of varying sizes", operation);
    return said;
}

void star_log_decision(const struct star_communicator *state, const struct star_context *context,
                       const struct star_decision *decision)
{
    if (!star_log_is_wanted(state->rank))
        return;
    int candidate = decision->list[0], before = context->chosen;
    struct name name = name_of(context, candidate), other = name_of(context, before);
    struct star_said said = said_of(state, context, (enum star_reason)decision->reason);
    said.name = name.text;
    said.before = other.text;
    said.measured = decision->stage == STAR_MEASURE ? decision->count : 0;
    said.seconds = star_tuner_estimate(context->tuner, candidate);
    said.against = star_tuner_estimate(context->tuner, before);
    star_log_say(&said);
}

void star_log_left_out(const struct star_communicator *state, const struct star_context *context,
                       int candidate, enum star_reason reason)
{
    if (!star_log_is_wanted(state->rank))
        return;
    struct name name = name_of(context, candidate);
    struct star_said said = said_of(state, context, reason);
    said.name = name.text;
    star_log_say_left_out(&said);
}
