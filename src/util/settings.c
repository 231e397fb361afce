/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/settings.h"
#include "util/parse.h"
#include "util/placement.h"
#include "util/version.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct star_settings, field)
#define MANY      2147483647.0

/* "|exhaustive|grouped|…" */
#define STAR_STRATEGY(word, name, does) "|" #name
static const char strategies[] =
#include "util/strategies.def"
    ;
#undef STAR_STRATEGY

const struct star_setting star_setting_table[] = {
    {"on", STAR_SWITCH, AT(on), "off", 0, 1, NULL, "on|off",
     "whether startune does anything; `startune run` turns it on, --off leaves the program alone"},
    {"named", STAR_SWITCH, AT(named), "off", 0, 1, NULL, "on|off",
     "tune only what the program calls by startune's names, such as STAR_Alltoall"},
    {"force", STAR_WORDS, AT(force), "", 0, 0, NULL, "METHOD",
     "run this one method always, without tuning, or, of requests, this function; of several operations, "
     "separated by spaces"},
    {"methods", STAR_WORDS, AT(methods), "", 0, 0, NULL, "METHODS",
     "try only these methods, separated by spaces; native is always tried"},
    {"strategy", STAR_CHOICE, AT(strategy), "race", 0, 0, strategies + 1, "NAME",
     "how methods are compared; `startune run --help` says what each does"},
    {"budget", STAR_NUMBER, AT(budget), "5%", 0, 1000, NULL, "SHARE",
     "what the race may cost at any time, as a share of what native alone would have taken so far"},
    {"confidence", STAR_COUNT, AT(confidence), "2", 1, 1000000, NULL, "N",
     "hypothesis: a knob's value is believed to be best once it was seen to be N times more often than not"},
    {"apart", STAR_COUNT, AT(apart), "2", 0, 1000000, NULL, "N",
     "hypothesis: times differ that are more than N standard errors apart; 0: all that are not equal"},
    {"effect", STAR_NUMBER, AT(effect), "5%", 0, 1, NULL, "SHARE",
     "factorial: of a knob that explains this share of the variation of times the worse value falls out"},
    {"estimator", STAR_CHOICE, AT(estimator), "auto", 0, 0, "min-of-mean|max-of-filtered-mean|auto", "NAME",
     "how measured times become one number: STAR-MPI's way, or ADCL's; auto: STAR-MPI's for "
     "exhaustive and grouped, else ADCL's"},
    {"monitor", STAR_CHOICE, AT(monitor), "auto", 0, 0, "auto|change|epsilon", "NAME",
     "how the chosen method is watched: change: has it become slower than it was; epsilon: is it slower than "
     "the "
     "second best was, by that share; auto: change for the race, else epsilon"},
    {"iter", STAR_COUNT, AT(iter), "10", 1, 100000, NULL, "N",
     "calls that each method is measured for; the race decides for itself"},
    {"warmup", STAR_COUNT, AT(warmup), "1", 0, 100000, NULL, "N",
     "calls after each change of method that are not counted; the race counts them where calls are long"},
    {"delta", STAR_COUNT, AT(delta), "2", 1, 1000000, NULL, "N",
     "the chosen method is judged after delta x iter calls, doubled each time it is kept"},
    {"delta-most", STAR_COUNT, AT(delta_most), "1024", 1, 1000000, NULL, "N",
     "where the doubling of delta ends"},
    {"epsilon", STAR_NUMBER, AT(epsilon), "10%", 0, 100, NULL, "SHARE",
     "how much slower than the second best the chosen method may become"},
    {"confirm", STAR_SWITCH, AT(confirm), "on", 0, 1, NULL, "on|off",
     "measure native and the best method once more before the best replaces native"},
    {"sample", STAR_COUNT, AT(sample), "16", 1, 100000, NULL, "N",
     "once a method is chosen, time one call in N; of calls of more than 3 us more, and of N x 3 us all"},
    {"sizes", STAR_COUNT, AT(sizes), "16", 1, 1000000, NULL, "N",
     "message sizes tuned per communicator and operation; further ones take the nearest size's method, or "
     "the map's"},
    {"tune-after", STAR_COUNT, AT(tune_after), "auto", 0, MANY, "auto", "N|auto",
     "calls on a communicator that pass before tuning starts there; auto: none on MPI_COMM_WORLD, three on "
     "others, which may be short-lived"},
    {"memory", STAR_BYTES, AT(memory), "256M", 0, 1e18, NULL, "BYTES",
     "temporary memory that a method may use per rank; methods that need more are left out"},
    {"watchdog", STAR_COUNT, AT(watchdog), "10", 0, MANY, NULL, "SECONDS",
     "a rank that waits so long for others to agree says so, once for each wait; 0: never"},
    {"communicators", STAR_COUNT, AT(communicators), "256", 0, MANY, NULL, "N",
     "communicators tuned at one time in a process; further ones stay native"},
    {"sites", STAR_SWITCH, AT(sites), "off", 0, 1, NULL, "on|off",
     "tune each place of the program that calls separately; all ranks must call from the same places"},
    {"reproducible", STAR_CHOICE, AT(reproducible), "off", 0, 0, "off|order|native", "HOW",
     "reductions: order uses only methods that reduce in the order of ranks, so that each run gives the same "
     "bits; native leaves them to the MPI library"},
    {"nodes", STAR_PLACES, AT(nodes), "auto", 0, 0, NULL, "auto|none|block:K|cyclic:N",
     "which ranks share a node; block:K and cyclic:N pretend that K neighbours do, or every Nth"},
    {"topology", STAR_WORDS, AT(topology), "auto", 0, 0, NULL, "FILE|auto|none",
     "the switches between the machines: a file that `startune topo check` takes; auto: "
     "~/.config/startune/topology, /etc/startune/topology, /etc/slurm/topology.conf, the first that has rank "
     "0's host, or what Slurm tells the job"},
    {"predict", STAR_CHOICE, AT(predict), "auto", 0, 0, "auto|off|order|prune", "HOW",
     "what the cost model is for: where ranks are on several nodes the race expects of methods what it says, "
     "as soon as the budget pays for that (auto); where the topology is known, all strategies measure first "
     "what it predicts to be fast (order), and leave out what it predicts to be slow (prune)"},
    {"predict-most", STAR_NUMBER, AT(predict_most), "200%", 1, 1000000, NULL, "SHARE",
     "prune leaves out methods predicted to take more than this times the least predicted"},
    {"assume", STAR_WORDS, AT(assume), "", 0, 0, NULL, "NAME=VALUE,...",
     "what the cost model is to assume, as `startune topo calibrate` prints it"},
    {"map", STAR_WORDS, AT(map), "none", 0, 0, NULL, "FILE|none",
     "a decision map: its methods run, without tuning, for the operations that it knows"},
    {"force-machine", STAR_SWITCH, AT(force_machine), "off", 0, 1, NULL, "on|off",
     "use the map although it was measured with another MPI library or on a smaller machine"},
    {"wisdom", STAR_WORDS, AT(wisdom), "on", 0, 0, "on|off", "on|off|FILE",
     "begin with what earlier runs learned, and add what this one learns; FILE: in this store instead of the "
     "user's"},
    {"wisdom-patience", STAR_COUNT, AT(wisdom_patience), "2", 1, 3600, NULL, "SECONDS",
     "a run waits so long at its beginning for what earlier runs learned, and five times as long at its end "
     "until its own is kept, before it goes on without"},
    {"verify", STAR_SWITCH, AT(verify), "off", 0, 1, NULL, "on|off",
     "compare the first use of each method with native on a copy, and leave out methods that are wrong"},
    {"checked", STAR_SWITCH, AT(checked), "off", 0, 1, NULL, "on|off",
     "compare the ranks' arguments before each call, and end the program where they differ"},
    {"summary", STAR_SWITCH, AT(summary), "on", 0, 1, NULL, "on|off",
     "say on standard error at the end what was chosen and what it saved"},
    {"report", STAR_WORDS, AT(report), "", 0, 0, NULL, "FILE", "write everything measured to FILE, as JSON"},
    {"reports", STAR_COUNT, AT(reports), "50", 0, 1000000, NULL, "N",
     "keep the reports of the last N runs for `startune report`, in $XDG_STATE_HOME/startune/reports or that "
     "in ~/.local/state"},
    {"log", STAR_CHOICE, AT(log), "nothing", 0, 0, "nothing|decisions", "WHAT",
     "say each decision on standard error when it is made, with its reason"},
    {"mpi", STAR_CHOICE, AT(mpi), "auto", 0, 0, "auto|" STAR_MPIS, "NAME",
     "the program's MPI library, where it cannot be seen from the program or the launcher"},
};
const int star_setting_count = sizeof star_setting_table / sizeof *star_setting_table;
_Static_assert(sizeof star_setting_table / sizeof *star_setting_table <= STAR_SETTINGS_MAX, "origins");

