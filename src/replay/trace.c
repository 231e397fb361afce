/* SPDX-License-Identifier: BSD-3-Clause */
#include "replay/trace.h"
#include "algorithms/alike.h"
#include "algorithms/forecast.h"

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
                          const struct star_prospect *predicted, struct star_why *why)
{
    int rooms[] = {trace->method_room, trace->method_room}, count = trace->methods.count;
    struct star_method *at = grown(trace->methods.at, count, 1, &rooms[0], sizeof *at);
    if (at == NULL)
        return no_memory(why);
    trace->methods.at = at;
    struct star_prospect *each = grown(trace->predicted, count, 1, &rooms[1], sizeof *each);
    if (each == NULL)
        return no_memory(why);
    trace->predicted = each;
    double *seconds = grown(trace->making, count, 1, &trace->method_room, sizeof *seconds);
    if (seconds == NULL)
        return no_memory(why);
    trace->making = seconds;
    at[count] = *method;
    trace->making[count] = making;
    trace->predicted[count] = *predicted;
    trace->methods.count++;
    return 0;
}

int star_trace_add_burst(struct star_trace *trace, int method, struct star_why *why)
{
    struct star_burst *burst = grown(trace->burst, trace->bursts, 1, &trace->burst_room, sizeof *burst);
    if (burst == NULL)
        return no_memory(why);
    trace->burst = burst;
    burst[trace->bursts++] = (struct star_burst){method, trace->calls, 0};
    return 0;
}

int star_trace_add_call(struct star_trace *trace, const float *seconds, struct star_why *why)
{
    size_t size = (size_t)star_trace_ranks(trace) * sizeof *seconds;
    char *at = grown(trace->seconds, trace->calls, 1, &trace->call_room, size);
    if (at == NULL)
        return no_memory(why);
    trace->seconds = (float *)(void *)at;
    memcpy(at + (size_t)trace->calls++ * size, seconds, size);
    trace->burst[trace->bursts - 1].count++;
    return 0;
}

static struct star_shape shape_of(const struct star_trace *trace)
{
    struct star_shape shape = star_shape_of(trace->ranks, trace->bytes);
    shape.units = star_operations[trace->operation].units;
    if (star_operations[trace->operation].expected.reduces && trace->bytes % (int64_t)sizeof(double) == 0)
        shape.granule = sizeof(double); /* what startune bench reduces */
    return shape;
}

int star_trace_alike(const struct star_trace *trace, int *first)
{
    struct star_shape shape = shape_of(trace);
    return star_methods_alike(&trace->methods, &shape, first);
}

/* Of all ranks, or of the first RANKS as if others were like them. */
static int foreseeing_of(const struct star_method *method, struct star_shape shape, double *seconds)
{
    enum { RANKS = 64 };
    int ranks = shape.size < RANKS ? shape.size : RANKS;
    int64_t steps = 0;
    for (shape.rank = 0; shape.rank < ranks; shape.rank++) {
        struct star_plan *plan;
        int error = star_method_likeness(method, &shape, INT64_MAX, &plan, NULL);
        if (error)
            return error == STAR_EMEMORY ? error : 0;
        steps += plan->count;
        star_plan_free(plan);
    }
    *seconds = star_forecast_seconds_of(ranks, steps) * shape.size / ranks;
    return 0;
}

int star_trace_foreseeing(const struct star_trace *trace, double *each)
{
    int error = 0;
    for (int i = 0; !error && i < trace->methods.count; i++) {
        each[i] = 0;
        if (star_is_known(trace->predicted[i].seconds))
            error = foreseeing_of(&trace->methods.at[i], shape_of(trace), &each[i]);
    }
    return error;
}

void star_trace_free(struct star_trace *trace)
{
    star_methods_free(&trace->methods);
    free(trace->making);
    free(trace->predicted);
    free(trace->burst);
    free(trace->seconds);
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

/* Four digits, or all before the point: no exponent. */
static void add_microseconds(double value, struct star_text *text)
{
    star_text_add(text, value < 9999.5 ? "%.4g" : "%.0f", value);
}

static void write_burst(const struct star_trace *trace, const struct star_burst *burst,
                        struct star_text *text)
{
    star_text_add(text, "burst %d", burst->method);
    for (int i = 0; i < burst->count; i++)
        for (int r = 0; r < star_trace_ranks(trace); r++) {
            star_text_add(text, r == 0 ? " " : "/");
            add_microseconds((double)star_trace_call(trace, burst->first + i)[r] * 1e6, text);
        }
    star_text_add(text, "\n");
}

/* What is known of it, up to what is not. */
static void write_prospect(const struct star_prospect *prospect, struct star_text *text)
{
    const double words[] = {prospect->seconds, prospect->latency, prospect->link, prospect->halves,
                            prospect->turns};
    for (size_t i = 0; i < sizeof words / sizeof *words && star_is_known(words[i]); i++)
        star_text_add(text, " %.4g", words[i]);
}

void star_traces_write(const struct star_traces *traces, struct star_text *text)
{
    char name[STAR_METHOD_TEXT];
    star_text_add(text, "startune trace 3\n");
    for (int t = 0; t < traces->count; t++) {
        const struct star_trace *trace = &traces->at[t];
        star_text_add(text, "context %s %d %lld %.4g\n", star_operations[trace->operation].name, trace->ranks,
                      (long long)trace->bytes, trace->agreement);
        for (int i = 0; i < trace->methods.count; i++) {
            star_text_add(text, "method %s %.4g",
                          star_method_format(&trace->methods.at[i], name, sizeof name), trace->making[i]);
            write_prospect(&trace->predicted[i], text);
            star_text_add(text, "\n");
        }
        for (int i = 0; i < trace->bursts; i++)
            write_burst(trace, &trace->burst[i], text);
    }
    star_text_add(text, "end %d\n", traces->count);
}
