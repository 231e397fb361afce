/* SPDX-License-Identifier: BSD-3-Clause
 * startune wisdom: what earlier runs learned. Each action has a row of the table below. */
#include "ask.h"
#include "cli/common/take.h"
#include "exchange.h"
#include "forget.h"
#include "losses.h"
#include "show.h"
#include "util/version.h"

static const struct cli_action actions[] = {
    {"list", "", "the machines and operations of which something is known", cli_wisdom_list, 0, 0,
     " json store site machine "},
    {"show", "[OPERATION]", "each method's times, the fastest first", cli_wisdom_show, 0, 1,
     " json store site machine "},
    {"losses", "", "which programs lost time, and until when they are left alone", cli_wisdom_losses, 0, 0,
     " json store "},
    {"forget", "[OPERATION]", "remove what the operation, --program, --machine and --older choose; or --all",
     cli_wisdom_forget, 0, 1, " store program machine older all "},
    {"export", "[OPERATION]", "write facts as JSON", cli_wisdom_export, 0, 1, " o store site machine "},
    {"import", "FILE…", "add what export or run --report wrote", cli_wisdom_import, 1, CLI_ANY_NUMBER,
     " store "},
    {"merge", "STORE…", "add the facts of other stores to one's own", cli_wisdom_merge, 1, CLI_ANY_NUMBER,
     " store "},
    {"doctor", "", "say whether the store is whole; exit status 1: it is damaged", cli_wisdom_doctor, 0, 0,
     " json store site "},
    {.name = NULL},
};

static const struct cli_option options[] = {
    {"store", "FILE", "this store, instead of the user's", cli_take_text, .at = &cli_wisdom_ask.store},
    {"site", NULL, "the site's store, " STAR_ETC "/startune/wisdom.db", cli_take_switch,
     .at = &cli_wisdom_ask.site},
    {"machine", "NAME", "only what was learned on this machine", cli_take_text,
     .at = &cli_wisdom_ask.machine},
    {"program", "NAME", "the losses of this program, as `losses` names it", cli_take_text,
     .at = &cli_wisdom_ask.program},
    {"older", "DAYS", "what was last seen so many days ago or earlier", cli_take_integer,
     .at = &cli_wisdom_ask.days, .least = 1, .most = 36500},
    {"all", NULL, "everything", cli_take_switch, .at = &cli_wisdom_ask.all},
    {"json", NULL, "print JSON", cli_take_switch, .at = &cli_wisdom_ask.json},
    {"o", "FILE", "write to FILE", cli_take_text, .at = &cli_wisdom_ask.output},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune wisdom list", "which machines and operations something is known of"},
    {"startune wisdom show bcast --json", "each method's times, the fastest first"},
    {"startune wisdom export -o wisdom.json", "for another user, or another cluster of the same kind"},
    {"startune wisdom import wisdom.json", "adds it to what is known"},
    {"startune wisdom forget --older 365", "what is a year old"},
    {"startune wisdom forget --program pw.x", "so that it is tuned again"},
    {"startune wisdom doctor", "is the store whole?"},
    {.name = NULL},
};

const struct cli_command cli_wisdom = {
    .name = "wisdom",
    .synopsis = "startune wisdom [OPTIONS] list|show|losses|forget|export|import|merge|doctor …",
    .summary = "what earlier runs learned: show, exchange, forget it",
    .description =
        "Wisdom consists of facts. A fact is how long a method took for an operation, with so many ranks "
        "and bytes, on one machine: the mean, the deviation, the least, the number of calls, and the date. "
        "Facts of several runs add up, so do not import a file twice. Old facts fade: they count half "
        "after 90 days.\n\n"
        "The user's store is $XDG_DATA_HOME/startune/wisdom.db, or that in ~/.local/share. When something "
        "is to be added to a damaged store, it is set aside under another name, and a new one begins.",
    .options = options,
    .examples = examples,
    .uses = "wisdom",
    .actions = actions,
};
