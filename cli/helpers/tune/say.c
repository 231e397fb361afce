/* SPDX-License-Identifier: BSD-3-Clause */
#include "say.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "cli/common/progress.h"
#include "map/choose.h"
#include "map/map.h"
#include "runtime/machine.h"
#include "search/guidelines.h"
#include "search/search.h"
#include "util/clock.h"
#include "util/parse.h"
#include "util/version.h"
#include "util/why.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *time_text(double seconds, char *text, size_t room)
{
    if (seconds < 90)
        snprintf(text, room, "%.0f s", seconds);
    else if (seconds < 90 * 60)
        snprintf(text, room, "%.0f min", seconds / 60);
    else
        snprintf(text, room, "%.1f h", seconds / 3600);
    return text;
}

enum { TRIAL_NAME = 100 };

/* "alltoall, 4 ranks, 64K" */
static const char *name_trial(const struct star_trial *trial, char name[TRIAL_NAME])
{
    char size[32] = "";
    bool sized = star_operations[trial->operation].measure != STAR_NO_BYTES;
    if (sized)
        star_format_bytes(trial->bytes, size, sizeof size);
    snprintf(name, TRIAL_NAME, "%s, %d ranks%s%s", star_operations[trial->operation].name, trial->ranks,
             sized ? ", " : "", size);
    return name;
}

void say_progress(const struct star_trial *trial, int done, int all, double seconds)
{
    static const char who[] = "startune tune";
    static int64_t begin;
    char name[TRIAL_NAME], rest[32];
    begin = begin ? begin : star_now();
    name_trial(trial, name);
    if (all > 0)
        cli_progress_line(who, begin, "%s: %d of %d points, about %s left", name, done, all,
                          time_text(seconds, rest, sizeof rest));
    else
        cli_progress_line(who, begin, "%s: crossovers, %d points added", name, done);
}

void say_left_out(const struct star_trial *trial, const struct star_why *why)
{
    char name[TRIAL_NAME];
    cli_progress_end();
    fprintf(stderr, "startune tune: warning: %s cannot be measured: %s\n", name_trial(trial, name),
            why->text);
}

/* From one point on, in order of bytes, the same method wins; a line a communicator. */
static void say_ranges(const struct star_map_operation *of, int granule)
{
    char name[STAR_METHOD_TEXT], size[32];
    for (int i = 0; i < of->points; i++) {
        const struct star_map_point *point = &of->point[i], *before = i > 0 ? point - 1 : NULL;
        const struct star_method *method = star_map_winner(of, point);
        bool first = before == NULL || before->ranks != point->ranks;
        if (first)
            printf("%s%6d ranks: ", before ? "\n" : "", point->ranks);
        else if (star_method_equal(method, star_map_winner(of, before)))
            continue;
        else
            printf(point->bytes - before->bytes <= granule ? ", from %s " : ", from about %s ",
                   star_format_bytes(point->bytes, size, sizeof size));
        printf("%s", strchr(star_method_format(method, name, sizeof name), ':') + 1);
    }
    printf("\n");
}

static int say_violation(const struct star_violation *violation, void *context)
{
    char name[STAR_METHOD_TEXT], size[32], more[32], native[32], seconds[32];
    const char *operation = star_operations[violation->operation].name;
    bool *any = context;
    printf("%s", *any ? "" : "\nThe MPI library's own routines are slower than they need to be:\n");
    *any = true;
    printf("  %s, %d ranks, %s: %s, but ", operation, violation->ranks,
           star_format_bytes(violation->bytes, size, sizeof size),
           star_format_seconds(violation->native, native, sizeof native));
    star_format_seconds(violation->seconds, seconds, sizeof seconds);
    if (violation->than)
        printf("%s as %s\n", seconds, star_method_format(violation->than, name, sizeof name));
    else
        printf("%s for %s\n", seconds, star_format_bytes(violation->than_bytes, more, sizeof more));
    return 0;
}

void say_summary(const struct star_search *search, const char *file, bool whole)
{
    bool any = false;
    for (int o = 0; o < STAR_OPERATIONS; o++) {
        const struct star_map_operation *of = &search->map->of[o];
        int tied = 0, searched = 0;
        for (int i = 0; i < of->points; i++) {
            bool ties = false;
            for (int j = 0; j < of->point[i].timings; j++)
                ties = ties || of->point[i].timing[j].tied;
            tied += ties;
            searched += of->point[i].searched;
        }
        if (of->points == 0)
            continue;
        printf("%s: %d points, %d of them between the sizes asked for; %d with ties\n",
               star_operations[o].name, of->points, searched, tied);
        say_ranges(of, star_granule_of(search->grid, o));
    }
    for (int o = 0; o < STAR_OPERATIONS; o++)
        star_violations(search->map, o, say_violation, &any);
    printf("\n%s", whole ? "" : "Not all was measured (--resume goes on). ");
    if (search->left_out > 0)
        printf("%d points cannot be measured. ", search->left_out);
    printf("%s\n", file);
}

void say_machine(const struct stage *stage, struct star_map_machine *machine)
{
    char date[32];
    time_t now = time(NULL);
    struct tm day;
    const char *topology = stage->ask->topology;
    bool is_file = strcmp(topology, "auto") != 0 && strcmp(topology, "none") != 0;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &day));
    star_map_fact(machine->startune, "startune " STAR_VERSION);
    star_map_fact(machine->date, date);
    star_map_fact(machine->topology, is_file ? basename(topology) : "");
    struct star_map_machine here = star_machine_here();
    star_map_fact(machine->mpi, here.mpi);
    machine->nodes = here.nodes;
    machine->ranks_per_node = here.ranks_per_node;
}
