/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/losses.h"
#include "util/file_write.h"
#include "util/grow.h"
#include "util/home.h"
#include "wisdom/tabbed.h"
#include "wisdom/where.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DAY = 86400, MILLION = 1000000 };
/* Losses are of that share of a run at least, and of runs of so many seconds. */
static const double share_least = 0.01, seconds_least = 1;
static const char head[] = "startune-losses 1";

static int64_t millionths(double share)
{
    return llround(fmin(fmax(share, 0), 1) * MILLION);
}

enum star_loss_verdict star_loss_of(double seconds, double saved, double error, struct star_loss *loss)
{
    bool is_account = isfinite(seconds) && isfinite(saved) && isfinite(error) && error >= 0;
    if (!is_account || seconds < seconds_least)
        return STAR_LOSS_UNKNOWN;
    double least = (-saved - error) / seconds, most = (-saved + error) / seconds;
    loss->least = millionths(least);
    loss->most = millionths(most);
    return least > share_least ? STAR_LOSS_SURE : STAR_LOSS_NONE;
}

/* Of the same program, whatever startune's version. */
static bool is_same(const struct star_loss_run *one, const struct star_loss_run *other)
{
    return one->ranks == other->ranks && strcmp(one->program, other->program) == 0 &&
           strcmp(one->machine, other->machine) == 0;
}

int star_losses_sum(const struct star_losses *losses, const struct star_loss_run *run, struct star_loss *sum)
{
    int count = 0;
    for (size_t i = 0; i < losses->count; i++) {
        const struct star_loss *loss = &losses->at[i];
        if (!is_same(&loss->run, run) || strcmp(loss->run.version, run->version) != 0)
            continue;
        if (count++ == 0)
            *sum = *loss;
        sum->least = loss->least < sum->least ? loss->least : sum->least;
        sum->most = loss->most > sum->most ? loss->most : sum->most;
        sum->date = loss->date;
    }
    return count;
}

/* Clocks of nodes differ a little. */
bool star_losses_enough(const struct star_losses *losses, const struct star_loss_run *run, int64_t now,
                        int64_t days, struct star_loss *sum)
{
    return star_losses_sum(losses, run, sum) >= STAR_LOSSES_ENOUGH && now - sum->date < days * DAY &&
           sum->date - now < DAY;
}

static void remove_at(struct star_losses *losses, size_t i)
{
    losses->count--;
    memmove(&losses->at[i], &losses->at[i + 1], (losses->count - i) * sizeof *losses->at);
}

/* The oldest of the program, while there are MOST of it. */
static void make_room(struct star_losses *losses, const struct star_loss_run *run, size_t most)
{
    size_t count = 0;
    for (size_t i = losses->count; i-- > 0;)
        if (is_same(&losses->at[i].run, run) && ++count >= most)
            remove_at(losses, i);
}

bool star_losses_add(struct star_losses *losses, const struct star_loss *loss)
{
    make_room(losses, &loss->run, STAR_LOSSES_ENOUGH);
    while (losses->count >= STAR_LOSSES_MOST)
        remove_at(losses, 0);
    struct star_loss *at = star_grown(losses->at, losses->count, sizeof *at);
    if (at == NULL)
        return false;
    losses->at = at;
    losses->at[losses->count++] = *loss;
    return true;
}

size_t star_losses_forget(struct star_losses *losses, const char *program, const char *machine, int64_t ranks,
                          int64_t before)
{
    size_t all = losses->count;
    for (size_t i = losses->count; i-- > 0;) {
        const struct star_loss *loss = &losses->at[i];
        if ((program == NULL || strcmp(loss->run.program, program) == 0) &&
            (machine == NULL || strcmp(loss->run.machine, machine) == 0) &&
            (ranks == 0 || loss->run.ranks == ranks) && (before == 0 || loss->date < before))
            remove_at(losses, i);
    }
    return all - losses->count;
}

