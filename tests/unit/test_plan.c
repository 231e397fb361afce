/* SPDX-License-Identifier: BSD-3-Clause
 * Building and pacing: what a plan waits for, and what it costs to hold one. */
#include "algorithms/method.h"
#include "expect.h"
#include "plan/plan.h"
#include "util/clock.h"

#include <stdio.h>

static struct star_plan *plan_of(const char *text, int size, int rank, int64_t block)
{
    struct star_method method;
    struct star_why why = {{0}};
    struct star_plan *plan = NULL;
    struct star_shape shape = {.size = size, .rank = rank, .block = block};
    if (star_method_parse(text, &method, &why) || star_method_plan(&method, &shape, INT64_MAX, &plan, &why))
        fail_msg("%s at %d of %d: %s", text, rank, size, why.text);
    assert_int_equal(plan->rank, rank);
    assert_int_equal(plan->size, size);
    return plan;
}

static bool moves(const struct star_step *step)
{
    return step->kind == STAR_SEND || step->kind == STAR_RECV;
}

static int count_steps(const struct star_plan *plan, int kind, int channel)
{
    int count = 0;
    for (int32_t i = 0; i < plan->count; i++)
        count +=
            plan->steps[i].kind == kind && (!moves(&plan->steps[i]) || plan->steps[i].channel == channel);
    return count;
}

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
        if (step->kind == STAR_SEND) {
            assert_int_equal(step->peer, (3 + step->round + 1) % 7);
            assert_int_equal(step->round, sends++);
            assert_int_equal(step->length, 8);
        } else if (step->kind == STAR_RECV) {
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
    } else if (step->kind == STAR_WAIT) {
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
        last |= plan->steps[i].kind == STAR_WAIT;
        assert_int_equal(plan->steps[i].kind == STAR_WAIT, last);
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
            if (data && step->kind == STAR_SEND)
                sending = step->round;
            else if (data || step->kind == STAR_COPY)
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
            assert_int_equal(count_steps(plan, STAR_SEND, STAR_SYNC), size - 2);
            assert_int_equal(count_steps(plan, STAR_RECV, STAR_SYNC), size - 2);
            assert_int_equal(count_steps(plan, STAR_SEND, STAR_DATA), size - 1);
            assert_int_equal(count_steps(plan, STAR_BARRIER, 0), 0);
            star_plan_free(plan);
        }
}

