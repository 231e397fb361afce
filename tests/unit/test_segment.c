/* SPDX-License-Identifier: BSD-3-Clause
 * Plans in shared memory as they really run: threads are ranks, and ThreadSanitizer watches. Calls of all
 * rows that hand over by shared memory, and plans drawn at random, one behind the other in any order, each
 * rank as fast as it likes; now and then a rank refuses a call; at the end some rank may be elsewhere. */
#include "algorithms/method.h"
#include "algorithms/prove.h"
#include "exec/execute.h"
#include "exec/segment.h"
#include "expect.h"
#include "plan/build.h"
#include "plan/races.h"
#include "ranks.h"
#include "topology/levels.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { SUBJECTS = 12, CALLS = 120, BYTES_MOST = 300000, HANDS_MOST = 8, ROWS_MOST = 256 };

/* What fills and reads buffers that no other rank sees need not be watched. */
#if defined __SANITIZE_THREAD__
#define STAR_UNWATCHED __attribute__((no_sanitize_thread))
#elif defined __clang__
#define STAR_UNWATCHED __attribute__((no_sanitize("thread")))
#else
#define STAR_UNWATCHED
#endif

/* In a plan drawn at random: WRITER shows BYTES, which are ORIGIN's at AT; so many READERS, as bits. */
struct hand {
    int writer, origin, from; /* a hand-over before, from which the writer has them; −1: they are its own */
    int64_t at, bytes;
    unsigned readers;
    int count; /* of the writer's posts */
};

/* What several calls are of. */
struct subject {
    struct star_method method; /* no algorithm: drawn */
    struct star_shape shape;
    struct hand hand[HANDS_MOST];
    int hands;
    struct star_runner *runner[RANKS_MOST];
};

struct call {
    const struct subject *subject;
    int refuser; /* −1: nobody */
};

enum ending { ENDS_WELL, ENDS_NATIVELY, ENDS_IN_ANOTHER_AREA, ENDINGS };

struct scene {
    int size;
    bool crowded;
    uint64_t seed;
    uint64_t locality[RANKS_MOST];
    int room[RANKS_MOST * STAR_LOCALITIES];
    struct star_levels levels; /* of the node, if it is LAYERED */
    bool layered;
    struct subject subject[SUBJECTS];
    struct call call[CALLS];
    _Atomic int arrived[CALLS];
    const struct subject *last, *other; /* of the end; both meet, in areas of different sizes */
    enum ending ending;
    int odd; /* who is elsewhere */
    const int *node;
};

/* Byte I of what FROM has for TO. */
static inline unsigned char byte_of(uint64_t call, int from, int to, int64_t i)
{
    uint64_t x = (call * 31 + (uint64_t)from * 7 + (uint64_t)to) * UINT64_C(0x9e3779b97f4a7c15) +
                 (uint64_t)i * UINT64_C(0xbf58476d1ce4e5b9);
    return (unsigned char)(x >> 56);
}

static int64_t draw_bytes(uint64_t *state, int64_t most)
{
    static const int64_t limits[] = {8, 48, 48, 48, 1024, 1024, 16384, BYTES_MOST};
    int64_t limit = limits[random_below(state, 8)];
    limit = limit < most ? limit : most;
    return 1 + (int64_t)random_below(state, (uint64_t)limit);
}

static struct star_method rows[ROWS_MOST];
static int row_count;

static int keep_row(const struct star_method *method, void *context)
{
    (void)context;
    if (method->algorithm->shares && !method->algorithm->nodes && row_count < ROWS_MOST)
        rows[row_count++] = *method;
    return 0;
}

static bool has_blocks(enum star_operation operation)
{
    return operation != STAR_BCAST && operation != STAR_ALLREDUCE && operation != STAR_REDUCE;
}

