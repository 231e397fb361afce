/* SPDX-License-Identifier: BSD-3-Clause
 * The builder of the neighbourhood exchange: the acts of each stage. A stage is what is begun before anything
 * is waited for: all turns (aao), or one (pair). */
#include "halo/script.h"
#include "halo/halo.h"
#include "halo/turns.h"
#include "util/why.h"

#include <stdlib.h>

/* A stage as it is written: COUNT turns from FIRST on. */
struct stage {
    const struct star_halo *halo;
    struct star_script *script;
    bool pack;
    int first, count;
};

static void add(const struct stage *stage, struct star_act act)
{
    stage->script->act[stage->script->count++] = act;
}

enum { SENT, RECEIVED };

/* For each message of the stage that is sent, or received. */
static void each(const struct stage *stage, int way, void (*write)(const struct stage *stage, int side))
{
    for (int t = stage->first; t < stage->first + stage->count; t++) {
        const struct star_turn *turn = &stage->script->turn[t];
        int side = way == SENT ? turn->send : turn->receive;
        if (side != STAR_NOBODY)
            write(stage, side);
    }
}

static bool has(const struct stage *stage, int way)
{
    for (int t = stage->first; t < stage->first + stage->count; t++) {
        const struct star_turn *turn = &stage->script->turn[t];
        if ((way == SENT ? turn->send : turn->receive) != STAR_NOBODY)
            return true;
    }
    return false;
}

static void pack(const struct stage *stage, int side)
{
    if (stage->pack)
        add(stage, (struct star_act){.deed = STAR_DO_PACK, .send = side});
}

static void unpack(const struct stage *stage, int side)
{
    if (stage->pack)
        add(stage, (struct star_act){.deed = STAR_DO_UNPACK, .receive = side});
}

/* An act that takes the next request. */
static void request(const struct stage *stage, enum star_deed deed, int send, int receive)
{
    int next = stage->script->requests++;
    add(stage, (struct star_act){.deed = deed, .send = send, .receive = receive, .first = next, .count = 1});
}

static void begin_receive(const struct stage *stage, int side)
{
    request(stage, STAR_DO_BEGIN_RECEIVE, STAR_NOBODY, side);
}

static void begin_send(const struct stage *stage, int side)
{
    pack(stage, side);
    request(stage, STAR_DO_BEGIN_SEND, side, STAR_NOBODY);
}

static void send_now(const struct stage *stage, int side)
{
    pack(stage, side);
    add(stage, (struct star_act){.deed = STAR_DO_SEND, .send = side});
}

static void receive_now(const struct stage *stage, int side)
{
    add(stage, (struct star_act){.deed = STAR_DO_RECEIVE, .receive = side});
}

/* For all requests that were taken since there were FIRST of them. */
static void wait_since(const struct stage *stage, int first)
{
    int count = stage->script->requests - first;
    if (count)
        add(stage, (struct star_act){.deed = STAR_DO_WAIT, .first = first, .count = count});
    each(stage, RECEIVED, unpack);
}

static void isend_irecv(const struct stage *stage)
{
    int first = stage->script->requests;
    each(stage, RECEIVED, begin_receive);
    each(stage, SENT, begin_send);
    wait_since(stage, first);
}

static void send_irecv(const struct stage *stage)
{
    int first = stage->script->requests;
    each(stage, RECEIVED, begin_receive);
    each(stage, SENT, send_now);
    wait_since(stage, first);
}

static void sendrecv(const struct stage *stage)
{
    const struct star_turn *turn = &stage->script->turn[stage->first];
    each(stage, SENT, pack);
    add(stage, (struct star_act){.deed = STAR_DO_SENDRECV, .send = turn->send, .receive = turn->receive});
    each(stage, RECEIVED, unpack);
}

/* Of a turn's two messages the one that moves to the left, out of a left side, is first. */
static void send_recv(const struct stage *stage)
{
    const struct star_turn *turn = &stage->script->turn[stage->first];
    if (turn->send != STAR_NOBODY && stage->halo->side[turn->send].to == stage->halo->rank) {
        sendrecv(stage);
        return;
    }
    bool send_first = turn->send % 2 == 0;
    each(stage, send_first ? SENT : RECEIVED, send_first ? send_now : receive_now);
    each(stage, send_first ? RECEIVED : SENT, send_first ? receive_now : send_now);
    each(stage, RECEIVED, unpack);
}

