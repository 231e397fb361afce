/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"
#include "ask.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "json.h"
#include "store/base.h"
#include "store/facts.h"
#include "store/store.h"
#include "util/file.h"
#include "util/text.h"
#include "util/why.h"
#include "wisdom/fact.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int cli_wisdom_export(int count, char **words)
{
    struct star_facts facts;
    struct star_text text = {0};
    int status = cli_wisdom_read(count ? words[0] : NULL, &facts);
    if (status)
        return status;
    cli_wisdom_json(&facts, &text);
    star_facts_free(&facts);
    status = cli_put(cli_wisdom_ask.output, &text);
    star_text_free(&text);
    return status;
}

static int read_file(const char *path, const char *own, struct star_facts *facts, struct star_why *why)
{
    (void)own;
    struct star_text text = {0};
    int error = star_file_read(path, &text, why);
    if (!error)
        error = cli_wisdom_parse(text.bytes ? text.bytes : "", text.length, star_file_name(path), facts, why);
    star_text_free(&text);
    return error;
}

/* What is added to itself would count twice. */
static bool is_same(const char *own, const struct stat *other)
{
    struct stat it;
    return stat(own, &it) == 0 && it.st_dev == other->st_dev && it.st_ino == other->st_ino;
}

static int read_store(const char *path, const char *own, struct star_facts *facts, struct star_why *why)
{
    struct star_wisdom *other;
    struct stat status;
    if (stat(path, &status) != 0)
        return star_because(why, STAR_EINPUT, "%.200s: %s", path, strerror(errno));
    if (is_same(own, &status))
        return star_because(why, STAR_EINPUT, "%.200s is the store that is merged into", path);
    cli_wisdom_fold(path);
    int error = star_wisdom_open(path, STAR_WISDOM_READ, &other, why);
    if (error == STAR_EWRONG) /* it is no store: the words are wrong */
        error = STAR_EINPUT;
    if (error)
        return error;
    star_because(why, STAR_EMEMORY, "out of memory for %.200s", path);
    size_t before = facts->count;
    error = star_wisdom_each(other, &(struct star_wisdom_filter){0}, star_facts_add, facts, why);
    star_wisdom_close(other);
    for (size_t i = before; !error && i < facts->count; i++) {
        struct star_why wrong;
        if (star_fact_check(&facts->at[i], &wrong))
            error = star_because(why, STAR_EINPUT, "%.150s: %.200s", path, wrong.text);
    }
    return error;
}

/* All files are read before anything is added to the store OWN, in one transaction. */
static int add_all(int count, char **words,
                   int (*read)(const char *path, const char *own, struct star_facts *facts,
                               struct star_why *why))
{
    enum { PATH_MOST = 4000 };
    char own[PATH_MOST];
    struct star_facts facts = {0};
    struct star_wisdom *store = NULL;
    struct star_why why;
    int error = 0, refused = cli_wisdom_where(own, sizeof own);
    if (refused)
        return refused;
    for (int i = 0; !error && i < count; i++)
        error = read(words[i], own, &facts, &why);
    int status = error ? cli_refuse(error, &why) : cli_wisdom_open(STAR_WISDOM_WRITE, &store);
    if (store != NULL) {
        error = star_wisdom_add(store, facts.at, facts.count, (int64_t)time(NULL), &why);
        if (error)
            status = cli_refuse(error, &why);
        else
            printf("%zu facts added\n", facts.count);
    }
    cli_wisdom_close(store);
    star_facts_free(&facts);
    return status;
}

int cli_wisdom_import(int count, char **words)
{
    return add_all(count, words, read_file);
}

int cli_wisdom_merge(int count, char **words)
{
    return add_all(count, words, read_store);
}
