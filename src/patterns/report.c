/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/report.h"
#include "algorithms/operations.h"
#include "patterns/attribute.h"
#include "patterns/choice.h"
#include "patterns/ready_made.h"
#include "runtime/ledger.h"
#include "runtime/records.h"
#include "runtime/report.h"
#include "subject/balance.h"
#include "subject/tell.h"
#include "util/fpenv.h"
#include "util/parse.h"
#include "util/text.h"
#include "wisdom/fact.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct star_record record_of(const struct star_choice *choice)
{
    STAR_FPENV_DEFAULT;
    const struct star_fnctset *set = choice->fnctset;
    struct star_record record = {.operation = STAR_OPERATIONS,
                                 .ranks = choice->size,
                                 .communicators = 1,
                                 .bytes = choice->bytes,
                                 .balance = star_balance_of(&choice->subject, true)};
    record.replaced = star_subject_chosen(&choice->subject) != 0;
    snprintf(record.pattern, sizeof record.pattern, "%s", set->name);
    snprintf(record.method, sizeof record.method, "%s",
             set->functions[star_subject_chosen(&choice->subject)]->name);
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

static const struct star_choice *choice_of(const struct star_subject *subject)
{
    return (const struct star_choice *)(const void *)((const char *)subject -
                                                      offsetof(struct star_choice, subject));
}

static void name(const struct star_subject *subject, int function, char text[STAR_SUBJECT_NAME])
{
    snprintf(text, STAR_SUBJECT_NAME, "%s", choice_of(subject)->fnctset->functions[function]->name);
}

static void say_about(const struct star_subject *subject, char about[STAR_SUBJECT_NAME])
{
    const struct star_choice *choice = choice_of(subject);
    char size[32];
    if (choice->bytes >= 0)
        snprintf(about, STAR_SUBJECT_NAME, "request %s, %s bytes,", choice->fnctset->name,
                 star_format_bytes(choice->bytes, size, sizeof size));
    else
        snprintf(about, STAR_SUBJECT_NAME, "request %s", choice->fnctset->name);
}

static void describe(const struct star_subject *subject, int function, struct star_text *text)
{
    const struct star_choice *choice = choice_of(subject);
    const struct star_fnctset *set = choice->fnctset;
    struct star_names names = star_choice_names(choice);
    char remembered_as[STAR_FACT_METHOD];
    add_attributes(text, set->functions[function]);
    star_history_name(&names, function, remembered_as);
    if (strcmp(remembered_as, set->functions[function]->name) != 0)
        star_json_string(text, "remembered_as", remembered_as);
}

const struct star_subject_kind star_functions_told = {.alternative = "function",
                                                      .first = "first",
                                                      .name = name,
                                                      .shortly = name,
                                                      .about = say_about,
                                                      .describe = describe};

static void add_choice(struct star_text *text, const struct star_choice *choice,
                       const struct star_record *record, int64_t nodes)
{
    STAR_FPENV_DEFAULT;
    star_text_add(text, ",\n");
    star_json_add(text, "{function_set: %s", record->pattern);
    if (choice->problem[0] != 0)
        star_json_string(text, "problem", choice->problem);
    if (record->bytes >= 0)
        star_json_integer(text, "bytes", record->bytes);
    star_json_integer(text, "ranks", record->ranks);
    if (nodes > 0)
        star_json_integer(text, "nodes", nodes);
    star_json_integer(text, "requests", choice->requests);
    star_subject_tell(text, &choice->subject, &record->balance);
    add_attributes(text, choice->fnctset->functions[star_subject_chosen(&choice->subject)]);
    star_json_add(text, "timer: %i, teaches: %i", choice->timer, nodes > 0 && star_choice_teaches(choice));
    if (choice->foretold >= 0)
        star_json_string(text, "remembered_function", choice->fnctset->functions[choice->foretold]->name);
    star_subject_tell_course(text, &choice->subject);
    star_json_close(text, '}');
}

/* Calls of MPI's operations are in the contexts where they are tuned. */
void star_report_choice(const struct star_choice *choice)
{
    if (choice->subject.calls == 0 || choice->fnctset->pattern == &star_pattern_collective)
        return;
    struct star_text text = {0};
    struct star_record record = record_of(choice);
    if (choice->rank == 0 && star_report_is_wanted())
        add_choice(&text, choice, &record, star_choice_nodes(choice));
    star_ledger_add_request(&record, &text, choice->rank == 0);
    star_text_free(&text);
}
