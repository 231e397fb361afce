/* SPDX-License-Identifier: BSD-3-Clause */
#include "excerpt/sources.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more element of SIZE in *ARRAY; false when out of memory. */
static bool grow(void *array, int count, int *room, size_t size)
{
    if (count < *room)
        return true;
    int wider = *room > 0 ? 2 * *room : 64;
    void *grown = realloc(*(void **)array, (size_t)wider * size);
    if (grown == NULL)
        return false;
    *(void **)array = grown;
    *room = wider;
    return true;
}

static bool begins(const char *at, const char *end, const char *with)
{
    size_t length = strlen(with);
    return (size_t)(end - at) >= length && memcmp(at, with, length) == 0;
}

static const char *past_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline + 1 : end;
}

/* A reader of one file. */
struct reading {
    struct star_sources *sources;
    int file;
    const char *comment; /* the one right above, or NULL */
};

static bool add_piece(struct reading *r, const char *at, const char *end, bool include)
{
    struct star_sources *s = r->sources;
    if (!grow(&s->piece, s->pieces, &s->piece_room, sizeof *s->piece))
        return false;
    const char *begin = r->comment ? r->comment : at;
    while (end > begin && end[-1] == '\n')
        end--;
    s->piece[s->pieces++] =
        (struct star_piece){.file = r->file, .text = {begin, (size_t)(end - begin)}, .include = include};
    return true;
}

/* Of the last piece. What begins with star_ all files know, also a type that a header declares only. */
static bool add_name(struct reading *r, struct star_span text, bool local, bool tag)
{
    struct star_sources *s = r->sources;
    if (!grow(&s->name, s->names, &s->name_room, sizeof *s->name))
        return false;
    local = local && !s->file[r->file].header && !begins(text.at, star_span_end(text), "star_");
    s->name[s->names++] =
        (struct star_name){.text = text, .piece = s->pieces - 1, .local = local, .tag = tag};
    return true;
}

static bool opens(const struct star_span *token)
{
    return strchr("{([", token->at[0]) != NULL;
}

/* Behind the bracket that closes the one just taken from *REST; the words right behind { or a comma of it are
 * names where it is an ENUMERATION's. */
static bool pass_group(struct reading *r, struct star_span *rest, bool enumeration)
{
    struct star_span token;
    enum star_token kind;
    bool expects = enumeration;
    for (int depth = 1; depth > 0 && (kind = star_token_next(rest, &token)) != STAR_TOKEN_END;) {
        bool other = kind == STAR_TOKEN_OTHER;
        if (kind == STAR_TOKEN_WORD && expects && !add_name(r, token, true, false))
            return false;
        depth += other && opens(&token);
        depth -= other && strchr("})]", token.at[0]) != NULL;
        expects = enumeration && other && token.at[0] == ',' && depth == 1;
    }
    return true;
}

/* Behind what a variable begins with: the , or ; that ends it. */
static bool pass_value(struct reading *r, struct star_span *rest)
{
    struct star_span token;
    enum star_token kind;
    while ((kind = star_token_next(rest, &token)) != STAR_TOKEN_END) {
        if (kind != STAR_TOKEN_OTHER)
            continue;
        if (opens(&token) && !pass_group(r, rest, false))
            return false;
        if (token.at[0] == ',' || token.at[0] == ';')
            break;
    }
    return true;
}

/* A declaration or definition that is read for its names. */
struct declaration {
    struct star_span last; /* the word just taken, or none */
    struct star_span kind; /* struct, union or enum in front of a tag or a body, or none */
    bool local, named;
};

static void take_word(struct declaration *d, struct star_span word)
{
    bool is_kind = star_word_is_kind(word);
    d->kind = is_kind ? word : d->kind;
    d->last = is_kind ? (struct star_span){0} : word;
    d->local = d->local || star_span_is(word, "static") || star_span_is(word, "typedef");
}

/* Takes a character. A word in front of ( [ = , or ; is a name, or a tag where only its kind is in front of
 * it; one in front of { is a tag. */
