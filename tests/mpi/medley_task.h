/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "medley_player.h"

/* Requests of medley.c, from what begins them to the comparison when they are complete. */

enum { SEND_, SSEND, BSEND, ISEND, ISSEND, IBSEND, START_SEND, RSEND, IRSEND, SEND_MODES };
enum { RECV, IRECV, START_RECV, PROBE, MPROBE, IMPROBE, IPROBE, RECEIVE_MODES };

struct task *new_task(enum task_kind kind, long act);
void fill(struct task *task);
void release(struct task *task);
void finished(struct task *task, const MPI_Status *status);
void begin(struct task *task);
void complete_some(int share);
void complete_task(struct task *task);
void complete_all(void);
void complete_all_begun(void);
