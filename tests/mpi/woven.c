/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program: reductions by operators of its own, of elements that do not lie one behind the other:
 * pairs of ints, each a column of a matrix of two rows, or far apart, or with much around them. The buffers
 * end at pages that must not be touched. woven LAYOUT ROUNDS prints how many numbers are wrong, by operation.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PRIME = 10007, RANKS_MOST = 16, ELEMENTS = 6, HUGE_EXTENT = 1 << 26 };

/* Where the two ints of element 0 lie, for N elements in all; the next element lies EXTENT further. */
struct layout {
    const char *name;
    int64_t first, second, of_each; /* the second one OF_EACH × N further than it says */
    int64_t lower, extent;
    int elements; /* of a vector */
    int whole;    /* the operator copies all that lies between the bounds */
    int overlaps; /* blocks do, where they are sent: N counts the elements of one */
};
static const struct layout layouts[] = {
    {"columns", 0, 0, 4, 0, 4, ELEMENTS, 0, 0},
    {"columns-before", 0, 0, -4, 0, 4, ELEMENTS, 0, 0},
    {"columns-elsewhere", 8, 8, 4, 4000, 4, ELEMENTS, 0, 0},
    {"columns-of-blocks", 0, 0, 4, 0, 4, ELEMENTS, 0, 1},
    {"struct", 0, 8, 0, 0, 16, ELEMENTS, 1, 0},
    {"padded", 128, 900, 0, -64, 2048, ELEMENTS, 1, 0},
    {"huge", 0, 8, 0, 0, HUGE_EXTENT, 3, 0, 0},
    {"still", 0, 8, 0, 0, 0, 1, 0, 1},
    {"dense", 0, 4, 0, 0, 8, ELEMENTS, 0, 0},
};

static int rank, size;
static struct layout laid; /* this rank's, for the vector at hand */

static int get(const char *element, int64_t place)
{
    int value;
    memcpy(&value, element + place, sizeof value);
    return value;
}

static void put(char *element, int64_t place, int value)
{
    memcpy(element + place, &value, sizeof value);
}

/* Maps x → a x + b, the left one applied last: not commutative. */
static void compose(const int *left, int *right)
{
    right[1] = (left[0] * right[1] + left[1]) % PRIME;
    right[0] = left[0] * right[0] % PRIME;
}

static void greater(const int *left, int *right)
{
    if (left[0] > right[0] || (left[0] == right[0] && left[1] > right[1]))
        memcpy(right, left, 2 * sizeof *right);
}

static void apply(char *in, char *inout, int count, void (*combine)(const int *left, int *right))
{
    for (int64_t i = 0; i < count; i++) {
        char *a = in + i * laid.extent, *b = inout + i * laid.extent;
        int left[2] = {get(a, laid.first), get(a, laid.second)};
        int right[2] = {get(b, laid.first), get(b, laid.second)};
        combine(left, right);
        if (laid.whole)
            memcpy(b + laid.lower, a + laid.lower, (size_t)laid.extent);
        put(b, laid.first, right[0]);
        put(b, laid.second, right[1]);
    }
}

static void apply_compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    apply(in, inout, *count, compose);
}

static void apply_greater(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    apply(in, inout, *count, greater);
}

/* Its type, for vectors of N elements. */
static MPI_Datatype lay(const struct layout *layout, int n)
{
    MPI_Datatype pair, resized;
    laid = *layout;
    laid.second += laid.of_each * n;
    PMPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){laid.first, laid.second}, MPI_INT, &pair);
    PMPI_Type_create_resized(pair, laid.lower, laid.extent, &resized);
    PMPI_Type_commit(&resized);
    PMPI_Type_free(&pair);
    return resized;
}