static void make_receive(const struct stage *stage, int side)
{
    request(stage, STAR_DO_MAKE_RECEIVE, STAR_NOBODY, side);
}

static void make_send(const struct stage *stage, int side)
{
    request(stage, STAR_DO_MAKE_SEND, side, STAR_NOBODY);
}

static void make_persistent(const struct stage *stage)
{
    each(stage, RECEIVED, make_receive);
    each(stage, SENT, make_send);
}

static void take(const struct stage *stage, int side)
{
    (void)side;
    stage->script->requests++;
}

static void persistent(const struct stage *stage)
{
    int first = stage->script->requests;
    each(stage, SENT, pack);
    each(stage, RECEIVED, take);
    each(stage, SENT, take);
    int count = stage->script->requests - first;
    if (count)
        add(stage, (struct star_act){.deed = STAR_DO_START, .first = first, .count = count});
    wait_since(stage, first);
}

static void make_parted_receive(const struct stage *stage, int side)
{
    request(stage, STAR_DO_MAKE_PARTED_RECEIVE, STAR_NOBODY, side);
}

static void make_parted_send(const struct stage *stage, int side)
{
    request(stage, STAR_DO_MAKE_PARTED_SEND, side, STAR_NOBODY);
}

static void make_partitioned(const struct stage *stage)
{
    each(stage, RECEIVED, make_parted_receive);
    each(stage, SENT, make_parted_send);
}

static void start_one(const struct stage *stage, int side)
{
    (void)side;
    request(stage, STAR_DO_START, STAR_NOBODY, STAR_NOBODY);
}

/* Each message is said to be ready as soon as it is packed. */
static void start_ready(const struct stage *stage, int side)
{
    start_one(stage, side);
    pack(stage, side);
    add(stage, (struct star_act){.deed = STAR_DO_READY, .send = side, .first = stage->script->requests - 1});
}

static void partitioned(const struct stage *stage)
{
    int first = stage->script->requests;
    each(stage, RECEIVED, start_one);
    each(stage, SENT, start_ready);
    wait_since(stage, first);
}

static void make_neighbors(const struct stage *stage)
{
    add(stage, (struct star_act){.deed = STAR_DO_MAKE_NEIGHBORS});
}

static void neighbors(const struct stage *stage)
{
    each(stage, SENT, pack);
    add(stage, (struct star_act){.deed = STAR_DO_NEIGHBORS});
    each(stage, RECEIVED, unpack);
}

static void begin_neighbors(const struct stage *stage)
{
    int first = stage->script->requests;
    each(stage, SENT, pack);
    request(stage, STAR_DO_BEGIN_NEIGHBORS, STAR_NOBODY, STAR_NOBODY);
    wait_since(stage, first);
}

static void make_open(const struct stage *stage)
{
    add(stage, (struct star_act){.deed = STAR_DO_MAKE_OPEN});
}

static void make_readable(const struct stage *stage)
{
    add(stage, (struct star_act){.deed = STAR_DO_MAKE_READABLE});
}

static void put(const struct stage *stage, int side)
{
    pack(stage, side);
    add(stage, (struct star_act){.deed = STAR_DO_PUT, .send = side});
}

static void get(const struct stage *stage, int side)
{
    add(stage, (struct star_act){.deed = STAR_DO_GET, .receive = side});
}

static void fence_put(const struct stage *stage)
{
    add(stage, (struct star_act){.deed = STAR_DO_FENCE});
    each(stage, SENT, put);
    add(stage, (struct star_act){.deed = STAR_DO_LAST_FENCE});
    each(stage, RECEIVED, unpack);
}

static void fence_get(const struct stage *stage)
{
    each(stage, SENT, pack); /* before others may read it */
    add(stage, (struct star_act){.deed = STAR_DO_FENCE});
    each(stage, RECEIVED, get);
    add(stage, (struct star_act){.deed = STAR_DO_LAST_FENCE});
    each(stage, RECEIVED, unpack);
}

