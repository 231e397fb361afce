/* SPDX-License-Identifier: BSD-3-Clause
 * startune place: which rank should run where, by what a run has sent. */
#include "cli/common/matrix.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/take.h"
#include "forms.h"
#include "hosts.h"
#include "say.h"
#include "talk.h"
#include "weigh.h"
#include "util/scratch.h"
#include "util/text.h"
#include "util/why.h"
#include "ways.h"

#include <string.h>

static struct {
    int64_t ranks;                                                     /* 0: those of the run */
    const char *hostfile, *topology, *inside, *output, *form, *assume; /* NULL: not given */
    bool options, json;
} ask;

static const char *host_of(const struct cli_place *place, int node)
{
    for (int h = 0; h < place->hosts.count; h++)
        if (place->hosts.node[h] == node)
            return place->hosts.name[h];
    return "?";
}

/* Each rank has the next core of its host; more ranks than slots share cores, as there may be no more of
 * them. A host with one slot may not have said how many there are. */
static int find_places(struct cli_place *place, struct cli_places *places, struct star_why *why)
{
    const struct way *way = &place->way[place->chosen];
    const struct cli_hosts *hosts = &place->hosts;
    size_t ranks = (size_t)cli_place_ranks(place);
    int *used = star_scratch(&place->memory, (size_t)hosts->topology->nodes, sizeof *used);
    places->ranks = cli_place_ranks(place);
    places->host = star_scratch(&place->memory, ranks, sizeof *places->host);
    places->core = star_scratch(&place->memory, ranks, sizeof *places->core);
    if (place->memory.failed)
        return star_because(why, STAR_EMEMORY, "out of memory");
    for (int r = 0; r < places->ranks; r++) {
        int node = way->machine[r], slots = hosts->slots[node] / hosts->times;
        places->host[r] = host_of(place, node);
        places->core[r] = used[node];
        used[node] = slots > 1 ? (used[node] + 1) % slots : used[node] + 1;
    }
    return place->inside.topology != NULL ? cli_place_inside(place, places->core, why) : 0;
}

/* Writes the file, where one is asked for. */
static int put_file(const struct cli_places *places, const char *path)
{
    struct star_text file = {0};
    if (path == NULL)
        return CLI_OK;
    cli_place_write(ask.form, places, &file);
    return cli_put(path, &file);
}

static int answer(struct cli_place *place, const struct cli_places *places)
{
    static const char usual[] = "startune.hosts";
    struct star_text text = {0};
    const char *path = ask.output == NULL && ask.options ? usual : ask.output;
    int status = put_file(places, path);
    if (status != CLI_OK)
        return status;
    cli_matrix_warn(&place->talk);
    if (ask.options)
        cli_place_options(ask.form, path, places->ranks, &text);
    else if (ask.json)
        cli_place_add_json(place, places, &text);
    else
        cli_place_add_text(place, &text);
    return cli_put(NULL, &text);
}

static int read_all(const char *word, json_t **report, struct cli_place *place, struct star_why *why)
{
    place->parameters = star_cost_presets;
    int error = ask.assume != NULL ? star_cost_parse(ask.assume, &place->parameters, why) : 0;
    if (!error)
        error = cli_place_find_report(word, (int)ask.ranks, report, why);
    if (!error)
        error = star_talk_of(*report, word, &place->talk, why);
    if (!error && ask.ranks > 0 && ask.ranks != cli_place_ranks(place))
        error = star_because(why, STAR_EINPUT, "-n %lld: the run had %d ranks", (long long)ask.ranks,
                             cli_place_ranks(place));
    place->report = *report;
    if (!error && ask.inside != NULL)
        error = cli_inside_read(ask.inside, &place->inside, why);
    return error ? error : cli_hosts_read(ask.hostfile, ask.topology, &place->hosts, why);
}

