/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/start.h"
#include "exec/general.h"
#include "algorithms/methods.h"
#include "dialect/dialect.h"
#include "dialect/launcher.h"
#include "plan/cost.h"
#include "runtime/agree.h"
#include "runtime/backlog.h"
#include "runtime/brief.h"
#include "runtime/communicator.h"
#include "runtime/ids.h"
#include "runtime/leave.h"
#include "runtime/ledger.h"
#include "runtime/matrix.h"
#include "runtime/nodes.h"
#include "runtime/persistent.h"
#include "runtime/presence.h"
#include "runtime/remember.h"
#include "runtime/session.h"
#include "runtime/surroundings.h"
#include "runtime/warn.h"
#include "runtime/watch.h"
#include "runtime/wisdom.h"
#include "tuner/strategies.h"
#include "tuner/tuning.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/hash.h"
#include "util/parse.h"
#include "util/reached.h"
#include "util/settings.h"
#include "util/settings_read.h"
#include "util/voice.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Stops at a library of which OTHER becomes the dialect. */
static int is_other_mpi(struct dl_phdr_info *info, size_t size, void *other)
{
    (void)size;
    const struct star_dialect *linked = star_dialect_linked(basename(info->dlpi_name));
    if (linked == NULL || strcmp(linked->build, STARTUNE_MPI) == 0)
        return 0;
    *(const struct star_dialect **)other = linked;
    return 1;
}

/* A script may load another MPI than the launcher's: its handles are not ours, and nothing good can follow.
 * An ABI has no launcher of its own: that of any library that has it will do. */
static void refuse_other_mpi(void)
{
    const struct star_dialect *other, *own = star_dialect_of_build(STARTUNE_MPI);
    char launcher[100];
    if (dl_iterate_phdr(is_other_mpi, &other) == 0)
        return;
    snprintf(launcher, sizeof launcher, "%s's mpirun, or", other->name);
    fprintf(star_voice(),
            "startune: error: the program uses %s, but startune was started for %s%s; use %s "
            "startune run --mpi %s\n",
            other->name, own->name, own->sign ? ", the launcher's MPI" : "",
            other->sign ? launcher : "the mpirun of a library that has it, with", other->build);
    exit(1);
}

static bool assume(struct star_why *why)
{
    const char *text = star_runtime.settings.assume;
    star_runtime.assumed = star_cost_presets;
    return *text == 0 || star_cost_parse(text, &star_runtime.assumed, why) == 0;
}

static void forget_methods(void)
{
    star_methods_free(&star_runtime.force);
    star_methods_free(&star_runtime.only);
}

static bool read_methods(star_force_split *split, struct star_why *why)
{
    const struct star_settings *settings = &star_runtime.settings;
    char force[STAR_SETTING_TEXT];
    return split(settings->force, force, sizeof force, why) == 0 &&
           star_methods_parse_forced(force, &star_runtime.force, why) == 0 &&
           star_methods_parse(settings->methods, &star_runtime.only, why) == 0;
}

/* Unknown names are passed over: `startune run` has said which, unless nobody used it. */
static void warn_of_unknown(const struct star_settings_reader *reader)
{
    char list[sizeof reader->list + 32];
    if (reader->unknown > 0 && star_runtime.world_rank == 0 && getenv(STAR_VARIABLE_WARNED) == NULL)
        star_warn(STAR_WARN_UNKNOWN, 0, "unknown settings are ignored: %s",
                  star_settings_unknown(reader, list, sizeof list));
}

static bool read_settings(star_force_split *split, struct star_why *why)
{
    struct star_settings_reader reader = {.settings = &star_runtime.settings};
    star_settings_preset(reader.settings);
    star_settings_read_environment(&reader, environ);
    if (reader.settings->on)
        warn_of_unknown(&reader);
    *why = reader.why;
    return reader.malformed == 0 && read_methods(split, why) && assume(why);
}

