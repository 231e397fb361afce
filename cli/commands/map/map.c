/* SPDX-License-Identifier: BSD-3-Clause
 * startune map: what there is to do with decision maps. Each action has a row of the table below. */
#include "map/map.h"
#include "ask.h"
#include "cli/common/take.h"
#include "combine.h"
#include "encode.h"
#include "show.h"

static const struct cli_action actions[] = {
    {"show", "FILE [OPERATION]", "draw the map: communicator size × bytes, a letter a method", cli_map_show,
     1, 2, " json svg html "},
    {"encode", "FILE [OPERATION]", "try all encodings, and say how large, fast and good each is",
     cli_map_encode, 1, 2, " json csv svg max-depth accuracy weights "},
    {"predict", "FILE OPERATION RANKS BYTES", "say which method the map chooses, and how long it takes",
     cli_map_predict, 4, 4, " json "},
    {"diff", "FILE FILE", "compare two maps; exit status 1: they differ", cli_map_diff, 2, 2, " json "},
    {"merge", "FILE FILE… -o FILE", "make one map of several", cli_map_merge, 2, CLI_ANY_NUMBER, " o "},
    {"import", "METHOD FILE [METHOD FILE]… -o FILE",
     "make a map of what the OSU or Intel MPI benchmarks printed, a file for each method", cli_map_import, 2,
     CLI_ANY_NUMBER, " n o "},
    {.name = NULL},
};

static const struct cli_option options[] = {
    {"json", NULL, "print JSON", cli_take_switch, .at = &cli_map_ask.json},
    {"svg", "FILE",
     "write a picture of the operation's map, or of what quadtrees of growing accuracy and depth cost",
     cli_take_text, .at = &cli_map_ask.svg},
    {"html", "FILE", "write a page with the map and quadtrees of each depth, beside what they cost",
     cli_take_text, .at = &cli_map_ask.html},
    {"csv", NULL, "quadtrees of all depths and accuracies as a table for gnuplot and others", cli_take_switch,
     .at = &cli_map_ask.csv},
    {"max-depth", "D", "trees have at most D levels", cli_take_integer, .at = &cli_map_ask.max_depth,
     .least = 1, .most = 64},
    {"accuracy", "SHARE", "a block of a quadtree of which this share is of one colour is of that colour",
     cli_take_number, .at = &cli_map_ask.accuracy, .most = 1},
    {"weights", "FILE", "how often an application calls what: lines of OPERATION RANKS BYTES COUNT",
     cli_take_text, .at = &cli_map_ask.weights},
    {"n", "P", "the number of ranks, where the files do not say it", cli_take_integer,
     .at = &cli_map_ask.ranks, .least = 1, .most = STAR_MAP_RANKS_MOST},
    {"o", "FILE", "write to FILE", cli_take_text, .at = &cli_map_ask.output},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune map show cluster.map alltoall", "communicator size × bytes, a letter a method"},
    {"startune map encode cluster.map bcast", "encodings: leaves, lines, bytes, lookup, penalty"},
    {"startune map encode cluster.map --svg penalties.svg", "what quadtrees cost, as curves"},
    {"startune map predict cluster.map bcast 12 64K", "which method, and how long it takes"},
    {"startune map import -n 8 alltoall:native osu.txt alltoall:ring ring.txt -o mine.map",
     "a map from what other benchmarks measured"},
    {.name = NULL},
};

const struct cli_command cli_map = {
    .name = "map",
    .synopsis = "startune map [OPTIONS] show|encode|predict|diff|merge|import …",
    .summary = "show, compare, merge and encode decision maps",
    .description =
        "A decision map says which method is fastest for each communicator size and number of bytes. "
        "`startune list` says what the bytes of an operation are.\n\n"
        "encode judges each encoding by its leaves or regions, the lines of C that it takes, its bytes in "
        "memory, the time of a lookup, and the penalty: by how much the methods that it chooses are slower "
        "than the map's.",
    .options = options,
    .examples = examples,
    .uses = "colours",
    .actions = actions,
};
