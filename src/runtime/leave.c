/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/leave.h"
#include "runtime/machine.h"
#include "runtime/program.h"
#include "runtime/remember.h"
#include "runtime/session.h"
#include "util/clock.h"
#include "util/settings.h"
#include "util/version.h"
#include "util/voice.h"
#include "wisdom/hours.h"
#include "wisdom/losses.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static struct {
    char program[STAR_LOSS_PROGRAM]; /* as it was at the start; "": nothing is read or written */
    char why[200];
} leave;

/* Of settings that say what is to be done, or told: has one another value than the preset one? */
static bool is_asked_for(void)
{
    static const char *const settings[] = {"force",   "methods", "strategy", "map",   "verify",
                                           "checked", "report",  "log",      "matrix"};
    char value[STAR_SETTING_TEXT];
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(star_setting_now(settings[i], value, sizeof value),
                   star_setting_find(settings[i])->preset) != 0)
            return true;
    return false;
}

static bool is_wanted(void)
{
    return strcmp(star_runtime.settings.wisdom, "off") != 0 && !is_asked_for();
}

static struct star_loss_run run_here(void)
{
    struct star_loss_run run = {.ranks = star_runtime.world_size};
    snprintf(run.machine, sizeof run.machine, "%s", star_machine_name());
    snprintf(run.program, sizeof run.program, "%s", leave.program);
    snprintf(run.version, sizeof run.version, "%s", STAR_VERSION);
    return run;
}

static void explain(const struct star_loss *sum)
{
    const double percent = 1e4;
    char day[40] = "?";
    time_t again = (time_t)(sum->date + star_runtime.settings.retry_after * 86400);
    struct tm date;
    if (gmtime_r(&again, &date) != NULL)
        strftime(day, sizeof day, "%Y-%m-%d", &date);
    snprintf(leave.why, sizeof leave.why,
             "left alone: this program lost %.1f %% to %.1f %% of its time in its last %d runs here; it is "
             "tried again after %s, or with --retry-after 0",
             (double)sum->least / percent, (double)sum->most / percent, STAR_LOSSES_ENOUGH, day);
}

void star_leave_read(struct star_text *text)
{
    struct star_losses losses = {0};
    struct star_loss sum;
    leave.program[0] = 0;
    if (!is_wanted())
        return;
    star_program_name(leave.program, sizeof leave.program);
    if (star_losses_read(star_remember_place(), &losses)) {
        struct star_loss_run run = run_here();
        if (star_losses_enough(&losses, &run, (int64_t)time(NULL), star_runtime.settings.retry_after, &sum)) {
            explain(&sum);
            star_text_add(text, "%s", leave.why);
        }
    }
    star_losses_free(&losses);
}

void star_leave_say(void)
{
    if (star_runtime.world_rank == 0 && star_runtime.settings.summary != STAR_SUMMARY_OFF)
        fprintf(star_voice(), "startune: %s\n", leave.why);
}

static void note_loss(const struct star_balance *account, double seconds, struct star_loss *loss)
{
    struct star_losses losses = {0};
    const char *store = star_remember_place();
    star_losses_read(store, &losses);
    if (star_losses_judge(&losses, seconds, account->saved, account->error, loss))
        star_losses_write(store, &losses); /* without room for it, the next run is tuned */
    star_losses_free(&losses);
}

void star_leave_note(const struct star_balance *account, const struct star_balance *told, bool counted,
                     bool idle)
{
    struct star_loss loss = {.date = (int64_t)time(NULL)};
    struct star_hours_of hours;
    double seconds = (double)star_since(star_runtime.began) * 1e-9;
    if (leave.program[0] == 0 || loss.date < STAR_FACT_NEVER_SET)
        return;
    bool known = account->known && counted;
    loss.run = run_here();
    if (star_hours_run(&loss.run, loss.date, seconds, known || idle, told->saved, told->error, &hours))
        star_hours_note(star_remember_place(), &hours);
    if (known)
        note_loss(account, seconds, &loss);
}
