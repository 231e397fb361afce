/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/segment.h"
#include "exec/native.h"
#include "exec/own.h"
#include "exec/patience.h"
#include "plan/build.h"
#include "topology/levels.h"
#include "util/clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE = 64, PAGE = 4096, PARTS = 4, MEETING = 2 };

/* Areas of one size; the first line of each has its count, and short data. The first two are for calls that
 * no rank can leave before all have come: in the second of two such calls all have left the first. The others
 * are taken in turn, a quarter of them at a time. */
struct size {
    int64_t bytes, at; /* of data, which begin there */
    int areas;
};
enum { SIZES = 4 };
static const struct size sizes[SIZES] = {{48, 16, MEETING + 256},
                                         {1024, LINE, MEETING + 64},
                                         {16384, LINE, MEETING + 16},
                                         {STAR_SHARED_MOST, LINE, MEETING + PARTS}};
_Static_assert(STAR_POSTS_MOST == 0xffff, "the calls' number stands above the counts");

/* Of each rank, in a line of its own: how many calls it has left; and which call of the program it makes, and
 * how (way_of); and where it runs. Its areas follow, and then its window. */
struct header {
    _Alignas(LINE) _Atomic uint64_t left;
    _Atomic uint64_t now;
    _Atomic uint64_t locality;
};

/* Of all ranks, in the first page, behind the line that is kept for the memory itself. */
struct front {
    char kept[STAR_NAMELESS_LINE];
    _Atomic uint64_t parted; /* the first call in which ranks were apart, plus 1 */
    atomic_bool asked;       /* some rank has asked for what it could not read */
};

struct cycle {
    uint64_t last[PARTS];  /* the call that had the quarter last, plus 1 */
    uint64_t due;          /* so many calls all must have left before this quarter is written */
    uint64_t met[MEETING]; /* the same of the areas of calls in which all meet */
    int next, meeting;
};

struct star_segment {
    char *memory;
    int file;           /* its, while others are still to join it; negative: no more */
    size_t each;        /* bytes of each rank */
    uint64_t *locality; /* of each rank of the node, once it has looked; the first of what it allocates */
    int *place;         /* of each rank of the communicator, on its node; −1: it is on another one */
    int *room;          /* for the levels */
    int size, rank;     /* of the node */
    struct star_seat seat;
    bool looked, layered; /* for levels: it has, or need not; and there are some */
    struct star_levels levels;
    bool tried, reads; /* the others' memory: it has tried, and it can; */
    bool denied;       /* all know that some rank cannot */
    uint64_t token;
    bool meets;     /* this call is one that no rank can leave before all have come … */
    bool hurried;   /* … and this rank has left the last of these before: it found that some never came */
    uint64_t call;  /* the one that goes on, or comes next */
    uint64_t left;  /* so many all ranks have left, as far as known */
    uint64_t now;   /* of the own header */
    int64_t number; /* of the program's call */
    struct cycle cycles[SIZES];
    int64_t offset, data; /* of this call's areas, and of their data behind that */
};

static int64_t stride_of(const struct size *size)
{
    return (size->at + size->bytes + LINE - 1) / LINE * LINE;
}

/* Where the areas of one size begin, behind the header. */
static int64_t start_of(int kind)
{
    int64_t at = sizeof(struct header);
    for (int i = 0; i < kind; i++)
        at += stride_of(&sizes[i]) * sizes[i].areas;
    return at;
}

size_t star_segment_room(void)
{
    int64_t all = start_of(SIZES) + (int64_t)sizeof(struct star_window);
    return (size_t)(all + PAGE - 1) / PAGE * PAGE;
}

static struct header *header_of(const struct star_segment *segment, int place)
{
    return (struct header *)(void *)(segment->memory + PAGE + segment->each * (size_t)place);
}

static struct front *front_of(const struct star_segment *segment)
{
    return (struct front *)(void *)segment->memory;
}

static _Atomic uint64_t *count_of(const struct star_segment *segment, int place)
{
    return (_Atomic uint64_t *)(void *)((char *)header_of(segment, place) + segment->offset);
}

static struct star_window *window_of(const struct star_segment *segment, int place)
{
    return (struct star_window *)(void *)((char *)header_of(segment, place) + start_of(SIZES));
}

/* Memory is of the NUMA node on which it is touched first: each rank touches its own, where short calls go.
 */
static void touch(const struct star_segment *segment)
{
    char *own = (char *)header_of(segment, segment->rank);
    for (int64_t at = 0; at < start_of(1); at += PAGE)
        atomic_store_explicit((_Atomic uint64_t *)(void *)(own + at), 0, memory_order_relaxed);
}

