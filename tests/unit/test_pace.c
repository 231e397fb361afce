/* SPDX-License-Identifier: BSD-3-Clause
 * Pacing: in which order the steps of a plan start, and what it waits for. */
#include "plan/plan.h"
#include "planned.h"

#include <stdio.h>

static void rounds_are_counted_and_numbered(void **state)
{
    (void)state;
    struct star_plan *plan = plan_of("alltoall:ring", 9, 4, 8);
    assert_int_equal(plan->rounds, 8);
    for (int32_t i = 0, round = 0; i < plan->count; i++) {
        assert_true(plan->steps[i].round >= round && plan->steps[i].round < plan->rounds);
        round = plan->steps[i].round;
    }
    star_plan_free(plan);
    plan = plan_of("alltoall:simple", 9, 4, 8);
    assert_int_equal(plan->rounds, 1);
    star_plan_free(plan);
}

static void ring_exchanges_with_i_ahead_and_i_behind(void **state)
{
    (void)state;
    struct star_plan *plan = plan_of("alltoall:ring", 7, 3, 8);
    int32_t sends = 0, recvs = 0;
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        if (step->kind == STAR_STEP_SEND) {
            assert_int_equal(step->peer, (3 + step->round + 1) % 7);
            assert_int_equal(step->round, sends++);
            assert_int_equal(step->length, 8);
        } else if (step->kind == STAR_STEP_RECV) {
            assert_int_equal(step->peer, (3 - step->round - 1 + 7) % 7);
            assert_int_equal(step->round, recvs++);
        }
    }
    assert_int_equal(sends, 6);
    assert_int_equal(recvs, 6);
    star_plan_free(plan);
}

/* For each round, how many requests of it are started and not waited for. */
struct flight {
    int32_t *open, *round_of_slot;
};

static void follow(struct flight *flight, const struct star_step *step)
{
    if (moves(step)) {
        flight->open[step->round]++;
        flight->round_of_slot[step->slot] = step->round;
    } else if (step->kind == STAR_STEP_WAIT) {
        for (int32_t s = step->slot; s < step->slot + step->repeat; s++)
            if (flight->round_of_slot[s] >= 0) {
                flight->open[flight->round_of_slot[s]]--;
                flight->round_of_slot[s] = -1;
            }
    }
}

static int rounds_open_before(const struct flight *flight, int32_t round)
{
    int open = 0;
    for (int32_t r = 0; r < round; r++)
        open += flight->open[r] > 0;
    return open;
}

/* Returns the most rounds in flight at the start of a round's data, that round included. */
static int expect_window(const struct star_plan *plan, int64_t window)
{
    struct flight flight = {calloc((size_t)plan->rounds, sizeof(int32_t)),
                            calloc((size_t)plan->slots, sizeof(int32_t))};
    int most = 0;
    for (int32_t i = 0; i < plan->slots; i++)
        flight.round_of_slot[i] = -1;
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        if (moves(step)) {
            for (int32_t r = 0; r <= step->round - window; r++)
                assert_int_equal(flight.open[r], 0);
            int open = 1 + rounds_open_before(&flight, step->round);
            most = open > most ? open : most;
        }
        follow(&flight, step);
    }
    for (int32_t r = 0; r < plan->rounds; r++)
        assert_int_equal(flight.open[r], 0);
    free(flight.open);
    free(flight.round_of_slot);
    return most;
}

static void a_round_starts_when_the_one_a_window_before_is_complete(void **state)
{
    (void)state;
    static const char *const syncs[] = {"none", "light"};
    for (int s = 0; s < 2; s++)
        for (int size = 2; size <= 20; size++)
            for (int window = 1; window <= size + 1; window++) {
                char text[64];
                snprintf(text, sizeof text, "alltoall:ring,sync=%s,window=%d", syncs[s], window);
                struct star_plan *plan = plan_of(text, size, size / 2, 8);
                int in_flight = expect_window(plan, window);
                assert_int_equal(in_flight, window < plan->rounds ? window : plan->rounds);
                star_plan_free(plan);
            }
}

static void the_widest_window_waits_once_at_the_end(void **state)
{
    (void)state;
    struct star_plan *plan = plan_of("alltoall:ring,window=2147483647", 12, 0, 8);
    for (int32_t i = 0, last = 0; i < plan->count; i++) {
        last |= plan->steps[i].kind == STAR_STEP_WAIT;
        assert_int_equal(plan->steps[i].kind == STAR_STEP_WAIT, last);
    }
    star_plan_free(plan);
}

