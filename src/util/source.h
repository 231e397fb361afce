/* SPDX-License-Identifier: BSD-3-Clause
 * A text file in memory, read line by line, so that each reason for refusing it names file and line. */
#pragma once

#include "util/text.h"
#include "util/why.h"

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
/* Does TEXT begin with WORD? Case does not matter. */
bool star_begins(const char *text, const char *word);
/* Cuts the first word off *REST: NULL when there is none. */
char *star_word(char **rest);
