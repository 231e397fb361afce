/* SPDX-License-Identifier: BSD-3-Clause */
#include "say.h"
#include "weigh.h"
#include "cli/common/output.h"
#include "place/gain.h"
#include "plot/table.h"
#include "report/rows.h"
#include "util/parse.h"

#include <math.h>

/* Seconds of the run that the chosen way is expected to save. */
static double gain_of(const struct cli_place *place)
{
    return place->way[place->before].seconds - place->way[place->chosen].seconds;
}

/* Only then seconds are more than a measure. */
static bool has_speeds(const struct cli_place *place)
{
    return place->hosts.linked && place->hosts.topology->has_speeds &&
           star_report_number(place->report, "seconds") > 0;
}

static const struct star_column columns[] = {{"placement", "placement", STAR_AS_WORDS},
                                             {"seconds", "network", STAR_AS_TIMES},
                                             {"between", "between hosts", STAR_AS_SIZES}};

static void add_gain(const struct cli_place *place, struct star_text *text)
{
    const struct way *before = &place->way[place->before], *after = &place->way[place->chosen];
    char from[32], to[32], run[32];
    if (place->verdict == DID_NOT_HELP || place->verdict == EARLIER_HELPS)
        return; /* what was measured says more */
    if (after == before)
        star_text_add(text, "\nno placement is expected to be better than %s by 1 %%\n", before->name);
    else
        star_text_add(
            text, "\nexpected: %.0f %% less time in the network than %s, %s instead of %s; the run took %s\n",
            100 * gain_of(place) / before->seconds, before->name,
            star_format_seconds(after->seconds, to, sizeof to),
            star_format_seconds(before->seconds, from, sizeof from),
            star_format_seconds(star_report_number(place->report, "seconds"), run, sizeof run));
    double seconds = star_report_number(place->report, "seconds");
    struct star_gain gain = star_gain_of(seconds, before->seconds, after->seconds);
    if (after != before && has_speeds(place) && gain.believable)
        star_text_add(text, "of the whole run: %.0f ± %.0f %% less time\n", 100 * gain.expected / seconds,
                      100 * gain.error / seconds);
}

static const struct star_column trial_columns[] = {{"placement", "placement", STAR_AS_WORDS},
                                                   {"launches", "launches", STAR_AS_COUNTS},
                                                   {"seconds", "a launch", STAR_AS_TIMES}};

/* The first way that places ranks so. */
static const char *name_of(const struct cli_place *place, const struct cli_trial *trial)
{
    for (int w = 0; w < WAYS; w++)
        if (cli_place_trial(place, w) == trial)
            return place->way[w].name;
    return place->way[EARLIER].machine != NULL ? "another" : place->way[EARLIER].name;
}

/* "2 % more", as a share that was saved says it. */
static void add_share(double share, struct star_text *text)
{
    star_text_add(text, "%.0f %% %s", fabs(100 * share), share < 0 ? "more" : "less");
}

static void add_verdict(const struct cli_place *place, struct star_text *text)
{
    static const char *const ends[] = {[HELPED] = "it helps",
                                       [DID_NOT_HELP] = "it did not help; stay with what you had",
                                       [NOT_CLEAR] = "not clear yet whether it helps",
                                       [EARLIER_HELPS] = "go back to it"};
    if (place->verdict == UNTRIED)
        return;
    star_text_add(text, "%s was tried %d times, and took ", place->way[place->tried].name, place->launches);
    add_share(place->saved.share, text);
    star_text_add(text, " time than %s (95 %%: ", place->way[place->before].name);
    add_share(place->saved.low, text);
    star_text_add(text, " to ");
    add_share(place->saved.high, text);
    star_text_add(text, "): %s\n", ends[place->verdict]);
}

static void add_trials(const struct cli_place *place, struct star_text *text)
{
    struct star_table table = STAR_TABLE_OF(trial_columns);
    if (place->trials.count < 2)
        return;
    star_text_add(text, "\nlaunches that are kept, of the same words on as many ranks:\n");
    for (int i = 0; i < place->trials.count; i++) {
        const struct cli_trial *trial = &place->trials.at[i];
        star_table_words(&table, "%s", name_of(place, trial));
        star_table_numbers(&table, trial->launches, cli_trial_seconds(trial));
    }
    star_table_write(&table, text);
    add_verdict(place, text);
}

