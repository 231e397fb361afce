/* SPDX-License-Identifier: BSD-3-Clause */
#include "hosts.h"
#include "topology/graph.h"
#include "topology/read.h"
#include "util/file.h"
#include "util/grow.h"
#include "util/parse.h"
#include "util/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the host file lists, before the topology is known. */
struct listed {
    struct entry {
        char *name;
        int slots;
    } * at;
    size_t count;
};

static void forget(struct listed *listed)
{
    for (size_t i = 0; i < listed->count; i++)
        free(listed->at[i].name);
    free(listed->at);
}

static int add(struct listed *listed, const char *name, int slots, struct star_why *why)
{
    for (size_t i = 0; i < listed->count; i++)
        if (strcmp(listed->at[i].name, name) == 0) {
            listed->at[i].slots += slots;
            return listed->at[i].slots <= STAR_SLOTS_MOST
                       ? 0
                       : star_because(why, STAR_EINPUT, "%s has more than %d slots", name, STAR_SLOTS_MOST);
        }
    struct entry *at = star_grown(listed->at, listed->count, sizeof *at);
    char *copy = strdup(name);
    if (at != NULL)
        listed->at = at;
    if (at == NULL || copy == NULL) {
        free(copy);
        return star_because(why, STAR_EMEMORY, "out of memory for the hosts");
    }
    listed->at[listed->count++] = (struct entry){copy, slots};
    return 0;
}

/* "slots = 4" is "slots=4", to Open MPI as well. */
static void join_values(char *line)
{
    char *to = line;
    for (const char *from = line; *from != 0;) {
        size_t blanks = strspn(from, " \t");
        if (blanks > 0 && (from[blanks] == '=' || (to > line && to[-1] == '=')))
            from += blanks;
        else
            *to++ = *from++;
    }
    *to = 0;
}

/* The slots that a line's words give, as text; NULL: none. Open MPI takes the most for them where they are
 * not given. */
static const char *slots_in(char *rest)
{
    static const char *const names[] = {"slots=", "count="}, *const most_names[] = {"max_slots=",
                                                                                    "max-slots="};
    const char *slots = NULL, *most = NULL;
    for (char *word; (word = star_word(&rest)) != NULL;)
        for (int i = 0; i < 2; i++) {
            if (star_begins(word, names[i]))
                slots = word + strlen(names[i]);
            if (star_begins(word, most_names[i]))
                most = word + strlen(most_names[i]);
            if (star_begins(word, "slots") && strlen(word) == strlen("slots"))
                slots = word;
        }
    return slots != NULL ? slots : most;
}

/* "n1:4", "n1 slots=4 max_slots=8": what else launchers know of a host is passed over. */
static int take_line(struct star_source *source, char *line, struct listed *listed)
{
    join_values(line);
    char *rest = line, *name = star_word(&rest), *colon = strchr(name, ':');
    const char *number = slots_in(rest);
    int64_t slots = 1;
    if (colon != NULL) {
        *colon = 0;
        number = number ? number : colon + 1;
    }
    if (number != NULL && (!star_parse_integer(number, &slots) || slots < 1 || slots > STAR_SLOTS_MOST))
        return star_source_wrong(source, "'%.60s' is no number of slots", number);
    if (!star_graph_name_is_good(name))
        return star_source_wrong(source, "'%.60s' is no name of a host", name);
    return add(listed, name, (int)slots, source->why);
}

static int read_hostfile(const char *path, struct listed *listed, struct star_why *why)
{
    struct star_text text = {0};
    int error = star_file_read(path, &text, why);
    if (!error && text.length > 0)
        error = star_file_is_text(text.bytes, text.length, star_file_name(path), why);
    struct star_source source = {.name = star_file_name(path),
                                 .bytes = text.bytes ? text.bytes : "",
                                 .length = text.length,
                                 .why = why};
    for (char *line; !error && (line = star_source_statement(&source)) != NULL;)
        error = take_line(&source, line, listed);
    error = star_source_end(&source, error);
    if (!error && listed->count == 0)
        error = star_because(why, STAR_EINPUT, "%s: no host", star_file_name(path));
    star_text_free(&text);
    return error;
}

/* All on one switch, whose name is nobody's. */
static int make_switch(const struct listed *listed, struct star_topology **topology, struct star_why *why)
{
    static const char hub[] = "@switch";
    struct star_text text = {0};
    star_text_add(&text, "switch %s\n", hub);
    for (size_t i = 0; i < listed->count; i++)
        star_text_add(&text, "host %s %s\n", listed->at[i].name, hub);
    int error = text.failed ? star_because(why, STAR_EMEMORY, "out of memory for the hosts")
                            : star_topology_parse(text.bytes, text.length, "the hosts", topology, why);
    star_text_free(&text);
    return error;
}

