/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/info.h"
#include "runtime/opened.h"
#include "runtime/session.h"
#include "util/fpenv.h"
#include "util/numerals.h"
#include "util/settings.h"
#include "util/version.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Of communicators, on this rank. */
struct counts {
    int64_t communicators, contexts, calls, timed, tuning, agreements, nanoseconds, spent;
};

/* Of those that the program has freed. */
static struct counts gone;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void count_context(const struct star_context *context, struct counts *counts)
{
    counts->contexts += !context->early;
    counts->calls += context->subject.calls;
    counts->timed += context->subject.calls - context->subject.skipped;
    counts->tuning += context->subject.tuning_calls;
    counts->agreements += context->subject.agreements;
    counts->nanoseconds += context->subject.nanoseconds;
    counts->spent += context->subject.agreement_nanoseconds;
}

static void count(const struct star_communicator *state, void *into)
{
    struct counts *counts = into;
    counts->communicators += state->tuned;
    for (const struct star_context *context = state->contexts.first; context; context = context->next)
        count_context(context, counts);
}

void star_info_retire(const struct star_communicator *state)
{
    pthread_mutex_lock(&lock);
    count(state, &gone);
    pthread_mutex_unlock(&lock);
}

void star_info_drop(const struct star_context *context)
{
    pthread_mutex_lock(&lock);
    count_context(context, &gone);
    pthread_mutex_unlock(&lock);
}

/* MPI libraries refuse empty values, and cut none off themselves. */
static int set(MPI_Info info, const char *key, const char *value)
{
    char fits[MPI_MAX_INFO_VAL];
    snprintf(fits, sizeof fits, "%s", value);
    return fits[0] ? PMPI_Info_set(info, key, fits) : MPI_SUCCESS;
}

static int set_count(MPI_Info info, const char *key, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return set(info, key, text);
}

static void format_seconds(int64_t nanoseconds, char *text, size_t room)
{
    STAR_FPENV_DEFAULT;
    locale_t own = star_numerals_plain();
    snprintf(text, room, "%.9f", (double)nanoseconds * 1e-9);
    star_numerals_restore(own);
}

static int set_seconds(MPI_Info info, const char *key, int64_t nanoseconds)
{
    char text[32];
    format_seconds(nanoseconds, text, sizeof text);
    return set(info, key, text);
}

static const char *format_setting(const struct star_setting *setting, char *value, size_t room)
{
    STAR_FPENV_DEFAULT;
    return star_setting_format(&star_runtime.settings, setting, value, room);
}

static int set_settings(MPI_Info info)
{
    int error = MPI_SUCCESS;
    for (int i = 0; !error && star_runtime.started && i < star_setting_count; i++) {
        const struct star_setting *setting = &star_setting_table[i];
        char value[STAR_SETTING_TEXT];
        error = set(info, setting->name, format_setting(setting, value, sizeof value));
    }
    return error;
}

static int set_counts(MPI_Info info)
{
    pthread_mutex_lock(&lock);
    struct counts all = gone;
    pthread_mutex_unlock(&lock);
    struct counts live = {0};
    star_communicators_each(count, &live);
    const struct {
        const char *key;
        int64_t value;
    } counts[] = {
        {"now.communicators", live.communicators},      {"now.contexts", all.contexts + live.contexts},
        {"now.calls", all.calls + live.calls},          {"now.timed_calls", all.timed + live.timed},
        {"now.tuning_calls", all.tuning + live.tuning}, {"now.agreements", all.agreements + live.agreements}};
    int error = MPI_SUCCESS;
    for (size_t i = 0; !error && i < sizeof counts / sizeof *counts; i++)
        error = set_count(info, counts[i].key, counts[i].value);
    if (!error)
        error = set_seconds(info, "now.seconds", all.nanoseconds + live.nanoseconds);
    return error ? error : set_seconds(info, "now.agreement_seconds", all.spent + live.spent);
}

int star_info_get(MPI_Info *info)
{
    int error = PMPI_Info_create(info);
    if (error)
        return error;
    error = set(*info, "version", STAR_VERSION);
    if (!error)
        error = set_count(*info, "now.active", star_active);
    if (!error)
        error = set_settings(*info);
    if (!error)
        error = set_counts(*info);
    if (error)
        PMPI_Info_free(info);
    return error;
}
