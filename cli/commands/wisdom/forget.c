/* SPDX-License-Identifier: BSD-3-Clause */
#include "forget.h"
#include "ask.h"
#include "cli/common/messages.h"
#include "losses.h"
#include "store/base.h"
#include "store/facts.h"
#include "store/store.h"
#include "util/why.h"
#include "wisdom/hours.h"
#include "wisdom/where.h"

#include <stdio.h>
#include <time.h>

static int forget_facts(const struct star_wisdom_filter *filter, int64_t *count)
{
    struct star_wisdom *store;
    struct star_why why;
    int status = filter->operation ? cli_wisdom_check_operation(filter->operation) : CLI_OK;
    if (!status)
        status = cli_wisdom_open(STAR_WISDOM_WRITE, &store);
    if (status)
        return status;
    int error = star_wisdom_forget(store, filter, count, &why);
    cli_wisdom_close(store);
    return error ? cli_refuse(error, &why) : CLI_OK;
}

/* What was lost and saved stays in the account of a site, though a program is tuned again. */
static int forget_hours(const char *path, int64_t before, int64_t *runs)
{
    *runs = cli_wisdom_ask.all || before > 0 ? star_hours_forget(path, before) : 0;
    return *runs < 0 ? cli_error("%.200s.hours cannot be written", path) : CLI_OK;
}

static void say_forgotten(int64_t facts, size_t losses, int64_t runs)
{
    if (cli_wisdom_ask.program == NULL)
        printf("%lld facts%s", (long long)facts, losses ? " and " : "");
    if (cli_wisdom_ask.program || losses)
        printf("%zu loss%s", losses, losses == 1 ? "" : "es");
    if (runs > 0)
        printf(" and the account of %lld run%s", (long long)runs, runs == 1 ? "" : "s");
    puts(" forgotten");
}

int cli_wisdom_forget(int count, char **words)
{
    enum { DAY = 24 * 3600 };
    char path[STAR_WISDOM_PATH];
    size_t losses = 0;
    int64_t forgotten = 0, runs = 0;
    struct star_wisdom_filter filter = {.machine = cli_wisdom_ask.machine,
                                        .operation = count ? words[0] : NULL};
    if (cli_wisdom_ask.days > 0)
        filter.before = (int64_t)time(NULL) - cli_wisdom_ask.days * DAY + 1;
    const char *program = cli_wisdom_ask.program;
    bool some = filter.machine || filter.operation || filter.before || program;
    if (some == cli_wisdom_ask.all)
        return cli_error(some ? "forget --all goes with nothing else"
                              : "forget what? An operation, --program, --machine, --older or --all says it");
    if (filter.operation && program)
        return cli_error("an operation or --program: one of them");
    int status = cli_wisdom_where(path, sizeof path);
    if (!status && program == NULL)
        status = forget_facts(&filter, &forgotten);
    if (!status && filter.operation == NULL)
        status = cli_wisdom_forget_losses(path, filter.before, &losses);
    if (!status && filter.operation == NULL && filter.machine == NULL && program == NULL)
        status = forget_hours(path, filter.before, &runs);
    if (status)
        return status;
    say_forgotten(forgotten, losses, runs);
    return CLI_OK;
}
