/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom recall, learn: what a run of a program asks at its start, and tells at its end, in the form
 * of wisdom/message.h. What is wrong goes into the answer as a note, which the run passes on. */
#include "output.h"
#include "wisdom.h"
#include "wisdom/message.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of the newest facts so many are told, of each store: that keeps the start of a run short. */
enum { RECALLED_MOST = 1000 };

static int answer(struct star_text *text)
{
    star_message_end(text);
    int status = cli_put(&cli_wisdom, NULL, text);
    star_text_free(text);
    return status;
}

static int tell(const struct star_fact *fact, void *context)
{
    struct star_fact now = *fact;
    now.figures = star_figures_fade(fact->figures, (int64_t)time(NULL));
    star_message_fact(context, &now);
    return 0;
}

static bool read_input(struct star_text *text)
{
    char bytes[1 << 14];
    ssize_t more;
    while ((more = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
        star_text_append(text, bytes, (size_t)more);
    return more == 0 && !text->failed;
}

/* The stores that a run reads, and what is to be said of them. */
struct recalling {
    struct star_wisdom *store[2];
    int count;
    struct star_text notes;
};

static void open_store(struct recalling *recalling, const char *path)
{
    struct star_why why;
    if (access(path, F_OK) != 0)
        return;
    if (star_wisdom_open(path, STAR_WISDOM_READ, &recalling->store[recalling->count], &why) == 0)
        recalling->count++;
    else
        star_message_note(&recalling->notes, why.text);
}

static void open_stores(struct recalling *recalling)
{
    enum { PATH_MOST = 4000 };
    char path[PATH_MOST];
    if (cli_wisdom_ask.store != NULL) {
        open_store(recalling, cli_wisdom_ask.store);
        return;
    }
    open_store(recalling, star_wisdom_site);
    if (star_wisdom_path(path, sizeof path, NULL) == 0) /* without a home, the site's alone */
        open_store(recalling, path);
}

static void append(struct star_text *text, const struct star_text *more)
{
    if (more->length > 0)
        star_text_append(text, more->bytes, more->length);
}

/* What is known of MACHINE. */
static struct star_text recall(const struct recalling *recalling, const char *machine)
{
    struct star_text text = {0}, notes = {0};
    struct star_why why;
    star_message_begin(&text, machine);
    for (int i = 0; i < recalling->count; i++)
        if (star_wisdom_newest(recalling->store[i], machine, RECALLED_MOST, tell, &text, &why))
            star_message_note(&notes, why.text);
    append(&text, &recalling->notes);
    append(&text, &notes);
    star_text_free(&notes);
    return text;
}

/* Of which a run will most likely ask. */
static void guess(const struct recalling *recalling, char machine[STAR_FACT_MACHINE])
{
    machine[0] = 0;
    if (recalling->count > 0)
        star_wisdom_latest(recalling->store[recalling->count - 1], machine, NULL);
}

/* A line on standard input. */
static bool read_machine(char machine[STAR_FACT_MACHINE])
{
    struct star_text line = {0};
    bool read = read_input(&line) && line.length > 0;
    snprintf(machine, STAR_FACT_MACHINE, "%.*s", read ? (int)strcspn(line.bytes, "\n") : 0,
             read ? line.bytes : "");
    star_text_free(&line);
    return machine[0] != 0;
}

/* A run begins this command before it knows its machine, and other things keep it busy meanwhile. */
static int recall_when_asked(const struct recalling *recalling)
{
    char guessed[STAR_FACT_MACHINE], machine[STAR_FACT_MACHINE];
    guess(recalling, guessed);
    struct star_text text = recall(recalling, guessed);
    if (!read_machine(machine)) {
        star_text_free(&text);
        return cli_error(&cli_wisdom, "recall needs --machine, or a machine's name on standard input");
    }
    if (strcmp(machine, guessed) != 0) {
        star_text_free(&text);
        text = recall(recalling, machine);
    }
    return answer(&text);
}

int cli_wisdom_recall(int count, char **words)
{
    (void)count, (void)words;
    struct recalling recalling = {.count = 0};
    struct star_text text;
    int status;
    open_stores(&recalling);
    if (cli_wisdom_ask.machine == NULL)
        status = recall_when_asked(&recalling);
    else {
        text = recall(&recalling, cli_wisdom_ask.machine);
        status = answer(&text);
    }
    for (int i = 0; i < recalling.count; i++)
        star_wisdom_close(recalling.store[i]);
    star_text_free(&recalling.notes);
    return status;
}

/* A run that is killed while it tells them has told nothing. */
static int learn(const struct cli_facts *facts, struct star_text *text)
{
    enum { PATH_MOST = 4000 };
    char path[PATH_MOST];
    struct star_wisdom *store = NULL;
    struct star_why why;
    if (cli_wisdom_ask.store == NULL && star_wisdom_path(path, sizeof path, NULL) != 0)
        return 0; /* without a home, nothing is kept */
    int error =
        star_wisdom_open(cli_wisdom_ask.store ? cli_wisdom_ask.store : path, STAR_WISDOM_WRITE, &store, &why);
    if (!error)
        error = star_wisdom_add(store, facts->at, facts->count, (int64_t)time(NULL), &why);
    if (error)
        star_message_note(text, why.text);
    else if (star_wisdom_note(store)[0])
        star_message_note(text, star_wisdom_note(store));
    star_wisdom_close(store);
    return error;
}

int cli_wisdom_learn(int count, char **words)
{
    (void)count, (void)words;
    struct star_text input = {0}, text = {0};
    struct cli_facts facts = {0};
    struct star_why why = {"standard input cannot be read"};
    char note[STAR_MESSAGE_NOTE];
    int error = read_input(&input) ? 0 : STAR_ESYSTEM;
    if (!error)
        error = star_message_read(input.bytes ? input.bytes : "", input.length, cli_facts_add, &facts, note,
                                  &why);
    star_text_free(&input);
    star_message_begin(&text, "");
    if (error)
        star_message_note(&text, why.text);
    else
        error = learn(&facts, &text);
    cli_facts_free(&facts);
    int status = answer(&text);
    return error ? CLI_FAILED : status;
}