/* Before others are told that this rank has the memory. */
static void open_window(struct star_segment *segment)
{
    atomic_store_explicit(&header_of(segment, segment->rank)->locality, segment->seat.locality,
                          memory_order_release);
    segment->token = (uint64_t)star_now() ^ (uint64_t)getpid() << 40;
    star_window_open(window_of(segment, segment->rank), (uint32_t)segment->rank + 1, &segment->token);
}

static bool agree(MPI_Comm comm, bool able)
{
    int all = able;
    star_own(true);
    int error = star_native.Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
    star_own(false);
    return error == MPI_SUCCESS && all;
}

/* The first rank of the node tells the others. Local errors are no matter: who is told nothing has no memory.
 */
static bool tell(const struct star_route *route, const struct star_segment *segment, int size, int leader,
                 struct star_nameless_key *key)
{
    int tag = route->tag + STAR_DATA, bytes = (int)sizeof *key;
    if (segment->size == size)
        return star_native.Bcast(key, bytes, MPI_BYTE, leader, route->whole) == MPI_SUCCESS;
    if (segment->rank > 0)
        return PMPI_Recv(key, bytes, MPI_BYTE, star_route_rank(route, leader), tag, route->comm,
                         MPI_STATUS_IGNORE) == MPI_SUCCESS;
    bool told = true;
    for (int r = 0; r < size; r++)
        if (segment->place[r] > 0)
            told =
                PMPI_Send(key, bytes, MPI_BYTE, star_route_rank(route, r), tag, route->comm) == MPI_SUCCESS &&
                told;
    return told;
}

/* As tell(), which the matrix leaves out. */
static bool tell_uncounted(const struct star_route *route, const struct star_segment *segment, int size,
                           int leader, struct star_nameless_key *key)
{
    star_own(true);
    bool told = tell(route, segment, size, leader, key);
    star_own(false);
    return told;
}

static bool share(const struct star_route *route, struct star_segment *segment, int size, int leader)
{
    struct star_nameless_key key = {0};
    size_t bytes = PAGE + segment->each * (size_t)segment->size;
    bool leads = segment->rank == 0;
    int file = -1;
    char **memory = &segment->memory;
    *memory = leads ? star_nameless_make(bytes, &key, &file) : NULL;
    bool told = tell_uncounted(route, segment, size, leader, &key);
    if (!leads && told)
        *memory = star_nameless_open(bytes, &key);
    if (*memory != NULL)
        open_window(segment);
    bool all = agree(route->whole, told && *memory != NULL);
    if (file >= 0)
        close(file);
    if (!all && *memory != NULL)
        star_nameless_free(*memory, bytes);
    return all;
}

/* Finds the ranks of the own node, and returns the first. */
static int find_places(struct star_segment *segment, const int *node, int size, int rank)
{
    int leader = -1;
    for (int r = 0; r < size; r++) {
        bool here = node == NULL || node[r] == node[rank];
        segment->place[r] = here ? segment->size++ : -1;
        leader = here && leader < 0 ? r : leader;
    }
    segment->rank = segment->place[rank];
    return leader;
}

/* NULL: out of memory. */
static struct star_segment *allocate(int size, struct star_seat seat)
{
    struct star_segment *segment = calloc(1, sizeof *segment);
    size_t each = sizeof *segment->locality + (1 + STAR_LOCALITIES) * sizeof *segment->place;
    uint64_t *locality = malloc((size_t)size * each);
    if (segment == NULL || locality == NULL) {
        free(segment);
        free(locality);
        return NULL;
    }
    *segment = (struct star_segment){.locality = locality,
                                     .place = (int *)(locality + size),
                                     .room = (int *)(locality + size) + size,
                                     .each = star_segment_room(),
                                     .seat = seat,
                                     .number = 1, /* 0 is told by who has told nothing */
                                     .file = -1};
    return segment;
}

static void dispose(struct star_segment *segment)
{
    if (segment != NULL)
        free(segment->locality);
    free(segment);
}

bool star_segment_reads(struct star_segment *segment)
{
    for (int r = 0; !segment->tried && r < segment->size; r++)
        segment->reads = (r == 0 || segment->reads) && star_window_is_readable(window_of(segment, r));
    segment->tried = true;
    return segment->reads;
}

bool star_segment_may_read(const struct star_segment *segment)
{
    return !segment->denied;
}

struct star_seat star_seat_here(int size, bool crowded)
{
    bool apart = size > 2 && !crowded;
    return (struct star_seat){apart ? star_locality("/sys/devices/system") : 0, crowded};
}

const struct star_levels *star_segment_levels(struct star_segment *segment)
{
    for (int r = 0; !segment->looked && r < segment->size; r++)
        segment->locality[r] = atomic_load_explicit(&header_of(segment, r)->locality, memory_order_acquire);
    if (!segment->looked)
        segment->layered =
            star_levels_find(segment->locality, segment->size, segment->room, &segment->levels);
    segment->looked = true;
    return segment->layered ? &segment->levels : NULL;
}

