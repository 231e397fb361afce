/* SPDX-License-Identifier: BSD-3-Clause
 * startune topo: what there is to do with a topology file. Each action has a row of the table below. */
#include "ask.h"
#include "bound.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "cli/common/settings.h"
#include "cli/common/take.h"
#include "discover.h"
#include "topology/draw.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "topology/write.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/version.h"
#include "util/why.h"

/* Where on or off is a word, yes, true, 1, no, false and 0 are, too. */
static bool take_switch_word(const struct cli_option *option, const char *value, struct star_why *why)
{
    bool on;
    if (star_parse_switch(value, &on))
        value = on ? "on" : "off";
    return cli_take_word(option, value, why);
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
    (cli_topo_ask.json ? star_topology_json : star_topology_write)(topology, text);
    return 0;
}

static int draw(const struct star_topology *topology, struct star_text *text, struct star_why *why)
{
    return (cli_topo_ask.svg ? star_topology_svg : star_topology_draw)(topology, text, why);
}

/* WORDS: the file. */
static int print(char **words, int (*make)(const struct star_topology *topology, struct star_text *text,
                                           struct star_why *why))
{
    struct star_why why;
    struct star_topology *topology;
    struct star_text text = {0};
    if (star_topology_read(words[0], &topology, &why))
        return cli_error("%s", why.text);
    int error = make(topology, &text, &why);
    star_topology_free(topology);
    int status = error ? cli_error("%s: %s", words[0], why.text) : cli_put(cli_topo_ask.output, &text);
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

static const struct cli_action actions[] = {
    {"check", "FILE", "say what is wrong with a topology, or what is in it", print_check, 1, 1, " o "},
    {"show", "FILE", "print it in the text format", print_show, 1, 1, " json o "},
    {"draw", "FILE", "draw it", print_draw, 1, 1, " svg o "},
    {"bound", "FILE OPERATION BYTES",
     "the least time that the links allow the operation, whatever the algorithm", cli_bound, 0,
     CLI_ANY_NUMBER, " json o n map root framing "},
    {"discover", "", "infer the topology from measurements; started by mpirun on the hosts", cli_discover, 0,
     0, " json o keep trips confirm together mpi "},
    {"calibrate", "[FILE]", "measure what messages cost here, for `plan --assume`; started by mpirun",
     cli_calibrate, 0, 1, " json mpi "},
    {.name = NULL},
};

static const struct cli_option options[] = {
    {"json", NULL, "print JSON", cli_take_switch, .at = &cli_topo_ask.json},
    {"svg", NULL, "an SVG picture", cli_take_switch, .at = &cli_topo_ask.svg},
    {"o", "FILE", "write to FILE", cli_take_text, .at = &cli_topo_ask.output},
    {"n", "P", "the number of ranks; one for each slot by default", cli_take_integer,
     .at = &cli_topo_ask.ranks, .least = 1, .most = STAR_NODES_MOST},
    {"map", "block|cyclic|random[:SEED]", "how ranks are placed; block, machine by machine, by default",
     cli_placed_take, .at = &cli_topo_ask.on},
    {"root", "R", "the root of rooted operations; 0 by default", cli_take_integer, .at = &cli_topo_ask.root,
     .most = INT32_MAX},
    {"framing", NULL, "count what Ethernet and TCP add to the bytes", cli_take_switch,
     .at = &cli_topo_ask.framing},
    {"keep", NULL,
     "write to $XDG_CONFIG_HOME/startune/topology, or that in ~/.config: from then on runs on these hosts "
     "know it",
     cli_take_switch, .at = &cli_topo_ask.keep},
    {"trips", "N", "round trips from each end of each pair, 32 times over; 100 by default", cli_take_integer,
     .at = &cli_topo_ask.trips, .least = 1, .most = 1000000},
    {"confirm", "on|off",
     "measure bandwidths and confirm the tree by streams; on by default. Off: round trips alone, and the "
     "file has no bandwidths",
     take_switch_word, .at = &cli_topo_ask.confirm},
    {"together", "on|off|auto",
     "pairs of hosts measure round trips at the same time: faster, and noisier where they share processors "
     "or links; auto, the preset one: on for more than 32 hosts",
     take_switch_word, .at = &cli_topo_ask.together},
    {"mpi", STAR_MPIS, "the MPI library, where the launcher does not tell", cli_take_mpi,
     .at = &cli_topo_ask.mpi},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune topo show topology.conf -o cluster.topo", "Slurm's file in the text format"},
    {"startune topo check cluster.topo", "is it a tree, and of what"},
    {"startune topo draw cluster.topo --svg -o cluster.svg", "a picture"},
    {"startune topo bound cluster.topo alltoall 64K",
     "the least seconds that the network allows, and the link that limits it"},
    {"mpirun … startune topo discover --keep",
     "infer the tree from measurements, for the runs to come; a rank a host is enough"},
    {"mpirun … startune topo discover -o cluster.topo", "the same into a file"},
    {"mpirun … startune topo calibrate cluster.topo", "what `startune plan --cost` is to --assume here"},
    {.name = NULL},
};

const struct cli_command cli_topo = {
    .name = "topo",
    .synopsis = "[mpirun …] startune topo check|show|draw|bound|discover|calibrate [FILE] [OPERATION BYTES] "
                "[OPTIONS]",
    .summary = "check, print, draw and discover the topology of a network; what it allows, and costs",
    .description =
        "FILE is in the text format below, Slurm's topology.conf or topology.yaml, the output of "
        "ibnetdiscover, or hwloc's XML (lstopo --of xml) of one machine; - is standard input.\n\n"
        "The text format has lines 'switch NAME', 'link SWITCH SWITCH [MBPS]' and 'host NAME SWITCH [MBPS] "
        "[slots=N]'. Names may be lists such as n[0-7]. Bandwidths are Mbit/s, or as 2.5G. # begins a "
        "comment. The links make a tree. With a line 'spanning-tree' they may have cycles, and the tree is "
        "the one that Ethernet's switches would use. With a line 'islands' they may be several networks.\n\n"
        "bound divides what must cross each link by its bandwidth. Latency counts nothing. `startune list` "
        "says what BYTES are; bytes of all ranks together count as shared out evenly.\n\n"
        "discover measures round trips between all hosts. Where they are not clear, it finds out which "
        "streams share a link. Streams also confirm the tree and measure each link's bandwidth. One rank "
        "of each host measures, for six minutes at most. Unclear or contradictory results are refused with "
        "exit status 1: try again on a quiet network.\n\n"
        "calibrate measures latency and what each link adds to it (only with FILE), the processors' part "
        "of a message, copies, sums, a host's bandwidth, and the eager limit. Framing and contention stay "
        "preset.",
    .options = options,
    .examples = examples,
    .uses = "settings topology",
    .actions = actions,
};
