/* SPDX-License-Identifier: BSD-3-Clause */
#include "replay/reader.h"
#include "tuner/tuner.h"
#include "util/file.h"
#include "util/parse.h"
#include "util/source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RANKS_MOST = 1 << 24 };
static const int64_t bytes_most = (int64_t)1 << 40;
/* Seconds that a call, an agreement or a plan may take. */
static const double seconds_most = 1e6;

struct reader {
    struct star_source source;
    struct star_traces *traces;
    struct star_trace trace; /* of the context at hand; no methods: there is none */
    bool open, ended;
    int parts;  /* of what is predicted of its methods; 0: nothing is yet */
    int before; /* contexts of other files */
};

static bool take_up_to(double most, const char *word, double *value)
{
    return word != NULL && star_parse_number(word, value) && *value >= 0 && *value <= most;
}

static bool take_seconds(const char *word, double *seconds)
{
    return take_up_to(seconds_most, word, seconds);
}

/* Has each method a burst, so that there is something to draw from? */
static int close_context(struct reader *reader)
{
    const struct star_trace *trace = &reader->trace;
    bool measured[STAR_CANDIDATES_MAX] = {false};
    if (!reader->open)
        return 0;
    for (int i = 0; i < trace->bursts; i++)
        measured[trace->burst[i].method] = true;
    for (int i = 0; i < trace->methods.count; i++)
        if (!measured[i])
            return star_source_wrong(&reader->source, "the context above has no burst of its method %d", i);
    if (trace->methods.count < 2)
        return star_source_wrong(&reader->source, "the context above has not two methods to compare");
    reader->open = false;
    return star_traces_add(reader->traces, &reader->trace, reader->source.why);
}

static int read_context(struct reader *reader, char **rest)
{
    struct star_trace trace = {0};
    struct star_why why;
    int64_t ranks;
    int error = close_context(reader);
    if (error)
        return error;
    const char *operation = star_word(rest);
    if (operation == NULL || star_operation_parse(operation, &trace.operation, &why))
        return star_source_wrong(&reader->source, "%s", operation ? why.text : "context: of what operation?");
    const char *words[] = {star_word(rest), star_word(rest), star_word(rest)};
    if (words[0] == NULL || !star_parse_integer(words[0], &ranks) || ranks < 1 || ranks > RANKS_MOST)
        return star_source_wrong(&reader->source, "context: ranks are a whole number from 1 on");
    bool unknown = star_operations[trace.operation].measure == STAR_UNKNOWN;
    if (words[1] == NULL || !star_parse_integer(words[1], &trace.bytes) || trace.bytes < (unknown ? -1 : 0) ||
        trace.bytes > bytes_most)
        return star_source_wrong(&reader->source, "context: bytes are a whole number up to 2^40");
    if (!take_seconds(words[2], &trace.agreement))
        return star_source_wrong(&reader->source, "context: an agreement takes 0 to %g seconds",
                                 seconds_most);
    trace.ranks = (int)ranks;
    snprintf(trace.from, sizeof trace.from, "%.79s", basename(reader->source.name));
    reader->trace = trace;
    reader->parts = 0;
    reader->open = true;
    return 0;
}

/* Its seconds alone, or with latency and link, or all. How many there are; −1: they are none such. */
static int take_prospect(char **rest, struct star_prospect *prospect)
{
    *prospect = STAR_NO_PROSPECT;
    double *words[] = {&prospect->seconds, &prospect->latency, &prospect->link, &prospect->halves,
                       &prospect->turns};
    int most = sizeof words / sizeof *words, count = 0;
    const char *word = star_word(rest);
    while (count < most && word != NULL && take_seconds(word, words[count])) {
        count++;
        word = count < most ? star_word(rest) : NULL;
    }
    return word == NULL && (count == 0 || count % 2 == 1) ? count : -1;
}

/* Methods of a context of which something is predicted are compared by it: so it is the same of all. */
static int read_prospect(struct reader *reader, char **rest, bool native, struct star_prospect *prospect)
{
    int parts = take_prospect(rest, prospect);
    if (parts < 0)
        return star_source_wrong(
            &reader->source, "what is predicted of a method is one, three or five times of 0 to %g seconds",
            seconds_most);
    if (native && parts > 0)
        return star_source_wrong(&reader->source, "of native nothing is predicted");
    if (parts > 0 && reader->parts > 0 && parts != reader->parts)
        return star_source_wrong(&reader->source, "%d times are predicted, and of methods above %d", parts,
                                 reader->parts);
    reader->parts = parts > 0 ? parts : reader->parts;
    return 0;
}

static int read_method(struct reader *reader, char **rest)
{
    struct star_trace *trace = &reader->trace;
    struct star_method method;
    struct star_why why;
    double making;
    const char *name = star_word(rest);
    if (!reader->open || trace->bursts > 0)
        return star_source_wrong(&reader->source, "methods stand behind their context, before its bursts");
    if (name == NULL || star_method_parse(name, &method, &why))
        return star_source_wrong(&reader->source, "%s", name ? why.text : "which method?");
    if (method.algorithm->operation != trace->operation)
        return star_source_wrong(&reader->source, "%s is no method of %s", name,
                                 star_operations[trace->operation].name);
    if (star_is_native(&method) != (trace->methods.count == 0))
        return star_source_wrong(&reader->source, "native is the first method, and no other");
    for (int i = 0; i < trace->methods.count; i++)
        if (star_method_equal(&trace->methods.at[i], &method))
            return star_source_wrong(&reader->source, "%s stands here twice", name);
    if (trace->methods.count == STAR_CANDIDATES_MAX)
        return star_source_wrong(&reader->source, "more than %d methods", STAR_CANDIDATES_MAX);
    if (!take_seconds(star_word(rest), &making))
        return star_source_wrong(&reader->source, "making a plan takes 0 to %g seconds", seconds_most);
    struct star_prospect predicted;
    int error = read_prospect(reader, rest, star_is_native(&method), &predicted);
    return error ? error : star_trace_add_method(trace, &method, making, &predicted, reader->source.why);
}

