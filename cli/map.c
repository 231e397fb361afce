/* SPDX-License-Identifier: BSD-3-Clause
 * startune map: what there is to do with decision maps. Each action has a row of the table below. */
#include "map.h"
#include "action.h"
#include "map/read.h"
#include "output.h"
#include "util/parse.h"

#include <stdio.h>
#include <string.h>

struct cli_map_ask cli_map_ask = {.looseness = {.accuracy = 1}};

static bool take_share(const char *value, double *share, struct star_why *why)
{
    if (star_parse_number(value, share) && *share >= 0 && *share <= 1)
        return true;
    star_because(why, STAR_EINPUT, "'%.60s' is no share such as 0.9 or 90%%", value);
    return false;
}

static bool take_count(const char *value, int most, int *count, struct star_why *why)
{
    int64_t number;
    if (star_parse_integer(value, &number) && number >= 1 && number <= most) {
        *count = (int)number;
        return true;
    }
    star_because(why, STAR_EINPUT, "'%.60s': a whole number from 1 to %d is good", value, most);
    return false;
}

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    enum { DEPTH_MOST = 64 };
    const struct {
        const char *name, **at;
    } texts[] = {{"svg", &cli_map_ask.svg},
                 {"html", &cli_map_ask.html},
                 {"o", &cli_map_ask.output},
                 {"weights", &cli_map_ask.weights}};
    struct star_looseness *looseness = &cli_map_ask.looseness;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(option->name, texts[i].name) == 0) {
            *texts[i].at = value;
            return true;
        }
    cli_map_ask.json = cli_map_ask.json || strcmp(option->name, "json") == 0;
    cli_map_ask.csv = cli_map_ask.csv || strcmp(option->name, "csv") == 0;
    if (option->argument == NULL)
        return true;
    if (strcmp(option->name, "n") == 0)
        return take_count(value, STAR_MAP_RANKS_MOST, &cli_map_ask.ranks, why);
    cli_map_ask.loose = true;
    if (strcmp(option->name, "max-depth") == 0)
        return take_count(value, DEPTH_MOST, &looseness->max_depth, why);
    return take_share(
        value, strcmp(option->name, "accuracy") == 0 ? &looseness->accuracy : &looseness->penalty, why);
}

int cli_map_refuse(int error, const struct star_why *why)
{
    cli_error(&cli_map, "%s", why->text);
    return error == STAR_EINPUT || error == STAR_ENEEDS || error == STAR_ESYSTEM ? CLI_USAGE : CLI_FAILED;
}

int cli_map_put(const char *path, struct star_text *text)
{
    int status = cli_put(&cli_map, path, text);
    star_text_free(text);
    return status;
}

struct star_map *cli_map_open(const char *path, const char *name, int *operation)
{
    struct star_map *map;
    struct star_why why;
    enum star_operation parsed;
    int error = star_map_read(path, &map, &why);
    if (!error && name != NULL) {
        error = star_operation_parse(name, &parsed, &why);
        if (!error && map->of[parsed].points == 0)
            error = star_because(&why, STAR_ENEEDS, "%.200s has no points of %s", path, name);
        if (error)
            star_map_free(map);
        *operation = (int)parsed;
    } else if (!error && operation != NULL) {
        *operation = -1;
    }
    if (error)
        cli_error(&cli_map, "%s", why.text);
    return error ? NULL : map;
}

static const struct cli_action actions[] = {
    {"show", cli_map_show, 1, 2, " json svg html "},
    {"encode", cli_map_encode, 1, 2, " json csv svg max-depth accuracy penalty weights "},
    {"predict", cli_map_predict, 4, 4, " json "},
    {"diff", cli_map_diff, 2, 2, " json "},
    {"merge", cli_map_merge, 2, CLI_ANY_NUMBER, " o "},
    {"import", cli_map_import, 2, CLI_ANY_NUMBER, " n o "},
    {NULL, NULL, 0, 0, NULL},
};

static int run(int argc, char **argv)
{
    return cli_act(&cli_map, actions, argc, argv);
}

static const struct cli_option options[] = {
    {"json", NULL, "of show, encode, predict and diff: print JSON"},
    {"svg", "FILE",
     "of show: write a picture of the operation's map; of encode: of what quadtrees of growing accuracy and "
     "depth cost"},
    {"html", "FILE", "of show: write a page with the map and quadtrees of each depth, beside what they cost"},
    {"csv", NULL, "of encode: quadtrees of all depths and accuracies as a table for gnuplot and others"},
    {"max-depth", "D", "of encode: trees have at most D levels"},
    {"accuracy", "SHARE",
     "of encode: a block of a quadtree of which this share is of one colour is of that colour"},
    {"penalty", "SHARE", "of encode: the decision tree may be that much slower than the map on average"},
    {"weights", "FILE",
     "of encode: how often an application calls what: lines of OPERATION RANKS BYTES COUNT"},
    {"n", "P", "of import: the number of ranks, where the files do not say it"},
    {"o", "FILE", "of merge and import: write to FILE"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune map show cluster.map alltoall", "communicator size × bytes, a letter a method"},
    {"startune map encode cluster.map bcast", "encodings: leaves, lines, bytes, lookup, penalty"},
    {"startune map encode cluster.map --svg penalties.svg", "what quadtrees cost, as curves"},
    {"startune map predict cluster.map bcast 12 64K", "which method, and how long it takes"},
    {"startune map import -n 8 alltoall:native osu.txt alltoall:ring ring.txt -o mine.map",
     "a map from what other benchmarks measured"},
    {NULL, NULL},
};

const struct cli_command cli_map = {
    .name = "map",
    .synopsis = "startune map [OPTIONS] show|encode|predict|diff|merge|import …",
    .summary = "show, compare, merge and encode decision maps",
    .description =
        "map show FILE [OPERATION]\n"
        "map encode FILE [OPERATION]\n"
        "map predict FILE OPERATION RANKS BYTES\n"
        "map diff FILE FILE (exit status 1: they differ)\n"
        "map merge FILE FILE… -o FILE\n"
        "map import METHOD FILE [METHOD FILE]… -o FILE\n"
        "\n"
        "A decision map says which method is fastest for each communicator size and number of bytes. Bytes "
        "are\n"
        "those by which startune tunes the operation (startune list).\n"
        "\n"
        "encode tries all encodings on a map and judges them by it: how many leaves or regions they have, "
        "lines of\n"
        "generated C, bytes in memory, time of a lookup there, and the penalty: by how much the method "
        "that they\n"
        "choose is slower than the map's.\n"
        "\n"
        "import reads what the OSU and Intel MPI benchmarks print, a file for each method.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};
