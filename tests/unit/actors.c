/* SPDX-License-Identifier: BSD-3-Clause */
#include "actors.h"
#include "algorithms/method.h"
#include "halo/halo.h"
#include "halo/neighborhood.h"
#include "halo/script.h"
#include "halo/turns.h"
#include "util/why.h"

/* A rank: how far it has come, and what it has let happen. */
struct actor {
    struct star_halo *halo;
    struct star_script *script;
    int at;
    bool begun[2][ACTOR_SIDES]; /* sends, receives */
    bool packed[ACTOR_SIDES], unpacked[ACTOR_SIDES];
    int moved[ACTOR_SIDES];      /* how often values came in at a side */
    int side[4 * ACTOR_SIDES];   /* of each request */
    bool sends[4 * ACTOR_SIDES]; /* or else it receives */
    int posted[ACTORS_MOST], accessed[ACTORS_MOST], completed[ACTORS_MOST], waited[ACTORS_MOST];
    int fences;
    const struct star_act *post, *access; /* the epochs that are open */
};

struct stage {
    int ranks;
    struct actor *actor;
    bool put, pack;
};

enum { SEND, RECEIVE };

/* The other end's rank and side. */
static struct actor *other_end(struct stage *stage, const struct actor *actor, int way, int side)
{
    const struct star_halo_side *at = &actor->halo->side[side];
    return &stage->actor[way == SEND ? at->to : at->from];
}

static bool is_met(struct stage *stage, const struct actor *actor, int way, int side)
{
    return other_end(stage, actor, way, side)->begun[1 - way][side ^ 1];
}

static void begin(struct actor *actor, int way, int side)
{
    if (actor->begun[way][side])
        fail_msg("rank %d begins side %d twice", actor->halo->rank, side);
    actor->begun[way][side] = true;
}

static void deliver(struct stage *stage, struct actor *receiver, int side)
{
    struct actor *sender = other_end(stage, receiver, RECEIVE, side);
    if (stage->pack && !sender->packed[side ^ 1])
        fail_msg("side %d of rank %d moves before it is packed", side ^ 1, sender->halo->rank);
    if (receiver->unpacked[side])
        fail_msg("side %d of rank %d comes after it was unpacked", side, receiver->halo->rank);
    receiver->moved[side]++;
}

/* Begins a blocking call at its first visit; true once it can return. */
static bool call(struct stage *stage, struct actor *actor, int send, int receive)
{
    if (send != STAR_NOBODY && !actor->begun[SEND][send])
        begin(actor, SEND, send);
    if (receive != STAR_NOBODY && !actor->begun[RECEIVE][receive])
        begin(actor, RECEIVE, receive);
    if ((send != STAR_NOBODY && !is_met(stage, actor, SEND, send)) ||
        (receive != STAR_NOBODY && !is_met(stage, actor, RECEIVE, receive)))
        return false;
    if (receive != STAR_NOBODY)
        deliver(stage, actor, receive);
    return true;
}

static void make(struct actor *actor, const struct star_act *act)
{
    bool sends = act->deed == STAR_DO_MAKE_SEND || act->deed == STAR_DO_MAKE_PARTED_SEND ||
                 act->deed == STAR_DO_BEGIN_SEND;
    actor->side[act->first] = sends ? act->send : act->receive;
    actor->sends[act->first] = sends;
}

static bool wait_all(struct stage *stage, struct actor *actor, const struct star_act *act)
{
    for (int r = act->first; r < act->first + act->count; r++)
        if (!is_met(stage, actor, actor->sends[r] ? SEND : RECEIVE, actor->side[r]))
            return false;
    for (int r = act->first; r < act->first + act->count; r++)
        if (!actor->sends[r])
            deliver(stage, actor, actor->side[r]);
    return true;
}

/* Partitioned sends begin when they are ready. */
static void start(struct actor *actor, const struct star_act *act)
{
    bool parted = false;
    for (int a = 0; a < actor->script->prepared; a++)
        parted = parted || actor->script->act[a].deed == STAR_DO_MAKE_PARTED_SEND;
    for (int r = act->first; r < act->first + act->count; r++)
        if (!actor->sends[r] || !parted)
            begin(actor, actor->sends[r] ? SEND : RECEIVE, actor->side[r]);
}

static bool all_sides(struct stage *stage, struct actor *actor,
                      bool (*visit)(struct stage *, struct actor *, int, int))
{
    bool done = true;
    for (int k = 0; k < actor->halo->sides; k++) {
        if (actor->halo->side[k].to != STAR_NOBODY)
            done = visit(stage, actor, SEND, k) && done;
        if (actor->halo->side[k].from != STAR_NOBODY)
            done = visit(stage, actor, RECEIVE, k) && done;
    }
    return done;
}

