/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom export, import, merge: facts as JSON, and from other stores. */
#include "output.h"
#include "util/file.h"
#include "wisdom_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { FORMAT = 2 };

static void json_fact(const struct star_fact *fact, struct star_text *text)
{
    star_json_open(text, NULL, '{');
    star_json_string(text, "machine", fact->machine);
    star_json_string(text, "operation", fact->operation);
    star_json_integer(text, "ranks", fact->ranks);
    star_json_integer(text, "nodes", fact->nodes);
    star_json_integer(text, "bytes", fact->bytes);
    star_json_bool(text, "commutative", fact->commutative);
    star_json_bool(text, "in_place", fact->in_place);
    star_json_string(text, "method", fact->method);
    star_json_number(text, "count", fact->figures.count);
    star_json_number(text, "mean", fact->figures.mean);
    star_json_number(text, "squares", fact->figures.squares);
    star_json_number(text, "least", fact->figures.least);
    star_json_integer(text, "date", fact->figures.date);
    star_json_close(text, '}');
}

void cli_wisdom_json(const struct star_facts *facts, struct star_text *text)
{
    star_json_open(text, NULL, '{');
    star_json_integer(text, "startune_wisdom", FORMAT);
    star_json_open(text, "facts", '[');
    for (size_t i = 0; i < facts->count; i++) {
        star_text_add(text, i ? ",\n" : "\n");
        json_fact(&facts->at[i], text);
    }
    star_json_close(text, ']');
    star_json_close(text, '}');
    star_text_add(text, "\n");
}

int cli_wisdom_export(int count, char **words)
{
    struct star_facts facts;
    struct star_text text = {0};
    int status = cli_wisdom_read(count ? words[0] : NULL, &facts);
    if (status)
        return status;
    cli_wisdom_json(&facts, &text);
    star_facts_free(&facts);
    status = cli_put(&cli_wisdom, cli_wisdom_ask.output, &text);
    star_text_free(&text);
    return status;
}

static bool read_word(const json_t *object, const char *key, char *word, size_t room)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL && (size_t)snprintf(word, room, "%s", value) < room;
}

static bool read_integer(const json_t *object, const char *key, int64_t *number)
{
    const json_t *value = json_object_get(object, key);
    *number = json_integer_value(value);
    return json_is_integer(value);
}

static bool read_number(const json_t *object, const char *key, double *number)
{
    const json_t *value = json_object_get(object, key);
    *number = json_number_value(value);
    return json_is_number(value);
}

static bool read_bool(const json_t *object, const char *key, bool *truth)
{
    const json_t *value = json_object_get(object, key);
    *truth = json_is_true(value);
    return json_is_boolean(value);
}

static bool read_fact(const json_t *object, struct star_fact *fact)
{
    struct star_figures *figures = &fact->figures;
    return read_word(object, "machine", fact->machine, sizeof fact->machine) &&
           read_word(object, "operation", fact->operation, sizeof fact->operation) &&
           read_word(object, "method", fact->method, sizeof fact->method) &&
           read_integer(object, "ranks", &fact->ranks) && read_integer(object, "nodes", &fact->nodes) &&
           read_integer(object, "bytes", &fact->bytes) &&
           read_bool(object, "commutative", &fact->commutative) &&
           read_bool(object, "in_place", &fact->in_place) && read_number(object, "count", &figures->count) &&
           read_number(object, "mean", &figures->mean) && read_number(object, "squares", &figures->squares) &&
           read_number(object, "least", &figures->least) && read_integer(object, "date", &figures->date);
}

static int read_facts(const json_t *root, const char *name, struct star_facts *facts, struct star_why *why)
{
    const json_t *list = json_object_get(root, "facts");
    if (!json_is_integer(json_object_get(root, "startune_wisdom")) || !json_is_array(list))
        return star_because(
            why, STAR_EINPUT,
            "%.200s: neither what `startune wisdom export` nor what `startune run --report` writes", name);
    if (json_integer_value(json_object_get(root, "startune_wisdom")) != FORMAT)
        return star_because(why, STAR_EINPUT, "%.200s: of another version than %d", name, FORMAT);
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct star_fact fact;
        struct star_why wrong = {"a key is missing, or its value is of the wrong kind"};
        memset(&fact, 0, sizeof fact);
        if (!read_fact(json_array_get(list, i), &fact) || star_fact_check(&fact, &wrong))
            return star_because(why, STAR_EINPUT, "%.150s: fact %zu: %.150s", name, i + 1, wrong.text);
        if (star_facts_add(&fact, facts))
            return star_because(why, STAR_EMEMORY, "out of memory for %.200s", name);
    }
    return 0;
}

static int read_file(const char *path, const char *own, struct star_facts *facts, struct star_why *why)
{
    (void)own;
    struct star_text text = {0};
    json_error_t wrong;
    const char *name = star_file_name(path);
    int error = star_file_read(path, &text, why);
    json_t *root = error ? NULL : json_loadb(text.bytes ? text.bytes : "", text.length, 0, &wrong);
    if (!error && root == NULL)
        error = star_because(why, STAR_EINPUT, "%.150s:%d: %.150s", name, wrong.line, wrong.text);
    if (!error)
        error = cli_is_report(root) ? cli_read_report(root, name, facts, why)
                                    : read_facts(root, name, facts, why);
    json_decref(root);
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
    int status = error ? cli_wisdom_refuse(error, &why) : cli_wisdom_open(STAR_WISDOM_WRITE, &store);
    if (store != NULL) {
        error = star_wisdom_add(store, facts.at, facts.count, (int64_t)time(NULL), &why);
        if (error)
            status = cli_wisdom_refuse(error, &why);
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