/* "35.2/4.1": microseconds on each of RANKS ranks, of which one at least is not 0. */
static bool take_call(char *word, int ranks, float *seconds)
{
    double microseconds;
    float most = 0;
    for (int r = 0; r < ranks; r++) {
        char *end = word == NULL ? NULL : strchr(word, '/');
        if (end != NULL)
            *end++ = 0;
        if (!take_up_to(1e6 * seconds_most, word, &microseconds))
            return false;
        seconds[r] = (float)(microseconds * 1e-6);
        most = fmaxf(most, seconds[r]);
        word = end;
    }
    return word == NULL && most > 0;
}

static int read_burst(struct reader *reader, char **rest)
{
    struct star_trace *trace = &reader->trace;
    float seconds[STAR_TRACE_RANKS];
    int64_t method;
    int count = 0;
    const char *number = star_word(rest);
    if (!reader->open || number == NULL || !star_parse_integer(number, &method) || method < 0 ||
        method >= trace->methods.count)
        return star_source_wrong(&reader->source, "burst: of none of the context's methods");
    int error = star_trace_add_burst(trace, (int)method, reader->source.why);
    for (char *word; !error && (word = star_word(rest)) != NULL; count++) {
        if (count == STAR_BURST_MOST || !take_call(word, star_trace_ranks(trace), seconds))
            return star_source_wrong(
                &reader->source,
                "call %d of the burst is not the microseconds on %d ranks with / between, "
                "or one of more than %d",
                count + 1, star_trace_ranks(trace), STAR_BURST_MOST);
        error = star_trace_add_call(trace, seconds, reader->source.why);
    }
    if (!error && count < 2)
        return star_source_wrong(&reader->source, "a burst has two calls at least");
    return error;
}

static int read_end(struct reader *reader, char **rest)
{
    int64_t count;
    int error = close_context(reader);
    const char *word = star_word(rest);
    if (error)
        return error;
    if (word == NULL || !star_parse_integer(word, &count) || count != reader->traces->count - reader->before)
        return star_source_wrong(&reader->source, "the file has %d contexts, and says otherwise",
                                 reader->traces->count - reader->before);
    reader->ended = true;
    return 0;
}

static const struct {
    const char *word;
    int (*read)(struct reader *reader, char **rest);
} kinds[] = {{"context", read_context}, {"method", read_method}, {"burst", read_burst}, {"end", read_end}};

static int read_line(struct reader *reader, char *line)
{
    char *rest = line;
    const char *word = star_word(&rest);
    if (reader->ended)
        return star_source_wrong(&reader->source, "nothing may follow the end");
    for (size_t i = 0; word != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(word, kinds[i].word) == 0) {
            int error = kinds[i].read(reader, &rest);
            const char *more = error ? NULL : star_word(&rest);
            return more ? star_source_wrong(&reader->source, "'%.40s' is one word too many", more) : error;
        }
    return star_source_wrong(&reader->source, "'%.40s': context, method, burst or end would be good", line);
}

static int read_all(struct reader *reader)
{
    char *line = star_source_statement(&reader->source);
    int error = 0;
    if (line != NULL && strcmp(line, "startune trace 1") == 0)
        return star_source_wrong(&reader->source,
                                 "a trace of an earlier startune, which lacks ranks' times: record it anew");
    if (line == NULL || (strcmp(line, "startune trace 2") != 0 && strcmp(line, "startune trace 3") != 0))
        return star_source_wrong(&reader->source,
                                 "this is no trace: it does not begin with 'startune trace 3', or 2");
    while (!error && (line = star_source_statement(&reader->source)) != NULL)
        error = read_line(reader, line);
    if (!error && !reader->ended)
        error = star_source_wrong(&reader->source, "the trace is cut off: it has no end");
    return error;
}

int star_traces_parse(const char *bytes, size_t length, const char *name, struct star_traces *traces,
                      struct star_why *why)
{
    int error = star_file_is_text(bytes, length, name, why);
    if (error)
        return error;
    struct reader reader = {.source = {.name = name, .bytes = bytes, .length = length, .why = why},
                            .traces = traces,
                            .before = traces->count};
    error = star_source_end(&reader.source, read_all(&reader));
    star_trace_free(&reader.trace);
    while (error && traces->count > reader.before)
        star_trace_free(&traces->at[--traces->count]);
    return error;
}

int star_traces_read(const char *path, struct star_traces *traces, struct star_why *why)
{
    struct star_text text = {0};
    int error = star_file_read(path, &text, why);
    if (!error)
        error =
            star_traces_parse(text.bytes ? text.bytes : "", text.length, star_file_name(path), traces, why);
    star_text_free(&text);
    return error;
}
