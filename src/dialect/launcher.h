/* SPDX-License-Identifier: BSD-3-Clause
 * Launchers: what they tell each process before MPI does, in a table with one row for each. */
#pragma once

#include "dialect/dialect.h"

/* Names of variables; NULL: there is none. */
struct star_launcher {
    const char *rank;               /* this process's rank, of its own world in a job of several */
    const char *here;               /* how many ranks of the job this node has */
    const char *job;                /* what is different in each job */
    const char *proxy;              /* or the command, above the ranks of one job on one node, that is */
    const char *programs;           /* how many programs the job has, each with words of its own */
    const char *command, *words;    /* by which this process was started: the program, and its arguments */
    const char *signs[3];           /* one of them says that it is this launcher, and so: */
    const struct star_dialect *mpi; /* its MPI library; NULL: it starts any */
};

/* Row N: the more special before those that set the same variables; NULL behind the last one. */
const struct star_launcher *star_launcher_at(size_t n);

/* This process's rank, in digits; NULL: no launcher says. */
const char *star_launched_rank(void);
/* The ranks on this node; 0: no launcher says. */
int star_launched_here(void);
/* Has the launcher started all ranks of the job by the words of this process, ARGV? Then JOB, else NULL: they
 * may differ, or nobody can tell. */
const char *star_launched_alike(char *const *argv);
/* Is this process in JOB, as star_launched_alike named it? NULL is none. */
bool star_launched_in(const char *job);
/* The launcher's MPI library; NULL: it is not known. */
const struct star_dialect *star_launched_mpi(void);
