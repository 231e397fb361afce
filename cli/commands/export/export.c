/* SPDX-License-Identifier: BSD-3-Clause
 * startune export: a map in the forms that others read. */
#include "map/export/export.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "carried.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/take.h"
#include "map/export/routine.h"
#include "map/map.h"
#include "map/read.h"
#include "mpich.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>
#include <string.h>

static struct {
    const char *output, *format, *base, *operations, *topology, *name;
    bool commutative;
} ask = {.base = STARTUNE_MPICH_LIBRARY, .name = "STAR_*_custom"};

static int write_mpich(const struct star_export_request *request, struct star_text *text,
                       struct star_text *remarks, struct star_why *why)
{
    if (ask.base[0] == 0)
        return star_because(why, STAR_ENEEDS, "MPICH's library is not known: --base names it");
    return cli_export_mpich(request, ask.base, text, remarks, why);
}

/* The operations of --op, which the map must know. */
static int find_wanted(const struct star_map *map, bool *wanted, struct star_why *why)
{
    char word[64];
    for (const char *rest = ask.operations; rest != NULL;) {
        enum star_operation operation;
        size_t length = strcspn(rest, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), rest);
        int error = star_operation_parse(word, &operation, why);
        if (error)
            return error;
        if (map->of[operation].points == 0)
            return star_because(why, STAR_ENEEDS, "the map does not know %s", word);
        wanted[operation] = true;
        rest = rest[length] == ',' ? rest + length + 1 : NULL;
    }
    return 0;
}

/* Takes all operations but those of --op out of the map. */
static int narrow(struct star_map *map, struct star_why *why)
{
    bool wanted[STAR_OPERATIONS] = {false};
    int error = find_wanted(map, wanted, why);
    for (int i = 0; !error && ask.operations != NULL && i < STAR_OPERATIONS; i++)
        if (!wanted[i])
            star_map_forget(map, (enum star_operation)i);
    return error;
}

static int write_routine(const struct star_export_request *request, struct star_text *text,
                         struct star_text *remarks, struct star_why *why)
{
    struct star_topology *topology = NULL;
    int error = ask.topology ? star_topology_read(ask.topology, &topology, why) : 0;
    struct star_routine_request routine = {
        .map = request->map, .sources = cli_carried(), .name = ask.name, .topology = topology};
    if (!error)
        error = star_export_write_routine(&routine, text, remarks, why);
    star_topology_free(topology);
    return error;
}

const struct star_export star_export_mpich = {write_mpich};
const struct star_export star_export_routine = {write_routine};

#define STAR_EXPORT(name, does) {#name, does},
static const struct cli_line formats[] = {
#include "map/export/formats.def"
    {.name = NULL}};
#undef STAR_EXPORT
#define STAR_EXPORT(name, does) &star_export_##name,
static const struct star_export *const exports[] = {
#include "map/export/formats.def"
};
#undef STAR_EXPORT

/* Of a name that is one of the formats'. */
static const struct star_export *find(const char *name)
{
    size_t i = 0;
    while (i + 1 < sizeof exports / sizeof *exports && strcmp(name, formats[i].name) != 0)
        i++;
    return exports[i];
}

/* Options of some formats. */
static const struct {
    const char *option, *format, *other;
} own[] = {{"topology", "routine", ""},
           {"name", "routine", ""},
           {"base", "mpich", ""},
           {"commutative", "ompi", "ompi6"}};

/* The first option that was given and is another format's; NULL: there is none. */
static const char *useless(const struct cli_command *command, const char *format)
{
    for (const struct cli_option *option = command->options; option->name != NULL; option++)
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (strcmp(option->name, own[i].option) == 0 && strcmp(format, own[i].format) != 0 &&
                strcmp(format, own[i].other) != 0 && cli_was_given(option))
                return option->name;
    return NULL;
}

/* Remarks go to standard error, a line each. */
static void say(const struct star_text *remarks)
{
    const char *begin = remarks->bytes ? remarks->bytes : "";
    for (const char *end; (end = strchr(begin, '\n')) != NULL; begin = end + 1)
        fprintf(stderr, "startune export: %.*s\n", (int)(end - begin), begin);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct star_why why;
    struct star_map *map;
    struct star_text text = {0}, remarks = {0};
    int words = cli_operands(command, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    if (words != 1 || ask.format == NULL)
        return cli_error("%s; usage: %s",
                         words == 1  ? "no format"
                         : words > 1 ? "one map is exported"
                                     : "no map",
                         command->synopsis);
    const char *option = useless(command, ask.format);
    if (option != NULL)
        return cli_error("--%s is not for --format %s", option, ask.format);
    int error = star_map_read(argv[0], &map, &why);
    if (!error) {
        error = narrow(map, &why);
        const struct star_export_request request = {.map = map, .commutative = ask.commutative};
        if (!error)
            error = find(ask.format)->write(&request, &text, &remarks, &why);
        star_map_free(map);
    }
    if (!error)
        say(&remarks);
    int status = error ? cli_error("%s", why.text) : cli_put(ask.output, &text);
    star_text_free(&text);
    star_text_free(&remarks);
    return status;
}

static const struct cli_option options[] = {
    {"format", "FORMAT", "the form of the file", cli_take_word, .at = &ask.format, .words = formats},
    {"op", "OPERATION,…", "only these operations; all of the map by default", cli_take_text,
     .at = &ask.operations},
    {"topology", "FILE", "of routine: the switches, for the methods that need to know them", cli_take_text,
     .at = &ask.topology},
    {"name", "NAME", "of routine: the functions' names; * stands for Alltoall, …; STAR_*_custom by default",
     cli_take_text, .at = &ask.name},
    {"base", "FILE",
     "of mpich: MPICH's library, or a JSON file of its rules; the library that is installed by default",
     cli_take_text, .at = &ask.base},
    {"commutative", NULL,
     "of ompi and ompi6: all operators that programs reduce by are commutative; else what is right for "
     "those alone is left out",
     cli_take_switch, .at = &ask.commutative},
    {"o", "FILE", "write to FILE", cli_take_text, .at = &ask.output},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune export --format ompi cluster.map -o rules", "for Open MPI's dynamic rules"},
    {"startune export --format c cluster.map -o decide.c", "decision functions for a program of one's own"},
    {"startune export --format routine --op alltoall cluster.map -o alltoall.c",
     "STAR_Alltoall_custom, with the methods that the map uses"},
    {"startune export --format routine --name 'MPI_*' cluster.map -o routines.c",
     "MPI_Alltoall itself, and so on: linked with a program, they come before the MPI library's"},
    {.name = NULL},
};

const struct cli_command cli_export = {
    .name = "export",
    .synopsis = "startune export --format FORMAT [OPTIONS] MAP",
    .summary = "write a decision map for other MPI libraries, or as C",
    .description =
        "Another library may lack a method of the map. Then the fastest method that it has takes its "
        "place, by the times in the map. Standard error names these methods, and what is lost. The MPI "
        "library's own choice (native) counts only if the map was measured with that library.",
    .options = options,
    .examples = examples,
    .run = run,
};
