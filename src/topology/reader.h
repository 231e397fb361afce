/* SPDX-License-Identifier: BSD-3-Clause
 * What the readers of topology files share: the lines of a file, and one table of readers. */
#ifndef STAR_TOPOLOGY_READER_H
#define STAR_TOPOLOGY_READER_H

#include "topology/graph.h"

/* A file in memory, read line by line. */
struct star_source {
    const char *name, *bytes;
    size_t length;
    size_t at;             /* where the next line begins */
    int line;              /* the current one's number; 0: none yet */
    struct star_text text; /* the current one, without its end and spaces around */
    bool joins;            /* a \ at the end of a line joins it with the next one */
    struct star_why *why;
};

/* The next line that is not empty, to be changed at will, or NULL at the end or when memory is short. */
char *star_source_line(struct star_source *source);
/* The same without comments (from # on). */
char *star_source_statement(struct star_source *source);
void star_source_rewind(struct star_source *source);
/* Frees what reading lines took, and turns a want of memory into an error. */
int star_source_end(struct star_source *source, int error);
/* STAR_EINPUT: "FILE:LINE: …", of the current line. */
int star_source_wrong(const struct star_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Add what a list of names (hostlist.h) says: switches; links from the switch AT to switches, which are
 * there; machines, each linked to AT. MBPS 0: not given. */
int star_source_switches(struct star_source *source, struct star_graph *graph, const char *names);
int star_source_links(struct star_source *source, struct star_graph *graph, int at, const char *names,
                      double mbps);
int star_source_machines(struct star_source *source, struct star_graph *graph, int at, const char *names,
                         double mbps, int slots);
/* "100", "100M", "2.5G": Mbit/s, within what may be. */
int star_source_mbps(const struct star_source *source, const char *word, double *mbps);
/* Does TEXT begin with WORD? Case does not matter. */
bool star_begins(const char *text, const char *word);
/* Cuts the first word off *REST: NULL when there is none. */
char *star_word(char **rest);

/* A kind of file. KNOWS looks at the first line that is neither empty nor a comment. */
struct star_reader {
    bool (*knows)(const char *line);
    int (*read)(struct star_source *source, struct star_graph *graph, struct star_graph_rules *rules);
};
extern const struct star_reader star_reader_text, star_reader_slurm, star_reader_yaml, star_reader_fabric,
    star_reader_inside;

#endif