static void *field(struct star_settings *settings, const struct star_setting *setting)
{
    return (char *)settings + setting->offset;
}

void star_settings_preset(struct star_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    for (int i = 0; i < star_setting_count; i++)
        star_settings_set(settings, star_setting_table[i].name, star_setting_table[i].preset, NULL);
}

const struct star_setting *star_setting_find(const char *name)
{
    for (int i = 0; i < star_setting_count; i++)
        if (strcmp(name, star_setting_table[i].name) == 0)
            return &star_setting_table[i];
    return NULL;
}

const struct star_setting *star_setting_nearest(const char *name)
{
    const char *names[STAR_SETTINGS_MAX];
    for (int i = 0; i < star_setting_count; i++)
        names[i] = star_setting_table[i].name;
    const char *nearest = star_nearest(name, names, (size_t)star_setting_count);
    return nearest ? star_setting_find(nearest) : NULL;
}

static int unknown_setting(const char *name, struct star_why *why)
{
    const struct star_setting *setting = star_setting_nearest(name);
    const char *nearest = setting ? setting->name : NULL;
    if (nearest)
        return star_because(why, STAR_EINPUT, "unknown setting '%.80s': did you mean '%s'?", name, nearest);
    return star_because(why, STAR_EINPUT, "unknown setting '%.80s'; `startune settings` lists them", name);
}

