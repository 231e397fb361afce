/* SPDX-License-Identifier: BSD-3-Clause
 * startune place: which rank should run where, by what a run has sent. */
#include "place/gain.h"
#include "place/place.h"
#include "cli/common/matrix.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/take.h"
#include "forms.h"
#include "hosts.h"
#include "plot/table.h"
#include "report/matrix.h"
#include "report/rows.h"
#include "talk.h"
#include "util/parse.h"
#include "util/scratch.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct {
    int64_t ranks;                                            /* 0: those of the run */
    const char *hostfile, *topology, *output, *form, *assume; /* NULL: not given */
    bool options, json;
} ask;

/* A way to place the ranks, and what it is expected to take. */
struct way {
    const char *name;
    int *machine;                  /* of each rank; NULL: the hosts are others */
    double cost, seconds, between; /* BETWEEN: bytes that go to another host */
};
enum { AS_IT_RAN, BY_SLOT, BY_NODE, MAPPED, WAYS };

struct question {
    struct star_talk talk;
    struct cli_hosts hosts;
    struct star_cost_parameters parameters;
    struct way way[WAYS];
    int chosen, before; /* ways: what is best; with what it is compared */
    const json_t *report;
    struct star_scratch memory;
};

static int ranks_of(const struct question *question)
{
    return question->talk.matrix->ranks;
}

/* Where the run had its ranks; false: on other hosts, or on more slots than there are. */
static bool find_as_it_ran(struct question *question, int *machine)
{
    const struct star_topology *topology = question->hosts.topology;
    int *used = star_scratch(&question->memory, (size_t)topology->nodes, sizeof *used);
    for (int r = 0; used != NULL && r < ranks_of(question); r++) {
        const char *host = question->talk.host[r];
        machine[r] = host != NULL ? star_topology_machine(topology, host) : -1;
        if (machine[r] < 0 || ++used[machine[r]] > question->hosts.slots[machine[r]])
            return false;
    }
    return used != NULL;
}

static void fill_by_slot(const struct question *question, int *machine)
{
    const struct cli_hosts *hosts = &question->hosts;
    int filled = 0;
    for (int h = 0; h < hosts->count; h++)
        for (int s = 0; s < hosts->slots[hosts->node[h]] && filled < ranks_of(question); s++)
            machine[filled++] = hosts->node[h];
}

static void fill_by_node(const struct question *question, int *machine)
{
    const struct cli_hosts *hosts = &question->hosts;
    int filled = 0;
    for (int turn = 0; filled < ranks_of(question); turn++)
        for (int h = 0; h < hosts->count && filled < ranks_of(question); h++)
            if (turn < hosts->slots[hosts->node[h]])
                machine[filled++] = hosts->node[h];
}

static double between_hosts(const struct star_matrix *matrix, const int *machine)
{
    double bytes = 0;
    for (int r = 0; r < matrix->ranks; r++)
        for (size_t p = matrix->first[r]; p < matrix->first[r + 1]; p++)
            bytes += machine[r] != machine[matrix->pair[p].peer] ? matrix->pair[p].out : 0;
    return bytes;
}

/* Places the ranks in all ways. */
static int find_ways(struct question *question, struct star_why *why)
{
    static const char *const names[WAYS] = {"as it ran", "by slot", "by node", "startune's"};
    const struct star_mapping mapping = {question->talk.matrix, question->hosts.topology,
                                         &question->parameters, question->hosts.slots};
    int error = cli_hosts_widen(&question->hosts, ranks_of(question), why);
    for (int w = 0; w < WAYS; w++) {
        struct way *way = &question->way[w];
        way->name = names[w];
        way->machine = star_scratch(&question->memory, (size_t)ranks_of(question), sizeof *way->machine);
    }
    if (!error && question->memory.failed)
        error = star_because(why, STAR_EMEMORY, "out of memory");
    if (error)
        return error;
    fill_by_slot(question, question->way[BY_SLOT].machine);
    fill_by_node(question, question->way[BY_NODE].machine);
    if (!find_as_it_ran(question, question->way[AS_IT_RAN].machine))
        question->way[AS_IT_RAN].machine = NULL;
    error = star_map_ranks(&mapping, question->way[MAPPED].machine, why);
    for (int w = 0; !error && w < WAYS; w++) {
        struct way *way = &question->way[w];
        if (way->machine == NULL)
            continue;
        way->between = between_hosts(question->talk.matrix, way->machine);
        error = star_cost_of_ranks(&mapping, way->machine, &way->cost, &way->seconds, why);
    }
    return error;
}