static bool draw_row(struct subject *subject, const struct scene *scene, uint64_t *state)
{
    int size = scene->size;
    subject->method = rows[random_below(state, (uint64_t)row_count)];
    enum star_operation operation = subject->method.algorithm->operation;
    bool none = star_operations[operation].measure == STAR_NO_BYTES;
    int64_t most = BYTES_MOST / (has_blocks(operation) ? size : 1);
    int64_t segment = star_method_knob(&subject->method, "segment", 0);
    if (segment > 0 && segment < 1024) /* thousands of pieces */
        most = 40 * segment;
    subject->shape = star_shape_of(size, none ? 0 : draw_bytes(state, most));
    if (star_operations[operation].rooted)
        subject->shape.root = (int)random_below(state, (uint64_t)size);
    subject->shape.levels = scene->layered ? &scene->levels : NULL;
    return star_method_applies(&subject->method, &subject->shape, NULL) == 0;
}

/* False: not of hand-overs alone, as that of a single rank, or longer than they can be. */
static bool make_of_row(struct subject *subject)
{
    bool plain = true;
    memset(subject->runner, 0, sizeof subject->runner);
    for (int r = 0; plain && r < subject->shape.size; r++) {
        struct star_plan *plan;
        struct star_shape shape = subject->shape;
        shape.rank = r;
        int error = star_method_plan(&subject->method, &shape, INT64_MAX, &plan, NULL);
        assert_true(error == 0 || error == STAR_ENEEDS);
        subject->runner[r] = error ? NULL : star_runner_new(plan);
        plain = error == 0 && subject->runner[r]->plain;
    }
    for (int r = 0; !plain && r < subject->shape.size; r++)
        star_runner_free(subject->runner[r]);
    return plain;
}

static void draw_hand(struct subject *subject, int h, int64_t each, uint64_t *state)
{
    int size = subject->shape.size;
    struct hand *hand = &subject->hand[h];
    *hand = (struct hand){.writer = (int)random_below(state, (uint64_t)size), .from = -1, .count = 1};
    hand->bytes = 1 + (int64_t)random_below(state, (uint64_t)each);
    hand->readers = (unsigned)random_below(state, 1u << size) & ~(1u << hand->writer);
    hand->origin = hand->writer;
    hand->at = h * each;
    for (int k = 0; k < h; k++) {
        const struct hand *before = &subject->hand[k];
        if (before->writer == hand->writer)
            hand->count = before->count + 1;
        if ((before->readers >> hand->writer & 1) != 0 && random_below(state, 2) == 0) {
            hand->from = k;
            hand->origin = before->origin;
            hand->at = before->at;
            hand->bytes = before->bytes;
        }
    }
}

/* RANK's part: each hand-over has a place of its own in the writer's area and in the readers' buffers. */
static void build_drawn(struct star_builder *b, const struct subject *subject, int rank, int64_t each,
                        bool meet)
{
    int last[RANKS_MOST] = {0};
    star_build_share(b, each * subject->hands);
    for (int h = 0; h < subject->hands; h++) {
        const struct hand *hand = &subject->hand[h];
        struct star_place from =
            hand->from < 0 ? star_at(STAR_SENDBUF, h * each) : star_at(STAR_RECVBUF, hand->from * each);
        last[hand->writer] = hand->count;
        if (rank == hand->writer) {
            star_build_copy(b, star_at(STAR_SHARED, h * each), from, hand->bytes);
            star_build_post(b, hand->count);
        } else if ((hand->readers >> rank & 1) != 0) {
            star_build_await(b, hand->writer, hand->count);
            star_build_pull(b, star_at(STAR_RECVBUF, h * each), hand->writer, h * each, hand->bytes);
        }
        star_build_end(b);
    }
    if (!meet)
        return;
    star_build_post(b, last[rank] + 1);
    for (int r = 0; r < subject->shape.size; r++)
        if (r != rank)
            star_build_await(b, r, last[r] + 1);
    star_build_end(b);
}

