/* SPDX-License-Identifier: BSD-3-Clause
 * Excerpts: of C sources, what some files of them need, as one file that compiles by itself. Names are
 * followed from piece to piece; names that files keep to themselves get the file's name in front where they
 * would meet. */
#ifndef STAR_EXCERPT_EXCERPT_H
#define STAR_EXCERPT_EXCERPT_H

#include "excerpt/sources.h"
#include "util/text.h"

/* Many files in one text: each behind a line of a form feed and its path. */
int star_excerpt_add_all(struct star_sources *sources, struct star_span bundle, const char *const *dropped,
                         struct star_why *why);
/* A file of one's own: all of it is needed, and what it defines stands in for other files' definitions. */
int star_excerpt_add_own(struct star_sources *sources, const char *path, const char *text,
                         struct star_why *why);
/* The same for those files added before whose paths begin with FOLDER, but of them only what is needed. */
void star_excerpt_prefer(struct star_sources *sources, const char *folder);
/* Appends what is needed to TEXT; functions and variables whose names begin with star_ become known to the
 * linker with PREFIX instead, so that two excerpts go into one program. Headers come first, those that others
 * include before them. */
void star_excerpt_write(struct star_sources *sources, const char *prefix, struct star_text *text);

#endif
