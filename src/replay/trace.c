/* SPDX-License-Identifier: BSD-3-Clause */
#include "replay/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for MORE elements of SIZE bytes behind COUNT, or NULL. */
static void *grown(void *at, int count, int more, int *room, size_t size)
{
    if (count + more <= *room)
        return at;
    int wanted = 2 * (count + more);
    void *larger = realloc(at, (size_t)wanted * size);
    if (larger != NULL)
        *room = wanted;
    return larger;
}

static int no_memory(struct star_why *why)
{
    return star_because(why, STAR_EMEMORY, "out of memory for traces");
}

int star_trace_add_method(struct star_trace *trace, const struct star_method *method, double making,
                          double predicted, struct star_why *why)
{
    int rooms[] = {trace->method_room, trace->method_room}, count = trace->methods.count;
    struct star_method *at = grown(trace->methods.at, count, 1, &rooms[0], sizeof *at);
    if (at == NULL)
        return no_memory(why);
    trace->methods.at = at;
    double *seconds = grown(trace->predicted, count, 1, &rooms[1], sizeof *seconds);
    if (seconds == NULL)
        return no_memory(why);
    trace->predicted = seconds;
    seconds = grown(trace->making, count, 1, &trace->method_room, sizeof *seconds);
    if (seconds == NULL)
        return no_memory(why);
    trace->making = seconds;
    at[count] = *method;
    trace->making[count] = making;
    trace->predicted[count] = predicted;
    trace->methods.count++;
    return 0;
}

int star_trace_add_burst(struct star_trace *trace, int method, const struct star_sample *samples, int count,
                         struct star_why *why)
{
    struct star_burst *burst = grown(trace->burst, trace->bursts, 1, &trace->burst_room, sizeof *burst);
    if (burst == NULL)
        return no_memory(why);
    trace->burst = burst;
    struct star_sample *at = grown(trace->sample, trace->samples, count, &trace->sample_room, sizeof *at);
    if (at == NULL)
        return no_memory(why);
    trace->sample = at;
    memcpy(at + trace->samples, samples, (size_t)count * sizeof *samples);
    burst[trace->bursts++] = (struct star_burst){method, trace->samples, count};
    trace->samples += count;
    return 0;
}

void star_trace_free(struct star_trace *trace)
{
    star_methods_free(&trace->methods);
    free(trace->making);
    free(trace->predicted);
    free(trace->burst);
    free(trace->sample);
    *trace = (struct star_trace){0};
}

int star_traces_add(struct star_traces *traces, struct star_trace *trace, struct star_why *why)
{
    struct star_trace *at = grown(traces->at, traces->count, 1, &traces->room, sizeof *at);
    if (at == NULL) {
        star_trace_free(trace);
        return no_memory(why);
    }
    traces->at = at;
    at[traces->count++] = *trace;
    *trace = (struct star_trace){0};
    return 0;
}

void star_traces_free(struct star_traces *traces)
{
    for (int i = 0; i < traces->count; i++)
        star_trace_free(&traces->at[i]);
    free(traces->at);
    *traces = (struct star_traces){0};
}

/* So many DIGITS, and no exponent with a + in it. */
static void add_microseconds(double value, int digits, struct star_text *text)
{
    if (value + 0.5 < pow(10, digits))
        star_text_add(text, "%.*g", digits, value);
    else
        star_text_add(text, "%.0f", value);
}

static void write_burst(const struct star_trace *trace, const struct star_burst *burst,
                        struct star_text *text)
{
    star_text_add(text, "burst %d", burst->method);
    for (int i = 0; i < burst->count; i++) {
        const struct star_sample *sample = &trace->sample[burst->first + i];
        double mean = (double)sample->mean * 1e6, more = (double)sample->most * 1e6 - mean;
        star_text_add(text, " ");
        add_microseconds(mean, 4, text);
        star_text_add(text, "+");
        add_microseconds(more > 0 ? more : 0, 2, text);
    }
    star_text_add(text, "\n");
}

void star_traces_write(const struct star_traces *traces, struct star_text *text)
{
    char name[STAR_METHOD_TEXT];
    star_text_add(text, "startune trace 1\n");
    for (int t = 0; t < traces->count; t++) {
        const struct star_trace *trace = &traces->at[t];
        star_text_add(text, "context %s %d %lld %.4g\n", star_operations[trace->operation].name, trace->ranks,
                      (long long)trace->bytes, trace->agreement);
        for (int i = 0; i < trace->methods.count; i++) {
            star_text_add(text, "method %s %.4g",
                          star_method_format(&trace->methods.at[i], name, sizeof name), trace->making[i]);
            if (!isnan(trace->predicted[i]))
                star_text_add(text, " %.4g", trace->predicted[i]);
            star_text_add(text, "\n");
        }
        for (int i = 0; i < trace->bursts; i++)
            write_burst(trace, &trace->burst[i], text);
    }
    star_text_add(text, "end %d\n", traces->count);
}
