/* SPDX-License-Identifier: BSD-3-Clause */
#include "excerpt/excerpt.h"

#include <stdlib.h>
#include <string.h>

int star_excerpt_add_all(struct star_sources *sources, struct star_span bundle, const char *const *dropped,
                         struct star_why *why)
{
    const char *at = bundle.at, *end = star_span_end(bundle);
    int error = 0;
    while (!error && at < end) {
        char path[256];
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (*at != '\f' || newline == NULL || (size_t)(newline - at) > sizeof path)
            return star_because(why, STAR_EINPUT, "sources do not begin with their path");
        size_t length = (size_t)(newline - at) - 1;
        memcpy(path, at + 1, length);
        path[length] = 0;
        at = newline + 1;
        newline = memchr(at, '\f', (size_t)(end - at));
        const char *next = newline ? newline : end;
        error = star_sources_add(sources, path, (struct star_span){at, (size_t)(next - at)}, dropped, why);
        at = next;
    }
    return error;
}

int star_excerpt_add_own(struct star_sources *sources, const char *path, const char *text,
                         struct star_why *why)
{
    int error = star_sources_add(sources, path, (struct star_span){text, strlen(text)}, NULL, why);
    if (!error)
        sources->file[sources->files - 1].first = sources->file[sources->files - 1].whole = true;
    return error;
}

void star_excerpt_prefer(struct star_sources *sources, const char *folder)
{
    for (int i = 0; i < sources->files; i++)
        if (strncmp(sources->file[i].path, folder, strlen(folder)) == 0)
            sources->file[i].first = true;
}

static const struct star_piece *piece_of(const struct star_sources *sources, const struct star_name *name)
{
    return &sources->piece[name->piece];
}

static const struct star_file *file_of(const struct star_sources *sources, const struct star_name *name)
{
    return &sources->file[piece_of(sources, name)->file];
}

static void want(struct star_sources *sources, int piece);

/* What WORD means in FILE: the file's own, else what all know. */
static void want_word(struct star_sources *sources, int file, struct star_span word, bool tag)
{
    int first, end = star_sources_find(sources, word, &first);
    bool own = false, preferred = false;
    for (int i = first; i < end; i++) {
        const struct star_name *name = &sources->name[i];
        if (name->tag != tag)
            continue;
        own = own || (name->local && piece_of(sources, name)->file == file);
        preferred = preferred || (!name->local && file_of(sources, name)->first);
    }
    for (int i = first; i < end; i++) {
        const struct star_name *name = &sources->name[i];
        const struct star_file *of = file_of(sources, name);
        bool here = piece_of(sources, name)->file == file;
        if (name->tag == tag && (own ? here : !name->local && (!preferred || of->first || of->header)))
            want(sources, name->piece);
    }
}

static void want(struct star_sources *sources, int number)
{
    struct star_piece *piece = &sources->piece[number];
    struct star_span rest = piece->text, word;
    bool tag = false;
    if (piece->wanted)
        return;
    piece->wanted = true;
    while (star_word_next(&rest, &word)) {
        want_word(sources, piece->file, word, tag);
        tag = star_word_is_kind(word);
    }
}

static bool is_used(const struct star_sources *sources, int file)
{
    for (int i = 0; i < sources->pieces; i++)
        if (sources->piece[i].file == file && sources->piece[i].wanted)
            return true;
    return false;
}

/* Is a name of this text needed in another file, too? */
static bool meets(const struct star_sources *sources, const struct star_name *name)
{
    int first, end = star_sources_find(sources, name->text, &first);
    for (int i = first; i < end; i++)
        if (piece_of(sources, &sources->name[i])->wanted &&
            piece_of(sources, &sources->name[i])->file != piece_of(sources, name)->file)
            return true;
    return false;
}

/* "exec_execute_" of exec/execute.c */
static void add_path(const char *path, struct star_text *text)
{
    for (const char *dot = strrchr(path, '.'); *path && path != dot; path++)
        star_text_append(text, *path == '/' ? "_" : path, 1);
    star_text_append(text, "_", 1);
}

static void write_word(const struct star_sources *sources, int file, struct star_span word,
                       struct star_text *text)
{
    int first, end = star_sources_find(sources, word, &first);
    for (int i = first; i < end; i++)
        if (sources->name[i].local && piece_of(sources, &sources->name[i])->file == file &&
            meets(sources, &sources->name[i])) {
            add_path(sources->file[file].path, text);
            break;
        }
    star_text_append(text, word.at, word.length);
}

