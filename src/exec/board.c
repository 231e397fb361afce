/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/board.h"
#include "util/relax.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = STAR_NAMELESS_LINE, SHORT = 48, PAGE = 4096, WIDE_SLOTS = STAR_BOARD_SLOTS / 2 };

/* Of all ranks: which way calls go, a word for each slot (way_of). */
struct front {
    char kept[LINE];
    _Alignas(LINE) _Atomic uint64_t ways[STAR_BOARD_SLOTS];
};

/* Of each rank. What it shows stands in the line if it is short. */
struct line {
    _Alignas(LINE) _Atomic int64_t number;
    int64_t bytes;
    char shown[SHORT];
};
/* Its lines follow, and then room for what is longer. */
struct wall {
    _Alignas(LINE) _Atomic int64_t from; /* the first call that it looks here at, */
    _Atomic int64_t ended;               /* and the last one up to which it has ended all */
    _Atomic uint32_t takes[STAR_BOARD_KINDS][2];
};

/* Calls that have room at once, bytes of each that do not stand in its line, wide ones, and where walls are.
 */
struct shape {
    int slots, wide;
    size_t longer, front, wall;
};

struct star_board {
    char *memory;
    int size, rank, file;
    struct shape shape;
    int64_t base;          /* from this call on all ranks look here; 0: not known yet */
    int64_t ended;         /* up to this one all have ended all, as far as known */
    int64_t begun;         /* by this rank: the last one */
    int64_t again;         /* there was no room: not to be looked for before this call */
    int64_t linger, pause; /* nor waited for before that one; and so many calls pass then */
    bool rests; /* what was said of that call; once it has ended here, its slot may say another's */
    bool open[STAR_BOARD_SLOTS];
};

/* A slot's word: the call that was the last one for which there was room, what was said of it, and how many
 * times the slot has come round since, without room. 0: none was decided on. */
enum { NATIVE, SHARED, RESTS, SAID_BITS = 2, TURNS_BITS = 20, TURNS_MOST = (1 << TURNS_BITS) - 1 };
static uint64_t way_of(int64_t number, int64_t turns, uint64_t said)
{
    return (uint64_t)number << (TURNS_BITS + SAID_BITS) | (uint64_t)turns << SAID_BITS | said;
}

static int64_t number_in(uint64_t way)
{
    return (int64_t)(way >> (TURNS_BITS + SAID_BITS));
}

static int64_t turns_in(uint64_t way)
{
    return (int64_t)(way >> SAID_BITS & TURNS_MOST);
}

static uint64_t said_in(uint64_t way)
{
    return way & ((1 << SAID_BITS) - 1);
}

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static struct shape shape_of(int slots, int64_t most, int wide, size_t front, size_t unit)
{
    size_t longer = most > SHORT ? round_up((size_t)most, LINE) : 0;
    size_t wall =
        sizeof(struct wall) + (size_t)slots * (sizeof(struct line) + longer) + (size_t)wide * STAR_BOARD_WIDE;
    return (struct shape){slots, wide, longer, round_up(front, unit), round_up(wall, unit)};
}

static struct shape usual(void)
{
    return shape_of(STAR_BOARD_SLOTS, STAR_BOARD_MOST, WIDE_SLOTS, sizeof(struct front), PAGE);
}

/* No ways are to be said. */
static struct shape in_step(int64_t most)
{
    return shape_of(2, most, 0, LINE, LINE);
}

static struct shape narrow(int64_t most)
{
    return shape_of(STAR_BOARD_SLOTS, most, 0, sizeof(struct front), LINE);
}

static size_t bytes_of(struct shape shape, int size)
{
    return shape.front + shape.wall * (size_t)size;
}

size_t star_board_bytes(int size)
{
    return bytes_of(usual(), size);
}

size_t star_board_step_bytes(int size, int64_t most)
{
    return bytes_of(in_step(most), size);
}

static struct front *front_of(const struct star_board *board)
{
    return (struct front *)(void *)board->memory;
}