struct star_segment *star_segment_make(const struct star_route *route, const int *node, bool able,
                                       struct star_seat seat)
{
    struct star_segment *segment = NULL;
    int size = 0, rank = 0;
    able = able && PMPI_Comm_size(route->whole, &size) == MPI_SUCCESS &&
           PMPI_Comm_rank(route->whole, &rank) == MPI_SUCCESS;
    if (able)
        segment = allocate(size, seat);
    if (!agree(route->whole, segment != NULL)) {
        dispose(segment);
        return NULL;
    }
    int leader = find_places(segment, node, size, rank);
    segment->looked = segment->size < size;
    if (!share(route, segment, size, leader)) {
        dispose(segment);
        return NULL;
    }
    touch(segment);
    segment->denied = !agree(route->whole, star_segment_reads(segment));
    return segment;
}

/* Of all ranks, with the memory that OPEN or, where that is NULL, this rank makes. */
static struct star_segment *make_alone(int size, int rank, struct star_seat seat,
                                       struct star_nameless_key *key, const struct star_nameless_key *open)
{
    struct star_segment *segment = allocate(size, seat);
    if (segment == NULL)
        return NULL;
    for (int r = 0; r < size; r++)
        segment->place[r] = r;
    segment->size = size;
    segment->rank = rank;
    size_t bytes = PAGE + segment->each * (size_t)size;
    segment->memory =
        open != NULL ? star_nameless_open(bytes, open) : star_nameless_make(bytes, key, &segment->file);
    if (segment->memory == NULL) {
        star_segment_joined(segment);
        dispose(segment);
        return NULL;
    }
    open_window(segment);
    touch(segment);
    return segment;
}

struct star_segment *star_segment_lead(int size, struct star_seat seat, struct star_nameless_key *key)
{
    return make_alone(size, 0, seat, key, NULL);
}

struct star_segment *star_segment_join(int size, int rank, struct star_seat seat,
                                       const struct star_nameless_key *key)
{
    return make_alone(size, rank, seat, NULL, key);
}

void star_segment_joined(struct star_segment *segment)
{
    if (segment->file >= 0)
        close(segment->file);
    segment->file = -1;
}

void star_segment_free(struct star_segment *segment)
{
    if (segment == NULL)
        return;
    star_segment_joined(segment);
    star_nameless_free(segment->memory, PAGE + segment->each * (size_t)segment->size);
    dispose(segment);
}

/* So many calls all ranks have left. */
static uint64_t left_by_all(const struct star_segment *segment)
{
    uint64_t least = UINT64_MAX;
    for (int r = 0; r < segment->size; r++) {
        uint64_t left = atomic_load_explicit(&header_of(segment, r)->left, memory_order_acquire);
        least = left < least ? left : least;
    }
    return least;
}

/* CALLS of them? */
static bool have_left(struct star_segment *segment, uint64_t calls)
{
    if (calls > segment->left)
        segment->left = left_by_all(segment);
    return calls <= segment->left;
}

/* Of the areas that are taken in turn, the next one; false: somebody may still read it. */
static bool take(struct star_segment *segment, int kind, bool waits)
{
    struct cycle *cycle = &segment->cycles[kind];
    int areas = sizes[kind].areas - MEETING, each = areas / PARTS, part = cycle->next / each;
    if (cycle->next % each == 0)
        cycle->due = cycle->last[part];
    if (waits && !have_left(segment, cycle->due))
        return false;
    cycle->last[part] = segment->call + 1;
    segment->offset = start_of(kind) + (MEETING + cycle->next) * stride_of(&sizes[kind]);
    cycle->next = (cycle->next + 1) % areas;
    return true;
}

/* Of the areas for calls in which all meet, the next one: all others have left the call that had it last,
 * unless this rank has left one of those in between before all had come. */
static bool meet_in(struct star_segment *segment, int kind, bool waits)
{
    struct cycle *cycle = &segment->cycles[kind];
    int next = cycle->meeting ^ 1;
    if (waits && segment->hurried && !have_left(segment, cycle->met[next]))
        return false;
    cycle->meeting = next;
    cycle->met[next] = segment->call + 1;
    segment->offset = start_of(kind) + next * stride_of(&sizes[kind]);
    return true;
}

static int kind_for(int64_t bytes)
{
    int kind = 0;
    while (kind + 1 < SIZES && bytes > sizes[kind].bytes)
        kind++;
    return kind;
}

/* Those of one call have the same on all ranks that go together. */
static uint64_t way_of(const struct star_segment *segment, int way)
{
    enum { WAYS = 16 };
    return (uint64_t)segment->number * WAYS + (uint64_t)way;
}

static void tell_now(struct star_segment *segment, int way)
{
    segment->now = way_of(segment, way);
    atomic_store_explicit(&header_of(segment, segment->rank)->now, segment->now, memory_order_release);
}