/* Then nothing is an error. */
static bool is_turned_off(void)
{
    bool on;
    return star_parse_switch(getenv("STARTUNE"), &on) && !on;
}

bool star_start_is_asked(void)
{
    return getenv("STARTUNE") != NULL && !star_launched_in(getenv(STAR_VARIABLE_OFF_JOB));
}

/* Some ranks of this node have no startune. They are no part of what the others agree on, so nobody agrees on
 * anything. One of them says so. */
static void warn_of_missing(const struct star_presence *presence)
{
    if (presence->first)
        fprintf(
            star_voice(),
            "startune: warning: %d of %d ranks on this node run without startune, or do not share host name "
            "and /dev/shm with the others, so none is tuned: a script may set LD_PRELOAD for some, or "
            "startune run "
            "stands before one program of several\n",
            presence->missing, presence->all);
}

/* Then there is nothing to agree on. Where ranks are on several nodes nobody can tell. */
static bool all_are_off(const struct star_presence *presence)
{
    return is_turned_off() && (star_runtime.world_size == 1 || presence->off == star_runtime.world_size);
}

static bool make_handles(void)
{
    return star_runtime.self != MPI_COMM_NULL ||
           (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, star_communicator_freed, &star_runtime.keyval,
                                    NULL) == MPI_SUCCESS &&
            star_agree_begin() && star_agree_alone(&star_runtime.self));
}

static void free_handles(void)
{
    if (star_runtime.self == MPI_COMM_NULL)
        return;
    PMPI_Comm_free(&star_runtime.self);
    PMPI_Comm_free_keyval(&star_runtime.keyval);
    star_agree_end();
}

/* Number by number; what is different high up in two of them must not cancel out. */
static uint64_t hash_settings(bool usable)
{
    uint64_t hash = star_hash_add(star_hash_empty, usable), number;
    const char *bytes = (const char *)&star_runtime.settings;
    _Static_assert(sizeof star_runtime.settings % sizeof number == 0, "whole numbers");
    for (size_t i = 0; i < sizeof star_runtime.settings; i += sizeof number) {
        memcpy(&number, bytes + i, sizeof number);
        hash = star_hash_add(hash ^ hash >> 29, number);
    }
    return hash;
}

/* The settings of rank 0 count. True on all ranks or on none. */
static bool take_settings(star_force_split *split, bool usable)
{
    enum { UNABLE, DIFFERENT, COUNTS };
    int64_t counts[COUNTS] = {0};
    uint64_t host;
    bool differ, known;
    usable = star_agree_settings(&star_runtime.settings, &usable, &differ) && usable;
    forget_methods();
    usable = usable && star_runtime.settings.on && read_methods(split, NULL) && assume(NULL);
    counts[UNABLE] = !(usable && make_handles() && star_nodes_begin(&host, &known));
    counts[DIFFERENT] = differ;
    if (!star_agree_counts(counts, COUNTS))
        return false;
    if (counts[DIFFERENT] > 0)
        star_warn(STAR_WARN_DIFFERENT, star_runtime.world_rank,
                  "%lld rank%s other settings than rank 0, whose settings count",
                  (long long)counts[DIFFERENT], counts[DIFFERENT] == 1 ? " has" : "s have");
    return counts[UNABLE] == 0;
}

/* All ranks tell whether they can go on, with which settings, and what else each knows. True on all ranks or
 * on none. */
static bool greet(star_force_split *split, bool usable, struct star_greeting *greeting)
{
    int level;
    bool able = usable && star_runtime.settings.on;
    greeting->settings = hash_settings(usable);
    greeting->unable = !(star_surroundings_begin(greeting, able) && able && make_handles());
    greeting->threads = star_runtime.session_world != MPI_COMM_NULL ||
                        PMPI_Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE;
    if (!star_agree_greeting(greeting))
        return false;
    star_runtime.threads = greeting->threads;
    star_runtime.crowded = greeting->crowded;
    return greeting->differ ? take_settings(split, usable) : !greeting->unable;
}