static void copies_and_receives_start_before_the_sends_of_a_round(void **state)
{
    (void)state;
    static const char *const methods[] = {"alltoall:simple", "alltoall:linear", "alltoall:ring,window=3",
                                          "alltoall:pair,sync=light"};
    for (size_t m = 0; m < 4; m++) {
        struct star_plan *plan = plan_of(methods[m], 8, 5, 4);
        for (int32_t i = 0, sending = -1; i < plan->count; i++) {
            const struct star_step *step = &plan->steps[i];
            bool data = moves(step) && step->channel == STAR_DATA;
            if (data && step->kind == STAR_STEP_SEND)
                sending = step->round;
            else if (data || step->kind == STAR_STEP_COPY)
                assert_true(sending < step->round);
        }
        star_plan_free(plan);
    }
}

static void light_barriers_are_one_token_a_message_after_the_first_round(void **state)
{
    (void)state;
    static const char *const methods[] = {"alltoall:ring,sync=light", "alltoall:pair,sync=light",
                                          "alltoall:ring,sync=light,window=4"};
    for (size_t m = 0; m < 3; m++)
        for (int size = 2; size <= 32; size *= 2) {
            struct star_plan *plan = plan_of(methods[m], size, size - 1, 8);
            assert_int_equal(count_steps(plan, STAR_STEP_SEND, STAR_SYNC), size - 2);
            assert_int_equal(count_steps(plan, STAR_STEP_RECV, STAR_SYNC), size - 2);
            assert_int_equal(count_steps(plan, STAR_STEP_SEND, STAR_DATA), size - 1);
            assert_int_equal(count_steps(plan, STAR_STEP_BARRIER, 0), 0);
            star_plan_free(plan);
        }
}

static bool has_slot(const struct star_step *wait, int32_t slot)
{
    return wait->kind == STAR_STEP_WAIT && slot >= wait->slot && slot < wait->slot + wait->repeat;
}

/* Between two steps there is a wait for SLOT. */
static bool waited_between(const struct star_plan *plan, int32_t begin, int32_t end, int32_t slot)
{
    for (int32_t i = begin; i < end; i++)
        if (has_slot(&plan->steps[i], slot))
            return true;
    return false;
}

static void a_sender_waits_for_the_token_of_its_receiver(void **state)
{
    (void)state;
    struct star_plan *plan = plan_of("alltoall:ring,sync=light", 9, 2, 8);
    int checked = 0;
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *send = &plan->steps[i];
        if (send->kind != STAR_STEP_SEND || send->channel != STAR_DATA || send->round == 0)
            continue;
        for (int32_t j = 0; j < i; j++) {
            const struct star_step *token = &plan->steps[j];
            if (token->kind == STAR_STEP_RECV && token->channel == STAR_SYNC && token->round == send->round) {
                assert_int_equal(token->peer, send->peer);
                assert_int_equal(token->length, 0);
                assert_true(waited_between(plan, j, i, token->slot));
                checked++;
            }
        }
    }
    assert_int_equal(checked, 7);
    star_plan_free(plan);
}

static void a_receiver_tells_its_sender_after_its_receive_is_up(void **state)
{
    (void)state;
    struct star_plan *plan = plan_of("alltoall:ring,sync=light", 9, 2, 8);
    int32_t receiving = -1, from = -1;
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        if (step->kind == STAR_STEP_RECV && step->channel == STAR_DATA) {
            receiving = step->round;
            from = step->peer;
        } else if (step->kind == STAR_STEP_SEND && step->channel == STAR_SYNC) {
            assert_int_equal(receiving, step->round);
            assert_int_equal(from, step->peer);
            assert_int_equal(step->length, 0);
        }
    }
    star_plan_free(plan);
}

static void barrier_meets_before_every_round_but_the_first(void **state)
{
    (void)state;
    for (int size = 2; size <= 40; size++) {
        struct star_plan *plan = plan_of("alltoall:ring,sync=barrier", size, size - 1, 8);
        int32_t next = 1;
        for (int32_t i = 0; i < plan->count; i++)
            if (plan->steps[i].kind == STAR_STEP_BARRIER)
                assert_int_equal(plan->steps[i].round, next++);
        assert_int_equal(next, plan->rounds);
        star_plan_free(plan);
    }
}

/* Barriers of PLAN, and that the stretches between them differ by one round at most. */
static int count_even_barriers(const struct star_plan *plan)
{
    int32_t count = 0, before = 0, least = INT32_MAX, most = 0;
    for (int32_t i = 0; i <= plan->count; i++)
        if (i == plan->count || plan->steps[i].kind == STAR_STEP_BARRIER) {
            int32_t round = i == plan->count ? plan->rounds : plan->steps[i].round;
            least = round - before < least ? round - before : least;
            most = round - before > most ? round - before : most;
            before = round;
            count += i < plan->count;
        }
    assert_true(least >= 1 && most - least <= 1);
    return count;
}

