/* SPDX-License-Identifier: BSD-3-Clause
 * The board, with threads as ranks that come and go as they like: all make each call the same way, and get
 * what the others have shown. */
#include "exec/board.h"
#include "expect.h"
#include "ranks.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { CALLS = 5000, LATEST = 300, LAST = STAR_BOARD_FIRST + CALLS, WAYS = 2 };

struct hall {
    struct star_nameless_key key;
    _Atomic int made;
    int size;
    bool follows; /* no rank is more than a few calls ahead of the slowest, so that there is room */
    _Atomic int64_t at[RANKS_MOST];
    bool shared[RANKS_MOST][LAST], rests[RANKS_MOST][LAST];
};

/* What RANK shows in call NUMBER, which all know; the length changes with the call. */
static int64_t length_of(int64_t number)
{
    static const int64_t lengths[] = {0, 1, 8, 48, 49, 300, STAR_BOARD_MOST};
    return lengths[number % 7];
}

static char byte_of(int rank, int64_t number, int64_t i)
{
    return (char)(number * 7 + (int64_t)rank * 31 + i);
}

/* NULL: rank 0 has not made it yet. */
static struct star_board *enter(struct hall *hall, int rank, int64_t number)
{
    struct star_board *board = NULL;
    if (rank > 0 && atomic_load(&hall->made) == 0)
        return NULL;
    if (rank > 0)
        board = star_board_open(hall->size, rank, number, &hall->key);
    else
        board = star_board_make(hall->size, number, &hall->key);
    if (rank == 0)
        atomic_store(&hall->made, 1);
    if (board == NULL)
        ranks_complain("rank %d has no board", rank);
    return board;
}

static void show(struct star_board *board, int rank, int64_t number)
{
    int64_t bytes = length_of(number);
    char *own = star_board_own(board, number, bytes);
    for (int64_t i = 0; i < bytes; i++)
        own[i] = byte_of(rank, number, i);
    star_board_show(board, number, bytes);
}

/* False: somebody has not come. */
static bool check(const struct star_board *board, int size, int64_t number)
{
    int64_t bytes;
    for (int r = 0; r < size; r++)
        if (star_board_look(board, number, r, &bytes) == NULL)
            return false;
    for (int r = 0; r < size; r++) {
        const char *shown = star_board_look(board, number, r, &bytes);
        if (bytes != length_of(number))
            ranks_complain("call %lld: %lld bytes", (long long)number, (long long)bytes);
        for (int64_t i = 0; i < bytes; i++)
            if (shown[i] != byte_of(r, number, i))
                ranks_complain("call %lld: byte %lld of rank %d is wrong", (long long)number, (long long)i,
                               r);
    }
    return true;
}

/* Some of what is open, in any order. */
static int end_some(struct star_board *board, int size, int64_t *open, int count, uint64_t *random)
{
    for (int i = 0; i < count;)
        if (random_below(random, 3) > 0 && check(board, size, open[i])) {
            star_board_end(board, open[i]);
            open[i] = open[--count];
        } else {
            i++;
        }
    return count;
}

static void await_others(struct hall *hall, int64_t number)
{
    enum { AHEAD = 8 };
    for (int r = 0; hall->follows && r < hall->size; r++)
        while (atomic_load(&hall->at[r]) + AHEAD < number)
            sched_yield();
}

static void visit(int rank, void *context)
{
    struct hall *hall = context;
    uint64_t random = 77 + (uint64_t)rank;
    int64_t from = STAR_BOARD_FIRST + (int64_t)random_below(&random, LATEST), open[STAR_BOARD_SLOTS];
    struct star_board *board = NULL;
    int count = 0;
    for (int64_t number = STAR_BOARD_FIRST; number < LAST; number++) {
        await_others(hall, number);
        if (board == NULL && number >= from)
            board = enter(hall, rank, number);
        bool passes = number % 11 == 0; /* all of them find that the board cannot serve it */
        if (board != NULL && passes && star_board_pass(board, number))
            star_board_end(board, number); /* it was said ahead */
        if (board != NULL && !passes)
            hall->shared[rank][number] = star_board_begin(
                board, number, random_below(&random, 4) > 0,
                number / 64 % 2 == 0 ? STAR_BOARD_AHEAD : (enum star_board_term)random_below(&random, 3));
        hall->rests[rank][number] = board != NULL && star_board_rests(board);
        if (hall->shared[rank][number]) {
            show(board, rank, number);
            open[count++] = number;
        }
        if (board != NULL && random_below(&random, 2) == 0)
            count = end_some(board, hall->size, open, count, &random);
        atomic_store(&hall->at[rank], number);
    }
    while ((count = end_some(board, hall->size, open, count, &random)) > 0)
        sched_yield();
    ranks_barrier();
    if (board != NULL)
        star_board_free(board);
}

