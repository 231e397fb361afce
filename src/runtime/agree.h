/* SPDX-License-Identifier: BSD-3-Clause
 * Agreement between ranks: the only place, beside the executor and native itself, that communicates. */
#pragma once

#include "exec/native.h"
#include "runtime/state.h"
#include "tuner/decide.h"
#include "util/text.h"

/* What the tuners' agreements are made of, and its end. Local; false on an MPI error. */
bool star_agree_begin(void);
void star_agree_end(void);
/* Is OK true on all ranks, and SITES the same (then *SAME)? Collective over COMM. False on an MPI error. */
bool star_agree(MPI_Comm comm, bool ok, uint64_t sites, bool *same);
/* The same where something new begins: *AWAKE when no rank has switched tuning off. */
bool star_agree_anew(MPI_Comm comm, bool ok, uint64_t sites, bool *same, bool *awake);
/* *WHEN becomes the last that any rank has; *AWAKE as above. Collective over COMM. False on an MPI error. */
bool star_agree_when(MPI_Comm comm, int64_t *when, bool *awake);
/* Is OK true on all ranks? VALUE becomes the most that any has. False on an MPI error. */
bool star_agree_most(MPI_Comm comm, bool ok, int64_t *value);
/* Reduces the tuner's figures to rank 0 of COMM, which decides, and applies the decision on all ranks. An MPI
 * error leaves the tuner as it was. Nothing new is measured while a rank has switched tuning off. Returns, on
 * rank 0 after a period of MONITOR, how far ranks' times were apart; else, or where it was doubtful, 0. */
struct star_spread star_agree_tuner(MPI_Comm comm, int rank, int size, struct star_tuner *tuner,
                                    struct star_decision *decision);
/* Rank 0's list of candidates, to all; COUNT 0: there is none. False on an MPI error. */
struct star_forecast_list {
    int32_t count;
    int16_t at[STAR_CANDIDATES_MAX];
};
bool star_agree_forecast(MPI_Comm comm, struct star_forecast_list *list);
/* What rank 0 knows of the candidates, to all. False on an MPI error. */
struct star_recollections {
    int64_t count;
    double confidence;
    struct star_recollection at[STAR_CANDIDATES_MAX];
};
bool star_agree_recollections(MPI_Comm comm, struct star_recollections *known);
/* A communicator of this process alone, with MPI_ERRORS_RETURN. Local. */
bool star_agree_alone(MPI_Comm *made);
/* A duplicate of MPI_COMM_WORLD, with MPI_ERRORS_RETURN, while the ranks are together. MPI error code. */
int star_agree_messages(MPI_Comm *made);

/* What all ranks of MPI_COMM_WORLD tell each other first, in one call. Each fills in what it has, and finds
 * what all have: yes where any says so. */
enum { STAR_HANDED = 4 };
struct star_greeting {
    bool unable, threads;    /* it cannot go on; its threads may communicate at once */
    bool crowded;            /* its node has more ranks of the job than processors, or is to pass for one */
    bool cramped;            /* nobody knows that it has a processor for each */
    uint64_t settings, host; /* hashes: of its settings, and of the node that it runs on */
    bool differ, apart;      /* found: settings and nodes are not the same on all ranks */
    bool known;              /* rank 0 knows which ranks share a node, and so does each */
    int64_t handed[STAR_HANDED]; /* bytes that rank 0 has for all, of each kind; −1: it has not read them */
};
bool star_agree_greeting(struct star_greeting *greeting);
/* The host of each rank of MPI_COMM_WORLD. False on an MPI error. */
struct star_rank_host {
    uint64_t host;
    int64_t rank;
};
bool star_agree_hosts(struct star_rank_host own, struct star_rank_host *all);
/* The lengths of rank 0's texts, to all ranks of MPI_COMM_WORLD. False on an MPI error. */
bool star_agree_lengths(int64_t *lengths, int count);
/* Gives all ranks of MPI_COMM_WORLD the text of rank 0, of LENGTH, the others' being empty. A rank's text has
 * failed where it has no memory for it. False on an MPI error. */
bool star_agree_text(struct star_text *text, int64_t length);
/* Each rank's MACHINE to all; how many have none (−1), and the FIRST that has not, whose HOST all get. False
 * on an MPI error. */
bool star_agree_places(int machine, int *all, char *host, int room, int *missing, int *first);
/* Gives all ranks of MPI_COMM_WORLD the settings of rank 0, and whether they are usable there. False on an
 * MPI error; *DIFFER: this rank had others. */
bool star_agree_settings(struct star_settings *settings, bool *usable, bool *differ);
/* Adds up over all ranks of MPI_COMM_WORLD. False on an MPI error. */
bool star_agree_counts(int64_t *counts, int count);
/* Adds up ADDING numbers over all ranks of MPI_COMM_WORLD; and puts all ranks' texts one behind the other, on
 * rank 0, each of COUNT, at most 16. Where rank 0 alone has any, that is one collective call. */
void star_agree_collect(struct star_text *const *texts, int count, double *sums, int adding);

/* What ranks found when they came to make a private communicator. */
struct star_agreed {
    bool able, same, awake;
};
/* A communicator of the same ranks for startune's own messages, with MPI_ERRORS_RETURN; none of the
 * attributes of COMM is copied. Made where all are able and, for TUNING, awake. MPI error code, raised
 * nowhere. */
int star_agree_private(MPI_Comm comm, bool ok, bool tuning, uint64_t sites, struct star_agreed *agreed,
                       MPI_Comm *made);

/* Are the COUNT values the same on all ranks? MINE[i] becomes the lowest of them. False on an MPI error. */
bool star_agree_equal(MPI_Comm comm, int64_t *mine, bool *equal, int count);
/* The lowest rank that found something WRONG, whose TEXT of ROOM characters all ranks get; −1: none did. */
int star_agree_verdict(MPI_Comm comm, bool wrong, char *text, int room);
/* The worst ERROR of all ranks (enum star_error), which all return, with the reason of the lowest rank that
 * has it. */
int star_agree_error(MPI_Comm comm, int error, struct star_why *why);
/* Adds up COUNT values over all ranks, into all ranks' VALUES. */
void star_agree_sums(MPI_Comm comm, double *values, int64_t count);
/* Each rank's value for each other. False on an MPI error, as the next. */
bool star_agree_pairs(MPI_Comm comm, const int64_t *mine, int64_t *theirs);
/* ROOT's values for each rank. */
bool star_agree_share(MPI_Comm comm, int root, const int64_t *all, int64_t *mine);
/* Puts ROOM bytes of each rank one behind the other on rank 0, which shows them below its HEADLINE; nobody
 * returns before it has done so. */
void star_agree_show(MPI_Comm comm, const char *mine, int room,
                     void (*show)(const char *all, int ranks, const char *headline), const char *headline);