static bool take_character(struct reading *r, struct declaration *d, char c, struct star_span *rest)
{
    bool word = d->last.at != NULL && !star_span_is(d->last, "__attribute__");
    bool tag = c == '{' || (c == ';' && !d->named && d->kind.at != NULL);
    if (word && (tag ? d->kind.at != NULL : strchr("([=,;", c) != NULL) &&
        !add_name(r, d->last, d->local || tag, tag))
        return false;
    d->named = d->named || (word && !tag && c != '*');
    bool enumeration = c == '{' && d->kind.at != NULL && star_span_is(d->kind, "enum");
    d->last = d->kind = (struct star_span){0};
    if (c == '=')
        return pass_value(r, rest);
    return strchr("{([", c) == NULL || pass_group(r, rest, enumeration);
}

static bool name_declaration(struct reading *r, struct star_span text)
{
    struct declaration d = {0};
    struct star_span token;
    enum star_token kind;
    while ((kind = star_token_next(&text, &token)) != STAR_TOKEN_END) {
        char c = token.at[0];
        if (kind == STAR_TOKEN_WORD)
            take_word(&d, token);
        else if (c == '{' && d.named)
            return true; /* a function's body */
        else if (!take_character(r, &d, c, &text))
            return false;
    }
    return true;
}

/* Behind the declaration at AT; NULL where it does not end. */
static const char *past_declaration(const char *at, const char *end)
{
    struct star_span rest = {at, (size_t)(end - at)}, token;
    enum star_token kind;
    int depth = 0;
    while ((kind = star_token_next(&rest, &token)) != STAR_TOKEN_END) {
        char c = token.at[0];
        if (kind != STAR_TOKEN_OTHER)
            continue;
        depth += c == '{' || c == '(' || c == '[';
        depth -= c == '}' || c == ')' || c == ']';
        bool at_line_end = rest.length == 0 || *rest.at == '\n';
        if (depth == 0 && (c == ';' || (c == '}' && at_line_end)))
            return past_line(rest.at, end);
    }
    return NULL;
}

static const char *past_macro(const char *at, const char *end)
{
    do
        at = past_line(at, end);
    while (at < end && at[-2] == '\\');
    return at;
}

/* Behind the #endif of the #if at AT. */
static const char *past_block(const char *at, const char *end)
{
    int depth = 0;
    for (;; at = past_line(at, end)) {
        depth += begins(at, end, "#if");
        depth -= begins(at, end, "#endif");
        if (depth == 0 || at >= end)
            return past_line(at, end);
    }
}

static bool name_macro(struct reading *r, const char *at, const char *end)
{
    struct star_span rest = {at + strlen("#define"), (size_t)(end - at) - strlen("#define")}, word;
    return !star_word_next(&rest, &word) || add_name(r, word, true, false);
}

/* The names in a conditional block, which is one piece. */
static bool name_block(struct reading *r, const char *at, const char *end)
{
    bool good = true;
    for (const char *next; good && at < end; at = next) {
        next = past_line(at, end);
        if (begins(at, end, "#define")) {
            next = past_macro(at, end);
            good = name_macro(r, at, next);
        } else if (*at != '#' && *at != '\n' && *at != '/' && *at != ' ' && *at != '*') {
            const char *behind = past_declaration(at, end);
            next = behind ? behind : end;
            good = name_declaration(r, (struct star_span){at, (size_t)(next - at)});
        }
    }
    return good;
}

/* Is the line at AT a part of what keeps a header from being read twice? */
static bool is_guard(const char *at, const char *begin, const char *end)
{
    const char *line_end = past_line(at, end);
    bool named = line_end - at > 4 && memcmp(line_end - 3, "_H\n", 3) == 0;
    bool last = begins(at, end, "#endif") && past_line(at, end) == end;
    bool blank_before = at == begin || at[-1] == '\n';
    return last || (named && blank_before && (begins(at, end, "#ifndef") || begins(at, end, "#define")));
}

