/* SPDX-License-Identifier: BSD-3-Clause
 * startune topo: what there is to do with a topology file. Each action has a row of the table below. */
#include "command.h"
#include "topology/topology.h"
#include "util/parse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct {
    bool json, svg;
    const char *output; /* NULL: standard output */
} ask;

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)why;
    if (strcmp(option->name, "json") == 0)
        ask.json = true;
    else if (strcmp(option->name, "svg") == 0)
        ask.svg = true;
    else
        ask.output = value;
    return true;
}

static int put(const struct star_text *text)
{
    FILE *to = ask.output ? fopen(ask.output, "w") : stdout;
    bool good = to != NULL && !text->failed && fwrite(text->bytes, 1, text->length, to) == text->length;
    int reason = text->failed ? ENOMEM : errno;
    if (to != NULL && (ask.output ? fclose(to) : fflush(to)) != 0) {
        reason = good ? errno : reason;
        good = false;
    }
    if (good)
        return CLI_OK;
    cli_error(&cli_topo, "%s: %s", ask.output ? ask.output : "standard output", strerror(reason));
    return CLI_FAILED;
}

static void add_speeds(const struct star_topology *topology, struct star_text *text)
{
    double least = 0, most = 0;
    for (int i = 1; i < topology->nodes; i++) {
        double mbps = topology->node[i].mbps;
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

static void check(const struct star_topology *topology, struct star_text *text)
{
    int switches = topology->nodes - topology->machines;
    long slots = 0;
    for (int i = 0; i < topology->nodes; i++)
        slots += topology->node[i].machine ? topology->node[i].slots : 0;
    star_text_add(text, "good: %d switch%s, %d host%s, %ld slot%s, ", switches, switches == 1 ? "" : "es",
                  topology->machines, plural(topology->machines), slots, slots == 1 ? "" : "s");
    add_speeds(topology, text);
    if (topology->spare > 0)
        star_text_add(text, ", %d spare link%s", topology->spare, plural(topology->spare));
    star_text_add(text, "\n");
}

static void show(const struct star_topology *topology, struct star_text *text)
{
    (ask.json ? star_topology_json : star_topology_write)(topology, text);
}

static void draw(const struct star_topology *topology, struct star_text *text)
{
    (ask.svg ? star_topology_svg : star_topology_draw)(topology, text);
}

static void (*make)(const struct star_topology *topology, struct star_text *text);

/* ARGV: the file alone. */
static int print(int argc, char **argv)
{
    struct star_why why;
    struct star_topology *topology;
    struct star_text text = {0};
    if (argc == 0)
        return cli_error(&cli_topo, "no file; usage: %s", cli_topo.synopsis);
    if (argc > 1)
        return cli_error(&cli_topo, "unexpected argument '%s'", argv[1]);
    if (star_topology_read(argv[0], &topology, &why))
        return cli_error(&cli_topo, "%s", why.text);
    make(topology, &text);
    star_topology_free(topology);
    int status = put(&text);
    star_text_free(&text);
    return status;
}

/* RUN gets the words after the action's name. */
static const struct action {
    const char *name;
    int (*run)(int argc, char **argv);
    void (*make)(const struct star_topology *topology, struct star_text *text);
    bool json, svg; /* what it has a use for */
} actions[] = {
    {"check", print, check, false, false},
    {"show", print, show, true, false},
    {"draw", print, draw, false, true},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static int unknown(const char *word)
{
    const char *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++)
        names[i] = actions[i].name;
    const char *nearest = star_nearest(word, names, ACTIONS);
    return cli_error(&cli_topo, "unknown action '%s'%s%s%s; startune topo --help lists them", word,
                     nearest ? ": did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static int run(int argc, char **argv)
{
    int words = cli_operands(&cli_topo, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    if (words == 0)
        return cli_error(&cli_topo, "no action; usage: %s", cli_topo.synopsis);
    for (int i = 0; i < ACTIONS; i++) {
        if (strcmp(argv[0], actions[i].name) != 0)
            continue;
        if ((ask.json && !actions[i].json) || (ask.svg && !actions[i].svg))
            return cli_error(&cli_topo, "--%s is not for topo %s", ask.json ? "json" : "svg", argv[0]);
        make = actions[i].make;
        return actions[i].run(words - 1, argv + 1);
    }
    return unknown(argv[0]);
}

static const struct cli_option options[] = {
    {"json", NULL, "of show: print JSON"},
    {"svg", NULL, "of draw: an SVG picture"},
    {"o", "FILE", "write to FILE"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune topo show topology.conf -o cluster.topo", "Slurm's file in the text format"},
    {"startune topo check cluster.topo", "is it a tree, and of what"},
    {"startune topo draw cluster.topo --svg -o cluster.svg", "a picture"},
    {NULL, NULL},
};

const struct cli_command cli_topo = {
    .name = "topo",
    .synopsis = "startune topo check|show|draw FILE [OPTIONS]",
    .summary = "check, print and draw the topology of a network",
    .description = "Reads FILE, or standard input for -, and says what is wrong with it, or what is in it "
                   "(check), prints\n"
                   "it in the text format (show) or draws it (draw). FILE is in the text format, Slurm's "
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
                   "one that Ethernet's switches would use.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};