/* A buffer of N elements, at the end of its memory; never given back. */
static char *buffer(int n)
{
    int64_t page = sysconf(_SC_PAGESIZE), low = laid.first, high = laid.first + 4;
    low = laid.second < low ? laid.second : low;
    high = laid.second + 4 > high ? laid.second + 4 : high;
    if (laid.whole) {
        low = laid.lower;
        high = laid.lower + laid.extent;
    }
    high += (n - 1) * laid.extent;
    int64_t pages = (high - low + page - 1) / page;
    char *memory = mmap(NULL, (size_t)((pages + 2) * page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *inner = mmap(memory + page, (size_t)(pages * page), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (memory == MAP_FAILED || inner == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return memory + (pages + 1) * page - high;
}

/* Number I of rank FROM's memory. */
static int number(int from, int64_t i, int round)
{
    return (int)((from * 31 + i * 7 + round * 3) % 97 + 2);
}

/* Element I: a block further on its first number is the second one of this, where they overlap. */
static void value_of(int from, int64_t i, int round, int *pair)
{
    int64_t at = laid.extent != 0 ? i : 0;
    pair[0] = number(from, at, round);
    pair[1] = number(from, at + laid.elements, round);
}

static void fill(char *at, int n, int round)
{
    for (int64_t i = 0; i < n; i++) {
        int pair[2];
        value_of(rank, i, round, pair);
        put(at + i * laid.extent, laid.first, pair[0]);
        put(at + i * laid.extent, laid.second, pair[1]);
    }
}

/* Element FROM… of the vectors of ranks 0…LAST is at AT. */
static int wrong(const char *at, int64_t from, int n, int last, int round,
                 void (*combine)(const int *left, int *right))
{
    int found = 0;
    for (int64_t i = 0; i < n && last >= 0; i++) {
        int right[2], left[2];
        value_of(last, from + i, round, right);
        for (int r = last - 1; r >= 0; r--) {
            value_of(r, from + i, round, left);
            combine(left, right);
        }
        const char *element = at + i * laid.extent;
        found += get(element, laid.first) != right[0];
        found += get(element, laid.second) != right[1];
    }
    return found;
}

enum operation { ALLREDUCE, REDUCE, SCAN, EXSCAN, BLOCK, LIST, OPERATIONS };
static const char *const names[] = {"allreduce",     "reduce", "scan", "exscan", "reduce_scatter_block",
                                    "reduce_scatter"};

static int call(enum operation operation, const void *out, void *in, int n, MPI_Datatype type, MPI_Op op,
                int root)
{
    int counts[RANKS_MOST];
    for (int r = 0; r < size; r++)
        counts[r] = n;
    switch (operation) {
    case ALLREDUCE:
        return MPI_Allreduce(out, in, n, type, op, MPI_COMM_WORLD);
    case REDUCE:
        return MPI_Reduce(out, in, n, type, op, root, MPI_COMM_WORLD);
    case SCAN:
        return MPI_Scan(out, in, n, type, op, MPI_COMM_WORLD);
    case EXSCAN:
        return MPI_Exscan(out, in, n, type, op, MPI_COMM_WORLD);
    case BLOCK:
        return MPI_Reduce_scatter_block(out, in, n, type, op, MPI_COMM_WORLD);
    default:
        return MPI_Reduce_scatter(out, in, counts, type, op, MPI_COMM_WORLD);
    }
}

/* The wrong numbers of one operation with one operator. */
static int try_operation(enum operation operation, const struct layout *layout, int commutes, int rounds)
{
    MPI_Op op;
    int portions = operation >= BLOCK, n = layout->elements, all = n * (portions ? size : 1), bad = 0;
    void (*combine)(const int *left, int *right) = commutes ? greater : compose;
    MPI_Datatype type = lay(layout, layout->overlaps ? n : all);
    MPI_Op_create(commutes ? apply_greater : apply_compose, commutes, &op);
    char *out = buffer(all), *in = buffer(all);
    for (int round = 0; round < rounds; round++) {
        int root = operation == REDUCE ? round / 2 % 2 : 0;
        int last = operation == SCAN ? rank : operation == EXSCAN ? rank - 1 : size - 1;
        int in_place = round % 2 && (operation != REDUCE || rank == root);
        fill(in_place ? in : out, all, round);
        bad += call(operation, in_place ? MPI_IN_PLACE : out, in, n, type, op, root) != MPI_SUCCESS;
        if (operation != REDUCE || rank == root)
            bad += wrong(in, portions ? rank * n : 0, n, last, round, combine);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    return bad;
}

/* Where the MPI libraries can do it: MPICH's reduce_scatter with operators that are not commutative reads
 * past a buffer where elements have gaps; blocks that overlap they tell apart between two ranks alone. */
static int is_possible(enum operation operation, const struct layout *layout, int commutes)
{
    return operation < BLOCK || (commutes && (!layout->overlaps || size == 2));
}

static const struct layout *layout_named(const char *name)
{
    size_t i = 0;
    while (i < sizeof layouts / sizeof *layouts && strcmp(layouts[i].name, name) != 0)
        i++;
    return i < sizeof layouts / sizeof *layouts ? &layouts[i] : NULL;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *name = argc > 1 ? argv[1] : "columns", *of_odd = strchr(name, '+');
    char even[32];
    snprintf(even, sizeof even, "%.*s", of_odd ? (int)(of_odd - name) : 31, name);
    const struct layout *layout = layout_named(of_odd && rank % 2 ? of_odd + 1 : even);
    if (layout == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 100;
    const char *which = argc > 3 ? argv[3] : "";
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int commutes = 0; commutes < 2; commutes++) {
            if (which[0] == 0 ? !is_possible((enum operation)operation, layout, commutes)
                              : which[0] == 'c' && !commutes)
                continue;
            int bad = try_operation((enum operation)operation, layout, commutes, rounds), sum = 0;
            MPI_Reduce(&bad, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
            if (rank == 0)
                printf("%s, %s: %d wrong\n", names[operation], commutes ? "commutative" : "in order", sum);
        }
    MPI_Finalize();
    return 0;
}