/* What is not expected to be better by one in a hundred is not worth a change. */
static void choose(struct question *question)
{
    const double worth = 0.99;
    question->before = question->way[AS_IT_RAN].machine != NULL ? AS_IT_RAN : BY_SLOT;
    question->chosen = question->before;
    for (int w = 0; w < WAYS; w++)
        if (question->way[w].machine != NULL &&
            question->way[w].cost < worth * question->way[question->chosen].cost &&
            question->way[w].seconds < worth * question->way[question->before].seconds)
            question->chosen = w;
}

static const char *host_of(const struct question *question, int node)
{
    for (int h = 0; h < question->hosts.count; h++)
        if (question->hosts.node[h] == node)
            return question->hosts.name[h];
    return "?";
}

/* Each rank has the next core of its host; more ranks than slots share cores, as there may be no more of
 * them. A host with one slot may not have said how many there are. */
static int find_places(struct question *question, struct cli_places *places, struct star_why *why)
{
    const struct way *way = &question->way[question->chosen];
    const struct cli_hosts *hosts = &question->hosts;
    size_t ranks = (size_t)ranks_of(question);
    int *used = star_scratch(&question->memory, (size_t)hosts->topology->nodes, sizeof *used);
    places->ranks = ranks_of(question);
    places->host = star_scratch(&question->memory, ranks, sizeof *places->host);
    places->core = star_scratch(&question->memory, ranks, sizeof *places->core);
    if (question->memory.failed)
        return star_because(why, STAR_EMEMORY, "out of memory");
    for (int r = 0; r < places->ranks; r++) {
        int node = way->machine[r], slots = hosts->slots[node] / hosts->times;
        places->host[r] = host_of(question, node);
        places->core[r] = used[node];
        used[node] = slots > 1 ? (used[node] + 1) % slots : used[node] + 1;
    }
    return 0;
}

/* Seconds of the run that the chosen way is expected to save. */
static double gain_of(const struct question *question)
{
    return question->way[question->before].seconds - question->way[question->chosen].seconds;
}

/* Only then seconds are more than a measure. */
static bool has_speeds(const struct question *question)
{
    return question->hosts.linked && question->hosts.topology->has_speeds &&
           star_report_number(question->report, "seconds") > 0;
}

static const struct star_column columns[] = {{"placement", "placement", STAR_AS_WORDS},
                                             {"seconds", "network", STAR_AS_TIMES},
                                             {"between", "between hosts", STAR_AS_SIZES}};

static void add_gain(const struct question *question, struct star_text *text)
{
    const struct way *before = &question->way[question->before], *after = &question->way[question->chosen];
    char from[32], to[32], run[32];
    if (after == before)
        star_text_add(text, "\nno placement is expected to be better than %s by 1 %%\n", before->name);
    else
        star_text_add(
            text, "\nexpected: %.0f %% less time in the network than %s, %s instead of %s; the run took %s\n",
            100 * gain_of(question) / before->seconds, before->name,
            star_format_seconds(after->seconds, to, sizeof to),
            star_format_seconds(before->seconds, from, sizeof from),
            star_format_seconds(star_report_number(question->report, "seconds"), run, sizeof run));
    double seconds = star_report_number(question->report, "seconds");
    struct star_gain gain = star_gain_of(seconds, before->seconds, after->seconds);
    if (after != before && has_speeds(question) && gain.believable)
        star_text_add(text, "of the whole run: %.0f ± %.0f %% less time\n", 100 * gain.expected / seconds,
                      100 * gain.error / seconds);
}

static void add_text(const struct question *question, struct star_text *text)
{
    struct star_table table = STAR_TABLE_OF(columns);
    size_t begin = text->length;
    star_text_add(text, "%s: %d ranks on %d host%s, %s", star_report_word(question->report, "program"),
                  ranks_of(question), question->hosts.count, question->hosts.count == 1 ? "" : "s",
                  question->hosts.linked ? "with the links of the topology" : "taken as on one switch");
    cli_end_line(text, begin);
    for (int w = 0; w < WAYS; w++) {
        char between[32];
        const struct way *way = &question->way[w];
        if (way->machine == NULL)
            continue;
        star_table_words(&table, "%s", way->name);
        star_table_numbers(&table, way->seconds);
        star_table_words(&table, "%s", star_format_bytes((int64_t)way->between, between, sizeof between));
    }
    star_table_write(&table, text);
    add_gain(question, text);
    if (question->talk.estimated > question->talk.own + question->talk.methods)
        star_text_add(text, "most bytes are estimated, of the MPI library's collective operations\n");
}

