/* SPDX-License-Identifier: BSD-3-Clause
 * Traces: the calls of all methods of some contexts, as startune bench --record took them, in a text file.
 *
 *   startune trace 3
 *   context alltoall 4 2048 1.2e-05      operation, ranks, bytes, seconds of an agreement
 *   method alltoall:native 0             and the seconds that making its plan took; native first
 *   method alltoall:ring 3.1e-05 1e-05 4e-06 7e-06 9e-06 8e-06
 *                                        and those of a call by the cost model, where that says anything:
 *                                        star_prospect's, the last two where no network was known; or the
 *                                        first of them alone
 *   burst 1 35.2/39/4.1/36 12/13/12/11   calls of method 1 in a row, the first behind another method:
 *                                        microseconds on each rank; of more than 16 ranks 16 stand for all
 *   end 1                                so many contexts
 *
 * Bursts stand in the order in which they were measured; all methods have a burst in each round. # begins a
 * comment. */
#pragma once

#include "algorithms/methods.h"
#include "util/prospect.h"

/* Ranks of which a trace has the times, and calls of a burst, at most. */
enum { STAR_TRACE_RANKS = 16, STAR_BURST_MOST = 4096 };

struct star_burst {
    int method;
    int first, count; /* calls */
};

struct star_trace {
    char from[80]; /* the file that it was read from, without its folder */
    enum star_operation operation;
    int ranks;
    int64_t bytes;
    double agreement;
    struct star_methods methods;
    double *making;                  /* seconds, of each method */
    struct star_prospect *predicted; /* of each, by the cost model */
    struct star_burst *burst;
    float *seconds; /* of call K on rank R: seconds[K × star_trace_ranks + R] */
    int bursts, calls;
    int burst_room, call_room, method_room;
};

struct star_traces {
    struct star_trace *at;
    int count, room;
};

/* The ranks of which TRACE has the times. */
static inline int star_trace_ranks(const struct star_trace *trace)
{
    return trace->ranks < STAR_TRACE_RANKS ? trace->ranks : STAR_TRACE_RANKS;
}

static inline const float *star_trace_call(const struct star_trace *trace, int call)
{
    return trace->seconds + (size_t)call * (size_t)star_trace_ranks(trace);
}

/* Appends to a trace: a method, a burst without calls, and calls to the last burst. STAR_EMEMORY. */
int star_trace_add_method(struct star_trace *trace, const struct star_method *method, double making,
                          const struct star_prospect *predicted, struct star_why *why);
int star_trace_add_burst(struct star_trace *trace, int method, struct star_why *why);
int star_trace_add_call(struct star_trace *trace, const float *seconds, struct star_why *why);
void star_trace_free(struct star_trace *trace);
/* FIRST[i] is the first method that is the same as method I for the trace's ranks, or I. STAR_EMEMORY. */
int star_trace_alike(const struct star_trace *trace, int *first);
/* The seconds that the cost model takes for each of the methods of which something is predicted, about.
 * STAR_EMEMORY. */
int star_trace_foreseeing(const struct star_trace *trace, double *each);
/* Takes TRACE over. STAR_EMEMORY; then it is freed. */
int star_traces_add(struct star_traces *traces, struct star_trace *trace, struct star_why *why);
void star_traces_free(struct star_traces *traces);

void star_traces_write(const struct star_traces *traces, struct star_text *text);
