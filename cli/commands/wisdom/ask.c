/* SPDX-License-Identifier: BSD-3-Clause */
#include "ask.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "cli/common/messages.h"
#include "store/fold.h"
#include "util/why.h"
#include "wisdom/fact.h"
#include "wisdom/where.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct cli_wisdom_ask cli_wisdom_ask;

int cli_wisdom_where(char *path, size_t room)
{
    struct star_why why;
    const char *asked = cli_wisdom_ask.site ? star_wisdom_site : cli_wisdom_ask.store;
    if (cli_wisdom_ask.site && cli_wisdom_ask.store)
        return cli_error("--site and --store: one of them");
    if (asked == NULL) {
        int error = star_wisdom_path(path, room, &why);
        return error ? cli_refuse(error, &why) : CLI_OK;
    }
    if ((size_t)snprintf(path, room, "%s", asked) >= room)
        return cli_error("%.100s…: too long a path", asked);
    return CLI_OK;
}

void cli_wisdom_fold(const char *path)
{
    struct star_why why;
    if (star_wisdom_fold_in(path, (int64_t)time(NULL), &why))
        fprintf(stderr, "startune wisdom: not all that the last runs learned is in it: %s\n", why.text);
}

int cli_wisdom_open(enum star_wisdom_access access, struct star_wisdom **store)
{
    enum { PATH_MOST = 4000 };
    char path[PATH_MOST];
    struct star_why why;
    struct stat status;
    *store = NULL;
    int refused = cli_wisdom_where(path, sizeof path);
    if (refused)
        return refused;
    bool named = cli_wisdom_ask.store != NULL;
    if (access == STAR_WISDOM_READ && !named && stat(path, &status) != 0 && errno == ENOENT)
        return CLI_OK;
    cli_wisdom_fold(path);
    int error = star_wisdom_open(path, access, store, &why);
    return error ? cli_refuse(error, &why) : CLI_OK;
}

void cli_wisdom_close(struct star_wisdom *store)
{
    if (store != NULL && star_wisdom_note(store)[0])
        fprintf(stderr, "startune wisdom: %s\n", star_wisdom_note(store));
    star_wisdom_close(store);
}

int cli_wisdom_check_operation(const char *word)
{
    static const char *const requests[] = {"neighborhood", "own"};
    enum star_operation operation;
    struct star_why why;
    size_t length = strcspn(word, ":"); /* of requests, a problem may follow */
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (length == strlen(requests[i]) && strncmp(word, requests[i], length) == 0)
            return CLI_OK;
    int error = star_operation_parse(word, &operation, &why);
    return error ? cli_refuse(error, &why) : CLI_OK;
}

/* Leaves impossible ones out, after saying so; what a clock that was never set has dated is of today. */
static void mend(struct star_facts *facts)
{
    size_t kept = 0, wrong;
    for (size_t i = 0; i < facts->count; i++) {
        facts->at[i].figures = star_figures_until(facts->at[i].figures, (int64_t)time(NULL));
        if (star_fact_check(&facts->at[i], NULL) == 0)
            facts->at[kept++] = facts->at[i];
    }
    wrong = facts->count - kept;
    facts->count = kept;
    if (wrong > 0)
        fprintf(stderr, "startune wisdom: %zu impossible facts are left out: wisdom doctor says more\n",
                wrong);
}

int cli_wisdom_read(const char *operation, struct star_facts *facts)
{
    struct star_wisdom *store = NULL;
    struct star_why why = {"out of memory"};
    struct star_wisdom_filter filter = {.machine = cli_wisdom_ask.machine, .operation = operation};
    *facts = (struct star_facts){0};
    int status = operation ? cli_wisdom_check_operation(operation) : CLI_OK;
    if (!status)
        status = cli_wisdom_open(STAR_WISDOM_READ, &store);
    if (status || store == NULL)
        return status;
    int error = star_wisdom_each(store, &filter, star_facts_add, facts, &why);
    cli_wisdom_close(store);
    if (error) {
        star_facts_free(facts);
        return cli_refuse(error, &why);
    }
    mend(facts);
    return CLI_OK;
}