static void add_json(const struct question *question, const struct cli_places *places, struct star_text *text)
{
    star_json_open(text, NULL, '{');
    star_json_string(text, "program", star_report_word(question->report, "program"));
    star_json_integer(text, "ranks", ranks_of(question));
    star_json_bool(text, "links_known", question->hosts.linked);
    star_json_bool(text, "complete", star_talk_is_complete(&question->talk));
    star_json_open(text, "placements", '[');
    for (int w = 0; w < WAYS; w++) {
        const struct way *way = &question->way[w];
        if (way->machine == NULL)
            continue;
        star_json_open(text, NULL, '{');
        star_json_string(text, "name", way->name);
        star_json_number(text, "network_seconds", way->seconds);
        star_json_number(text, "cost_seconds", way->cost);
        star_json_integer(text, "bytes_between_hosts", (int64_t)way->between);
        star_json_close(text, '}');
    }
    star_json_close(text, ']');
    star_json_string(text, "compared_with", question->way[question->before].name);
    star_json_string(text, "chosen", question->way[question->chosen].name);
    star_json_number(text, "gain_seconds", gain_of(question));
    star_json_number(text, "run_seconds", star_report_number(question->report, "seconds"));
    struct star_gain gain =
        star_gain_of(star_report_number(question->report, "seconds"), question->way[question->before].seconds,
                     question->way[question->chosen].seconds);
    if (has_speeds(question) && gain.believable) {
        star_json_number(text, "expected_seconds", gain.expected);
        star_json_number(text, "expected_error_seconds", gain.error);
    }
    star_json_open(text, "hosts", '[');
    for (int r = 0; r < ranks_of(question); r++)
        star_json_string(text, NULL, places->host[r]);
    star_json_close(text, ']');
    star_json_close(text, '}');
    star_text_add(text, "\n");
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

static int answer(struct question *question, const struct cli_places *places)
{
    static const char usual[] = "startune.hosts";
    struct star_text text = {0};
    const char *path = ask.output == NULL && ask.options ? usual : ask.output;
    int status = put_file(places, path);
    if (status != CLI_OK)
        return status;
    cli_matrix_warn(&question->talk);
    if (ask.options)
        cli_place_options(ask.form, path, places->ranks, &text);
    else if (ask.json)
        add_json(question, places, &text);
    else
        add_text(question, &text);
    return cli_put(NULL, &text);
}

static int read_all(const char *word, json_t **report, struct question *question, struct star_why *why)
{
    question->parameters = star_cost_presets;
    int error = ask.assume != NULL ? star_cost_parse(ask.assume, &question->parameters, why) : 0;
    if (!error)
        error = cli_place_find_report(word, (int)ask.ranks, report, why);
    if (!error)
        error = star_talk_of(*report, word, &question->talk, why);
    if (!error && ask.ranks > 0 && ask.ranks != ranks_of(question))
        error = star_because(why, STAR_EINPUT, "-n %lld: the run had %d ranks", (long long)ask.ranks,
                             ranks_of(question));
    question->report = *report;
    return error ? error : cli_hosts_read(ask.hostfile, ask.topology, &question->hosts, why);
}

static int place(const char *word)
{
    struct question question = {0};
    struct star_why why;
    json_t *report = NULL;
    struct cli_places places = {0};
    int error = read_all(word, &report, &question, &why);
    if (!error)
        error = find_ways(&question, &why);
    if (!error) {
        choose(&question);
        error = find_places(&question, &places, &why);
    }
    int status = error ? cli_refuse(error, &why) : answer(&question, &places);
    star_talk_free(&question.talk);
    cli_hosts_free(&question.hosts);
    star_scratch_free(&question.memory);
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
    return place(argv[0]);
}

static const struct cli_option options[] = {
    {"n", "P", "ranks; those of the run by default", cli_take_integer, .at = &ask.ranks, .least = 1,
     .most = 1 << 20},
    {"hostfile", "FILE", "hosts with their slots, as launchers take them: n1 slots=4, or n1:4", cli_take_text,
     .at = &ask.hostfile},
    {"topology", "FILE",
     "the links between the hosts; by default ~/.config/startune/topology, where it has all of them",
     cli_take_text, .at = &ask.topology},
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
        "not bound to cores, but by a rank file.",
    .options = options,
    .examples = examples,
    .uses = "topology reports",
    .run = run,
};
