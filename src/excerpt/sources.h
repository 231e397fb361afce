/* SPDX-License-Identifier: BSD-3-Clause
 * C sources, written as ours are, as pieces: a declaration, a definition, a macro, or a conditional block,
 * with the comment right above it. Pieces begin in the first column, and nothing else does. */
#ifndef STAR_EXCERPT_SOURCES_H
#define STAR_EXCERPT_SOURCES_H

#include "excerpt/words.h"
#include "util/why.h"

struct star_file {
    char *path, *text;
    size_t length;
    bool header;
    bool first; /* what it defines stands in for definitions of the same name in other files */
    bool whole; /* all of it is needed */
};

/* A piece of a file, or an #include that names a header of the system. */
struct star_piece {
    int file;
    struct star_span text;
    bool include, wanted;
};

/* A name that a piece declares or defines. */
struct star_name {
    struct star_span text;
    int piece;
    bool local; /* known in its own file only */
    bool tag;   /* behind struct, union or enum */
};

struct star_sources {
    struct star_file *file;
    struct star_piece *piece;
    struct star_name *name; /* sorted by text once star_sources_sort was called */
    int files, pieces, names, file_room, piece_room, name_room;
};

/* Adds a file: a copy of TEXT without the rows of tables that begin with one of the DROPPED designators,
 * "    [NAME] = …", a list that NULL ends. STAR_EMEMORY; STAR_EINPUT: it is not written as ours are. */
int star_sources_add(struct star_sources *sources, const char *path, struct star_span text,
                     const char *const *dropped, struct star_why *why);
void star_sources_sort(struct star_sources *sources);
/* Those of one text are *FIRST to before the index returned. */
int star_sources_find(const struct star_sources *sources, struct star_span text, int *first);
void star_sources_free(struct star_sources *sources);

#endif
