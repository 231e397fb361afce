/* SPDX-License-Identifier: BSD-3-Clause */
#include "completion.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/repository.h"
#include "cli/common/listing.h"
#include "cli/common/messages.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 256, WORD = 512 };

/* What is typed: bash parts words at ':' and '=', and here they are whole again. */
static struct {
    char word[WORDS_MOST][WORD];
    int count;
    size_t strip; /* of the last word so much is in front of what the shell replaces */
    bool explain; /* candidates are for a shell that shows what they mean */
} typed;

static bool is_break(const char *word)
{
    return (word[0] == ':' || word[0] == '=') && word[1] == 0;
}

static void read_words(int count, char **words)
{
    bool joins = false;
    for (int i = 0; i < count && typed.count < WORDS_MOST; i++) {
        bool breaks = is_break(words[i]) && typed.count > 0;
        if (!breaks && !joins)
            typed.count++;
        char *last = typed.word[typed.count - 1];
        typed.strip = strlen(last);
        snprintf(last + typed.strip, WORD - typed.strip, "%s", words[i]);
        if (breaks)
            typed.strip = strlen(last);
        joins = breaks;
    }
}

static const char *current(void)
{
    return typed.word[typed.count - 1];
}

/* Offers BEFORE and CANDIDATE as one word, which means what SAID_FIRST and SAYS say. */
static void explain(const char *before, const char *candidate, const char *said_first, const char *says)
{
    char word[2 * WORD];
    snprintf(word, sizeof word, "%s%s", before, candidate);
    if (strncmp(word, current(), strlen(current())) != 0)
        return;
    printf("%s", word + typed.strip);
    if (typed.explain)
        printf("\t%s%s", said_first, says);
    putchar('\n');
}

static void offer(const char *before, const char *candidate)
{
    explain(before, candidate, "", "");
}

static void offer_operations(const char *before, const char *after)
{
    char name[80];
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        snprintf(name, sizeof name, "%s%s", star_operations[i].name, after);
        offer(before, name);
    }
}

static void offer_methods(const char *before)
{
    char name[STAR_METHOD_TEXT];
    if (strchr(current() + strlen(before), ':') == NULL)
        offer_operations(before, ":");
    for (int i = 0; i < star_repository_count; i++) {
        snprintf(name, sizeof name, "%s:%s", star_operations[star_repository[i]->operation].name,
                 star_repository[i]->name);
        if (strchr(current() + strlen(before), ':') != NULL)
            offer(before, name);
    }
}

/* What NAME stands for, a word in capital letters. */
static void offer_kind(const char *before, const char *name)
{
    if (strncmp(name, "FILE", 4) == 0)
        puts(" files");
    else if (strncmp(name, "OPERATION", 9) == 0)
        offer_operations(before, "");
    else if (strncmp(name, "METHOD", 6) == 0)
        offer_methods(before);
}

/* Values of an option whose argument is "a|block:K|FILE". Of a list the last one is offered. */
static void offer_values(const char *before, const char *argument, const struct cli_line *words)
{
    char list[2 * WORD], word[80];
    const char *comma = strrchr(current() + strlen(before), ',');
    if (comma != NULL && strchr(argument, ',') != NULL) {
        snprintf(list, sizeof list, "%.*s", (int)(comma + 1 - current()), current());
        before = list;
    }
    for (; words && words->name; words++)
        explain(before, words->name, "", words->says);
    for (size_t length; *argument; argument += length + (argument[length] != 0)) {
        length = strcspn(argument, "|");
        size_t fixed = 0;
        while (fixed < length && !isupper((unsigned char)argument[fixed]) && argument[fixed] != '[')
            fixed++;
        snprintf(word, sizeof word, "%.*s", (int)fixed, argument);
        if (fixed > 0)
            offer(before, word);
        else
            offer_kind(before, argument);
    }
}

/* An option that is looked for by how it is written. */
struct search {
    const char *word;
    char argument[200];
    const struct cli_line *words;
};

static void compare_option(const struct cli_shown *shown, void *context)
{
    struct search *search = context;
    size_t dashes = strlen(shown->dashes);
    if (shown->argument == NULL || strncmp(search->word, shown->dashes, dashes) != 0 ||
        strcmp(search->word + dashes, shown->name) != 0)
        return;
    snprintf(search->argument, sizeof search->argument, "%s", shown->argument);
    search->words = shown->words;
}