static struct wall *wall_of(const struct star_board *board, int rank)
{
    return (struct wall *)(void *)(board->memory + board->shape.front + board->shape.wall * (size_t)rank);
}

static struct line *line_of(const struct star_board *board, int rank, int64_t number)
{
    struct line *lines = (struct line *)(void *)(wall_of(board, rank) + 1);
    return &lines[number % board->shape.slots];
}

/* Where BYTES stand: in the line, or what does not fit in there behind all lines, or behind that. */
static char *place_of(const struct star_board *board, int rank, int64_t number, int64_t bytes)
{
    const struct shape *shape = &board->shape;
    char *all = (char *)(wall_of(board, rank) + 1) + sizeof(struct line) * (size_t)shape->slots;
    if (bytes <= SHORT)
        return line_of(board, rank, number)->shown;
    if (bytes <= (int64_t)shape->longer)
        return all + shape->longer * (size_t)(number % shape->slots);
    return all + shape->longer * (size_t)shape->slots + STAR_BOARD_WIDE * (size_t)(number % shape->wide);
}

/* Whoever sees FROM sees how far this rank is. */
static struct star_board *begin(char *memory, struct shape shape, int size, int rank, int64_t number,
                                int file)
{
    struct star_board *board = memory != NULL ? calloc(1, sizeof *board) : NULL;
    if (board == NULL) {
        if (memory != NULL)
            star_nameless_free(memory, bytes_of(shape, size));
        if (file >= 0)
            close(file);
        return NULL;
    }
    *board = (struct star_board){
        .memory = memory, .size = size, .rank = rank, .file = file, .shape = shape, .begun = number - 1};
    struct wall *own = wall_of(board, rank);
    atomic_store_explicit(&own->ended, number - 1, memory_order_relaxed);
    atomic_store_explicit(&own->from, number, memory_order_release);
    return board;
}

static struct star_board *make(struct shape shape, int size, int64_t number, struct star_nameless_key *key)
{
    int file;
    char *memory = star_nameless_make(bytes_of(shape, size), key, &file);
    struct star_board *board = begin(memory, shape, size, 0, number, file);
    key->made = board != NULL;
    return board;
}

struct star_board *star_board_make(int size, int64_t number, struct star_nameless_key *key)
{
    return make(usual(), size, number, key);
}

struct star_board *star_board_open(int size, int rank, int64_t number, const struct star_nameless_key *key)
{
    return begin(star_nameless_open(star_board_bytes(size), key), usual(), size, rank, number, -1);
}

struct star_board *star_board_make_step(int size, int64_t most, struct star_nameless_key *key)
{
    return make(in_step(most), size, 1, key);
}

struct star_board *star_board_open_step(int size, int rank, int64_t most, const struct star_nameless_key *key)
{
    char *memory = star_nameless_open(star_board_step_bytes(size, most), key);
    return begin(memory, in_step(most), size, rank, 1, -1);
}

struct star_board *star_board_make_narrow(int size, int64_t most, struct star_nameless_key *key)
{
    return make(narrow(most), size, STAR_BOARD_FIRST, key);
}

struct star_board *star_board_open_narrow(int size, int rank, int64_t most,
                                          const struct star_nameless_key *key)
{
    char *memory = star_nameless_open(bytes_of(narrow(most), size), key);
    return begin(memory, narrow(most), size, rank, STAR_BOARD_FIRST, -1);
}

void star_board_opened(struct star_board *board)
{
    if (board->file >= 0)
        close(board->file);
    board->file = -1;
}

void star_board_free(struct star_board *board)
{
    star_board_opened(board);
    star_nameless_free(board->memory, bytes_of(board->shape, board->size));
    free(board);
}

/* From which call on do all look here? Then nobody needs the file any more. */
static int64_t find_base(struct star_board *board)
{
    int64_t base = 0;
    for (int r = 0; r < board->size; r++) {
        int64_t from = atomic_load_explicit(&wall_of(board, r)->from, memory_order_acquire);
        if (from == 0)
            return 0;
        base = from > base ? from : base;
    }
    star_board_opened(board);
    board->base = base;
    return base;
}

