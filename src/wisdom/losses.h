/* SPDX-License-Identifier: BSD-3-Clause
 * Which programs lost time in their last runs, by startune's own account of these: a small file beside the
 * store. A program of which enough runs in a row have lost is left alone for some days.
 *
 * A run that has not surely lost clears its program: so noise, which now and then looks like a loss, leaves
 * none alone. Jobs that end at once may write over each other's loss: then later runs say it. What is wrong
 * in the file is left out, so that it can do no more than have a program tuned or left alone. */
#pragma once

#include "util/text.h"
#include "wisdom/fact.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STAR_LOSS_PROGRAM = 200, STAR_LOSS_VERSION = 32 };
/* So many losses in a row are enough, and of each program so many are kept; and of all programs so many. */
enum { STAR_LOSSES_ENOUGH = 2, STAR_LOSSES_MOST = 128, STAR_LOSSES_BYTES_MOST = 1 << 18 };

/* Whose run it is: the program by its name, on machines of that name (machine.h), and startune's version. */
struct star_loss_run {
    char machine[STAR_FACT_MACHINE], program[STAR_LOSS_PROGRAM], version[STAR_LOSS_VERSION];
    int64_t ranks;
};
struct star_loss {
    struct star_loss_run run;
    int64_t date;        /* of its end: seconds since 1970 */
    int64_t least, most; /* of its time, in millionths, so much was lost, with 95 % confidence */
};
struct star_losses {
    struct star_loss *at; /* the oldest first */
    size_t count;
};

/* Has a run of SECONDS surely lost, in which SAVED seconds were saved, ± ERROR? A short one, in which
 * beginning and ending count much, tells nothing of others: a longer one of the same program may gain. */
enum star_loss_verdict { STAR_LOSS_UNKNOWN, STAR_LOSS_NONE, STAR_LOSS_SURE };
enum star_loss_verdict star_loss_of(double seconds, double saved, double error, struct star_loss *loss);

/* Are there enough of RUN that DAYS have not passed since the last, which is not of a clock that was ahead?
 * Then *SUM is of these together, at the date of the last. */
bool star_losses_enough(const struct star_losses *losses, const struct star_loss_run *run, int64_t now,
                        int64_t days, struct star_loss *sum);
/* How many of RUN there are, of its version, which all are added up. */
int star_losses_sum(const struct star_losses *losses, const struct star_loss_run *run, struct star_loss *sum);
/* The rule at a run's end: LOSS has the run and its date. A sure loss is added, and a run that did not surely
 * lose clears its program. True: LOSSES have changed. */
bool star_losses_judge(struct star_losses *losses, double seconds, double saved, double error,
                       struct star_loss *loss);
/* Behind the others. False: out of memory. */
bool star_losses_add(struct star_losses *losses, const struct star_loss *loss);
/* Forgets the losses of PROGRAM and MACHINE (NULL: any), and BEFORE a date (0: whenever); of RANKS (0: any).
 * Returns how many they were. */
size_t star_losses_forget(struct star_losses *losses, const char *program, const char *machine, int64_t ranks,
                          int64_t before);
void star_losses_free(struct star_losses *losses);

/* As the file has them. Lines that say nothing possible are left out, and all without memory. */
void star_losses_parse(const char *bytes, size_t length, struct star_losses *losses);
void star_losses_format(const struct star_losses *losses, struct star_text *text);
/* Those beside STORE; false: there is no such file of this user's. */
bool star_losses_read(const char *store, struct star_losses *losses);
/* No file where there are none. False: it cannot be written, or others may write the store. */
bool star_losses_write(const char *store, const struct star_losses *losses);