static void find_world(void)
{
    PMPI_Comm_rank(star_all(), &star_runtime.world_rank);
    PMPI_Comm_size(star_all(), &star_runtime.world_size);
}

/* One communicator for the messages of all, while the ranks are together. Where the MPI library cannot make
 * it, it can on no rank. */
static bool make_messages(void)
{
    int *most, known;
    if (star_agree_messages(&star_runtime.messages) != MPI_SUCCESS)
        return false;
    if (PMPI_Comm_get_attr(star_all(), MPI_TAG_UB, (void *)&most, &known) != MPI_SUCCESS || !known)
        return false;
    star_ids_begin(*most);
    return true;
}

static void leave_alone(void)
{
    star_leave_say();
    if (star_runtime.messages != MPI_COMM_NULL)
        PMPI_Comm_free(&star_runtime.messages);
}

/* Together, and where all can. Where it is off, nothing is read, and nobody is asked. Else what was made to
 * agree is not left to MPI_Finalize, as nothing else is done there. */
static bool begin_together(star_force_split *split, bool usable)
{
    struct star_greeting greeting = {0};
    bool met = greet(split, usable, &greeting);
    star_runtime.agreed.blocking = met && !greeting.cramped;
    bool begun =
        met && !star_surroundings_leave(&greeting) && make_messages() && star_surroundings_find(&greeting);
    if (met && star_surroundings_leave(&greeting))
        leave_alone();
    if (!begun) {
        star_surroundings_forget();
        free_handles();
    }
    star_runtime.agreed.blocking = false;
    return begun;
}

/* The settings that count are not known yet. */
static void read_watchdog(void)
{
    struct star_settings_reader reader = {.settings = &star_runtime.settings};
    star_settings_preset(reader.settings);
    star_settings_read_environment(&reader, environ);
}

void star_start_watching(const char *function, MPI_Comm comm)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!star_runtime.started) {
        pthread_once(&once, read_watchdog);
        PMPI_Comm_rank(comm, &star_runtime.world_rank);
    }
    star_watch_enter(function, comm);
}

void star_prepare(void)
{
    STAR_FPENV_DEFAULT;
    int64_t begin = star_now();
    if (!star_runtime.presence.counted && star_start_is_asked() && star_presence_begin(is_turned_off()))
        star_spent(begin);
}

/* By `startune run`, as it says; of one that is believable. */
static int64_t spent_before(void)
{
    const int64_t most = INT64_C(1000000000);
    const char *text = getenv(STAR_VARIABLE_SPENT);
    int64_t spent = text ? atoll(text) : 0;
    return spent > 0 && spent < most ? spent : 0;
}

/* Nanoseconds of a thousand times, by some. */
static int64_t time_clock(void)
{
    enum { READINGS = 20 };
    int64_t begin = star_now();
    for (int i = 1; i < READINGS; i++)
        star_now();
    return star_since(begin) * 1000 / READINGS;
}

/* Spawned: the program that spawned these ranks has the summary and the report. */
static bool is_spawned(void)
{
    MPI_Comm parent;
    return star_runtime.session_world == MPI_COMM_NULL && PMPI_Comm_get_parent(&parent) == MPI_SUCCESS &&
           parent != MPI_COMM_NULL;
}

static struct star_presence count_ranks(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!star_runtime.presence.counted) {
        star_prepare(); /* if MPI_Init did not */
        star_runtime.presence.found = star_presence_find();
        star_runtime.presence.counted = true;
        if (!star_runtime.presence.found.complete)
            warn_of_missing(&star_runtime.presence.found);
    }
    struct star_presence found = star_runtime.presence.found;
    pthread_mutex_unlock(&lock);
    return found;
}

