/* SPDX-License-Identifier: BSD-3-Clause */
#include "action.h"
#include "util/parse.h"

#include <stdio.h>
#include <string.h>

static int refuse_word(const struct cli_command *command, const struct cli_action *actions, const char *word)
{
    enum { MOST = 32 };
    const char *names[MOST];
    size_t count = 0;
    while (count < MOST && actions[count].name != NULL) {
        names[count] = actions[count].name;
        count++;
    }
    return cli_error(command, "unknown action '%s'%s; startune %s --help lists them", word,
                     star_hint(word, names, count).text, command->name);
}

/* The first option that was given and is not for ACTION; NULL: there is none. */
static const char *useless(const struct cli_command *command, const struct cli_action *action)
{
    char name[64];
    for (const struct cli_option *option = command->options; option->name != NULL; option++) {
        snprintf(name, sizeof name, " %s ", option->name);
        if (cli_was_given(option) && strstr(action->options, name) == NULL)
            return option->name;
    }
    return NULL;
}

int cli_act(const struct cli_command *command, const struct cli_action *actions, int argc, char **argv)
{
    int words = cli_operands(command, argc, argv) - 1;
    if (words == -1)
        return cli_error(command, "no action; usage: %s", command->synopsis);
    if (words < 0)
        return CLI_USAGE;
    const struct cli_action *action = actions;
    while (action->name != NULL && strcmp(argv[0], action->name) != 0)
        action++;
    if (action->name == NULL)
        return refuse_word(command, actions, argv[0]);
    const char *option = useless(command, action);
    if (option != NULL)
        return cli_error(command, "%s%s is not for %s %s", option[1] ? "--" : "-", option, command->name,
                         action->name);
    if (words < action->least || words > action->most)
        return cli_error(command, "%s %s; startune %s --help says how", action->name,
                         words < action->least ? "needs more words" : "takes fewer words", command->name);
    return action->run(words, argv + 1);
}