static void make_drawn(struct subject *subject, int size, uint64_t *state)
{
    static const int64_t limits[] = {6, 48, 1024, 32768};
    const struct star_plan *plans[RANKS_MOST];
    bool meet = random_below(state, 2) == 0;
    struct star_why why = {{0}};
    subject->hands = 1 + (int)random_below(state, HANDS_MOST);
    int64_t each = 1 + (int64_t)random_below(state, (uint64_t)limits[random_below(state, 4)]);
    subject->shape = star_shape_of(size, each * subject->hands);
    subject->method.algorithm = NULL;
    for (int h = 0; h < subject->hands; h++)
        draw_hand(subject, h, each, state);
    for (int r = 0; r < size; r++) {
        struct star_plan *plan;
        struct star_shape shape = subject->shape;
        shape.rank = r;
        struct star_builder *builder = star_builder_new(&shape, INT64_MAX);
        build_drawn(builder, subject, r, each, meet);
        assert_int_equal(star_builder_finish(builder, (struct star_pacing){.window = 1}, &plan, &why), 0);
        plan->meets = meet;
        plan->vector = shape.block;
        plans[r] = plan;
        subject->runner[r] = star_runner_new(plan);
        assert_true(subject->runner[r]->plain);
    }
    if (each * subject->hands < 1000 && star_races(plans, size, NULL, meet, &why) != 0)
        fail_msg("what was drawn races: %s", why.text);
}

/* What one rank has: only it touches them. */
struct own {
    const struct scene *scene;
    int rank;
    unsigned char *sent, *received;
    uint64_t random;
};

enum { ROOM = BYTES_MOST + 4096 };

STAR_UNWATCHED static void fill(struct own *own, const struct subject *subject, uint64_t call)
{
    int64_t block = subject->shape.block;
    bool bcast = subject->method.algorithm && subject->method.algorithm->operation == STAR_BCAST;
    bool blocks = subject->method.algorithm && has_blocks(subject->method.algorithm->operation);
    for (int to = 0; to < (blocks ? own->scene->size : 1); to++)
        for (int64_t i = 0; i < block; i++)
            own->sent[to * block + i] = byte_of(call, own->rank, to, i);
    memset(own->received, 0xee, (size_t)(block * (blocks ? own->scene->size : 1)));
    for (int64_t i = 0; bcast && own->rank == subject->shape.root && i < block; i++)
        own->received[i] = byte_of(call, own->rank, 0, i);
}

STAR_UNWATCHED static bool holds(const unsigned char *at, uint64_t call, int from, int to, int64_t first,
                                 int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++)
        if (at[i] != byte_of(call, from, to, first + i))
            return false;
    return true;
}

STAR_UNWATCHED static bool holds_sum(const unsigned char *at, uint64_t call, int size, int to, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++) {
        unsigned char sum = 0;
        for (int r = 0; r < size; r++)
            sum = (unsigned char)(sum + byte_of(call, r, to, i));
        if (at[i] != sum)
            return false;
    }
    return true;
}

/* Each block of the receive buffer is what its rank has for TO. */
static bool holds_blocks(const struct own *own, uint64_t call, int to, int64_t block)
{
    for (int r = 0; r < own->scene->size; r++)
        if (!holds(own->received + r * block, call, r, to, 0, block))
            return false;
    return true;
}

static bool is_right_drawn(const struct own *own, const struct subject *subject, uint64_t call)
{
    int64_t each = subject->shape.block / subject->hands;
    for (int h = 0; h < subject->hands; h++) {
        const struct hand *hand = &subject->hand[h];
        if ((hand->readers >> own->rank & 1) != 0 &&
            !holds(own->received + h * each, call, hand->origin, 0, hand->at, hand->bytes))
            return false;
    }
    return true;
}