static int bad_value(const struct star_setting *setting, const char *value, const char *good,
                     struct star_why *why)
{
    return star_because(why, STAR_EINPUT, "setting %s: '%.80s' is not %s", setting->name, value, good);
}

/* The index of VALUE among "a|b|c", or −1. */
static int index_of(const char *choices, const char *value)
{
    int index = 0;
    for (const char *c = choices; c; index++) {
        size_t length = strcspn(c, "|");
        if (strlen(value) == length && strncmp(c, value, length) == 0)
            return index;
        c = c[length] ? c + length + 1 : NULL;
    }
    return -1;
}

/* The same; where on or off is among them, other words for it are, too. */
static int choice_index(const char *choices, const char *value)
{
    bool on;
    int index = index_of(choices, value);
    if (index < 0 && star_parse_switch(value, &on))
        index = index_of(choices, on ? "on" : "off");
    return index;
}

static int set_number(struct star_settings *settings, const struct star_setting *setting, const char *value,
                      struct star_why *why)
{
    char good[120];
    int64_t whole = 0;
    double number = 0;
    if (setting->choices != NULL && strcmp(value, setting->choices) == 0) {
        *(int64_t *)field(settings, setting) = -1;
        return 0;
    }
    bool parsed = setting->kind == STAR_COUNT   ? star_parse_integer(value, &whole)
                  : setting->kind == STAR_BYTES ? star_parse_bytes(value, &whole)
                                                : star_parse_number(value, &number);
    if (setting->kind != STAR_NUMBER)
        number = (double)whole;
    if (!parsed || number < setting->least || number > setting->most) {
        const char *kind = setting->kind == STAR_COUNT   ? "a whole number"
                           : setting->kind == STAR_BYTES ? "a number of bytes, such as 64K,"
                                                         : "a number or percentage";
        const char *word = setting->choices != NULL ? setting->choices : "";
        snprintf(good, sizeof good, "%s%s%s from %.15g to %.15g", word, word[0] ? " or " : "", kind,
                 setting->least, setting->most);
        return bad_value(setting, value, good, why);
    }
    if (setting->kind == STAR_NUMBER)
        *(double *)field(settings, setting) = number;
    else
        *(int64_t *)field(settings, setting) = whole;
    return 0;
}

