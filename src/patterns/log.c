/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/log.h"
#include "patterns/choice.h"
#include "patterns/choice_figures.h"
#include "patterns/patterns.h"
#include "runtime/log.h"
#include "tuner/decision.h"
#include "util/parse.h"

#include <stdio.h>

static struct star_said said_of(const struct star_choice *choice, int function, enum star_reason reason)
{
    struct star_said said = {.kind = "functions",
                             .ranks = choice->size,
                             .calls = choice->runs,
                             .name = choice->fnctset->functions[function]->name,
                             .before = choice->fnctset->functions[choice->chosen]->name,
                             .reason = reason};
    char size[32];
    if (choice->bytes >= 0)
        snprintf(said.about, sizeof said.about, "request %s, %s bytes,", choice->fnctset->name,
                 star_format_bytes(choice->bytes, size, sizeof size));
    else
        snprintf(said.about, sizeof said.about, "request %s", choice->fnctset->name);
    return said;
}

void star_choice_log(const struct star_choice *choice, const struct star_decision *decision)
{
    if (!star_log_is_wanted(choice->rank) || choice->fnctset == NULL)
        return;
    int function = choice->taking_part[decision->list[0]];
    struct star_said said = said_of(choice, function, (enum star_reason)decision->reason);
    said.measured = decision->stage == STAR_MEASURE ? decision->count : 0;
    said.seconds = star_choice_estimate(choice, function);
    said.against = star_choice_estimate(choice, choice->chosen);
    star_log_say(&said);
}

void star_choice_log_left_out(const struct star_choice *choice, int function, enum star_reason reason)
{
    if (!star_log_is_wanted(choice->rank) || choice->fnctset == NULL)
        return;
    struct star_said said = said_of(choice, function, reason);
    star_log_say_left_out(&said);
}