static bool is_right(const struct own *own, const struct subject *subject, uint64_t call)
{
    if (subject->method.algorithm == NULL)
        return is_right_drawn(own, subject, call);
    int size = own->scene->size, root = subject->shape.root;
    int64_t block = subject->shape.block;
    bool at_root = own->rank == root;
    switch (subject->method.algorithm->operation) {
    case STAR_ALLREDUCE:
        return holds_sum(own->received, call, size, 0, block);
    case STAR_REDUCE:
        return !at_root || holds_sum(own->received, call, size, 0, block);
    case STAR_REDUCE_SCATTER_BLOCK:
        return holds_sum(own->received, call, size, own->rank, block);
    case STAR_BCAST:
        return holds(own->received, call, root, 0, 0, block);
    case STAR_SCATTER:
        return holds(own->received, call, root, own->rank, 0, block);
    case STAR_ALLGATHER:
        return holds_blocks(own, call, 0, block);
    case STAR_GATHER:
        return !at_root || holds_blocks(own, call, 0, block);
    case STAR_ALLTOALL:
        return holds_blocks(own, call, own->rank, block);
    case STAR_BARRIER:
        return true;
    default:
        return false;
    }
}

static void dawdle(struct own *own)
{
    uint64_t what = random_below(&own->random, 40);
    if (what == 0)
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    else if (what < 6)
        sched_yield();
}

static const char *name_of(const struct subject *subject, char name[STAR_METHOD_TEXT])
{
    return subject->method.algorithm != NULL ? star_method_format(&subject->method, name, STAR_METHOD_TEXT)
                                             : "a plan drawn at random";
}

static int execute(const struct own *own, const struct subject *subject, const struct star_route *route)
{
    struct star_buffers buffers = {.send = star_side_packed(own->sent),
                                   .recv = star_side_packed(own->received)};
    return star_execute(subject->runner[own->rank], &buffers, route);
}

static void make_call(struct own *own, int c, const struct star_route *route)
{
    struct scene *scene = (struct scene *)own->scene;
    const struct call *call = &scene->call[c];
    const struct subject *subject = call->subject;
    uint64_t salt = scene->seed * CALLS + (uint64_t)c;
    char name[STAR_METHOD_TEXT];
    dawdle(own);
    if (call->refuser == own->rank) {
        star_execute_refuse(subject->runner[own->rank], route);
        return;
    }
    fill(own, subject, salt);
    star_segment_number(route->segment, c + 1, false);
    atomic_fetch_add_explicit(&scene->arrived[c], 1, memory_order_relaxed);
    int error = execute(own, subject, route);
    bool barrier = subject->method.algorithm && subject->method.algorithm->operation == STAR_BARRIER;
    int arrived = atomic_load_explicit(&scene->arrived[c], memory_order_relaxed);
    if (call->refuser >= 0 ? error != MPI_SUCCESS && error != MPI_ERR_TRUNCATE : error != MPI_SUCCESS)
        ranks_complain("call %d of scene %d, %s of %lld bytes: rank %d of %d has error %d", c,
                       (int)scene->seed, name_of(subject, name), (long long)subject->shape.block, own->rank,
                       scene->size, error);
    else if (call->refuser < 0 && (!is_right(own, subject, salt) || (barrier && arrived < scene->size)))
        ranks_complain("call %d of scene %d, %s of %lld bytes: rank %d of %d has a wrong result", c,
                       (int)scene->seed, name_of(subject, name), (long long)subject->shape.block, own->rank,
                       scene->size);
}

/* One rank is elsewhere: nobody can end the call; nor the next one, though all make it alike. */
static void end(struct own *own, const struct star_route *route)
{
    const struct scene *scene = own->scene;
    bool odd = own->rank == scene->odd;
    if (scene->ending == ENDS_WELL)
        return;
    if (odd && scene->ending == ENDS_NATIVELY) {
        star_segment_number(route->segment, CALLS + 1, true);
        return;
    }
    for (int i = 0; i < 2; i++) {
        star_segment_number(route->segment, CALLS + 1 + i, false);
        int error = execute(own, odd && i == 0 ? scene->other : scene->last, route);
        if (error != STAR_EXECUTE_APART)
            ranks_complain("scene %d: rank %d of %d ends call %d with %d, though rank %d is elsewhere",
                           (int)scene->seed, own->rank, scene->size, i, error, scene->odd);
    }
}

