/* SPDX-License-Identifier: BSD-3-Clause */
#include "setting_groups.h"

#include <stdio.h>
#include <string.h>

/* A setting that no group names is in the last one. */
const struct cli_setting_group cli_setting_groups[] = {
    {"The first to know", " on report log force map "},
    {"What is tuned", " named methods sizes sites tune-after communicators memory reproducible "},
    {"How methods are compared", " strategy budget estimator iter warmup confirm confidence apart effect "},
    {"How the chosen method is watched", " monitor epsilon sample delta delta-most "},
    {"The network", " nodes topology predict predict-most assume "},
    {"Earlier runs", " wisdom wisdom-patience retry-after reports force-machine "},
    {"Checks", " verify checked watchdog "},
    {"Others", ""},
};
const int cli_setting_group_count = sizeof cli_setting_groups / sizeof *cli_setting_groups;

int cli_setting_group_of(const struct star_setting *setting)
{
    char name[64];
    int group = 0;
    snprintf(name, sizeof name, " %s ", setting->name);
    while (group + 1 < cli_setting_group_count && strstr(cli_setting_groups[group].names, name) == NULL)
        group++;
    return group;
}

#define STAR_STRATEGY(word, name, does) {#name, does},
static const struct cli_line strategies[] = {
#include "util/strategies.def"
    {.name = NULL},
};
#undef STAR_STRATEGY
static const struct cli_line estimators[] = {
    {"auto", "min-of-mean for exhaustive and grouped, else max-of-filtered-mean"},
    {"min-of-mean", "STAR-MPI's: the mean over the ranks of each call, and of these the least"},
    {"max-of-filtered-mean", "ADCL's: each rank's mean without outliers, and of these the greatest"},
    {.name = NULL},
};
static const struct cli_line monitors[] = {
    {"auto", "change for the race, else epsilon"},
    {"change", "has it become slower than it was?"},
    {"epsilon", "is it slower than the second best was, by the share that --epsilon names?"},
    {.name = NULL},
};
static const struct cli_line reproducibles[] = {
    {"off", "any"},
    {"order", "those that reduce in the order of ranks: each run gives the same bits"},
    {"native", "the MPI library's own alone"},
    {.name = NULL},
};
static const struct cli_line predictions[] = {
    {"auto", "the race expects what the model says, where ranks are on several nodes"},
    {"off", "nothing"},
    {"order", "with a known topology, all strategies also measure first what should be fast"},
    {"prune", "and leave out what should be slow"},
    {.name = NULL},
};
static const struct cli_choice choices[] = {
    {"strategy", "how the fastest method is found", strategies},
    {"estimator", "how measured times become one number", estimators},
    {"monitor", "how the chosen method is watched", monitors},
    {"reproducible", "which methods reductions may use", reproducibles},
    {"predict", "what the cost model's forecasts are used for", predictions},
};

const struct cli_choice *cli_choice_of(const struct star_setting *setting)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (strcmp(choices[i].setting, setting->name) == 0)
            return &choices[i];
    return NULL;
}