static void walk(int size, bool follows)
{
    static struct hall hall;
    int64_t shared = 0, natively = 0, rests = 0;
    memset(&hall, 0, sizeof hall);
    hall.size = size;
    hall.follows = follows;
    for (int r = 0; r < size; r++)
        atomic_store(&hall.at[r], STAR_BOARD_FIRST);
    ranks_as_threads(size, visit, &hall);
    for (int64_t number = STAR_BOARD_FIRST; number < LAST; number++) {
        for (int r = 1; r < size; r++) {
            assert_int_equal(hall.shared[r][number], hall.shared[0][number]);
            assert_int_equal(hall.rests[r][number], hall.rests[0][number]);
        }
        assert_false(hall.shared[0][number] && hall.rests[0][number]);
        rests += hall.rests[0][number];
        *(hall.shared[0][number] ? &shared : &natively) += 1;
    }
    assert_true(natively > 0);
    assert_true((shared > 0 && rests > 0) || !follows);
}

static void all_go_one_way(void **state)
{
    (void)state;
    for (int size = 2; size <= RANKS_MOST; size++)
        walk(size, true);
}

static void nobody_waits(void **state)
{
    (void)state;
    for (int size = 2; size <= RANKS_MOST; size++)
        walk(size, false);
}

/* All ranks played by one thread. */
struct pair {
    struct star_board *board[2];
};

static struct pair make_pair(void)
{
    struct star_nameless_key key;
    struct pair pair;
    pair.board[0] = star_board_make(2, STAR_BOARD_FIRST, &key);
    pair.board[1] = star_board_open(2, 1, STAR_BOARD_FIRST, &key);
    assert_non_null(pair.board[0]);
    assert_non_null(pair.board[1]);
    return pair;
}

static void free_pair(const struct pair *pair)
{
    star_board_free(pair->board[0]);
    star_board_free(pair->board[1]);
}

/* Rank 0 runs ahead: where slots are taken it goes natively, and rank 1 does the same when it comes, however
 * often the slots have come round. */
static void one_far_ahead(void **state)
{
    enum { FAR = STAR_BOARD_FIRST + 10 * STAR_BOARD_SLOTS };
    struct pair pair = make_pair();
    (void)state;
    for (int64_t number = STAR_BOARD_FIRST; number < FAR; number++) {
        bool has_room = number < STAR_BOARD_FIRST + STAR_BOARD_SLOTS;
        assert_int_equal(star_board_begin(pair.board[0], number, true, false), has_room);
        if (has_room) {
            show(pair.board[0], 0, number);
            star_board_end(pair.board[0], number);
        }
    }
    for (int64_t number = STAR_BOARD_FIRST; number < FAR; number++) {
        bool has_room = number < STAR_BOARD_FIRST + STAR_BOARD_SLOTS;
        assert_int_equal(star_board_begin(pair.board[1], number, true, false), has_room);
        if (has_room) {
            show(pair.board[1], 1, number);
            assert_true(check(pair.board[1], 2, number));
            star_board_end(pair.board[1], number);
        }
    }
    assert_true(star_board_begin(pair.board[1], FAR, true, false));
    assert_true(star_board_begin(pair.board[0], FAR, false, false));
    free_pair(&pair);
}

/* The first call never ends on rank 0: its slot is not taken again, others are. */
static void one_stays_open(void **state)
{
    struct pair pair = make_pair();
    (void)state;
    for (int64_t number = STAR_BOARD_FIRST; number < STAR_BOARD_FIRST + STAR_BOARD_SLOTS; number++)
        for (int r = 0; r < 2; r++) {
            assert_true(star_board_begin(pair.board[r], number, true, false));
            show(pair.board[r], r, number);
            if (r == 1 || number > STAR_BOARD_FIRST)
                star_board_end(pair.board[r], number);
        }
    int64_t next = STAR_BOARD_FIRST + STAR_BOARD_SLOTS;
    for (int r = 0; r < 2; r++)
        assert_false(star_board_begin(pair.board[r], next, true, false));
    assert_true(check(pair.board[0], 2, STAR_BOARD_FIRST));
    star_board_end(pair.board[0], STAR_BOARD_FIRST);
    for (int r = 1; r >= 0; r--)
        assert_true(star_board_begin(pair.board[r], next + 1, true, false));
    free_pair(&pair);
}