static bool are_same(const struct star_levels *a, const struct star_levels *b, int size)
{
    bool same = a->count == b->count;
    for (int l = 0; same && l < a->count; l++)
        same = memcmp(a->group[l], b->group[l], (size_t)size * sizeof *a->group[l]) == 0;
    return same;
}

static void expect_levels(const struct scene *scene, int rank, struct star_segment *segment)
{
    const struct star_levels *found = star_segment_levels(segment);
    if (scene->layered ? found == NULL || !are_same(found, &scene->levels, scene->size) : found != NULL)
        ranks_complain("rank %d does not see the levels of scene %d", rank, (int)scene->seed);
}

static void play(int rank, void *context)
{
    struct scene *scene = context;
    struct own own = {.scene = scene, .rank = rank, .random = scene->seed * RANKS_MOST + (uint64_t)rank + 1};
    struct star_route route = ranks_route();
    own.sent = malloc(ROOM);
    own.received = malloc(ROOM);
    route.segment =
        star_segment_make(&route, NULL, true, (struct star_seat){scene->locality[rank], scene->crowded});
    if (route.segment == NULL)
        ranks_complain("rank %d has no shared memory", rank);
    expect_levels(scene, rank, route.segment);
    for (int c = 0; route.segment != NULL && c < CALLS; c++)
        make_call(&own, c, &route);
    if (route.segment != NULL)
        end(&own, &route);
    star_segment_free(route.segment);
    free(own.sent);
    free(own.received);
}

static bool meets(const struct subject *subject)
{
    return subject->runner[0]->plan->meets && subject->shape.size > 1;
}

/* Far enough apart to have areas of different sizes. */
static bool differ(const struct subject *a, const struct subject *b)
{
    int64_t x = a->runner[0]->plan->shared_bytes, y = b->runner[0]->plan->shared_bytes;
    return (x <= 48 && y > 48) || (y <= 48 && x > 48);
}

static void draw_end(struct scene *scene, uint64_t *state)
{
    scene->odd = (int)random_below(state, (uint64_t)scene->size);
    scene->ending = (enum ending)random_below(state, ENDINGS);
    for (int i = 0; i < SUBJECTS; i++)
        for (int k = 0; k < SUBJECTS; k++)
            if (meets(&scene->subject[i]) && meets(&scene->subject[k]) &&
                differ(&scene->subject[i], &scene->subject[k])) {
                scene->last = &scene->subject[i];
                scene->other = &scene->subject[k];
            }
    if (scene->last == NULL)
        scene->ending = ENDS_WELL;
}

static void draw_scene(struct scene *scene, uint64_t seed)
{
    uint64_t state = seed * 977 + 1;
    *scene = (struct scene){.seed = seed, .size = 1 + (int)random_below(&state, RANKS_MOST)};
    scene->crowded = random_below(&state, 2) == 0;
    scene->layered = star_sample_levels(scene->size, (int)random_below(&state, STAR_NETWORK_FORMS),
                                        scene->locality, scene->room, &scene->levels);
    for (int i = 0; i < SUBJECTS; i++) {
        struct subject *subject = &scene->subject[i];
        if (scene->size == 1 || random_below(&state, 3) == 0) {
            make_drawn(subject, scene->size, &state);
            continue;
        }
        while (!draw_row(subject, scene, &state) || !make_of_row(subject))
            ;
    }
    bool refusals = random_below(&state, 2) == 0;
    uint64_t changes = 1 + random_below(&state, 20); /* areas come again when many calls are of one size */
    for (int c = 0; c < CALLS; c++) {
        bool again = c > 0 && random_below(&state, changes) != 0;
        scene->call[c].subject =
            again ? scene->call[c - 1].subject : &scene->subject[random_below(&state, SUBJECTS)];
        scene->call[c].refuser =
            refusals && random_below(&state, 6) == 0 ? (int)random_below(&state, (uint64_t)scene->size) : -1;
    }
    draw_end(scene, &state);
}

