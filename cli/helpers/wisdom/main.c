/* SPDX-License-Identifier: BSD-3-Clause
 * startune-wisdom recall, learn: what a run of a program asks at its start, and tells at its end, in the form
 * of wisdom/message.h. What is wrong goes into the answer as a note, which the run passes on. A program apart
 * from the startune command, whose many libraries would take longer to load than all that is done here. */
#include "store/base.h"
#include "store/facts.h"
#include "store/fold.h"
#include "store/store.h"
#include "util/text.h"
#include "util/why.h"
#include "wisdom/cache.h"
#include "wisdom/fact.h"
#include "wisdom/message.h"
#include "wisdom/spool.h"
#include "wisdom/where.h"

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

/* Prints a message that is whole. */
static int answer(struct star_text *text)
{
    bool put =
        !text->failed && fwrite(text->bytes, 1, text->length, stdout) == text->length && fflush(stdout) == 0;
    if (!put)
        fprintf(stderr, "startune-wisdom: error: standard output: not all of it was written\n");
    star_text_free(text);
    return put ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* What facts are told to, and when. */
struct telling {
    struct star_text *text;
    int64_t now;
};

static int tell(const struct star_fact *fact, void *context)
{
    const struct telling *telling = context;
    star_message_fact_now(telling->text, fact, telling->now);
    return 0;
}

static void tell_added(const char *name, void *text)
{
    star_message_added(text, name);
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
    if (path[0] == 0 || access(path, F_OK) != 0)
        return;
    if (star_wisdom_open(path, STAR_WISDOM_READ, &recalling->store[recalling->count], &why) == 0)
        recalling->count++;
    else
        star_message_note(&recalling->notes, why.text);
}

/* The user's store, and the site's; or the one that was named alone. Without a home, the user's is "". */
static struct star_cache_question question_of(char path[STAR_WISDOM_PATH])
{
    struct star_cache_question question = {path, star_wisdom_site, asked.machine, (int64_t)time(NULL)};
    path[0] = 0;
    if (asked.store != NULL) {
        question.store = asked.store;
        question.site = "";
    } else if (star_wisdom_path(path, STAR_WISDOM_PATH, NULL) != 0) {
        path[0] = 0;
    }
    return question;
}

static void append(struct star_text *text, const struct star_text *more)
{
    if (more->length > 0)
        star_text_append(text, more->bytes, more->length);
}

/* Of one moment: else a file of the spool could be among the facts, and not said to be. */
static int recall_store(struct star_wisdom *store, const char *machine, struct telling *telling,
                        struct star_why *why)
{
    int error = star_wisdom_do(store, "BEGIN", why);
    if (!error)
        error = star_wisdom_newest(store, machine, RECALLED_MOST, tell, telling, why);
    if (!error)
        error = star_wisdom_each_added(store, tell_added, telling->text, why);
    star_wisdom_do(store, error ? "ROLLBACK" : "COMMIT", NULL);
    return error;
}

/* *NOTED: something is to be said of the stores. */
static struct star_text recall(const struct star_cache_question *question, bool *noted)
{
    struct recalling recalling = {.count = 0};
    struct star_text text = {0}, notes = {0};
    struct telling telling = {&text, question->now};
    struct star_why why;
    star_message_begin(&text, question->machine);
    open_store(&recalling, question->site);
    open_store(&recalling, question->store);
    for (int i = 0; i < recalling.count; i++) {
        if (recall_store(recalling.store[i], question->machine, &telling, &why))
            star_message_note(&notes, why.text);
        star_wisdom_close(recalling.store[i]);
    }
    append(&text, &recalling.notes);
    append(&text, &notes);
    *noted = recalling.notes.length + notes.length > 0;
    star_text_free(&recalling.notes);
    star_text_free(&notes);
    return text;
}

static bool is_same(const struct star_text *one, const struct star_text *other)
{
    return one->length == other->length && memcmp(one->bytes, other->bytes, one->length) == 0;
}

/* What is known of the machine, up to its end; kept for the next run if no store has changed meanwhile. */
static struct star_text recall_and_keep(void)
{
    char path[STAR_WISDOM_PATH];
    struct star_text before = {0}, after = {0};
    struct star_cache_question question = question_of(path);
    bool some, noted, known = star_cache_head(&question, &before, &some);
    struct star_text text = recall(&question, &noted);
    star_message_end(&text);
    if (known && !noted && !text.failed && star_cache_head(&question, &after, &some) &&
        is_same(&before, &after))
        star_cache_write(&question, &before, &text);
    star_text_free(&before);
    star_text_free(&after);
    return text;
}

static int refuse(const char *why)
{
    fprintf(stderr, "startune-wisdom: error: %s\n", why);
    return 2;
}

static int run_recall(void)
{
    if (asked.machine == NULL)
        return refuse("recall needs --machine");
    struct star_text text = recall_and_keep();
    return answer(&text);
}

/* Another run may have added what lay in the spool. */
static bool is_nothing(const char *path, const struct star_facts *facts)
{
    struct star_spool spool;
    bool nothing = star_spool_list(path, &spool) && spool.count == 0 && facts->count == 0;
    star_spool_free(&spool);
    return nothing;
}

/* And what earlier runs have left in the spool. A run that is killed while it tells has told nothing. */
static int learn(const struct star_facts *facts, struct star_text *text)
{
    char path[STAR_WISDOM_PATH], note[400] = "";
    struct star_wisdom *store = NULL;
    struct star_why why;
    struct star_cache_question question = question_of(path);
    if (question.store[0] == 0 || is_nothing(question.store, facts))
        return 0; /* without a home, nothing is kept */
    int error = star_wisdom_open(question.store, STAR_WISDOM_WRITE, &store, &why);
    if (!error)
        error = star_wisdom_hurry(store, &why);
    if (!error)
        error = star_wisdom_fold(store, facts, question.now, note, &why);
    if (error)
        star_message_note(text, why.text);
    else if (note[0] || star_wisdom_note(store)[0])
        star_message_note(text, note[0] ? note : star_wisdom_note(store));
    star_wisdom_close(store);
    return error;
}

/* The next run of this machine asks the same. */
static void foresee(void)
{
    struct star_text text = {0};
    if (asked.machine != NULL)
        text = recall_and_keep();
    star_text_free(&text);
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
    if (!error)
        foresee();
    star_message_end(&text);
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
         "  learn            add the facts on standard input, and those in the spool\n"
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