/* One of them finds that it cannot, and learns that the other has gone by the board. */
static void passing(void **state)
{
    struct pair pair = make_pair();
    (void)state;
    assert_true(star_board_begin(pair.board[0], STAR_BOARD_FIRST, true, false));
    assert_true(star_board_pass(pair.board[1], STAR_BOARD_FIRST));
    assert_false(star_board_pass(pair.board[1], STAR_BOARD_FIRST + 1));
    assert_false(star_board_begin(pair.board[0], STAR_BOARD_FIRST + 1, true, STAR_BOARD_ONCE));
    free_pair(&pair);
}

/* Both see that they rest, also who looks when the slot is another call's already; and then numbers are left
 * out. */
static void resting(void **state)
{
    enum { NEXT = STAR_BOARD_FIRST + STAR_BOARD_SLOTS };
    struct pair pair = make_pair();
    (void)state;
    for (int r = 0; r < 2; r++)
        assert_false(star_board_begin(pair.board[r], STAR_BOARD_FIRST, false,
                                      r == 0 ? STAR_BOARD_REST : STAR_BOARD_AHEAD));
    assert_false(star_board_begin(pair.board[0], NEXT, false, STAR_BOARD_ONCE));
    assert_true(star_board_rests(pair.board[1]));
    assert_false(star_board_rests(pair.board[0]));
    assert_false(star_board_begin(pair.board[1], NEXT, true, STAR_BOARD_REST));
    assert_false(star_board_rests(pair.board[1]));
    for (int r = 0; r < 2; r++)
        assert_true(star_board_begin(pair.board[r], NEXT + 9, true, STAR_BOARD_REST));
    assert_false(star_board_rests(pair.board[0]) || star_board_rests(pair.board[1]));
    free_pair(&pair);
}

/* Of wide calls half as many have room, and none writes where another rank may still read. */
static void wide(void **state)
{
    enum { ROOM = STAR_BOARD_SLOTS / 2, LAST_ONE = STAR_BOARD_FIRST + ROOM };
    struct pair pair = make_pair();
    int64_t bytes;
    (void)state;
    for (int64_t number = STAR_BOARD_FIRST; number < LAST_ONE; number++) {
        assert_true(star_board_is_wide(pair.board[0], number));
        assert_true(star_board_begin(pair.board[0], number, true, false));
        memset(star_board_own(pair.board[0], number, STAR_BOARD_WIDE), (int)number, STAR_BOARD_WIDE);
        star_board_show(pair.board[0], number, STAR_BOARD_WIDE);
        star_board_end(pair.board[0], number);
    }
    assert_false(star_board_is_wide(pair.board[0], LAST_ONE));
    star_board_linger(pair.board[0], LAST_ONE, true, false); /* in vain, but it ends */
    for (int64_t number = STAR_BOARD_FIRST; number < LAST_ONE; number++) {
        assert_true(star_board_begin(pair.board[1], number, true, false));
        const char *shown = star_board_look(pair.board[1], number, 0, &bytes);
        assert_true(shown != NULL && bytes == STAR_BOARD_WIDE);
        for (int64_t i = 0; i < bytes; i++)
            assert_int_equal(shown[i], (char)number);
        star_board_show(pair.board[1], number, 0);
        star_board_end(pair.board[1], number);
    }
    assert_true(star_board_is_wide(pair.board[0], LAST_ONE));
    free_pair(&pair);
}

static void figures(void **state)
{
    struct pair pair = make_pair();
    (void)state;
    star_board_tell(pair.board[0], 3, true, 100);
    assert_int_equal(star_board_sum(pair.board[1], 3, true), 0);
    star_board_tell(pair.board[1], 3, true, 50);
    assert_int_equal(star_board_sum(pair.board[0], 3, true), 150);
    assert_int_equal(star_board_sum(pair.board[0], 3, false), 0);
    free_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_far_ahead),  cmocka_unit_test(one_stays_open), cmocka_unit_test(passing),
        cmocka_unit_test(resting),        cmocka_unit_test(wide),           cmocka_unit_test(figures),
        cmocka_unit_test(all_go_one_way), cmocka_unit_test(nobody_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