/* How far that is less time nobody has measured. */
static void add_inside(const struct cli_place *place, struct star_text *text)
{
    const struct cli_inside *inside = &place->inside;
    const struct cli_inside_gain *gain = &place->inside_gain;
    char before[32], after[32];
    if (inside->topology == NULL)
        return;
    star_text_add(text, "inside the hosts, of %d cores each: ", inside->topology->machines);
    if (gain->after < gain->before)
        star_text_add(text, "%s bytes between each %.*s and others instead of %s\n",
                      star_format_bytes((int64_t)gain->after, after, sizeof after), inside->kind_length,
                      inside->kind, star_format_bytes((int64_t)gain->before, before, sizeof before));
    else
        star_text_add(text, "%s bytes between each %.*s and others, as in order\n",
                      star_format_bytes((int64_t)gain->after, after, sizeof after), inside->kind_length,
                      inside->kind);
}

void cli_place_add_text(const struct cli_place *place, struct star_text *text)
{
    struct star_table table = STAR_TABLE_OF(columns);
    size_t begin = text->length;
    star_text_add(text, "%s: %d ranks on %d host%s, %s", star_report_word(place->report, "program"),
                  cli_place_ranks(place), place->hosts.count, place->hosts.count == 1 ? "" : "s",
                  place->hosts.linked ? "with the links of the topology" : "taken as on one switch");
    cli_end_line(text, begin);
    for (int w = 0; w < WAYS; w++) {
        char between[32];
        const struct way *way = &place->way[w];
        if (way->machine == NULL)
            continue;
        star_table_words(&table, "%s", way->name);
        star_table_numbers(&table, way->seconds);
        star_table_words(&table, "%s", star_format_bytes((int64_t)way->between, between, sizeof between));
    }
    star_table_write(&table, text);
    add_gain(place, text);
    add_trials(place, text);
    add_inside(place, text);
    if (star_talk_changes(&place->talk))
        star_text_add(
            text, "what ranks send changes with time: a placement for all of it may suit no part of it\n");
    if (place->talk.estimated > place->talk.own + place->talk.methods)
        star_text_add(text, "most bytes are estimated, of the MPI library's collective operations\n");
}

static void add_trials_json(const struct cli_place *place, struct star_text *text)
{
    static const char *const words[] = {"", "yes", "no", "not clear", "yes"};
    star_json_open(text, "launches", '[');
    for (int i = 0; i < place->trials.count; i++) {
        const struct cli_trial *trial = &place->trials.at[i];
        star_json_add(text, "{placement: %s, launches: %d, seconds: %g}", name_of(place, trial),
                      trial->launches, cli_trial_seconds(trial));
    }
    star_json_close(text, ']');
    if (place->verdict == UNTRIED)
        return;
    star_json_add(
        text,
        "tried: {placement: %s, helped: %s, saved_share: %g, saved_low_share: %g, saved_high_share: %g}",
        place->way[place->tried].name, words[place->verdict], place->saved.share, place->saved.low,
        place->saved.high);
}

void cli_place_add_json(const struct cli_place *place, const struct cli_places *places,
                        struct star_text *text)
{
    star_json_add(text, "{program: %s, ranks: %d, links_known: %i, complete: %i",
                  star_report_word(place->report, "program"), cli_place_ranks(place), place->hosts.linked,
                  star_talk_is_complete(&place->talk));
    if (!isnan(place->talk.change))
        star_json_number(text, "change_with_time", place->talk.change);
    star_json_open(text, "placements", '[');
    for (int w = 0; w < WAYS; w++) {
        const struct way *way = &place->way[w];
        if (way->machine == NULL)
            continue;
        star_json_add(text, "{name: %s, network_seconds: %g, cost_seconds: %g, bytes_between_hosts: %jd}",
                      way->name, way->seconds, way->cost, (int64_t)way->between);
    }
    star_json_close(text, ']');
    add_trials_json(place, text);
    star_json_add(text, "compared_with: %s, chosen: %s, gain_seconds: %g, run_seconds: %g",
                  place->way[place->before].name, place->way[place->chosen].name, gain_of(place),
                  star_report_number(place->report, "seconds"));
    struct star_gain gain =
        star_gain_of(star_report_number(place->report, "seconds"), place->way[place->before].seconds,
                     place->way[place->chosen].seconds);
    if (has_speeds(place) && gain.believable)
        star_json_add(text, "expected_seconds: %g, expected_error_seconds: %g", gain.expected, gain.error);
    star_json_open(text, "hosts", '[');
    for (int r = 0; r < cli_place_ranks(place); r++)
        star_json_string(text, NULL, places->host[r]);
    star_json_close(text, ']');
    if (place->inside.topology != NULL) {
        star_json_open(text, "cores", '[');
        for (int r = 0; r < cli_place_ranks(place); r++)
            star_json_integer(text, NULL, places->core[r]);
        star_json_add(text, "], bytes_between_parts: %jd, bytes_between_parts_in_order: %jd",
                      (int64_t)place->inside_gain.after, (int64_t)place->inside_gain.before);
    }
    star_json_close(text, '}');
    star_text_add(text, "\n");
}