static int set_choice(struct star_settings *settings, const struct star_setting *setting, const char *value,
                      struct star_why *why)
{
    bool is_switch = setting->kind == STAR_SWITCH;
    int index = choice_index(is_switch ? "off|on" : setting->choices, value);
    if (index < 0) {
        char good[120];
        snprintf(good, sizeof good, "one of %s", is_switch ? "on|off" : setting->choices);
        return bad_value(setting, value, good, why);
    }
    if (setting->offset == AT(mpi))
        snprintf(settings->mpi, sizeof settings->mpi, "%s", value);
    else
        *(int64_t *)field(settings, setting) = index;
    return 0;
}

static int set_words(struct star_settings *settings, const struct star_setting *setting, const char *value,
                     struct star_why *why)
{
    struct star_placement placement;
    struct star_why detail;
    bool on;
    if (setting->choices != NULL && choice_index(setting->choices, value) >= 0 &&
        star_parse_switch(value, &on))
        value = on ? "on" : "off";
    if (strlen(value) >= STAR_SETTING_TEXT)
        return star_because(why, STAR_EINPUT, "setting %s: a value of %zu characters; %d at most",
                            setting->name, strlen(value), STAR_SETTING_TEXT - 1);
    if (setting->kind == STAR_PLACES && star_placement_parse(value, &placement, &detail))
        return star_because(why, STAR_EINPUT, "setting %s: %.300s", setting->name, detail.text);
    memset(field(settings, setting), 0, STAR_SETTING_TEXT); /* settings are compared byte by byte */
    memcpy(field(settings, setting), value, strlen(value));
    return 0;
}

int star_settings_set(struct star_settings *settings, const char *name, const char *value,
                      struct star_why *why)
{
    const struct star_setting *setting = star_setting_find(name);
    if (setting == NULL)
        return unknown_setting(name, why);
    if (setting->kind == STAR_SWITCH || setting->kind == STAR_CHOICE)
        return set_choice(settings, setting, value, why);
    if (setting->kind == STAR_WORDS || setting->kind == STAR_PLACES)
        return set_words(settings, setting, value, why);
    return set_number(settings, setting, value, why);
}

const char *star_setting_format(const struct star_settings *settings, const struct star_setting *setting,
                                char *buffer, size_t room)
{
    const void *value = (const char *)settings + setting->offset;
    char number[32];
    if (setting->kind == STAR_SWITCH)
        snprintf(buffer, room, "%s", *(const int64_t *)value ? "on" : "off");
    else if (setting->kind == STAR_COUNT && setting->choices != NULL && *(const int64_t *)value < 0)
        snprintf(buffer, room, "%s", setting->choices);
    else if (setting->kind == STAR_COUNT)
        snprintf(buffer, room, "%lld", (long long)*(const int64_t *)value);
    else if (setting->kind == STAR_BYTES)
        snprintf(buffer, room, "%s", star_format_bytes(*(const int64_t *)value, number, sizeof number));
    else if (setting->kind == STAR_NUMBER)
        star_format_share(*(const double *)value, buffer, room);
    else if (setting->kind == STAR_WORDS || setting->kind == STAR_PLACES || setting->offset == AT(mpi))
        snprintf(buffer, room, "%s", (const char *)value);
    else {
        const char *choice = setting->choices;
        for (int64_t i = *(const int64_t *)value; i > 0; i--)
            choice += strcspn(choice, "|") + 1;
        snprintf(buffer, room, "%.*s", (int)strcspn(choice, "|"), choice);
    }
    return buffer;
}

const char *star_setting_variable(const struct star_setting *setting, char *buffer, size_t room)
{
    if (setting->offset == AT(on)) {
        snprintf(buffer, room, "STARTUNE");
        return buffer;
    }
    snprintf(buffer, room, "STARTUNE_%s", setting->name);
    for (char *c = buffer; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return buffer;
}

void star_origin_set(struct star_origins *origins, const char *name, const char *origin)
{
    if (origins == NULL)
        return;
    long which = star_setting_find(name) - star_setting_table;
    free(origins->of[which]);
    origins->of[which] = strdup(origin);
}

void star_origins_free(struct star_origins *origins)
{
    for (int i = 0; i < star_setting_count; i++)
        free(origins->of[i]), origins->of[i] = NULL;
}