static bool has_slot(const struct star_step *wait, int32_t slot)
{
    return wait->kind == STAR_WAIT && slot >= wait->slot && slot < wait->slot + wait->repeat;
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
        if (send->kind != STAR_SEND || send->channel != STAR_DATA || send->round == 0)
            continue;
        for (int32_t j = 0; j < i; j++) {
            const struct star_step *token = &plan->steps[j];
            if (token->kind == STAR_RECV && token->channel == STAR_SYNC && token->round == send->round) {
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
        if (step->kind == STAR_RECV && step->channel == STAR_DATA) {
            receiving = step->round;
            from = step->peer;
        } else if (step->kind == STAR_SEND && step->channel == STAR_SYNC) {
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
            if (plan->steps[i].kind == STAR_BARRIER)
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
        if (i == plan->count || plan->steps[i].kind == STAR_BARRIER) {
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
        if (plan->steps[i].kind != STAR_BARRIER)
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

static int finish(struct star_builder *builder, struct star_plan **plan, struct star_why *why)
{
    return star_builder_finish(builder, (struct star_pacing){.sync = STAR_SYNC_NONE, .window = 1}, plan, why);
}

static void temporary_memory_up_to_the_limit_is_given(void **state)
{
    (void)state;
    struct star_shape shape = {.size = 2, .rank = 0, .block = 4};
    struct star_builder *builder = star_builder_new(&shape, 100);
    struct star_place a = star_build_temp(builder, 60), b = star_build_temp(builder, 40);
    assert_int_equal(a.buffer, STAR_TEMP);
    assert_int_equal(b.buffer, STAR_TEMP);
    assert_true(a.offset + 60 <= b.offset || b.offset + 40 <= a.offset);
    struct star_plan *plan;
    assert_int_equal(finish(builder, &plan, NULL), 0);
    assert_int_equal(plan->temp_bytes, 100);
    star_plan_free(plan);
}

static void a_failure_sticks_until_the_end(void **state)
{
    (void)state;
    static const int64_t asked[][2] = {{60, 41}, {101, 1}, {INT64_MAX, INT64_MAX}, {99, INT64_MAX}};
    for (size_t i = 0; i < 4; i++) {
        struct star_shape shape = {.size = 2, .rank = 0, .block = 4};
        struct star_builder *builder = star_builder_new(&shape, 100);
        star_build_temp(builder, asked[i][0]);
        struct star_place place = star_build_temp(builder, asked[i][1]);
        star_build_round(builder);
        star_build_copy(builder, place, star_at(STAR_SENDBUF, 0), 4);
        star_build_send(builder, 1, place, 4);
        star_build_recv(builder, 1, star_at(STAR_RECVBUF, 4), 4);
        star_build_temp(builder, 1);
        struct star_plan *plan = (struct star_plan *)&shape;
        struct star_why why = {{0}};
        assert_int_equal(finish(builder, &plan, &why), STAR_ELIMIT);
        assert_null(plan);
        expect_reason(&why, "100");
    }
}

static void nothing_built_is_an_empty_plan(void **state)
{
    (void)state;
    struct star_shape shape = {.size = 1, .rank = 0, .block = 4};
    struct star_plan *plan;
    assert_int_equal(finish(star_builder_new(&shape, 0), &plan, NULL), 0);
    assert_int_equal(plan->count, 0);
    assert_int_equal(plan->slots, 0);
    star_plan_free(plan);
    star_plan_free(NULL);
}

static int same_verdict_on_all_ranks(const struct star_method *method, void *context)
{
    (void)context;
    for (int64_t limit = 0; limit < 4000; limit = limit * 2 + 1) {
        int first = 0;
        for (int rank = 0; rank < 12; rank++) {
            struct star_shape shape = {.size = 12, .rank = rank, .block = 7};
            struct star_plan *plan;
            int verdict = star_method_plan(method, &shape, limit, &plan, NULL);
            assert_int_equal(verdict == 0, plan != NULL);
            if (plan != NULL)
                assert_true(plan->temp_bytes <= limit);
            star_plan_free(plan);
            first = rank == 0 ? verdict : first;
            assert_int_equal(verdict, first);
        }
    }
    return 0;
}

static void the_limit_is_exceeded_on_all_ranks_or_none(void **state)
{
    (void)state;
    star_methods_each(STAR_ALLTOALL, true, same_verdict_on_all_ranks, NULL);
}

/* Bytes a plan may take for each rank of the communicator: eight steps of 64 bytes. */
enum { BYTES_A_RANK = 512 };

static int takes_memory_of_order_p(const struct star_method *method, void *context)
{
    static const int sizes[] = {64, 100, 127, 128, 720, 1009, 1024, 4096};
    (void)context;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct star_shape shape = {.size = sizes[i], .rank = sizes[i] / 3, .block = 8};
        struct star_plan *plan;
        struct star_why why = {{0}};
        char text[STAR_METHOD_TEXT];
        int error = star_method_plan(method, &shape, INT64_MAX, &plan, &why);
        if (error == STAR_ENEEDS)
            continue;
        assert_int_equal(error, 0);
        if (star_plan_bytes(plan) > (size_t)(sizes[i] * BYTES_A_RANK))
            fail_msg("%s takes %zu bytes at %d ranks: %zu a rank",
                     star_method_format(method, text, sizeof text), star_plan_bytes(plan), sizes[i],
                     star_plan_bytes(plan) / (size_t)sizes[i]);
        star_plan_free(plan);
    }
    return 0;
}

static void every_plan_takes_memory_of_order_p(void **state)
{
    (void)state;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++)
        star_methods_each(operation, true, takes_memory_of_order_p, NULL);
}

static void a_plan_for_a_hundred_thousand_ranks_is_built_quickly(void **state)
{
    (void)state;
    static const char *const methods[] = {"alltoall:ring", "alltoall:ring,sync=light,window=5",
                                          "alltoall:ring,sync=barriers:1000", "alltoall:simple"};
    for (size_t m = 0; m < 4; m++) {
        int64_t begin = star_now();
        struct star_plan *plan = plan_of(methods[m], 100000, 77777, 1 << 20);
        double seconds = (double)(star_now() - begin) * 1e-9;
        assert_int_equal(count_steps(plan, STAR_SEND, STAR_DATA), 99999);
        star_plan_free(plan);
        if (seconds > 2)
            fail_msg("%s took %g s", methods[m], seconds);
    }
}

static int moves_nothing(const struct star_method *method, void *context)
{
    (void)context;
    for (int size = 1; size <= 9; size++)
        for (int rank = 0; rank < size; rank++) {
            struct star_shape shape = {.size = size, .rank = rank, .block = 0};
            struct star_plan *plan;
            if (star_method_plan(method, &shape, 0, &plan, NULL) == STAR_ENEEDS)
                continue;
            assert_non_null(plan); /* no temporary needed either */
            assert_int_equal(count_steps(plan, STAR_SEND, STAR_DATA), 0);
            assert_int_equal(count_steps(plan, STAR_RECV, STAR_DATA), 0);
            assert_int_equal(count_steps(plan, STAR_COPY, 0), 0);
            star_plan_free(plan);
        }
    return 0;
}

static void a_block_of_no_bytes_moves_nothing(void **state)
{
    (void)state;
    star_methods_each(STAR_ALLTOALL, true, moves_nothing, NULL);
}

static void a_strided_copy_of_no_runs_is_left_out(void **state)
{
    (void)state;
    struct star_shape shape = {.size = 2, .rank = 0, .block = 4};
    struct star_builder *builder = star_builder_new(&shape, 100);
    star_build_strided_copy(builder, star_at(STAR_RECVBUF, 0), 8, star_at(STAR_SENDBUF, 0), 4, 4, 0);
    star_build_copy(builder, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, 0), 0);
    struct star_plan *plan;
    assert_int_equal(finish(builder, &plan, NULL), 0);
    assert_int_equal(count_steps(plan, STAR_COPY, 0), 0);
    star_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_counted_and_numbered),
        cmocka_unit_test(ring_exchanges_with_i_ahead_and_i_behind),
        cmocka_unit_test(a_round_starts_when_the_one_a_window_before_is_complete),
        cmocka_unit_test(the_widest_window_waits_once_at_the_end),
        cmocka_unit_test(copies_and_receives_start_before_the_sends_of_a_round),
        cmocka_unit_test(light_barriers_are_one_token_a_message_after_the_first_round),
        cmocka_unit_test(a_sender_waits_for_the_token_of_its_receiver),
        cmocka_unit_test(a_receiver_tells_its_sender_after_its_receive_is_up),
        cmocka_unit_test(barrier_meets_before_every_round_but_the_first),
        cmocka_unit_test(n_barriers_are_n_and_evenly_spread),
        cmocka_unit_test(all_before_a_barrier_is_complete_at_it),
        cmocka_unit_test(temporary_memory_up_to_the_limit_is_given),
        cmocka_unit_test(a_failure_sticks_until_the_end),
        cmocka_unit_test(nothing_built_is_an_empty_plan),
        cmocka_unit_test(the_limit_is_exceeded_on_all_ranks_or_none),
        cmocka_unit_test(every_plan_takes_memory_of_order_p),
        cmocka_unit_test(a_plan_for_a_hundred_thousand_ranks_is_built_quickly),
        cmocka_unit_test(a_block_of_no_bytes_moves_nothing),
        cmocka_unit_test(a_strided_copy_of_no_runs_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