/* Does WORD, which may be "--name=value", name an option with a value? */
static bool find_option(const struct cli_command *command, const char *word, struct search *search)
{
    char name[WORD];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    *search = (struct search){.word = name};
    cli_each_option(command, compare_option, search);
    return search->argument[0] != 0;
}

static void offer_option(const struct cli_shown *shown, void *context)
{
    char word[100];
    (void)context;
    snprintf(word, sizeof word, "%s%s", shown->dashes, shown->name);
    explain("", word, shown->before, shown->help);
}

/* By the words of a synopsis. */
static void offer_operand(const char *synopsis)
{
    static const char *const files[] = {"FILE", "MAP", "TRACE", "STORE", "RUN"};
    bool any = false;
    if (strstr(synopsis, "PROGRAM"))
        puts(" programs");
    if (strstr(synopsis, "OPERATION"))
        offer_operations("", "");
    if (strstr(synopsis, "METHOD"))
        offer_methods("");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        any = any || strstr(synopsis, files[i]);
    if (any)
        puts(" files");
}

static void complete_operand(const struct cli_command *command, int operands, const char *first)
{
    if (command->actions == NULL) {
        offer_operand(command->synopsis);
        return;
    }
    const struct cli_action *action = command->actions;
    bool named = false;
    for (; action->name; action++)
        if (operands == 0)
            explain("", action->name, "", action->says);
        else if (strcmp(action->name, first) == 0) {
            offer_operand(action->words);
            named = true;
        }
    if (!named && action->run != NULL) /* without a name */
        offer_operand(action->words);
}

static void complete_word(const struct cli_command *command)
{
    struct search search;
    int operands = 0;
    const char *first = "", *equals = strchr(current(), '=');
    bool awaits = false, starts_program = strstr(command->synopsis, "PROGRAM") != NULL;
    for (int i = 1; i + 1 < typed.count; i++) {
        const char *word = typed.word[i];
        if (awaits)
            awaits = false;
        else if (word[0] == '-')
            awaits = strchr(word, '=') == NULL && find_option(command, word, &search);
        else if (operands++ == 0)
            first = word;
    }
    if (starts_program && operands > 0)
        puts(" files");
    else if (awaits)
        offer_values("", search.argument, search.words);
    else if (equals && find_option(command, current(), &search)) {
        char before[WORD];
        snprintf(before, sizeof before, "%.*s", (int)(equals + 1 - current()), current());
        offer_values(before, search.argument, search.words);
    } else if (current()[0] == '-')
        cli_each_option(command, offer_option, NULL);
    else
        complete_operand(command, operands, first);
}

void cli_complete(const struct cli_command *const *commands, int count, char **words)
{
    static const struct cli_line others[] = {{"help", "what a command does"},
                                             {"--help", "what there is"},
                                             {"--version", "which startune this is"}};
    typed.explain = strcmp(words[0], "--explain") == 0;
    read_words(count - typed.explain, words + typed.explain);
    if (typed.count == 0)
        return;
    bool names_command = typed.count == 1 || (typed.count == 2 && strcmp(typed.word[0], "help") == 0);
    for (size_t i = 0; typed.count == 1 && i < sizeof others / sizeof *others; i++)
        explain("", others[i].name, "", others[i].says);
    for (; *commands; commands++)
        if (names_command)
            explain("", (*commands)->name, "", (*commands)->summary);
        else if (typed.count > 1 && strcmp((*commands)->name, typed.word[0]) == 0)
            complete_word(*commands);
}

/* The file of cli/ as it is. */
#define CARRY(shell)                                                                                         \
    __asm__(".pushsection .rodata\n"                                                                         \
            "cli_" #shell "_begin:\n"                                                                        \
            ".incbin \"" STARTUNE_COMPLETIONS "/completion." #shell "\"\n"                                   \
            "cli_" #shell "_end:\n"                                                                          \
            ".popsection\n");                                                                                \
    extern const char cli_##shell##_begin[], cli_##shell##_end[];
#define SHELLS(ONE)   ONE(bash) ONE(zsh) ONE(fish)
#define SCRIPT(shell) {#shell, cli_##shell##_begin, cli_##shell##_end},
SHELLS(CARRY)

int cli_print_completion(const char *shell)
{
    static const struct {
        const char *shell, *begin, *end;
    } scripts[] = {SHELLS(SCRIPT)};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (strcmp(shell, scripts[i].shell) == 0) {
            fwrite(scripts[i].begin, 1, (size_t)(scripts[i].end - scripts[i].begin), stdout);
            return CLI_OK;
        }
    return cli_error("no completion for '%s'; there is one for bash, zsh and fish", shell);
}
