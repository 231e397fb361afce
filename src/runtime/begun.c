/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/begun.h"
#include "algorithms/operations.h"
#include "exec/board.h"
#include "runtime/peers.h"
#include "runtime/session.h"
#include "util/fpenv.h"

#include <stdio.h>
#include <stdlib.h>

/* The last call has ended, and no further one begins. */
static void dispose(struct star_notices *notices)
{
    if (notices->board != NULL)
        star_board_free(notices->board);
    free(notices);
}

struct star_begun *star_begun_new(int size, int rank)
{
    struct star_begun *begun = calloc(1, sizeof *begun);
    if (begun != NULL)
        *begun = (struct star_begun){.notices = {.size = size, .rank = rank, .ended = dispose},
                                     .number = STAR_BOARD_FIRST};
    return begun;
}

void star_begun_leave(struct star_communicator *state)
{
    struct star_begun *begun = state->begun;
    if (begun == NULL)
        return;
    star_notices_lock();
    state->begun = NULL;
    state->begins_natively = true;
    star_samples_forget(begun->samples.kinds, STAR_BOARD_KINDS);
    begun->notices.over = true;
    if (begun->notices.rank > 0 && begun->tellings > 0)
        star_peer_cancel(begun->telling);
    if (begun->notices.rank > 0 || begun->tellings == 0)
        free(begun->telling);
    else
        begun->notices.open++; /* what is sent lies in this memory, which stays */
    if (begun->notices.open == 0)
        dispose(&begun->notices);
    star_notices_unlock();
}

/* Calls of an operation of which a rank shows up to so many bytes are alike. */
enum { CLASSES = 5, NONBLOCKING = STAR_OPERATIONS * CLASSES };
static const int64_t most_of[CLASSES] = {48, 256, STAR_BOARD_MOST, 4096, STAR_BOARD_WIDE};
_Static_assert(2 * NONBLOCKING <= STAR_BOARD_KINDS, "each operation has figures, blocking and not");

int star_begun_kind(const struct star_notice *notice, bool blocks)
{
    int class = 0;
    while (notice->most > most_of[class])
        class ++;
    return (blocks ? NONBLOCKING : 0) + (int)notice->operation * CLASSES + class;
}

/* Against what native took in trials. A later trial may find a quarter more or less. */
void star_begun_compare(struct star_balance *balance, int64_t calls, double natively, double otherwise)
{
    if (calls == 0 || natively == 0 || otherwise == 0)
        return;
    balance->known = true;
    balance->saved += (double)calls * (natively - otherwise) * 1e-9;
    balance->error += (double)calls * (natively + otherwise) * 1e-9 / 4;
}

/* What startune's own instructions take in a nonblocking call by the board, in readings of the clock, and how
 * far that may be off: loops of 200,000 calls that native served took 60 to 76 ns a call more (bench/harm).
 */
static const double own = 3, own_error = 2;

void star_begun_weigh(struct star_balance *balance, const struct star_sampled *sampled, bool blocks)
{
    double readings = blocks ? 0 : (double)sampled->calls * (double)star_runtime.reading * 1e-12;
    balance->saved -= own * readings;
    balance->error += own_error * readings;
    star_begun_compare(balance, sampled->shared, star_samples_mean(sampled, false),
                       star_samples_mean(sampled, true));
}

struct star_balance star_begun_balance(const struct star_communicator *state)
{
    STAR_FPENV_DEFAULT;
    struct star_balance balance = {.saved = 0};
    for (int kind = 0; state->begun != NULL && kind < STAR_BOARD_KINDS; kind++)
        star_begun_weigh(&balance, &state->begun->samples.kinds[kind], kind >= NONBLOCKING);
    return balance;
}

/* Those that rest still were counted beforehand. */
static int64_t calls_of(const struct star_communicator *state, int kind)
{
    int operation = kind % NONBLOCKING / CLASSES;
    bool rests = state->rests[operation] > 0 && state->begun->resting[operation] == kind;
    return state->begun->samples.kinds[kind].calls - (rests ? state->rests[operation] : 0);
}

static void tell_kind(struct star_text *text, const struct star_communicator *state, int kind)
{
    const struct star_begun *begun = state->begun;
    const struct star_sampled *sampled = &begun->samples.kinds[kind];
    double ranks = (double)begun->notices.size * 1e9;
    uint64_t natively = star_board_sum(begun->notices.board, kind, false),
             shared = star_board_sum(begun->notices.board, kind, true);
    star_text_add(text, ",\n");
    star_json_open(text, NULL, '{');
    char name[32];
    snprintf(name, sizeof name, "%s%s", kind < NONBLOCKING ? "i" : "",
             star_operations[kind % NONBLOCKING / CLASSES].name);
    star_json_string(text, "operation", name);
    star_json_integer(text, "ranks", begun->notices.size);
    star_json_integer(text, "bytes_most", most_of[kind % CLASSES]);
    star_json_integer(text, "calls", calls_of(state, kind));
    star_json_integer(text, "shared_calls", sampled->shared);
    if (natively > 0)
        star_json_number(text, "native_seconds_per_call", (double)natively / ranks);
    if (shared > 0)
        star_json_number(text, "shared_seconds_per_call", (double)shared / ranks);
    star_json_close(text, '}');
}

void star_begun_tell(const struct star_communicator *state, struct star_text *text)
{
    const struct star_begun *begun = state->begun;
    if (begun == NULL || begun->notices.board == NULL)
        return;
    for (int kind = 0; kind < 2 * NONBLOCKING; kind++)
        if (begun->samples.kinds[kind].calls > 0)
            tell_kind(text, state, kind);
}