static bool begin_once(struct stage *stage, struct actor *actor, int way, int side)
{
    (void)stage;
    actor->begun[way][side] = true;
    return true;
}

static bool meet(struct stage *stage, struct actor *actor, int way, int side)
{
    return is_met(stage, actor, way, side);
}

static bool take_in(struct stage *stage, struct actor *actor, int way, int side)
{
    if (way == RECEIVE)
        deliver(stage, actor, side);
    return true;
}

static bool neighbors(struct stage *stage, struct actor *actor)
{
    all_sides(stage, actor, begin_once);
    return all_sides(stage, actor, meet) && all_sides(stage, actor, take_in);
}

/* Whether RANK is at the other end of a message of the act's turns. */
static bool takes_part(const struct actor *actor, const struct star_act *act, bool sends, int rank)
{
    for (int t = act->first; t < act->first + act->count; t++) {
        const struct star_turn *turn = &actor->script->turn[t];
        int side = sends ? turn->send : turn->receive;
        if (side != STAR_NOBODY &&
            (sends ? actor->halo->side[side].to : actor->halo->side[side].from) == rank)
            return true;
    }
    return false;
}

/* Epochs between two ranks are counted on both sides; each must be met by one of the other's. */
static bool access_all(struct stage *stage, struct actor *actor, const struct star_act *act)
{
    int self = actor->halo->rank;
    for (int r = 0; r < stage->ranks; r++)
        if (takes_part(actor, act, stage->put, r) && stage->actor[r].posted[self] <= actor->accessed[r])
            return false;
    for (int r = 0; r < stage->ranks; r++)
        actor->accessed[r] += takes_part(actor, act, stage->put, r);
    actor->access = act;
    return true;
}

static bool wait_exposed(struct stage *stage, struct actor *actor)
{
    int self = actor->halo->rank;
    for (int r = 0; r < stage->ranks; r++)
        if (takes_part(actor, actor->post, !stage->put, r) &&
            stage->actor[r].completed[self] <= actor->waited[r])
            return false;
    for (int r = 0; r < stage->ranks; r++)
        actor->waited[r] += takes_part(actor, actor->post, !stage->put, r);
    actor->post = NULL;
    return true;
}

static void post(struct stage *stage, struct actor *actor, const struct star_act *act)
{
    assert_null(actor->post);
    actor->post = act;
    for (int r = 0; r < stage->ranks; r++)
        actor->posted[r] += takes_part(actor, act, !stage->put, r);
}

static void complete(struct stage *stage, struct actor *actor)
{
    for (int r = 0; r < stage->ranks; r++)
        actor->completed[r] += takes_part(actor, actor->access, stage->put, r);
    actor->access = NULL;
}

/* Fences let nobody through before all have come; and epochs of one call of post and start are no fences. */
static bool fence(struct stage *stage, struct actor *actor, const struct star_act *act)
{
    int number = act->deed == STAR_DO_FENCE ? 1 : 2;
    if (actor->fences < number)
        actor->fences = number;
    for (int r = 0; r < stage->ranks; r++)
        if (stage->actor[r].fences < number)
            return false;
    return true;
}

static void put(struct stage *stage, struct actor *actor, int side)
{
    struct actor *target = other_end(stage, actor, SEND, side);
    bool open =
        actor->fences == 1 || (actor->access && takes_part(actor, actor->access, true, target->halo->rank));
    assert_true(open);
    begin(actor, SEND, side);
    deliver(stage, target, side ^ 1);
}

static void get(struct stage *stage, struct actor *actor, int side)
{
    struct actor *target = other_end(stage, actor, RECEIVE, side);
    bool open =
        actor->fences == 1 || (actor->access && takes_part(actor, actor->access, false, target->halo->rank));
    assert_true(open);
    begin(actor, RECEIVE, side);
    deliver(stage, actor, side);
}

static void pack(struct actor *actor, int side)
{
    assert_false(actor->packed[side]);
    actor->packed[side] = true;
}

static void unpack(struct actor *actor, int side)
{
    assert_false(actor->unpacked[side]);
    assert_int_equal(actor->moved[side], 1);
    actor->unpacked[side] = true;
}