void star_start_in_world(star_force_split *split, const char *function)
{
    STAR_FPENV_DEFAULT;
    struct star_why why;
    star_reached_tell();
    star_runtime.before = spent_before();
    star_runtime.began = star_now() - star_runtime.before;
    star_runtime.reading = time_clock();
    find_world();
    star_matrix_find();
    star_watch_enter(function, star_all());
    struct star_presence presence = count_ranks();
    if (!presence.complete)
        return;
    bool usable = read_settings(split, &why);
    if (!usable && !is_turned_off())
        star_warn(STAR_WARN_SETTINGS, star_runtime.world_rank, "%s; startune stays off", why.text);
    star_active_by_name = !all_are_off(&presence) && begin_together(split, usable);
    if (star_active_by_name) {
        star_briefs_begin();
        star_matrix_begin();
    } else
        forget_methods();
    struct star_settings *settings = &star_runtime.settings;
    settings->estimator =
        star_estimator_of((enum star_strategy)settings->strategy, (enum star_estimator)settings->estimator);
    if (is_spawned()) {
        star_runtime.settings.summary = STAR_SUMMARY_OFF;
        star_runtime.settings.report[0] = 0;
        star_runtime.settings.reports = 0;
    }
    star_active = star_active_by_name && !star_runtime.settings.named;
    star_spent(star_runtime.began);
}

void star_start(star_force_split *split)
{
    /* Without startune's environment the library does nothing at all. With STARTUNE=off it takes part in the
     * agreement on that where another rank may have it on. */
    if (star_runtime.started || getenv("STARTUNE") == NULL)
        return;
    star_runtime.started = true;
    if (!star_start_is_asked())
        return;
    refuse_other_mpi();
    star_start_in_world(split, "MPI_Init");
}

bool star_start_is_possible(void)
{
    refuse_other_mpi();
    return count_ranks().complete;
}

/* Without startune's environment. */
static void preset_settings(void)
{
    STAR_FPENV_DEFAULT;
    star_settings_preset(&star_runtime.settings);
    star_runtime.settings.summary = STAR_SUMMARY_OFF;
    star_runtime.settings.reports = 0; /* nobody writes one */
}

/* No agreement is needed: the preset settings are the same everywhere. */
bool star_start_by_name(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int ready = 0;
    if (star_runtime.started)
        return star_active_by_name; /* settled: turned off, or at its end */
    pthread_mutex_lock(&lock);
    if (!star_runtime.started && PMPI_Initialized(&ready) == MPI_SUCCESS && ready) {
        preset_settings();
        star_runtime.by_name = true;
        find_world();
        star_active_by_name = make_handles();
        star_runtime.started = true;
    }
    pthread_mutex_unlock(&lock);
    return star_active_by_name;
}

/* The summary, the report, and what the next run is to know. */
static void close_run(int64_t begin)
{
    struct star_text warnings = {0}, lines = {0};
    star_wisdom_end(&lines);
    star_warnings_end(&warnings);
    star_spent(begin);
    star_ledger_collect(&warnings, &lines);
    if (star_runtime.world_rank == 0) {
        begin = star_now();
        star_remember_end(&lines);
        star_warnings_say(&warnings);
        star_spent(begin); /* all but what it takes to say so */
    }
    star_ledger_close();
    star_text_free(&warnings);
    star_text_free(&lines);
    star_surroundings_forget();
    forget_methods();
}

void star_finish(void)
{
    STAR_FPENV_DEFAULT;
    if (!star_active_by_name)
        return;
    int64_t begin = star_now();
    star_watch_enter(star_runtime.session_world == MPI_COMM_NULL ? "MPI_Finalize" : "MPI_Session_finalize",
                     star_all());
    if (star_before_end != NULL)
        star_before_end();
    star_active = false;
    star_active_by_name = false;
    PMPI_Comm_free(&star_runtime.self);
    star_persistents_leave();
    star_general_leave();
    star_communicators_retire(); /* the duplicate for messages is left to MPI_Finalize */
    star_backlogs_end();
    if (!star_runtime.by_name) /* else the other ranks may not have begun at all */
        close_run(begin);
    star_agree_end();
}