static int list_all(const struct star_topology *topology, struct listed *listed, struct star_why *why)
{
    int error = 0;
    for (int node = 0; !error && node < topology->nodes; node++)
        if (topology->node[node].machine)
            error = add(listed, topology->node[node].name, topology->node[node].slots, why);
    return error;
}

/* The first of the hosts that the topology does not have, or that nothing connects with the others; NULL:
 * there is none. */
static const char *first_missing(const struct star_topology *topology, const struct listed *listed)
{
    int first = star_topology_machine(topology, listed->at[0].name);
    for (size_t i = 0; i < listed->count; i++) {
        int node = star_topology_machine(topology, listed->at[i].name);
        if (node < 0 || star_topology_parts(topology, node, first))
            return listed->at[i].name;
    }
    return NULL;
}

/* The user's own, where there is one that has all hosts; *TOPOLOGY stays NULL otherwise. */
static void read_own(const struct listed *listed, struct star_topology **topology)
{
    char path[4096];
    if (star_topology_own_path(path, sizeof path, NULL) || access(path, R_OK) != 0 ||
        star_topology_read(path, topology, NULL))
        return;
    if (first_missing(*topology, listed) != NULL) {
        star_topology_free(*topology);
        *topology = NULL;
    }
}

static int find_topology(struct listed *listed, const char *path, struct cli_hosts *hosts,
                         struct star_why *why)
{
    int error = path != NULL ? star_topology_read(path, &hosts->topology, why) : 0;
    if (!error && listed->count == 0)
        error = list_all(hosts->topology, listed, why);
    if (!error && path == NULL)
        read_own(listed, &hosts->topology);
    hosts->linked = hosts->topology != NULL;
    if (!error && hosts->topology == NULL)
        error = make_switch(listed, &hosts->topology, why);
    const char *missing = error ? NULL : first_missing(hosts->topology, listed);
    if (missing != NULL)
        error = star_because(why, STAR_EINPUT, "%s lacks host '%s', or nothing connects it with the others",
                             path, missing);
    return error;
}

static int take_hosts(const struct listed *listed, struct cli_hosts *hosts, struct star_why *why)
{
    hosts->node = calloc(listed->count, sizeof *hosts->node);
    hosts->name = calloc(listed->count, sizeof *hosts->name);
    hosts->slots = calloc((size_t)hosts->topology->nodes, sizeof *hosts->slots);
    bool made = hosts->node && hosts->name && hosts->slots;
    for (size_t i = 0; made && i < listed->count; i++) {
        int node = star_topology_machine(hosts->topology, listed->at[i].name);
        bool again = hosts->slots[node] > 0; /* under another name of its */
        hosts->slots[node] += listed->at[i].slots;
        if (again)
            continue;
        hosts->node[hosts->count] = node;
        made = (hosts->name[hosts->count++] = strdup(listed->at[i].name)) != NULL;
    }
    return made ? 0 : star_because(why, STAR_EMEMORY, "out of memory for the hosts");
}

int cli_hosts_read(const char *hostfile, const char *topology, struct cli_hosts *hosts, struct star_why *why)
{
    struct listed listed = {0};
    *hosts = (struct cli_hosts){0};
    int error = hostfile != NULL ? read_hostfile(hostfile, &listed, why) : 0;
    if (!error)
        error = find_topology(&listed, topology, hosts, why);
    if (!error)
        error = take_hosts(&listed, hosts, why);
    forget(&listed);
    if (error)
        cli_hosts_free(hosts);
    return error;
}

int cli_hosts_widen(struct cli_hosts *hosts, int ranks, struct star_why *why)
{
    const int64_t most = 1 << 24;
    int64_t slots = 0;
    for (int h = 0; h < hosts->count; h++) {
        int *own = &hosts->slots[hosts->node[h]];
        *own = *own < ranks ? *own : ranks; /* more than RANKS are never needed */
        slots += *own;
    }
    int64_t times = (ranks + slots - 1) / slots;
    hosts->times = (int)times;
    if (slots * times > most)
        return star_because(why, STAR_ELIMIT, "the hosts have more than %lld slots", (long long)most);
    for (int h = 0; h < hosts->count; h++)
        hosts->slots[hosts->node[h]] *= (int)times;
    return 0;
}

void cli_hosts_free(struct cli_hosts *hosts)
{
    for (int h = 0; h < hosts->count; h++)
        free(hosts->name[h]);
    free(hosts->name);
    free(hosts->node);
    free(hosts->slots);
    star_topology_free(hosts->topology);
    *hosts = (struct cli_hosts){0};
}