static int place_ranks(const char *word)
{
    struct cli_place place = {0};
    struct star_why why;
    json_t *report = NULL;
    struct cli_places places = {0};
    int error = read_all(word, &report, &place, &why);
    if (!error)
        error = cli_place_find(&place, &why);
    if (!error)
        error = cli_place_weigh(&place, &why);
    if (!error)
        error = find_places(&place, &places, &why);
    int status = error ? cli_refuse(error, &why) : answer(&place, &places);
    cli_place_free(&place);
    json_decref(report);
    return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    int words = cli_operands(command, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    if (words != 1)
        return cli_error("%s; usage: %s", words == 0 ? "no program or report" : "one program or report",
                         command->synopsis);
    if (ask.hostfile == NULL && ask.topology == NULL)
        return cli_error("no hosts: --hostfile or --topology says which there are");
    if (ask.options && ask.json)
        return cli_error("--options and --json: one of them");
    if (ask.options && ask.output != NULL && strpbrk(ask.output, " \t\n") != NULL)
        return cli_error("-o '%s': the words of --options can name no file with blanks", ask.output);
    if (ask.form == NULL)
        ask.form = cli_place_forms[0].name;
    return place_ranks(argv[0]);
}

static const struct cli_option options[] = {
    {"n", "P", "ranks; those of the run by default", cli_take_integer, .at = &ask.ranks, .least = 1,
     .most = 1 << 20},
    {"hostfile", "FILE", "hosts with their slots, as launchers take them: n1 slots=4, or n1:4", cli_take_text,
     .at = &ask.hostfile},
    {"topology", "FILE",
     "the links between the hosts; by default ~/.config/startune/topology, where it has all of them",
     cli_take_text, .at = &ask.topology},
    {"inside", "FILE",
     "what is in each host: `lstopo --of xml` writes it; a rank file then binds ranks that talk near each "
     "other",
     cli_take_text, .at = &ask.inside},
    {"assume", "NAME=VALUE,...", "latencies, as startune topo calibrate prints them", cli_take_text,
     .at = &ask.assume},
    {"for", "LAUNCHER", "the form of the file", cli_take_word, .at = &ask.form, .words = cli_place_forms},
    {"options", NULL, "print the words for the launcher alone; the file is startune.hosts without -o",
     cli_take_switch, .at = &ask.options},
    {"json", NULL, "print JSON", cli_take_switch, .at = &ask.json},
    {"o", "FILE", "write the placement to FILE", cli_take_text, .at = &ask.output},
    {.name = NULL},
};

static const struct cli_line examples[] = {
    {"mpirun -n 64 startune run --matrix ./app", "first: a run that counts who talks to whom"},
    {"startune place tuning.json --hostfile hosts", "what a placement is expected to gain"},
    {"startune place tuning.json --hostfile hosts --for machinefile -o ranks", "and write it, for MPICH"},
    {"startune place tuning.json --hostfile hosts --inside inside.xml --for rankfile -o ranks",
     "to cores, too, which share caches where ranks talk"},
    {"mpirun $(startune place --options --hostfile hosts ./app) startune run ./app",
     "the same in one line, for Open MPI"},
    {.name = NULL},
};

const struct cli_command cli_place = {
    .name = "place",
    .synopsis = "startune place PROGRAM|REPORT [OPTIONS]",
    .summary = "say which rank should run on which host",
    .description =
        "Takes what the ranks of an earlier run sent to each other: of the last kept run of PROGRAM that "
        "startune run --matrix counted, or of a REPORT. Puts ranks that talk much near each other, so that "
        "the most loaded link takes as little time as can be. Where ranks ran does not matter.\n\n"
        "Prints what each placement is expected to spend in the network: the most loaded link's time, and "
        "the messages' latencies in the mean over the ranks. A program that computes meanwhile saves less; "
        "one whose messages come in phases may save more. Within a host nothing is charged, and ranks are "
        "not bound to cores, but by a rank file; with --inside by what they send each other.",
    .options = options,
    .examples = examples,
    .uses = "topology reports",
    .run = run,
};