static void write_piece(const struct star_sources *sources, const struct star_piece *piece,
                        struct star_text *text)
{
    const char *at = piece->text.at;
    struct star_span rest = piece->text, word;
    while (star_word_next(&rest, &word)) {
        star_text_append(text, at, (size_t)(word.at - at));
        write_word(sources, piece->file, word, text);
        at = star_span_end(word);
    }
    star_text_append(text, at, (size_t)(star_span_end(piece->text) - at));
    star_text_append(text, "\n", 1);
}

static bool is_one_line(const struct star_piece *piece)
{
    return memchr(piece->text.at, '\n', piece->text.length) == NULL;
}

static void write_file(const struct star_sources *sources, int file, struct star_text *text)
{
    const struct star_piece *last = NULL;
    if (!is_used(sources, file))
        return;
    if (!sources->file[file].whole)
        star_text_add(text, "\n/* %s */\n", sources->file[file].path);
    for (int i = 0; i < sources->pieces; i++) {
        const struct star_piece *piece = &sources->piece[i];
        if (piece->file != file || !piece->wanted || piece->include)
            continue;
        if (last == NULL || !is_one_line(last) || !is_one_line(piece))
            star_text_add(text, "\n");
        write_piece(sources, piece, text);
        last = piece;
    }
}

/* The headers of the system that files in use include, each once. */
static void write_includes(struct star_sources *sources, struct star_text *text)
{
    for (int i = 0; i < sources->pieces; i++) {
        struct star_piece *piece = &sources->piece[i];
        bool first = piece->include && is_used(sources, piece->file);
        for (int before = 0; first && before < i; before++)
            first = !sources->piece[before].wanted || !sources->piece[before].include ||
                    star_span_compare(sources->piece[before].text, piece->text) != 0;
        if (!first)
            continue;
        piece->wanted = true;
        star_text_append(text, piece->text.at, piece->text.length);
        star_text_append(text, "\n", 1);
    }
}

/* What the linker would see: functions and variables that are defined here for all files. */
static void write_new_names(const struct star_sources *sources, const char *prefix, struct star_text *text)
{
    static const char ours[] = "star_";
    struct star_span last = {0};
    star_text_add(text, "\n/* So that several such files go into one program. */\n");
    for (int i = 0; i < sources->names; i++) {
        const struct star_name *name = &sources->name[i];
        bool linked =
            !name->local && !name->tag && piece_of(sources, name)->wanted && !file_of(sources, name)->header;
        bool again = last.at != NULL && star_span_compare(last, name->text) == 0;
        if (!linked || again || name->text.length < sizeof ours ||
            memcmp(name->text.at, ours, sizeof ours - 1) != 0)
            continue;
        int rest = (int)(name->text.length - sizeof ours + 1);
        star_text_add(text, "#define star_%.*s %s%.*s\n", rest, name->text.at + sizeof ours - 1, prefix, rest,
                      name->text.at + sizeof ours - 1);
        last = name->text;
    }
}

static bool includes(const struct star_file *file, const char *path)
{
    size_t length = strlen(path);
    for (const char *at = file->text; (at = strstr(at, "#include \"")) != NULL;) {
        at += strlen("#include \"");
        if (strncmp(at, path, length) == 0 && at[length] == '"')
            return true;
    }
    return false;
}

/* The header HEADER, behind those that it includes. */
static void write_header(const struct star_sources *sources, int header, bool *written,
                         struct star_text *text)
{
    if (written[header])
        return;
    written[header] = true;
    for (int i = 0; i < sources->files; i++) {
        if (includes(&sources->file[header], sources->file[i].path))
            write_header(sources, i, written, text);
    }
    write_file(sources, header, text);
}

void star_excerpt_write(struct star_sources *sources, const char *prefix, struct star_text *text)
{
    bool *written = calloc((size_t)sources->files + 1, sizeof *written);
    if (written == NULL) {
        text->failed = true;
        return;
    }
    star_sources_sort(sources);
    for (int i = 0; i < sources->pieces; i++)
        if (sources->file[sources->piece[i].file].whole)
            want(sources, i);
    write_includes(sources, text);
    write_new_names(sources, prefix, text);
    for (int i = 0; i < sources->files; i++)
        if (sources->file[i].header)
            write_header(sources, i, written, text);
    for (int i = 0; i < sources->files; i++)
        if (!sources->file[i].header)
            write_file(sources, i, text);
    free(written);
}
