/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/read.h"
#include "topology/readers.h"
#include "topology/tree.h"
#include "util/file.h"
#include "util/home.h"

/* The text format takes what no other reader knows: it is the last one. */
static const struct star_reader *const readers[] = {&star_reader_inside, &star_reader_fabric,
                                                    &star_reader_slurm, &star_reader_yaml, &star_reader_text};

static const struct star_reader *reader_of(struct star_source *source)
{
    const char *first = star_source_statement(source);
    size_t i = 0;
    while (first != NULL && i + 1 < sizeof readers / sizeof *readers && !readers[i]->knows(first))
        i++;
    star_source_rewind(source);
    return first ? readers[i] : &star_reader_text;
}

int star_topology_parse(const char *bytes, size_t length, const char *name, struct star_topology **topology,
                        struct star_why *why)
{
    struct star_why because = {{0}};
    int error = star_file_is_text(bytes, length, name, why);
    if (error)
        return error;
    struct star_source source = {.name = name, .bytes = bytes, .length = length, .why = why ? why : &because};
    struct star_graph graph = {.file = name};
    struct star_graph_rules rules = {0};
    error = star_source_end(&source, reader_of(&source)->read(&source, &graph, &rules));
    if (!error)
        error = star_graph_topology(&graph, &rules, topology, why);
    star_graph_free(&graph);
    return error;
}

int star_topology_read(const char *path, struct star_topology **topology, struct star_why *why)
{
    struct star_text text = {0};
    int error = star_file_read(path, &text, why);
    if (!error)
        error = star_topology_parse(text.bytes ? text.bytes : "", text.length, star_file_name(path), topology,
                                    why);
    star_text_free(&text);
    return error;
}

int star_topology_own_path(char *path, size_t room, struct star_why *why)
{
    return star_home_path(path, room, "XDG_CONFIG_HOME", ".config", "startune/topology", why);
}