static void close_scene(struct scene *scene)
{
    for (int i = 0; i < SUBJECTS; i++)
        for (int r = 0; r < scene->size; r++)
            star_runner_free(scene->subject[i].runner[r]);
}

static void calls_end_right_and_do_not_race(void **state)
{
    static struct scene scene;
    (void)state;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++)
        star_methods_each((enum star_operation)operation, true, keep_row, NULL);
    assert_true(row_count > 20);
    for (int i = 0; i < trials(2000, 80); i++) {
        draw_scene(&scene, (uint64_t)i);
        ranks_as_threads(scene.size, play, &scene);
        close_scene(&scene);
    }
}

/* Another process's memory, as ThreadSanitizer sees it: here all ranks are one. Now and then it cannot be
 * read, or not all of it. */
ssize_t __wrap_process_vm_readv(pid_t process, const struct iovec *local, unsigned long locals,
                                const struct iovec *remote, unsigned long remotes, unsigned long flags);
ssize_t __wrap_process_vm_readv(pid_t process, const struct iovec *local, unsigned long locals,
                                const struct iovec *remote, unsigned long remotes, unsigned long flags)
{
    static _Thread_local uint64_t state;
    uint64_t what = random_below(&state, 6);
    size_t bytes = what == 0 ? 0 : what == 1 ? remote->iov_len / 2 : remote->iov_len;
    (void)locals, (void)remotes, (void)flags;
    if (process != getpid())
        ranks_complain("reads the memory of process %d", (int)process);
    if (bytes > 0)
        memcpy(local->iov_base, remote->iov_base, bytes);
    errno = EPERM;
    return bytes > 0 ? (ssize_t)bytes : -1;
}

/* What another rank does just before this one looks at it; the linker lets all looks come here. */
static void (*before_look)(void);
enum star_segment_peer __real_star_segment_look(const struct star_segment *segment, int rank);
enum star_segment_peer __wrap_star_segment_look(const struct star_segment *segment, int rank);
enum star_segment_peer __wrap_star_segment_look(const struct star_segment *segment, int rank)
{
    if (before_look != NULL)
        before_look();
    return __real_star_segment_look(segment, rank);
}

static sem_t looks, has_parted;

static void let_other_part(void)
{
    before_look = NULL;
    sem_post(&looks);
    sem_wait(&has_parted);
}

static void part_before_look(int rank, void *context)
{
    const struct subject *subject = context;
    struct star_route route = ranks_route();
    struct scene scene = {.size = 2};
    struct own own = {.scene = &scene, .rank = rank, .sent = calloc(1, ROOM), .received = calloc(1, ROOM)};
    route.segment = star_segment_make(&route, NULL, true, (struct star_seat){0, true});
    if (rank == 0) {
        int error = execute(&own, subject, &route);
        if (error != STAR_EXECUTE_APART)
            ranks_complain("ranks part while rank 0 looks, and it ends with %d", error);
    } else {
        star_segment_enter(route.segment, subject->runner[1]->plan->shared_bytes, true);
        sem_wait(&looks);
        star_segment_part(route.segment);
        star_segment_leave(route.segment, false);
        sem_post(&has_parted);
    }
    star_segment_free(route.segment);
    free(own.sent);
    free(own.received);
}

static void who_parts_has_not_just_left(void **state)
{
    struct subject subject = {.shape = star_shape_of(2, 8)};
    (void)state;
    sem_init(&looks, 0, 0);
    sem_init(&has_parted, 0, 0);
    assert_int_equal(star_method_parse("allreduce:shared", &subject.method, NULL), 0);
    assert_true(make_of_row(&subject));
    before_look = let_other_part;
    ranks_as_threads(2, part_before_look, &subject);
    for (int r = 0; r < 2; r++)
        star_runner_free(subject.runner[r]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_parts_has_not_just_left),
        cmocka_unit_test(calls_end_right_and_do_not_race),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