/* ACTIVE messages are those that this rank moves, at their other ends; the others move its PASSIVE ones. */
static void post_start(const struct stage *stage, int active, int passive,
                       void (*move)(const struct stage *stage, int side))
{
    if (has(stage, passive))
        add(stage, (struct star_act){.deed = STAR_DO_POST, .first = stage->first, .count = stage->count});
    if (has(stage, active)) {
        add(stage, (struct star_act){.deed = STAR_DO_ACCESS, .first = stage->first, .count = stage->count});
        each(stage, active, move);
        add(stage, (struct star_act){.deed = STAR_DO_COMPLETE});
    }
    if (has(stage, passive))
        add(stage, (struct star_act){.deed = STAR_DO_WAIT_EXPOSED});
    each(stage, RECEIVED, unpack);
}

static void post_start_put(const struct stage *stage)
{
    post_start(stage, SENT, RECEIVED, put);
}

static void post_start_get(const struct stage *stage)
{
    each(stage, SENT, pack);
    post_start(stage, RECEIVED, SENT, get);
}

struct transfer {
    void (*prepare)(const struct stage *stage); /* NULL: there is nothing to be made */
    void (*exchange)(const struct stage *stage);
    bool whole; /* once, not for each stage */
};
static const struct transfer transfers[STAR_TRANSFERS] = {
    [STAR_ISEND_IRECV] = {NULL, isend_irecv, false},
    [STAR_SEND_IRECV] = {NULL, send_irecv, false},
    [STAR_SEND_RECV] = {NULL, send_recv, false},
    [STAR_SENDRECV] = {NULL, sendrecv, false},
    [STAR_FENCE_PUT] = {make_open, fence_put, true},
    [STAR_FENCE_GET] = {make_readable, fence_get, true},
    [STAR_POST_START_PUT] = {make_open, post_start_put, true},
    [STAR_POST_START_GET] = {make_readable, post_start_get, true},
    [STAR_PERSISTENT] = {make_persistent, persistent, false},
    [STAR_NEIGHBOR_ALLTOALLW] = {make_neighbors, neighbors, true},
    [STAR_INEIGHBOR_ALLTOALLW] = {make_neighbors, begin_neighbors, true},
    [STAR_PARTITIONED] = {make_partitioned, partitioned, false},
};

static void write_stages(struct stage *stage, bool whole, void (*write)(const struct stage *stage))
{
    int turns = stage->script->turns;
    for (int t = 0; t < (whole ? 1 : turns); t++) {
        stage->first = t;
        stage->count = whole ? turns : 1;
        write(stage);
    }
}

static void write_script(const struct star_halo *halo, const struct star_neighborhood *method,
                         struct star_script *script)
{
    const struct transfer *transfer = &transfers[method->value[STAR_BY_TRANSFER]];
    bool at_once = method->value[STAR_BY_MAPPING] == STAR_AAO;
    struct stage stage = {halo, script, method->value[STAR_BY_DATA] == STAR_PACK, 0, 0};
    if (transfer->prepare)
        write_stages(&stage, at_once || transfer->whole, transfer->prepare);
    script->prepared = script->count;
    script->requests = 0; /* those that were made, in the same order */
    write_stages(&stage, at_once || transfer->whole, transfer->exchange);
}

/* Of a turn: a request made and a message packed, begun or moved, and unpacked, each way; and two acts about
 * each of the epochs of a stage. */
enum { ACTS_OF_TURN = 14, ACTS_OF_ALL = 8 };

int star_script_make(const struct star_halo *halo, const struct star_neighborhood *method,
                     struct star_script **script, struct star_why *why)
{
    size_t messages = 2 * (size_t)halo->sides;
    struct star_script *made = calloc(1, sizeof *made);
    if (made) {
        made->turn = calloc(messages, sizeof *made->turn);
        made->act = calloc(ACTS_OF_TURN * messages + ACTS_OF_ALL, sizeof *made->act);
    }
    if (made == NULL || made->turn == NULL || made->act == NULL ||
        star_turns_list(halo, method->value[STAR_BY_MAPPING] == STAR_PAIR, made->turn, &made->turns)) {
        star_script_free(made);
        return star_because(why, STAR_EMEMORY, "out of memory for the messages of %d sides", halo->sides);
    }
    write_script(halo, method, made);
    *script = made;
    return 0;
}

void star_script_free(struct star_script *script)
{
    if (script == NULL)
        return;
    free(script->turn);
    free(script->act);
    free(script);
}
