/* SPDX-License-Identifier: BSD-3-Clause */
#include "excerpt/words.h"

#include <ctype.h>
#include <string.h>

bool star_span_is(struct star_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(span.at, text, span.length) == 0;
}

int star_span_compare(struct star_span a, struct star_span b)
{
    int order = memcmp(a.at, b.at, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the blanks and comments at AT. */
static const char *past_blanks(const char *at, const char *end)
{
    for (;;) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        if (end - at < 2 || at[0] != '/' || at[1] != '*')
            return at;
        for (at += 2; end - at >= 2 && (at[0] != '*' || at[1] != '/');)
            at++;
        at = end - at >= 2 ? at + 2 : end;
    }
}

/* Behind the string or character that begins at AT. */
static const char *past_quoted(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote)
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

enum star_token star_token_next(struct star_span *rest, struct star_span *token)
{
    const char *before = rest->at, *end = star_span_end(*rest), *begin = past_blanks(before, end),
               *at = begin;
    enum star_token kind = STAR_TOKEN_OTHER;
    if (begin == end)
        return STAR_TOKEN_END;
    if (*at == '"' || *at == '\'') {
        at = past_quoted(at, end);
    } else if (is_word_character(*at)) {
        kind = isdigit((unsigned char)*at) ? STAR_TOKEN_OTHER : STAR_TOKEN_WORD;
        while (at < end && is_word_character(*at))
            at++;
    } else {
        /* -> is taken as one, so that a member can be told. */
        at += end - at >= 2 && at[0] == '-' && at[1] == '>' ? 2 : 1;
        bool selects = at[-1] == '.' || at - begin == 2;
        const char *name = at;
        if (selects && name < end && is_word_character(*name) && !isdigit((unsigned char)*name)) {
            while (at < end && is_word_character(*at))
                at++;
            begin = name;
            kind = STAR_TOKEN_MEMBER;
        }
    }
    *token = (struct star_span){begin, (size_t)(at - begin)};
    *rest = (struct star_span){at, (size_t)(end - at)};
    return kind;
}

bool star_word_is_kind(struct star_span word)
{
    return star_span_is(word, "struct") || star_span_is(word, "union") || star_span_is(word, "enum");
}

bool star_word_next(struct star_span *rest, struct star_span *word)
{
    enum star_token kind;
    do
        kind = star_token_next(rest, word);
    while (kind == STAR_TOKEN_MEMBER || kind == STAR_TOKEN_OTHER);
    return kind == STAR_TOKEN_WORD;
}
