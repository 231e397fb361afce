/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/report.h"
#include "algorithms/operations.h"
#include "patterns/attribute.h"
#include "patterns/choice.h"
#include "patterns/choice_figures.h"
#include "patterns/experience.h"
#include "patterns/pattern_collective.h"
#include "patterns/patterns.h"
#include "runtime/ledger.h"
#include "runtime/records.h"
#include "runtime/report.h"
#include "tuner/tuner.h"
#include "util/fpenv.h"
#include "util/seconds.h"
#include "util/text.h"
#include "wisdom/fact.h"

#include <stdio.h>
#include <string.h>

/* At the end of a run another one may be looked at. */
static int chosen_of(const struct star_choice *choice)
{
    if (!star_choice_is_open(choice))
        return choice->now;
    int fastest = star_tuner_fastest(choice->tuner);
    return fastest < 0 ? choice->chosen : choice->taking_part[fastest];
}

/* Runs that were not timed count as those of the function that were. */
static double seconds_of(const struct star_choice *choice, int current)
{
    const struct star_choice_tally *tally = &choice->tally[current];
    double mean = tally->runs > 0 ? (double)tally->nanoseconds / (double)tally->runs : 0;
    return ((double)choice->nanoseconds + mean * (double)choice->skipped) * 1e-9;
}

static struct star_record record_of(const struct star_choice *choice)
{
    STAR_FPENV_DEFAULT;
    const struct star_fnctset *set = choice->fnctset;
    int current = chosen_of(choice);
    struct star_record record = {.operation = STAR_OPERATIONS,
                                 .ranks = choice->size,
                                 .communicators = 1,
                                 .bytes = choice->bytes,
                                 .calls = choice->runs,
                                 .seconds = seconds_of(choice, current),
                                 .chosen_calls = choice->tally[current].runs,
                                 .chosen_seconds = (double)choice->tally[current].nanoseconds * 1e-9};
    snprintf(record.pattern, sizeof record.pattern, "%s", set->name);
    snprintf(record.method, sizeof record.method, "%s", set->functions[current]->name);
    struct star_expense expense = {choice->tuning_nanoseconds, choice->tuning_runs,
                                   choice->agreement_nanoseconds, choice->first_nanoseconds,
                                   choice->first_runs};
    if (choice->tuner != NULL)
        star_record_weigh(&record, choice->tuner, current == 0, &expense);
    return record;
}

static void add_attributes(struct star_text *text, const struct star_function *function)
{
    star_json_open(text, "attributes", '{');
    for (int i = 0; function->attrset != NULL && i < function->attrset->count; i++) {
        const struct star_attribute *attribute = function->attrset->attributes[i];
        star_json_string(text, attribute->name,
                         attribute->value_names[star_attribute_place(attribute, function->values[i])]);
    }
    star_json_close(text, '}');
}

static void add_function(struct star_text *text, const struct star_choice *choice, int i)
{
    char remembered_as[STAR_FACT_METHOD];
    struct star_measured measured = {.calls = choice->tally[i].runs,
                                     .nanoseconds = choice->tally[i].nanoseconds,
                                     .estimate = STAR_UNKNOWN_SECONDS};
    measured.samples = star_choice_samples(choice, i, &measured.count);
    if (choice->tuner != NULL) {
        measured.estimate = star_choice_estimate(choice, i);
        measured.left_out = star_choice_is_left_out(choice, i);
    }
    star_json_open(text, NULL, '{');
    star_json_string(text, "function", choice->fnctset->functions[i]->name);
    add_attributes(text, choice->fnctset->functions[i]);
    star_experience_name(choice->fnctset, i, remembered_as);
    if (strcmp(remembered_as, choice->fnctset->functions[i]->name) != 0)
        star_json_string(text, "remembered_as", remembered_as);
    star_report_measured(text, &measured);
    star_json_close(text, '}');
}

static void add_history(struct star_text *text, const struct star_choice *choice)
{
    star_json_open(text, "history", '[');
    for (int i = 0; choice->history != NULL && i < choice->switches; i++)
        star_report_decision(text, &choice->history[i], "function",
                             choice->fnctset->functions[choice->history[i].method]->name);
    star_json_close(text, ']');
    star_json_integer(text, "agreements", choice->agreements);
    star_json_number(text, "agreement_seconds", (double)choice->agreement_nanoseconds * 1e-9);
}

static void add_recalled(struct star_text *text, const struct star_choice *choice)
{
    if (choice->recalled == 0)
        return;
    star_json_integer(text, "remembered_functions", choice->recalled);
    if (choice->foretold >= 0)
        star_json_string(text, "remembered_function", choice->fnctset->functions[choice->foretold]->name);
    star_json_number(text, "remembered_confidence", choice->confidence);
}

static void add_choice(struct star_text *text, const struct star_choice *choice,
                       const struct star_record *record, int64_t nodes)
{
    STAR_FPENV_DEFAULT;
    star_text_add(text, ",\n");
    star_json_open(text, NULL, '{');
    star_json_string(text, "function_set", record->pattern);
    if (choice->problem[0] != 0)
        star_json_string(text, "problem", choice->problem);
    if (record->bytes >= 0)
        star_json_integer(text, "bytes", record->bytes);
    star_json_integer(text, "ranks", record->ranks);
    if (nodes > 0)
        star_json_integer(text, "nodes", nodes);
    star_json_integer(text, "requests", choice->requests);
    star_json_integer(text, "calls", record->calls);
    star_json_integer(text, "timed_calls", record->calls - choice->skipped);
    star_json_number(text, "seconds", record->seconds);
    star_json_string(text, "function", record->method);
    add_attributes(text, choice->fnctset->functions[chosen_of(choice)]);
    star_json_bool(text, "tuned", choice->tuner != NULL);
    star_json_bool(text, "timer", choice->timer);
    star_json_bool(text, "teaches", nodes > 0 && star_experience_teaches(choice));
    add_recalled(text, choice);
    if (record->native_calls > 0) {
        star_json_number(text, "first_seconds_per_call",
                         record->native_seconds / (double)record->native_calls);
        star_json_bool(text, "first_once", record->native_once);
        star_json_number(text, "saved_seconds", record->saved);
        star_json_number(text, "tuning_seconds", record->tuning);
    }
    add_history(text, choice);
    star_json_open(text, "functions", '[');
    for (int i = 0; i < choice->count; i++)
        add_function(text, choice, i);
    star_json_close(text, ']');
    star_json_close(text, '}');
}

/* Calls of MPI's operations are in the contexts where they are tuned. */
void star_report_choice(const struct star_choice *choice)
{
    if (choice->rank != 0 || choice->runs == 0 || choice->fnctset->pattern == &star_pattern_collective)
        return;
    struct star_text text = {0};
    struct star_record record = record_of(choice);
    if (star_report_is_wanted())
        add_choice(&text, choice, &record, star_experience_nodes(choice));
    star_ledger_add_request(&record, &text);
    star_text_free(&text);
}