/* Takes what begins at AT, in the first column; NULL when out of memory. */
static const char *take(struct reading *r, const char *at, const char *end)
{
    struct star_file *file = &r->sources->file[r->file];
    const char *next;
    bool good = true;
    if (file->header && is_guard(at, file->text, end))
        return past_line(at, end);
    if (begins(at, end, "#include")) {
        next = past_line(at, end);
        return memchr(at, '<', (size_t)(next - at)) == NULL || add_piece(r, at, next, true) ? next : NULL;
    }
    if (begins(at, end, "#define")) {
        next = past_macro(at, end);
        good = add_piece(r, at, next, false) && name_macro(r, at, next);
    } else if (begins(at, end, "#if")) {
        next = past_block(at, end);
        good = add_piece(r, at, next, false) && name_block(r, past_line(at, end), next);
    } else if (*at == '#') {
        next = past_line(at, end);
        good = add_piece(r, at, next, false);
    } else {
        next = past_declaration(at, end);
        next = next ? next : end;
        good =
            add_piece(r, at, next, false) && name_declaration(r, (struct star_span){at, (size_t)(next - at)});
    }
    return good ? next : NULL;
}

static int read_file(struct star_sources *sources, int number, struct star_why *why)
{
    struct reading r = {.sources = sources, .file = number};
    const char *at = sources->file[number].text, *end = at + sources->file[number].length;
    while (at < end) {
        if (*at == '\n') {
            r.comment = NULL;
            at++;
        } else if (begins(at, end, "/*")) {
            const char *close = strstr(at, "*/");
            if (close == NULL)
                return star_because(why, STAR_EINPUT, "%s: a comment does not end",
                                    sources->file[number].path);
            r.comment = at;
            at = past_line(close, end);
        } else {
            at = take(&r, at, end);
            r.comment = NULL;
            if (at == NULL)
                return star_because(why, STAR_EMEMORY, "out of memory for sources");
        }
    }
    return 0;
}

static bool is_dropped(const char *at, const char *end, const char *const *dropped)
{
    for (; dropped && *dropped; dropped++) {
        size_t length = strlen(*dropped);
        if (begins(at, end, "    [") && begins(at + 5, end, *dropped) && at + 5 + length < end &&
            at[5 + length] == ']')
            return true;
    }
    return false;
}

/* The rows that are left out take the lines that stand deeper below them along. */
static size_t copy_without(char *to, struct star_span text, const char *const *dropped)
{
    const char *at = text.at, *end = star_span_end(text), *begin = to;
    while (at < end) {
        const char *next = past_line(at, end);
        bool drops = is_dropped(at, end, dropped);
        while (drops && next < end && begins(next, end, "     "))
            next = past_line(next, end);
        if (!drops) {
            memcpy(to, at, (size_t)(next - at));
            to += next - at;
        }
        at = next;
    }
    *to = 0;
    return (size_t)(to - begin);
}

int star_sources_add(struct star_sources *sources, const char *path, struct star_span text,
                     const char *const *dropped, struct star_why *why)
{
    size_t name = strlen(path);
    if (!grow(&sources->file, sources->files, &sources->file_room, sizeof *sources->file))
        return star_because(why, STAR_EMEMORY, "out of memory for sources");
    struct star_file *file = &sources->file[sources->files];
    *file = (struct star_file){.path = strdup(path), .text = malloc(text.length + 1)};
    if (file->path == NULL || file->text == NULL) {
        free(file->path);
        free(file->text);
        return star_because(why, STAR_EMEMORY, "out of memory for sources");
    }
    file->length = copy_without(file->text, text, dropped);
    file->header = name > 2 && strcmp(path + name - 2, ".h") == 0;
    sources->files++;
    return read_file(sources, sources->files - 1, why);
}

static int by_text(const void *a, const void *b)
{
    const struct star_name *x = a, *y = b;
    int order = star_span_compare(x->text, y->text);
    return order != 0 ? order : x->piece - y->piece;
}

void star_sources_sort(struct star_sources *sources)
{
    if (sources->names > 0)
        qsort(sources->name, (size_t)sources->names, sizeof *sources->name, by_text);
}

int star_sources_find(const struct star_sources *sources, struct star_span text, int *first)
{
    int low = 0, high = sources->names;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (star_span_compare(sources->name[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low < sources->names && star_span_compare(sources->name[low].text, text) == 0)
        low++;
    return low;
}

void star_sources_free(struct star_sources *sources)
{
    for (int i = 0; i < sources->files; i++) {
        free(sources->file[i].path);
        free(sources->file[i].text);
    }
    free(sources->file);
    free(sources->piece);
    free(sources->name);
    *sources = (struct star_sources){0};
}
