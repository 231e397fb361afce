/* SPDX-License-Identifier: BSD-3-Clause
 * startune export: a map in the forms that others read. */
#include "carried.h"
#include "export_mpich.h"
#include "map/export/routine.h"
#include "map/read.h"
#include "output.h"
#include "topology/read.h"
#include "util/parse.h"

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
        error = star_export_routine(&routine, text, remarks, why);
    star_topology_free(topology);
    return error;
}

static const struct star_export star_export_mpich = {
    "mpich", "MPICH 4: MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", write_mpich};
static const struct star_export star_export_routines = {"routine", "functions in C", write_routine};
static const struct star_export *const exports[] = {
    &star_export_c,     &star_export_routines, &star_export_ompi,  &star_export_ompi6,
    &star_export_mpich, &star_export_ucc,      &star_export_intel, &star_export_star};
enum { EXPORTS = sizeof exports / sizeof *exports };

static const struct star_export *find(const char *name, struct star_why *why)
{
    const char *names[EXPORTS];
    for (int i = 0; i < EXPORTS; i++) {
        names[i] = exports[i]->name;
        if (strcmp(name, names[i]) == 0)
            return exports[i];
    }
    star_because(why, STAR_EINPUT, "unknown format '%.60s'%s", name, star_hint(name, names, EXPORTS).text);
    return NULL;
}

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    if (strcmp(option->name, "o") == 0)
        ask.output = value;
    else if (strcmp(option->name, "base") == 0)
        ask.base = value;
    else if (strcmp(option->name, "op") == 0)
        ask.operations = value;
    else if (strcmp(option->name, "topology") == 0)
        ask.topology = value;
    else if (strcmp(option->name, "name") == 0)
        ask.name = value;
    else if (strcmp(option->name, "commutative") == 0)
        ask.commutative = true;
    else if (find(value, why) == NULL)
        return false;
    else
        ask.format = value;
    return true;
}

/* Options of some formats. */
static const struct {
    const char *option, *format, *other;
} own[] = {{"topology", "routine", ""},
           {"name", "routine", ""},
           {"base", "mpich", ""},
           {"commutative", "ompi", "ompi6"}};

/* The first option that was given and is another format's; NULL: there is none. */
static const char *useless(const char *format)
{
    for (const struct cli_option *option = cli_export.options; option->name != NULL; option++)
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

static int run(int argc, char **argv)
{
    struct star_why why;
    struct star_map *map;
    struct star_text text = {0}, remarks = {0};
    int words = cli_operands(&cli_export, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    if (words != 1 || ask.format == NULL)
        return cli_error(&cli_export, "%s; usage: %s",
                         words == 1  ? "no format"
                         : words > 1 ? "one map is exported"
                                     : "no map",
                         cli_export.synopsis);
    const char *option = useless(ask.format);
    if (option != NULL)
        return cli_error(&cli_export, "--%s is not for --format %s", option, ask.format);
    int error = star_map_read(argv[0], &map, &why);
    if (!error) {
        error = narrow(map, &why);
        const struct star_export_request request = {.map = map, .commutative = ask.commutative};
        if (!error)
            error = find(ask.format, &why)->write(&request, &text, &remarks, &why);
        star_map_free(map);
    }
    if (!error)
        say(&remarks);
    int status = error ? cli_error(&cli_export, "%s", why.text) : cli_put(&cli_export, ask.output, &text);
    star_text_free(&text);
    star_text_free(&remarks);
    return status;
}

static const struct cli_option options[] = {
    {"format", "c|routine|ompi|ompi6|mpich|ucc|intel|star", "the form of the file, as below"},
    {"op", "OPERATION,…", "only these operations; all of the map by default"},
    {"topology", "FILE", "of routine: the switches, for the methods that need to know them"},
    {"name", "NAME", "of routine: the functions' names; * stands for Alltoall, …; STAR_*_custom by default"},
    {"base", "FILE",
     "of mpich: MPICH's library, or a JSON file of its rules; the library that is installed by default"},
    {"commutative", NULL,
     "of ompi and ompi6: all operators that programs reduce by are commutative; else what is right for those "
     "alone is left out"},
    {"o", "FILE", "write to FILE"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune export --format ompi cluster.map -o rules", "for Open MPI's dynamic rules"},
    {"startune export --format c cluster.map -o decide.c", "decision functions for a program of one's own"},
    {"startune export --format routine --op alltoall cluster.map -o alltoall.c",
     "STAR_Alltoall_custom, with the methods that the map uses"},
    {"startune export --format routine --name 'MPI_*' cluster.map -o routines.c",
     "MPI_Alltoall itself, and so on: linked with a program, they come before the MPI library's"},
    {NULL, NULL},
};

const struct cli_command cli_export = {
    .name = "export",
    .synopsis = "startune export --format FORMAT [OPTIONS] MAP",
    .summary = "write a decision map for other MPI libraries, or as C",
    .description =
        "c: a stand-alone decision function for each operation.\n"
        "routine: functions that take MPI's arguments and run the map's methods: one C file, which needs "
        "only MPI.\n"
        "ompi: Open MPI 4.1 and 5.0: --mca coll_tuned_use_dynamic_rules 1 --mca "
        "coll_tuned_dynamic_rules_filename FILE.\n"
        "ompi6: the same as JSON, for Open MPI 6.\n"
        "mpich: MPICH 4: MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE. The file holds the library's own "
        "rules, too.\n"
        "ucc: UCC_TL_UCP_TUNE. intel: I_MPI_ADJUST_*. star: the map itself.\n"
        "\n"
        "Where the other library does not have the map's method, the fastest that it has takes its place, "
        "by the\n"
        "times in the map. Standard error tells which methods these are, and what is lost. The MPI "
        "library's own choice\n"
        "(native) counts only in maps that were measured with that library.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};
