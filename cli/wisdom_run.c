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

/* What is known in the store PATH, if there is one. */
static void recall_from(const char *path, struct star_text *text)
{
    struct star_wisdom *store;
    struct star_why why;
    if (access(path, F_OK) != 0)
        return;
    int error = star_wisdom_open(path, STAR_WISDOM_READ, &store, &why);
    if (!error)
        error = star_wisdom_newest(store, cli_wisdom_ask.machine, RECALLED_MOST, tell, text, &why);
    star_wisdom_close(store);
    if (error)
        star_message_note(text, why.text);
}

int cli_wisdom_recall(int count, char **words)
{
    (void)count, (void)words;
    enum { PATH_MOST = 4000 };
    char path[PATH_MOST];
    struct star_text text = {0};
    if (cli_wisdom_ask.machine == NULL)
        return cli_error(&cli_wisdom, "recall needs --machine");
    star_message_begin(&text, cli_wisdom_ask.machine);
    if (cli_wisdom_ask.store != NULL)
        recall_from(cli_wisdom_ask.store, &text);
    else {
        recall_from(star_wisdom_site, &text);
        if (star_wisdom_path(path, sizeof path, NULL) == 0) /* without a home, the site's alone */
            recall_from(path, &text);
    }
    return answer(&text);
}

static bool read_input(struct star_text *text)
{
    char bytes[1 << 14];
    ssize_t more;
    while ((more = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
        star_text_append(text, bytes, (size_t)more);
    return more == 0 && !text->failed;
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
