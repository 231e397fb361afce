/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/remember.h"
#include "runtime/machine.h"
#include "runtime/session.h"
#include "runtime/warn.h"
#include "util/module.h"
#include "util/process.h"
#include "util/why.h"
#include "wisdom/cache.h"
#include "wisdom/fact.h"
#include "wisdom/message.h"
#include "wisdom/spool.h"
#include "wisdom/where.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* At its end a run waits for the command so many times as long as at the start: others may be writing. */
enum { LONGER_AT_END = 5 };

static struct {
    char command[PATH_MAX];       /* "" where there is none */
    char store[STAR_WISDOM_PATH]; /* as the program found it; "": there is no home */
    bool named;                   /* by the setting: the site's is not read */
    bool wrong;                   /* something was, at the start: the helper is to see to it at the end */
} remember;

/* startune-wisdom, beside the library. */
static bool find_command(void)
{
    const struct link_map *library = star_module_of(&remember);
    char path[PATH_MAX], *own = library != NULL ? realpath(library->l_name, NULL) : NULL;
    char *slash = own ? strrchr(own, '/') : NULL;
    int length = slash ? snprintf(path, sizeof path, "%.*s/%s/startune-wisdom", (int)(slash - own), own,
                                  STARTUNE_TO_HELPERS)
                       : -1;
    free(own);
    if (length < 0 || (size_t)length >= sizeof path || access(path, X_OK) != 0)
        return false;
    memcpy(remember.command, path, (size_t)length + 1);
    return true;
}

static void find_store(void)
{
    const char *setting = star_runtime.settings.wisdom;
    remember.named = strcmp(setting, "on") != 0;
    if (remember.named)
        snprintf(remember.store, sizeof remember.store, "%s", setting);
    else if (star_wisdom_path(remember.store, sizeof remember.store, NULL) != 0)
        remember.store[0] = 0;
}

const char *star_remember_place(void)
{
    find_store();
    return remember.store;
}

/* Runs `startune-wisdom ACTION` with INPUT. */
static int ask(char *action, const struct star_text *input, double seconds, struct star_text *answer,
               struct star_why *why)
{
    char machine[STAR_FACT_MACHINE],
        *words[] = {remember.command, action, "--machine", machine, NULL, remember.store, NULL};
    snprintf(machine, sizeof machine, "%s", star_machine_name());
    if (remember.named)
        words[4] = "--store";
    return star_process_ask(words, input, seconds, answer, why);
}

/* One line, whatever was wrong: the program goes on as if nothing were known. */
static void complain(int error, const char *note, const struct star_why *why, const char *consequence)
{
    if (error || note[0])
        star_warn(STAR_WARN_WISDOM, 0, "%.300s; %s (setting wisdom)", error ? why->text : note, consequence);
}

static bool ask_helper(struct star_text *answer)
{
    static const struct star_text nothing;
    struct star_why why = {{0}};
    char note[STAR_MESSAGE_NOTE] = "";
    int error = ask("recall", &nothing, (double)star_runtime.settings.wisdom_patience, answer, &why);
    if (!error)
        error = star_message_check(answer->bytes ? answer->bytes : "", answer->length, note, &why);
    complain(error, note, &why, "going on without what earlier runs learned");
    remember.wrong = error || note[0];
    return !error;
}

/* What the stores hold: without a store, nothing; else as it was kept, or as the helper says. */
static bool recall(const struct star_cache_question *question, const struct star_text *head, bool known,
                   bool some, struct star_text *answer)
{
    if (known && star_cache_read(question, head, answer))
        return true;
    if (!known || some)
        return ask_helper(answer);
    star_message_begin(answer, question->machine);
    star_message_end(answer);
    return !answer->failed;
}

/* And what lies beside the store. True: the store has not changed meanwhile, or the turns are over. */
static bool recall_all(const struct star_cache_question *question, bool last, struct star_text *answer)
{
    struct star_text head = {0}, later = {0};
    bool some, same = true, known = star_cache_head(question, &head, &some);
    if (!recall(question, &head, known, some, answer)) {
        star_text_free(answer);
    } else if (question->store[0] != 0) {
        size_t before = answer->length;
        star_spool_add_to(question->store, question->machine, question->now, answer);
        same = last || answer->length == before || !known || !star_cache_head(question, &later, &some) ||
               (head.length == later.length && memcmp(head.bytes, later.bytes, head.length) == 0);
    }
    star_text_free(&head);
    star_text_free(&later);
    return same;
}

/* Whole, and without a fact. */
static bool is_bare(const struct star_text *message)
{
    char note[STAR_MESSAGE_NOTE];
    return message->length > 0 && !star_message_tells(message) &&
           star_message_check(message->bytes, message->length, note, NULL) == 0;
}

void star_remember_begin(struct star_text *message)
{
    enum { TURNS = 3 };
    if (!find_command())
        return;
    find_store();
    struct star_cache_question question = {remember.store, remember.named ? "" : star_wisdom_site,
                                           star_machine_name(), (int64_t)time(NULL)};
    for (int turn = 1; !recall_all(&question, turn == TURNS, message); turn++)
        star_text_free(message);
    if (is_bare(message))
        star_text_free(message); /* nobody needs it */
}

static int ignore(const struct star_fact *fact, void *context)
{
    (void)fact, (void)context;
    return 0;
}

static void teach(const struct star_text *message, const char *consequence)
{
    struct star_text answer = {0};
    struct star_why why = {{0}};
    char note[STAR_MESSAGE_NOTE] = "";
    double seconds = LONGER_AT_END * (double)star_runtime.settings.wisdom_patience;
    int error = ask("learn", message, seconds, &answer, &why);
    if (!error)
        error = star_message_read(answer.bytes ? answer.bytes : "", answer.length, ignore, NULL, note, &why);
    complain(error, note, &why, consequence);
    star_text_free(&answer);
}

/* Beside the store it is safe. When there are some, they are added; another run does it where that fails. */
static void give(const struct star_text *message)
{
    struct star_text nothing = {0};
    size_t count = 0;
    if (remember.wrong || star_spool_put(remember.store, message, &count, NULL) != 0) {
        teach(message, "what this run has learned may be lost");
        return;
    }
    star_message_begin(&nothing, star_machine_name());
    star_message_end(&nothing);
    if (count >= STAR_SPOOL_MANY && !nothing.failed)
        teach(&nothing, "what runs learned waits beside the store");
    star_text_free(&nothing);
}

void star_remember_end(const struct star_text *lines)
{
    static const struct star_why out_of_memory = {"out of memory"};
    if (remember.command[0] == 0 || remember.store[0] == 0 || lines->length == 0)
        return;
    struct star_text message = {0};
    star_message_begin(&message, star_machine_name());
    star_text_append(&message, lines->bytes, lines->length);
    star_message_end(&message);
    if (message.failed)
        complain(STAR_EMEMORY, "", &out_of_memory, "what this run has learned is lost");
    else
        give(&message);
    star_text_free(&message);
}