void star_segment_number(struct star_segment *segment, int64_t number, bool natively)
{
    segment->number = number > segment->number ? number : segment->number;
    if (natively)
        tell_now(segment, 2 * SIZES);
}

bool star_segment_enter(struct star_segment *segment, int64_t bytes, bool meet)
{
    int kind = kind_for(bytes);
    segment->data = sizes[kind].at;
    if (!(meet ? meet_in(segment, kind, true) : take(segment, kind, true)))
        return false;
    segment->meets = meet;
    tell_now(segment, 2 * kind + meet);
    return true;
}

void star_segment_leave(struct star_segment *segment, bool met)
{
    if (segment->meets)
        segment->hurried = !met;
    segment->call++;
    segment->number++;
    atomic_store_explicit(&header_of(segment, segment->rank)->left, segment->call, memory_order_release);
}

void star_segment_skip(struct star_segment *segment, int64_t bytes, bool meet)
{
    int kind = kind_for(bytes);
    if (meet)
        meet_in(segment, kind, false);
    else
        take(segment, kind, false);
    segment->meets = meet;
    star_segment_leave(segment, false);
}

/* What a rank does it tells after it has left what it did before. */
enum star_segment_peer star_segment_look(const struct star_segment *segment, int rank)
{
    struct header *peer = header_of(segment, segment->place[rank]);
    uint64_t now = atomic_load_explicit(&peer->now, memory_order_acquire);
    uint64_t left = atomic_load_explicit(&peer->left, memory_order_acquire);
    if (left > segment->call)
        return STAR_PEER_LEFT;
    return now >= way_of(segment, 0) && now != segment->now ? STAR_PEER_APART : STAR_PEER_COMES;
}

void star_segment_part(struct star_segment *segment)
{
    _Atomic uint64_t *parted = &front_of(segment)->parted;
    uint64_t first = atomic_load_explicit(parted, memory_order_relaxed), call = segment->call + 1;
    while ((first == 0 || call < first) &&
           !atomic_compare_exchange_weak_explicit(parted, &first, call, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

/* Whoever is still in a call before that one finds all that it waits for. */
bool star_segment_is_parted(const struct star_segment *segment)
{
    uint64_t first = atomic_load_explicit(&front_of(segment)->parted, memory_order_acquire);
    return first != 0 && segment->call + 1 >= first;
}

char *star_segment_area(const struct star_segment *segment, int rank)
{
    return (char *)count_of(segment, segment->place[rank]) + segment->data;
}

struct star_window *star_segment_window(const struct star_segment *segment, int rank)
{
    return window_of(segment, segment->place[rank]);
}

struct star_window *star_segment_own_window(const struct star_segment *segment)
{
    return window_of(segment, segment->rank);
}

void star_segment_ask(const struct star_segment *segment, int rank, const struct star_shown *shown,
                      int64_t offset, int64_t length)
{
    star_window_ask(star_segment_own_window(segment), star_segment_window(segment, rank), shown, offset,
                    length, segment->call);
    atomic_store_explicit(&front_of(segment)->asked, true, memory_order_release);
}

bool star_segment_take(const struct star_segment *segment, int rank, void *to)
{
    return star_window_take(star_segment_own_window(segment), star_segment_window(segment, rank), to);
}

bool star_segment_answer(const struct star_segment *segment)
{
    return atomic_load_explicit(&front_of(segment)->asked, memory_order_acquire) &&
           star_window_answer(star_segment_own_window(segment), window_of(segment, 0), segment->each,
                              segment->size, segment->call);
}

static uint64_t count_in_all(const struct star_segment *segment, int32_t count)
{
    return (segment->call << 16) + (uint64_t)count;
}

/* What stands behind the count, in the same line. */
static _Atomic int64_t *bytes_of(const struct star_segment *segment, int place)
{
    return (_Atomic int64_t *)(void *)(count_of(segment, place) + 1);
}

void star_segment_post(const struct star_segment *segment, int32_t count, int64_t bytes)
{
    atomic_store_explicit(bytes_of(segment, segment->rank), bytes, memory_order_relaxed);
    atomic_store_explicit(count_of(segment, segment->rank), count_in_all(segment, count),
                          memory_order_release);
}

bool star_segment_has(const struct star_segment *segment, int rank, int32_t count, int64_t *bytes)
{
    int place = segment->place[rank];
    if (atomic_load_explicit(count_of(segment, place), memory_order_acquire) < count_in_all(segment, count))
        return false;
    *bytes = atomic_load_explicit(bytes_of(segment, place), memory_order_relaxed);
    return true;
}

int star_segment_wait(const struct star_segment *segment, int *turns, MPI_Comm comm)
{
    return star_wait(segment->seat.crowded, turns, comm);
}