bool star_losses_judge(struct star_losses *losses, double seconds, double saved, double error,
                       struct star_loss *loss)
{
    const struct star_loss_run *run = &loss->run;
    switch (star_loss_of(seconds, saved, error, loss)) {
    case STAR_LOSS_SURE:
        return star_losses_add(losses, loss);
    case STAR_LOSS_NONE:
        return star_losses_forget(losses, run->program, run->machine, run->ranks, 0) > 0;
    case STAR_LOSS_UNKNOWN:
    default:
        return false;
    }
}

void star_losses_free(struct star_losses *losses)
{
    free(losses->at);
    *losses = (struct star_losses){0};
}

static bool read_loss(char *line, struct star_loss *loss)
{
    const int64_t date_most = INT64_C(1) << 40, ranks_most = INT64_C(1) << 31;
    return star_tabbed_integer(&line, STAR_FACT_NEVER_SET, date_most, &loss->date) &&
           star_tabbed_integer(&line, 0, MILLION, &loss->least) &&
           star_tabbed_integer(&line, loss->least, MILLION, &loss->most) &&
           star_tabbed_integer(&line, 1, ranks_most, &loss->run.ranks) &&
           star_tabbed_name(&line, loss->run.version, sizeof loss->run.version) &&
           star_tabbed_name(&line, loss->run.program, sizeof loss->run.program) &&
           star_tabbed_name(&line, loss->run.machine, sizeof loss->run.machine) && line == NULL;
}

void star_losses_parse(const char *bytes, size_t length, struct star_losses *losses)
{
    enum { LINE_MOST = 1024 };
    char line[LINE_MOST];
    for (bool first = true; length > 0; first = false) {
        const char *end = memchr(bytes, '\n', length);
        size_t whole = end ? (size_t)(end - bytes) : length;
        struct star_loss loss;
        bool is_line = end != NULL && whole < LINE_MOST;
        snprintf(line, sizeof line, "%.*s", is_line ? (int)whole : 0, bytes);
        if (first && strcmp(line, head) != 0)
            return;
        if (!first && is_line && strlen(line) == whole && read_loss(line, &loss) &&
            !star_losses_add(losses, &loss))
            star_losses_free(losses);
        bytes += whole + (end != NULL);
        length -= whole + (end != NULL);
    }
}

void star_losses_format(const struct star_losses *losses, struct star_text *text)
{
    star_text_add(text, "%s\n", head);
    for (size_t i = 0; i < losses->count; i++) {
        const struct star_loss *loss = &losses->at[i];
        star_text_add(text, "%lld\t%lld\t%lld\t%lld\t%s\t%s\t%s\n", (long long)loss->date,
                      (long long)loss->least, (long long)loss->most, (long long)loss->run.ranks,
                      loss->run.version, loss->run.program, loss->run.machine);
    }
}

static bool name_file(const char *store, char path[STAR_WISDOM_PATH])
{
    int length = snprintf(path, STAR_WISDOM_PATH, "%s.losses", store);
    return store[0] != 0 && length > 0 && length < STAR_WISDOM_PATH;
}

bool star_losses_read(const char *store, struct star_losses *losses)
{
    char path[STAR_WISDOM_PATH];
    struct star_text text = {0};
    bool is_there = name_file(store, path) && star_wisdom_read_own(path, STAR_LOSSES_BYTES_MOST, &text);
    if (is_there && text.length > 0)
        star_losses_parse(text.bytes, text.length, losses);
    star_text_free(&text);
    return is_there;
}

bool star_losses_write(const char *store, const struct star_losses *losses)
{
    char path[STAR_WISDOM_PATH];
    struct star_text text = {0};
    if (!name_file(store, path) || (access(store, F_OK) == 0 && !star_wisdom_is_private(store)))
        return false;
    if (losses->count == 0)
        return unlink(path) == 0;
    star_losses_format(losses, &text);
    bool written = !text.failed && star_home_make(path, NULL) == 0 &&
                   star_file_write_soon(path, text.bytes, text.length, NULL) == 0;
    star_text_free(&text);
    return written;
}
