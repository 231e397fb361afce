/* SPDX-License-Identifier: BSD-3-Clause
 * The words of C code: identifiers and keywords, outside of comments, strings, characters and numbers. */
#ifndef STAR_EXCERPT_WORDS_H
#define STAR_EXCERPT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A stretch of a text. */
struct star_span {
    const char *at;
    size_t length;
};

static inline const char *star_span_end(struct star_span span)
{
    return span.at + span.length;
}

bool star_span_is(struct star_span span, const char *text);
int star_span_compare(struct star_span a, struct star_span b);

/* What comes next in code. */
enum star_token {
    STAR_TOKEN_END,
    STAR_TOKEN_WORD,
    STAR_TOKEN_MEMBER, /* a word behind . or ->, which names nothing of the file's */
    STAR_TOKEN_OTHER   /* one character, or a string, character or number as a whole */
};

/* Takes the next token from *REST, which then begins behind it; blanks and comments are passed over. */
enum star_token star_token_next(struct star_span *rest, struct star_span *token);
/* struct, union or enum: the word behind is a tag. */
bool star_word_is_kind(struct star_span word);
/* The next word that is no member; false at the end. */
bool star_word_next(struct star_span *rest, struct star_span *word);

#endif
