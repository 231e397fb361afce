/* SPDX-License-Identifier: BSD-3-Clause
 * What startune bench is asked for: its options, read alike by the command, which checks them, and by the
 * program that it becomes. */
#pragma once

#include "command.h"
#include "algorithms/method.h"

/* What calls are like, but for their bytes. */
struct call_kind {
    enum star_operation operation;
    const char *type, *operator; /* of reductions: double|float|int, sum|max */
    int64_t root;
    double skew; /* how uneven blocks are where they may be */
};

enum { SIZES_MOST = 64 };
struct bench_question {
    struct call_kind kind;
    const char *methods, *nodes, *topology, *record; /* RECORD: a file, or NULL */
    int64_t sizes[SIZES_MOST];
    int size_count;
    int64_t rounds, calls, seed;
    double compute, arrival;
    bool all, json;
};
extern struct bench_question bench_question;
extern const struct cli_option bench_options[];

/* Takes the options of COMMAND and the operation from ARGV, which it puts in another order. CLI_OK, or the
 * exit status after saying what is wrong. */
int bench_question_read(const struct cli_command *command, int argc, char **argv);
