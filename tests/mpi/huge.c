/* SPDX-License-Identifier: BSD-3-Clause
 * Reductions of elements that lie terabytes apart: huge ELEMENTS CALLS. Prints how many results are wrong. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MOST = 3 };
static const MPI_Aint extent = (MPI_Aint)30 << 40;

/* x → factor·x + addend, modulo 2^32: not commutative. */
struct map {
    unsigned factor, addend;
};

static struct map *at(void *base, int i)
{
    return (struct map *)(void *)((char *)base + i * extent);
}

static void compose(void *first, void *second, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        struct map a = *at(first, i), *b = at(second, i);
        *b = (struct map){a.factor * b->factor, a.addend * b->factor + b->addend};
    }
}

/* Memory for COUNT elements from BASE on, and for nothing in between. */
static void *make(uintptr_t base, int count)
{
    enum { PAGE = 4096 };
    for (int i = 0; i < count; i++)
        if (mmap((void *)(base + (uintptr_t)(i * extent)), PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
            MPI_Abort(MPI_COMM_WORLD, 1);
    return (void *)base;
}

static struct map input(int rank, int i, int call)
{
    return (struct map){31, (unsigned)(rank + 7 * i + call)};
}

/* Of the ranks up to LAST. */
static int is_wrong(void *results, int count, int last, int call)
{
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        struct map all = input(0, i, call), *found = at(results, i);
        for (int r = 1; r <= last; r++) {
            struct map next = input(r, i, call);
            all = (struct map){all.factor * next.factor, all.addend * next.factor + next.addend};
        }
        wrong += all.factor != found->factor || all.addend != found->addend;
        *found = (struct map){0, 0};
    }
    return wrong;
}

static int call_all(void *sent, void *results, int count, MPI_Datatype type, MPI_Op op, int call)
{
    int rank, size, wrong = 0, root;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    root = call % size;
    for (int i = 0; i < count; i++)
        *at(sent, i) = input(rank, i, call);
    MPI_Allreduce(sent, results, count, type, op, MPI_COMM_WORLD);
    wrong += is_wrong(results, count, size - 1, call);
    MPI_Scan(sent, results, count, type, op, MPI_COMM_WORLD);
    wrong += is_wrong(results, count, rank, call);
    MPI_Reduce(sent, results, count, type, op, root, MPI_COMM_WORLD);
    return wrong + (rank == root ? is_wrong(results, count, size - 1, call) : 0);
}

int main(int words, char **word)
{
    MPI_Init(&words, &word);
    int count = words > 1 ? atoi(word[1]) : 1, calls = words > 2 ? atoi(word[2]) : 1, wrong = 0, all, rank;
    count = count < MOST ? count : MOST;
    void *sent = make(0x100000000000, count), *results = make(0x100000100000, count);
    MPI_Datatype type;
    MPI_Op op;
    MPI_Type_create_resized(MPI_2INT, 0, extent, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(compose, 0, &op);
    for (int call = 0; call < calls; call++)
        wrong += call_all(sent, results, count, type, op, call);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
