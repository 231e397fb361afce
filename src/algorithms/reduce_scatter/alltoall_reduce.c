/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all, then reduce: every block goes to its owner, who reduces them in the order of ranks: the result
 * has the same bits however the ranks are numbered on nodes and whatever the number of bytes. BATCH ranks
 * send their blocks at once, the last ranks first. STAR-MPI, section 3.1, for all-reduce. */
#include "algorithms/method.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, me = shape->rank, batch = (int)(shape->knob[0] < size ? shape->knob[0] : size);
    int64_t block = shape->block;
    struct star_place sum = star_build_page(b, block, true);
    struct star_place *came = star_build_scratch(b, (size_t)batch * sizeof *came);
    if (came == NULL)
        return;
    for (int i = 0; i < batch; i++)
        came[i] = star_build_page(b, block, true);
    for (int end = size; end > 0; end -= batch) {
        int first = end > batch ? end - batch : 0;
        for (int r = end - 1; r >= first; r--)
            if (r != me)
                star_build_recv(b, r, r == size - 1 ? sum : came[r - first], block);
        for (int i = 1; i < size && me >= first && me < end; i++)
            star_build_send(b, (me + i) % size, star_at(STAR_SENDBUF, (me + i) % size * block), block);
        star_build_end(b);
        for (int r = end - 1; r >= first; r--) {
            struct star_place from = r == me ? star_at(STAR_SENDBUF, me * block) : came[r - first];
            if (r < size - 1)
                star_build_reduce(b, sum, from, block);
            else if (r == me)
                star_build_copy(b, sum, from, block);
        }
    }
    star_build_copy(b, star_at(STAR_RECVBUF, 0), sum, block);
}

#define ROW                                                                                                  \
    .name = "alltoall_reduce", .build = build,                                                               \
    .moves = "all blocks to their owner, who reduces in the order of ranks", .optimises = "rounds",          \
    .cost = "(P-1)α + (P-1)nβ + (P/batch-1)θ", .source = "STAR-MPI 3.1 (Rab2)", .in_order = true,            \
    .order = STAR_ORDER_RANK,                                                                                \
    .knobs = {{.name = "batch",                                                                              \
               .help = "ranks that send at once, 1 to 62",                                                   \
               .least = 1,                                                                                   \
               .most = 62,                                                                                   \
               .preset = 8,                                                                                  \
               .values = {1, {8}},                                                                           \
               .more = {2, {1, 62}}}}
const struct star_algorithm star_reduce_scatter_block_alltoall_reduce = {
    .operation = STAR_REDUCE_SCATTER_BLOCK, ROW};
const struct star_algorithm star_reduce_scatter_alltoall_reduce = {.operation = STAR_REDUCE_SCATTER, ROW};
