/* SPDX-License-Identifier: BSD-3-Clause
 * startune topo: what there is to do with a topology file. Each action has a row of the table below. */
#include "action.h"
#include "output.h"
#include "topo_bound.h"
#include "topo_discover.h"
#include "topology/draw.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "topology/write.h"
#include "util/parse.h"

#include <stdio.h>
#include <string.h>

static struct {
    bool json, svg;
    const char *output; /* NULL: standard output */
} ask;

static bool is_of_discover(const char *option)
{
    static const char *const names[] = {"keep", "trips", "confirm", "together", "mpi"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    return false;
}

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    if (strcmp(option->name, "json") == 0)
        ask.json = true;
    else if (strcmp(option->name, "svg") == 0)
        ask.svg = true;
    else if (strcmp(option->name, "o") == 0)
        ask.output = value;
    else if (is_of_discover(option->name))
        return cli_discover_take(option, value, why);
    else
        return cli_bound_take(option, value, why);
    return true;
}

static void add_speeds(const struct star_topology *topology, struct star_text *text)
{
    double least = 0, most = 0;
    for (int i = 1; i < topology->nodes; i++) {
        double mbps = topology->node[i].mbps;
        if (topology->node[i].parent < star_topology_first(topology))
            continue;
        least = least == 0 || mbps < least ? mbps : least;
        most = mbps > most ? mbps : most;
    }
    if (!topology->has_speeds)
        star_text_add(text, "no bandwidths");
    else if (least == most)
        star_text_add(text, "links of %g Mbit/s", least);
    else
        star_text_add(text, "links of %g to %g Mbit/s", least, most);
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static int check(const struct star_topology *topology, struct star_text *text, struct star_why *why)
{
    int switches = topology->nodes - topology->machines - star_topology_first(topology);
    long long slots = star_topology_slots(topology);
    (void)why;
    star_text_add(text, "good: ");
    if (topology->islands > 0)
        star_text_add(text, "%d parts that nothing connects, ", topology->islands);
    star_text_add(text, "%d switch%s, %d host%s, %lld slot%s, ", switches, switches == 1 ? "" : "es",
                  topology->machines, plural(topology->machines), slots, slots == 1 ? "" : "s");
    add_speeds(topology, text);
    if (topology->spare > 0)
        star_text_add(text, ", %d spare link%s", topology->spare, plural(topology->spare));
    if (topology->by_id > 0)
        star_text_add(
            text,
            "; hosts with an id for a name: %d, since what they are called is no name, or that of others",
            topology->by_id);
    star_text_add(text, "\n");
    return 0;
}

static int show(const struct star_topology *topology, struct star_text *text, struct star_why *why)
{
    (void)why;
    (ask.json ? star_topology_json : star_topology_write)(topology, text);
    return 0;
}

static int draw(const struct star_topology *topology, struct star_text *text, struct star_why *why)
{
    return (ask.svg ? star_topology_svg : star_topology_draw)(topology, text, why);
}

/* WORDS: the file. */
static int print(char **words, int (*make)(const struct star_topology *topology, struct star_text *text,
                                           struct star_why *why))
{
    struct star_why why;
    struct star_topology *topology;
    struct star_text text = {0};
    if (star_topology_read(words[0], &topology, &why))
        return cli_error(&cli_topo, "%s", why.text);
    int error = make(topology, &text, &why);
    star_topology_free(topology);
    int status =
        error ? cli_error(&cli_topo, "%s: %s", words[0], why.text) : cli_put(&cli_topo, ask.output, &text);
    star_text_free(&text);
    return status;
}

static int print_check(int count, char **words)
{
    (void)count;
    return print(words, check);
}

static int print_show(int count, char **words)
{
    (void)count;
    return print(words, show);
}

static int print_draw(int count, char **words)
{
    (void)count;
    return print(words, draw);
}

static int bound(int argc, char **argv)
{
    struct star_text text = {0};
    int status = cli_bound(argc, argv, ask.json, &text);
    if (status == CLI_OK)
        status = cli_put(&cli_topo, ask.output, &text);
    star_text_free(&text);
    return status;
}

static int discover(int count, char **words)
{
    (void)count, (void)words;
    return cli_discover(ask.output, ask.json);
}

static int calibrate(int count, char **words)
{
    return cli_calibrate(count > 0 ? words[0] : NULL, ask.json);
}

static const struct cli_action actions[] = {
    {"check", print_check, 1, 1, " o "},
    {"show", print_show, 1, 1, " json o "},
    {"draw", print_draw, 1, 1, " svg o "},
    {"bound", bound, 0, CLI_ANY_NUMBER, " json o n map root framing "},
    {"discover", discover, 0, 0, " json o keep trips confirm together mpi "},
    {"calibrate", calibrate, 0, 1, " json mpi "},
    {NULL, NULL, 0, 0, NULL},
};

static int run(int argc, char **argv)
{
    return cli_act(&cli_topo, actions, argc, argv);
}

static const struct cli_option options[] = {
    {"json", NULL, "of show, bound, discover and calibrate: print JSON"},
    {"svg", NULL, "of draw: an SVG picture"},
    {"n", "P", "of bound: the number of ranks; one for each slot by default"},
    {"map", "block|cyclic|random[:SEED]",
     "of bound: how ranks are placed; block, machine by machine, by default"},
    {"root", "R", "of bound: the root of rooted operations; 0 by default"},
    {"framing", NULL, "of bound: count what Ethernet and TCP add to the bytes"},
    {"trips", "N", "of discover: round trips from each end of each pair, 32 times over; 100 by default"},
    {"confirm", "on|off",
     "of discover: measure bandwidths and confirm the tree by streams; on by default. Off: round trips "
     "alone, "
     "and the file has no bandwidths"},
    {"together", "on|off|auto",
     "of discover: pairs of hosts measure round trips at the same time: faster, and noisier where they share "
     "processors or links; auto, the preset one: on for more than 32 hosts"},
    {"mpi", "openmpi|mpich", "of discover and calibrate: the MPI library, where the launcher does not tell"},
    {"o", "FILE", "write to FILE; not of calibrate"},
    {"keep", NULL,
     "of discover: write to $XDG_CONFIG_HOME/startune/topology, or that in ~/.config: from then on runs "
     "on these hosts know it"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune topo show topology.conf -o cluster.topo", "Slurm's file in the text format"},
    {"startune topo check cluster.topo", "is it a tree, and of what"},
    {"startune topo draw cluster.topo --svg -o cluster.svg", "a picture"},
    {"startune topo bound cluster.topo alltoall 64K",
     "the least seconds that the network allows, and the link that limits it"},
    {"mpirun … startune topo discover --keep",
     "infer the tree from measurements, for the runs to come; a rank a host is enough"},
    {"mpirun … startune topo discover -o cluster.topo", "the same into a file"},
    {"mpirun … startune topo calibrate cluster.topo", "what `startune plan --cost` is to --assume here"},
    {NULL, NULL},
};

const struct cli_command cli_topo = {
    .name = "topo",
    .synopsis = "[mpirun …] startune topo check|show|draw|bound|discover|calibrate [FILE] [OPERATION BYTES] "
                "[OPTIONS]",
    .summary = "check, print, draw and discover the topology of a network; what it allows, and costs",
    .description =
        "Reads FILE, or standard input for -, and says what is wrong with it, or what is in it "
        "(check), prints\n"
        "it in the text format (show), draws it (draw), or says what it allows (bound). FILE is "
        "in the text format, Slurm's "
        "topology.conf or\n"
        "topology.yaml, the output of ibnetdiscover, or hwloc's XML (lstopo --of xml) of one "
        "machine's inside.\n"
        "\n"
        "The text format: lines of the form 'switch NAME', 'link SWITCH SWITCH [MBPS]' and 'host "
        "NAME SWITCH\n"
        "[MBPS] [slots=N]'; names may be lists such as n[0-7]; bandwidths are Mbit/s, or as 2.5G; "
        "# begins a\n"
        "comment. The links make a tree; with a line 'spanning-tree' they may have cycles, and "
        "the tree is the\n"
        "one that Ethernet's switches would use; with a line 'islands' they may be several networks that "
        "nothing connects.\n"
        "\n"
        "bound says how fast OPERATION can be at best: what must cross each link, whatever the "
        "algorithm, over its\n"
        "bandwidth. BYTES are those by which startune tunes the operation (startune list); of all "
        "ranks together, they\n"
        "count as shared out evenly. Start-up times count nothing.\n"
        "\n"
        "discover, started by mpirun on the hosts, infers the tree from round trips between all "
        "hosts, or, where these\n"
        "are not clear, from which streams share a link, and confirms it by streams, which also "
        "say how fast each link\n"
        "is. One rank of each host measures, for six minutes at most. What is not clear, or "
        "contradicts itself, is\n"
        "refused with exit status 1 and no file: another time or a quiet network may help.\n"
        "\n"
        "calibrate, started by mpirun, measures for some seconds what messages cost between these "
        "ranks, and prints it as\n"
        "`startune plan --cost --assume` and the setting `assume` take it: latency and what each link "
        "adds to it (known only with\n"
        "a FILE), the processors' part of a message, copies, sums, a host's bandwidth, and the longest "
        "message that is sent\n"
        "without asking. Framing and contention are the presets.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};