static void n_barriers_are_n_and_evenly_spread(void **state)
{
    (void)state;
    for (int size = 3; size <= 40; size++)
        for (int barriers = 1; barriers <= size - 2; barriers++) {
            char text[64];
            snprintf(text, sizeof text, "alltoall:ring,sync=barriers:%d", barriers);
            for (int rank = 0; rank < size; rank += size - 1) {
                struct star_plan *plan = plan_of(text, size, rank, 8);
                assert_int_equal(count_even_barriers(plan), barriers);
                star_plan_free(plan);
            }
        }
}

static void all_before_a_barrier_is_complete_at_it(void **state)
{
    (void)state;
    struct star_plan *plan = plan_of("alltoall:ring,sync=barriers:2,window=5", 16, 3, 8);
    struct flight flight = {calloc(15, sizeof(int32_t)), calloc((size_t)plan->slots, sizeof(int32_t))};
    memset(flight.round_of_slot, -1, (size_t)plan->slots * sizeof(int32_t));
    int barriers = 0;
    for (int32_t i = 0; i < plan->count; i++) {
        follow(&flight, &plan->steps[i]);
        if (plan->steps[i].kind != STAR_STEP_BARRIER)
            continue;
        barriers++;
        for (int32_t r = 0; r < 15; r++)
            assert_int_equal(flight.open[r], 0);
    }
    assert_int_equal(barriers, 2);
    free(flight.open);
    free(flight.round_of_slot);
    star_plan_free(plan);
}

/* Pieces of every message: one behind the other, none longer than SEGMENT, MOST of a direction in flight. */
static void expect_pieces(const struct star_plan *plan, int64_t block, int64_t segment, int most)
{
    int64_t *sent = calloc((size_t)plan->size, sizeof *sent), begin = 0;
    int32_t open = 0, seen = 0, *is_send = calloc((size_t)plan->slots, sizeof *is_send);
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        for (int32_t s = 0; step->kind == STAR_STEP_WAIT && s < step->repeat; s++)
            open -= is_send[step->slot + s];
        if (step->kind != STAR_STEP_SEND || step->channel == STAR_SYNC)
            continue;
        begin = sent[step->peer] % block == 0 ? step->from_offset : begin;
        assert_in_range(step->length, 1, segment);
        assert_int_equal(step->from_offset - begin, sent[step->peer] % block);
        sent[step->peer] += step->length;
        is_send[step->slot] = 1;
        seen = ++open > seen ? open : seen;
    }
    assert_int_equal(open, 0);
    assert_int_equal(seen, most);
    for (int r = 0; r < plan->size; r++)
        assert_int_equal(sent[r] % block, 0);
    free(sent);
    free(is_send);
}

static void messages_move_in_pieces_a_window_of_them_at_a_time(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        int64_t block, segment;
        int most;
    } cases[] = {{"alltoall:ring,segment=16", 100, 16, 4},
                 {"alltoall:ring,segment=16,window=1", 100, 16, 1},
                 {"alltoall:ring,segment=16,window=50", 100, 16, 42},
                 {"alltoall:ring,segment=100", 100, 100, 4},
                 {"alltoall:pair,segment=99,window=2,sync=light", 100, 99, 2},
                 /* What comes in one round leaves in the next: the rounds are not mixed. */
                 {"allgather:neighbor_ring,segment=60,window=8", 100, 60, 2},
                 {"allgather:neighbor_ring,segment=10,window=8,sync=barrier", 100, 10, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int size = strstr(cases[i].method, "pair") ? 8 : 7;
        struct star_plan *plan = plan_of(cases[i].method, size, 2, cases[i].block);
        expect_pieces(plan, cases[i].block, cases[i].segment, cases[i].most);
        star_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_counted_and_numbered),
        cmocka_unit_test(ring_exchanges_with_i_ahead_and_i_behind),
        cmocka_unit_test(a_round_starts_when_the_one_a_window_before_is_complete),
        cmocka_unit_test(the_widest_window_waits_once_at_the_end),
        cmocka_unit_test(messages_move_in_pieces_a_window_of_them_at_a_time),
        cmocka_unit_test(copies_and_receives_start_before_the_sends_of_a_round),
        cmocka_unit_test(light_barriers_are_one_token_a_message_after_the_first_round),
        cmocka_unit_test(a_sender_waits_for_the_token_of_its_receiver),
        cmocka_unit_test(a_receiver_tells_its_sender_after_its_receive_is_up),
        cmocka_unit_test(barrier_meets_before_every_round_but_the_first),
        cmocka_unit_test(n_barriers_are_n_and_evenly_spread),
        cmocka_unit_test(all_before_a_barrier_is_complete_at_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