/* Have all ranks ended all calls up to NUMBER? */
static bool have_ended(struct star_board *board, int64_t number)
{
    int64_t least = INT64_MAX;
    if (board->ended >= number)
        return true;
    for (int r = 0; r < board->size; r++) {
        int64_t ended = atomic_load_explicit(&wall_of(board, r)->ended, memory_order_acquire);
        least = ended < least ? ended : least;
    }
    board->ended = least;
    return least >= number;
}

/* Before the base a rank may make the call without looking here: natively. Whoever finds no room is far ahead
 * of others, which the next few calls do not change. */
static bool has_room(struct star_board *board, int64_t number)
{
    enum { PAUSE = STAR_BOARD_SLOTS / 4 };
    int64_t base = board->base != 0 ? board->base : find_base(board);
    if (base == 0 || number < base || number < board->again)
        return false;
    bool room = have_ended(board, number - STAR_BOARD_SLOTS);
    if (!room)
        board->again = number + PAUSE;
    return room;
}

/* Where WAY says nothing of the call, what is to be said. Without room a rank may still have to see what the
 * slot says of the last call that had: that stays, and this one is native's. Once turns cannot be counted any
 * more, all further ones are. */
static uint64_t next_way(struct star_board *board, int64_t number, uint64_t way, uint64_t said)
{
    if (has_room(board, number))
        return way_of(number, 0, said);
    int64_t last = number_in(way) > 0 ? number_in(way) : number % STAR_BOARD_SLOTS;
    int64_t turns = (number - last) / STAR_BOARD_SLOTS;
    return way_of(number_in(way), turns < TURNS_MOST ? turns : TURNS_MOST, said_in(way));
}

static bool is_decided(uint64_t way, int64_t number)
{
    int64_t last = number_in(way) > 0 ? number_in(way) : number % STAR_BOARD_SLOTS;
    return turns_in(way) == TURNS_MOST || number <= last + turns_in(way) * STAR_BOARD_SLOTS;
}

/* Those whose words stand behind that of NUMBER in one line. */
static void decide_ahead(struct star_board *board, int64_t number, bool wanted)
{
    enum { WORDS = LINE / sizeof(uint64_t) };
    while (++number % WORDS != 0) {
        _Atomic uint64_t *slot = &front_of(board)->ways[number % STAR_BOARD_SLOTS];
        uint64_t way = atomic_load_explicit(slot, memory_order_relaxed);
        bool full = wanted && !have_ended(board, number - WIDE_SLOTS); /* by now; and it may be a wide one */
        if (full || is_decided(way, number) ||
            !atomic_compare_exchange_strong_explicit(slot, &way,
                                                     next_way(board, number, way, wanted ? SHARED : NATIVE),
                                                     memory_order_acq_rel, memory_order_relaxed))
            return;
    }
}

/* What is said of the call. */
static uint64_t decide(struct star_board *board, int64_t number, bool wanted, enum star_board_term term)
{
    const uint64_t said = wanted ? SHARED : term == STAR_BOARD_REST ? RESTS : NATIVE;
    _Atomic uint64_t *slot = &front_of(board)->ways[number % STAR_BOARD_SLOTS];
    uint64_t way = atomic_load_explicit(slot, memory_order_acquire);
    while (!is_decided(way, number)) {
        uint64_t next = next_way(board, number, way, said);
        if (atomic_compare_exchange_weak_explicit(slot, &way, next, memory_order_acq_rel,
                                                  memory_order_acquire)) {
            way = next;
            if (term == STAR_BOARD_AHEAD)
                decide_ahead(board, number, wanted);
        }
    }
    return number_in(way) == number ? said_in(way) : NATIVE; /* without room, nothing else */
}

bool star_board_is_free(struct star_board *board, int64_t number)
{
    return have_ended(board, number - STAR_BOARD_SLOTS);
}

