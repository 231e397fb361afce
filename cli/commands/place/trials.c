/* SPDX-License-Identifier: BSD-3-Clause */
#include "trials.h"
#include "place/key.h"
#include "report/read.h"
#include "report/rows.h"
#include "util/distributions.h"
#include "util/grow.h"
#include "util/kept.h"
#include "util/parse.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MOST = 4096, NAMES_MOST = 4096 };

/* The hosts of a placement whose names nobody knows, by first appearance. */
struct strangers {
    char name[NAMES_MOST][STAR_NODE_NAME_MOST + 32];
    int count;
};

static int number_of(struct strangers *strangers, const char *name)
{
    int i = 0;
    while (i < strangers->count && strcmp(strangers->name[i], name) != 0)
        i++;
    if (i == strangers->count && i < NAMES_MOST) {
        snprintf(strangers->name[i], sizeof strangers->name[i], "%s", name);
        strangers->count++;
    }
    return i;
}

/* The host's node, or −1. On one switch it is no matter which host is which, where names are others. */
static int node_of(const struct cli_hosts *hosts, struct strangers *strangers, const char *name)
{
    if (hosts->linked) {
        int node = star_topology_machine(hosts->topology, name);
        return node >= 0 && hosts->slots[node] > 0 ? node : -1;
    }
    int number = number_of(strangers, name);
    return number < hosts->count ? hosts->node[number] : -1;
}

/* Reads "n0*4 n1" into MACHINE; false: it is no such text, or not on these hosts. */
static bool read_placement(const char *text, const struct cli_hosts *hosts, struct strangers *strangers,
                           int *machine, int ranks)
{
    char word[STAR_NODE_NAME_MOST + 32];
    int filled = 0;
    strangers->count = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        int64_t times = 1;
        if (length >= sizeof word)
            return false;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        char *star = strchr(word, '*');
        if (star != NULL) {
            *star = 0;
            if (!star_parse_integer(star + 1, &times) || times < 1)
                return false;
        }
        int node = node_of(hosts, strangers, word);
        if (node < 0 || times > ranks - filled)
            return false;
        while (times-- > 0)
            machine[filled++] = node;
        text += length + (text[length] == ' ');
    }
    return filled == ranks;
}

static struct cli_trial *find(const struct cli_trials *trials, uint64_t key)
{
    for (int i = 0; i < trials->count; i++)
        if (trials->at[i].key == key)
            return &trials->at[i];
    return NULL;
}

/* Another launch; MACHINE is copied. */
static int add(struct cli_trials *trials, uint64_t key, const int *machine, int ranks, double seconds)
{
    struct cli_trial *trial = find(trials, key);
    if (trial == NULL) {
        size_t bytes = (size_t)ranks * sizeof *machine;
        int *copy = malloc(bytes);
        struct cli_trial *at = star_grown(trials->at, (size_t)trials->count, sizeof *at);
        if (at != NULL)
            trials->at = at;
        if (at == NULL || copy == NULL) {
            free(copy);
            return STAR_EMEMORY;
        }
        memcpy(copy, machine, bytes);
        trial = &trials->at[trials->count++];
        *trial = (struct cli_trial){.key = key, .machine = copy};
    }
    trial->launches++;
    trial->sum += log(seconds);
    trial->squares += log(seconds) * log(seconds);
    return 0;
}

static bool are_alike(const json_t *one, const json_t *other)
{
    return strcmp(star_report_word(one, "program"), star_report_word(other, "program")) == 0 &&
           strcmp(star_report_word(one, "mpi"), star_report_word(other, "mpi")) == 0 &&
           json_integer_value(json_object_get(one, "ranks")) ==
               json_integer_value(json_object_get(other, "ranks")) &&
           star_report_number(other, "seconds") > 0;
}

static int take(struct cli_trials *trials, const json_t *run, const struct cli_hosts *hosts, int ranks,
                struct strangers *strangers)
{
    int *machine = malloc((size_t)ranks * sizeof *machine), error = machine ? 0 : STAR_EMEMORY;
    const char *placement = star_report_word(run, "placement");
    if (!error && read_placement(placement, hosts, strangers, machine, ranks)) {
        uint64_t key = star_placement_key(hosts->topology, machine, ranks);
        error = key ? add(trials, key, machine, ranks, star_report_number(run, "seconds")) : 0;
    }
    free(machine);
    return error;
}

int cli_trials_read(const json_t *report, const struct cli_hosts *hosts, struct cli_trials *trials,
                    struct star_why *why)
{
    char folder[PATH_MOST], path[PATH_MOST + STAR_KEPT_NAME];
    struct star_kept kept = {0};
    struct strangers *strangers = malloc(sizeof *strangers);
    int ranks = (int)json_integer_value(json_object_get(report, "ranks")), error = 0;
    *trials = (struct cli_trials){0};
    if (strangers == NULL)
        error = STAR_EMEMORY;
    else if (star_kept_folder(folder, sizeof folder, NULL) == 0)
        star_kept_list(folder, &kept, NULL);
    for (int i = 0; !error && i < kept.count; i++) {
        json_t *run;
        snprintf(path, sizeof path, "%s/%s", folder, kept.name[i]);
        if (star_report_read(path, &run, NULL))
            continue;
        if (are_alike(report, run))
            error = take(trials, run, hosts, ranks, strangers);
        json_decref(run);
    }
    star_kept_free(&kept);
    free(strangers);
    if (error)
        cli_trials_free(trials);
    return error ? star_because(why, error, "out of memory for earlier launches") : 0;
}

void cli_trials_free(struct cli_trials *trials)
{
    for (int i = 0; i < trials->count; i++)
        free(trials->at[i].machine);
    free(trials->at);
    *trials = (struct cli_trials){0};
}

const struct cli_trial *cli_trial_of(const struct cli_trials *trials, const struct cli_hosts *hosts,
                                     const int *machine, int ranks)
{
    uint64_t key = star_placement_key(hosts->topology, machine, ranks);
    return key ? find(trials, key) : NULL;
}

double cli_trial_seconds(const struct cli_trial *trial)
{
    return exp(trial->sum / trial->launches);
}

/* The variance of the mean. */
static double variance_of(const struct cli_trial *trial)
{
    double n = trial->launches, mean = trial->sum / n;
    return fmax(0, trial->squares / n - mean * mean) / (n - 1);
}

struct cli_saved cli_trial_saved(const struct cli_trial *before, const struct cli_trial *after)
{
    double a = variance_of(before), b = variance_of(after), both = a + b;
    double freedom = both > 0 ? both * both / (a * a / (before->launches - 1) + b * b / (after->launches - 1))
                              : before->launches + after->launches - 2;
    double change = after->sum / after->launches - before->sum / before->launches;
    double error = sqrt(both) * star_student_quantile(0.975, freedom);
    return (struct cli_saved){1 - exp(change), 1 - exp(change + error), 1 - exp(change - error)};
}
