/* SPDX-License-Identifier: BSD-3-Clause */
#include "action.h"
#include "listing.h"
#include "messages.h"
#include "options.h"
#include "util/parse.h"

#include <string.h>

static int refuse_word(const struct cli_command *command, const char *word)
{
    enum { MOST = 32 };
    const char *names[MOST];
    size_t count = 0;
    for (; count < MOST && command->actions[count].name != NULL; count++)
        names[count] = command->actions[count].name;
    return cli_error("unknown action '%s'%s; startune %s --help lists them", word,
                     star_hint(word, names, count).text, command->name);
}

static int act(const struct cli_command *command, const struct cli_action *action, int count, char **words)
{
    const char *name = action->name ? action->name : "", *between = action->name ? " " : "";
    for (const struct cli_option *option = command->options; option->name != NULL; option++)
        if (cli_was_given(option) && !cli_is_for(option, action))
            return cli_error("%s%s is not for %s%s%s", option->name[1] ? "--" : "-", option->name,
                             command->name, between, name);
    if (count < action->least || count > action->most)
        return cli_error("%s %s; startune %s --help says how", action->name ? name : command->name,
                         count < action->least ? "needs more words" : "takes fewer words", command->name);
    return action->run(count, words);
}

int cli_act(const struct cli_command *command, int argc, char **argv)
{
    int count = cli_operands(command, argc, argv);
    if (count < 0)
        return CLI_USAGE;
    const struct cli_action *action = command->actions;
    while (action->name != NULL && (count == 0 || strcmp(argv[0], action->name) != 0))
        action++;
    if (action->name != NULL)
        return act(command, action, count - 1, argv + 1);
    if (action->run != NULL)
        return act(command, action, count, argv);
    return count == 0 ? cli_error("no action; usage: %s", command->synopsis) : refuse_word(command, argv[0]);
}