bool star_board_is_wide(struct star_board *board, int64_t number)
{
    return have_ended(board, number - WIDE_SLOTS);
}

/* Room for one call alone would be looked for again at the next. */
void star_board_linger(struct star_board *board, int64_t number, bool wide, bool crowded)
{
    enum { TURNS = 300, YIELDS = 8, PAUSE_LEAST = 16, PAUSE_MOST = 8192 };
    int slots = wide ? WIDE_SLOTS : STAR_BOARD_SLOTS;
    const _Atomic uint64_t *slot = &front_of(board)->ways[number % STAR_BOARD_SLOTS];
    if (board->base == 0 || number < board->base || number < board->linger ||
        have_ended(board, number - slots) ||
        is_decided(atomic_load_explicit(slot, memory_order_relaxed), number))
        return;
    int turns = crowded ? YIELDS : TURNS;
    while (turns > 0 && !have_ended(board, number - slots + slots / 4)) {
        if (crowded)
            sched_yield();
        else
            star_relax();
        turns--;
    }
    if (turns > 0) {
        board->again = number;
        board->pause = 0;
        return;
    }
    board->pause = board->pause == 0           ? PAUSE_LEAST
                   : board->pause < PAUSE_MOST ? 2 * board->pause
                                               : PAUSE_MOST;
    board->linger = number + board->pause;
}

/* Up to the first one that is open. */
static void tell_ended(struct star_board *board)
{
    struct wall *own = wall_of(board, board->rank);
    int64_t ended = atomic_load_explicit(&own->ended, memory_order_relaxed), before = ended;
    while (ended < board->begun && !board->open[(ended + 1) % STAR_BOARD_SLOTS])
        ended++;
    if (ended != before)
        atomic_store_explicit(&own->ended, ended, memory_order_release);
}

bool star_board_begin(struct star_board *board, int64_t number, bool wanted, enum star_board_term term)
{
    uint64_t said = decide(board, number, wanted, term);
    bool shared = said == SHARED;
    board->rests = said == RESTS;
    board->begun = number;
    board->open[number % STAR_BOARD_SLOTS] = shared || board->open[number % STAR_BOARD_SLOTS];
    if (!shared)
        tell_ended(board);
    return shared;
}

bool star_board_rests(const struct star_board *board)
{
    return board->rests;
}

bool star_board_pass(struct star_board *board, int64_t number)
{
    return star_board_begin(board, number, false, STAR_BOARD_ONCE);
}

char *star_board_own(const struct star_board *board, int64_t number, int64_t bytes)
{
    return place_of(board, board->rank, number, bytes);
}

void star_board_show(struct star_board *board, int64_t number, int64_t bytes)
{
    struct line *own = line_of(board, board->rank, number);
    own->bytes = bytes;
    atomic_store_explicit(&own->number, number, memory_order_release);
}

const char *star_board_look(const struct star_board *board, int64_t number, int rank, int64_t *bytes)
{
    const struct line *line = line_of(board, rank, number);
    if (atomic_load_explicit(&line->number, memory_order_acquire) != number)
        return NULL;
    *bytes = line->bytes;
    return place_of(board, rank, number, line->bytes);
}

void star_board_end(struct star_board *board, int64_t number)
{
    board->open[number % STAR_BOARD_SLOTS] = false;
    tell_ended(board);
}

void star_board_tell(struct star_board *board, int kind, bool shared, uint32_t nanoseconds)
{
    atomic_store_explicit(&wall_of(board, board->rank)->takes[kind][shared], nanoseconds,
                          memory_order_relaxed);
}

uint64_t star_board_sum(const struct star_board *board, int kind, bool shared)
{
    uint64_t sum = 0;
    for (int r = 0; r < board->size; r++) {
        uint32_t takes = atomic_load_explicit(&wall_of(board, r)->takes[kind][shared], memory_order_relaxed);
        if (takes == 0)
            return 0;
        sum += takes;
    }
    return sum;
}
