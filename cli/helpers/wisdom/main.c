/* SPDX-License-Identifier: BSD-3-Clause
 * startune-wisdom recall, learn: what a run of a program asks at its start, and tells at its end, in the form
 * of wisdom/message.h. What is wrong goes into the answer as a note, which the run passes on. A program apart
 * from the startune command, whose many libraries would take longer to load than all that is done here. */
#include "store/base.h"
#include "store/facts.h"
#include "store/place.h"
#include "store/store.h"
#include "util/text.h"
#include "util/why.h"
#include "wisdom/fact.h"
#include "wisdom/message.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of the newest facts so many are told, of each store: that keeps the start of a run short. */
enum { RECALLED_MOST = 1000 };

static struct {
    const char *store, *machine; /* NULL: not asked for */
} asked;

static int answer(struct star_text *text)
{
    star_message_end(text);
    bool put =
        !text->failed && fwrite(text->bytes, 1, text->length, stdout) == text->length && fflush(stdout) == 0;
    if (!put)
        fprintf(stderr, "startune-wisdom: error: standard output: not all of it was written\n");
    star_text_free(text);
    return put ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Who reads the message takes none of it where one fact is impossible. */
static int tell(const struct star_fact *fact, void *context)
{
    int64_t now = (int64_t)time(NULL);
    struct star_fact left = *fact;
    if (star_fact_check(fact, NULL))
        return 0;
    left.figures = star_figures_fade(star_figures_until(fact->figures, now), now);
    star_message_fact(context, &left);
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
    if (asked.store != NULL) {
        open_store(recalling, asked.store);
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

static int refuse(const char *why)
{
    fprintf(stderr, "startune-wisdom: error: %s\n", why);
    return 2;
}

static int run_recall(void)
{
    struct recalling recalling = {.count = 0};
    if (asked.machine == NULL)
        return refuse("recall needs --machine");
    open_stores(&recalling);
    struct star_text text = recall(&recalling, asked.machine);
    int status = answer(&text);
    for (int i = 0; i < recalling.count; i++)
        star_wisdom_close(recalling.store[i]);
    star_text_free(&recalling.notes);
    return status;
}

/* A run that is killed while it tells them has told nothing. */
static int learn(const struct star_facts *facts, struct star_text *text)
{
    enum { PATH_MOST = 4000 };
    char path[PATH_MOST];
    struct star_wisdom *store = NULL;
    struct star_why why;
    if (asked.store == NULL && star_wisdom_path(path, sizeof path, NULL) != 0)
        return 0; /* without a home, nothing is kept */
    int error = star_wisdom_open(asked.store ? asked.store : path, STAR_WISDOM_WRITE, &store, &why);
    if (!error)
        error = star_wisdom_hurry(store, &why);
    if (!error)
        error = star_wisdom_add(store, facts->at, facts->count, (int64_t)time(NULL), &why);
    if (error)
        star_message_note(text, why.text);
    else if (star_wisdom_note(store)[0])
        star_message_note(text, star_wisdom_note(store));
    star_wisdom_close(store);
    return error;
}

static int run_learn(void)
{
    struct star_text input = {0}, text = {0};
    struct star_facts facts = {0};
    struct star_why why = {"standard input cannot be read"};
    char note[STAR_MESSAGE_NOTE];
    int error = read_input(&input) ? 0 : STAR_ESYSTEM;
    if (!error)
        error = star_message_read(input.bytes ? input.bytes : "", input.length, star_facts_add, &facts, note,
                                  &why);
    star_text_free(&input);
    star_message_begin(&text, "");
    if (error)
        star_message_note(&text, why.text);
    else
        error = learn(&facts, &text);
    star_facts_free(&facts);
    int status = answer(&text);
    return error ? EXIT_FAILURE : status;
}

static int help(void)
{
    puts("usage: startune-wisdom [--store FILE] [--machine NAME] recall|learn\n"
         "\n"
         "What runs of programs ask at their start and tell at their end; people use `startune wisdom`.\n"
         "\n"
         "  recall           print the newest facts of the machine NAME\n"
         "  learn            add the facts on standard input\n"
         "  --store FILE     the store, instead of the user's");
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"store", required_argument, NULL, 's'},
                                            {"machine", required_argument, NULL, 'm'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        switch (option) {
        case 's':
            asked.store = optarg;
            break;
        case 'm':
            asked.machine = optarg;
            break;
        case 'h':
            return help();
        default:
            return 2;
        }
    const char *action = optind + 1 == argc ? argv[optind] : "";
    if (strcmp(action, "recall") == 0)
        return run_recall();
    return strcmp(action, "learn") == 0 ? run_learn() : refuse("recall or learn? --help says more");
}