/* What is done once, and packing; one-sided messages. False where the rank must wait for others. */
static bool act_alone(struct stage *stage, struct actor *actor, const struct star_act *act)
{
    switch (act->deed) {
    case STAR_DO_MAKE_RECEIVE:
    case STAR_DO_MAKE_SEND:
    case STAR_DO_MAKE_PARTED_RECEIVE:
    case STAR_DO_MAKE_PARTED_SEND:
        return make(actor, act), true;
    case STAR_DO_PACK:
        return pack(actor, act->send), true;
    case STAR_DO_UNPACK:
        return unpack(actor, act->receive), true;
    case STAR_DO_FENCE:
    case STAR_DO_LAST_FENCE:
        return fence(stage, actor, act);
    case STAR_DO_POST:
        return post(stage, actor, act), true;
    case STAR_DO_ACCESS:
        return access_all(stage, actor, act);
    case STAR_DO_PUT:
        return put(stage, actor, act->send), true;
    case STAR_DO_GET:
        return get(stage, actor, act->receive), true;
    case STAR_DO_COMPLETE:
        return complete(stage, actor), true;
    case STAR_DO_WAIT_EXPOSED:
        return wait_exposed(stage, actor);
    default:
        assert_true(act->deed >= STAR_DO_MAKE_NEIGHBORS && act->deed <= STAR_DO_MAKE_READABLE);
        return true;
    }
}

/* The same of messages with two ends. */
static bool act_once(struct stage *stage, struct actor *actor, const struct star_act *act)
{
    switch (act->deed) {
    case STAR_DO_BEGIN_RECEIVE:
        return make(actor, act), begin(actor, RECEIVE, act->receive), true;
    case STAR_DO_BEGIN_SEND:
        return make(actor, act), begin(actor, SEND, act->send), true;
    case STAR_DO_SEND:
        return call(stage, actor, act->send, STAR_NOBODY);
    case STAR_DO_RECEIVE:
        return call(stage, actor, STAR_NOBODY, act->receive);
    case STAR_DO_SENDRECV:
        return call(stage, actor, act->send, act->receive);
    case STAR_DO_START:
        return start(actor, act), true;
    case STAR_DO_READY:
        assert_int_equal(actor->side[act->first], act->send);
        return begin(actor, SEND, act->send), true;
    case STAR_DO_BEGIN_NEIGHBORS:
        return all_sides(stage, actor, begin_once);
    case STAR_DO_NEIGHBORS:
        return neighbors(stage, actor);
    case STAR_DO_WAIT:
        return wait_all(stage, actor, act);
    default:
        return act_alone(stage, actor, act);
    }
}

/* The one request of a neighbourhood collective stands for all sides. */
static bool wait_neighbors(struct stage *stage, struct actor *actor)
{
    return all_sides(stage, actor, meet) && all_sides(stage, actor, take_in);
}

static bool advance(struct stage *stage, struct actor *actor, bool in_background)
{
    bool moved = false;
    while (actor->at < actor->script->count) {
        const struct star_act *act = &actor->script->act[actor->at];
        bool done = act->deed == STAR_DO_WAIT && in_background ? wait_neighbors(stage, actor)
                                                               : act_once(stage, actor, act);
        if (!done)
            break;
        actor->at++;
        moved = true;
    }
    return moved;
}

static void expect_all_there(const struct stage *stage, const char *method)
{
    for (int r = 0; r < stage->ranks; r++) {
        const struct actor *actor = &stage->actor[r];
        if (actor->at < actor->script->count)
            fail_msg("%s deadlocks: rank %d of %d waits at act %d of %d", method, r, stage->ranks, actor->at,
                     actor->script->count);
        for (int k = 0; k < actor->halo->sides; k++) {
            bool comes = actor->halo->side[k].from != STAR_NOBODY,
                 leaves = actor->halo->side[k].to != STAR_NOBODY;
            if (actor->moved[k] != comes)
                fail_msg("%s: side %d of rank %d of %d is filled %d times", method, k, r, stage->ranks,
                         actor->moved[k]);
            assert_int_equal(actor->unpacked[k], comes && stage->pack);
            assert_int_equal(actor->packed[k], leaves && stage->pack);
        }
        assert_null(actor->post);
        assert_null(actor->access);
    }
}

void act_out(struct star_halo *const *halo, int ranks, const struct star_neighborhood *method)
{
    int transfer = method->value[STAR_BY_TRANSFER];
    struct stage stage = {ranks, calloc((size_t)ranks, sizeof *stage.actor),
                          transfer == STAR_FENCE_PUT || transfer == STAR_POST_START_PUT,
                          method->value[STAR_BY_DATA] == STAR_PACK};
    char text[STAR_METHOD_TEXT];
    struct star_why why = {{0}};
    for (int r = 0; r < ranks; r++) {
        stage.actor[r].halo = halo[r];
        if (star_script_make(halo[r], method, &stage.actor[r].script, &why))
            fail_msg("%s", why.text);
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = 0; r < ranks; r++)
            moved = advance(&stage, &stage.actor[r], transfer == STAR_INEIGHBOR_ALLTOALLW) || moved;
    }
    expect_all_there(&stage, star_neighborhood_format(method, text, sizeof text));
    for (int r = 0; r < ranks; r++)
        star_script_free(stage.actor[r].script);
    free(stage.actor);
}
