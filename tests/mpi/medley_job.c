/* SPDX-License-Identifier: BSD-3-Clause
 * The collective operations of MPI, blocking, nonblocking and persistent: arguments drawn, calls made,
 * results computed from the standard. */
#include "medley_job.h"

#include <stdlib.h>
#include <string.h>

const char *const function_names[FUNCTIONS] = {
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
};

static bool among(enum function function, enum function first, enum function last)
{
    return function >= first && function <= last;
}

static bool is_reduction(const struct job *job)
{
    return among(job->function, REDUCE, EXSCAN);
}

static bool neighborly(const struct job *job)
{
    return job->function >= NEIGHBOR_ALLGATHER;
}

static bool has_lists(const struct job *job)
{
    switch (job->function) {
    case GATHERV:
    case SCATTERV:
    case ALLGATHERV:
    case ALLTOALLV:
    case ALLTOALLW:
    case REDUCE_SCATTER:
    case NEIGHBOR_ALLGATHERV:
    case NEIGHBOR_ALLTOALLV:
    case NEIGHBOR_ALLTOALLW:
        return true;
    default:
        return false;
    }
}

/* The block's key: what a rank gives all others is theirs alike. */
static bool for_each(const struct job *job)
{
    switch (job->function) {
    case SCATTER:
    case SCATTERV:
    case ALLTOALL:
    case ALLTOALLV:
    case ALLTOALLW:
    case NEIGHBOR_ALLTOALL:
    case NEIGHBOR_ALLTOALLV:
    case NEIGHBOR_ALLTOALLW:
        return true;
    default:
        return false;
    }
}

static int length_between(const struct job *job, int from, int to)
{
    if (from < 0 || to < 0)
        return job->length;
    if (!has_lists(job))
        return job->length;
    if (job->function == SCATTERV || job->function == REDUCE_SCATTER)
        from = 0;
    else if (!for_each(job))
        to = 0;
    else if (job->in_place && from > to) {
        const int other = from;
        from = to;
        to = other;
    }
    const uint64_t number = mixed(job->seed, (uint64_t)from, (uint64_t)to, 5);
    return number % 4 == 0 ? 0 : (int)((number >> 8) % (unsigned)(job->length + 1));
}

static void draw_block(const struct job *job, struct buffer *buffer, int block, int from, int to, int first)
{
    for (int i = 0; i < buffer->block[block].length; i++) {
        if (is_reduction(job))
            draw_term(job->reduction, job->kind, element_at(buffer, block, i), job->values, from, first + i);
        else
            draw_element(
                job->kind, element_at(buffer, block, i),
                mixed(job->values, (uint64_t)from, for_each(job) ? (uint64_t)to + 1 : 0, (uint64_t)i));
    }
}

static bool at_root(const struct job *job)
{
    return job->me == job->root;
}

static int sum_before(const struct job *job, int rank)
{
    int sum = 0;
    for (int r = 0; r < rank; r++)
        sum += job->function == REDUCE_SCATTER_BLOCK ? job->length : length_between(job, 0, r);
    return sum;
}

static void lay_out(struct job *job, struct buffer *buffer, int blocks, bool gives, struct dice *dice)
{
    int *lengths = calloc((size_t)blocks + 1, sizeof *lengths);
    for (int b = 0; b < blocks; b++) {
        const int other = neighborly(job) && gives ? (for_each(job) ? job->out[b] : job->me)
                          : neighborly(job)        ? job->in[b]
                          : blocks == 1 && among(job->function, SCATTER, SCATTERV) ? job->root
                                                                                   : b;
        lengths[b] = gives ? length_between(job, job->me, other) : length_between(job, other, job->me);
    }
    const bool alone =
        gives ? among(job->function, GATHER, ALLGATHERV) && !among(job->function, SCATTER, SCATTERV)
              : among(job->function, SCATTER, SCATTERV);
    const enum shape shape = job->function == ALLTOALLW || job->function == NEIGHBOR_ALLTOALLW ? LOOSE
                             : !has_lists(job) || alone || (gives && job->function == NEIGHBOR_ALLGATHERV)
                                 ? LINED
                                 : LISTED;
    int way = job->same_way ? 0 : -1;
    make_buffer(buffer, job->kind, shape, blocks, lengths, way, dice);
    free(lengths);
}

static void one_vector(struct job *job, struct buffer *buffer, int length, struct dice *dice)
{
    make_buffer(buffer, job->kind, LINED, 1, &length, 0, dice);
}

void prepare_job(struct job *job, struct dice *dice)
{
    const int n = job->ranks;
    job->request = MPI_REQUEST_NULL;
    job->op = MPI_OP_NULL;
    job->counts = calloc((size_t)n + 1, sizeof(int));
    for (int r = 0; r < n; r++)
        job->counts[r] = length_between(job, 0, r);
    if (is_reduction(job)) {
        job->op = operator_of(job->reduction, &job->op_made);
        const int whole = job->function == REDUCE_SCATTER || job->function == REDUCE_SCATTER_BLOCK
                              ? sum_before(job, n)
                              : job->length;
        const int mine =
            whole == job->length && job->function != REDUCE_SCATTER && job->function != REDUCE_SCATTER_BLOCK
                ? whole
            : job->function == REDUCE_SCATTER ? job->counts[job->me]
                                              : job->length;
        const bool in_place = job->in_place && (job->function != REDUCE || at_root(job));
        if (!in_place)
            one_vector(job, &job->give, whole, dice);
        if (job->function != REDUCE || at_root(job))
            one_vector(job, &job->take, in_place ? whole : mine, dice);
    } else {
        switch (job->function) {
        case BARRIER:
            break;
        case BCAST:
            lay_out(job, &job->take, 1, false, dice);
            break;
        case GATHER:
        case GATHERV:
            if (at_root(job))
                lay_out(job, &job->take, n, false, dice);
            if (!(job->in_place && at_root(job)))
                lay_out(job, &job->give, 1, true, dice);
            break;
        case SCATTER:
        case SCATTERV:
            if (at_root(job))
                lay_out(job, &job->give, n, true, dice);
            if (!(job->in_place && at_root(job)))
                lay_out(job, &job->take, 1, false, dice);
            break;
        case ALLGATHER:
        case ALLGATHERV:
            lay_out(job, &job->take, n, false, dice);
            if (!job->in_place)
                lay_out(job, &job->give, 1, true, dice);
            break;
        case ALLTOALL:
        case ALLTOALLV:
        case ALLTOALLW:
            lay_out(job, &job->take, n, false, dice);
            if (!job->in_place)
                lay_out(job, &job->give, n, true, dice);
            break;
        case NEIGHBOR_ALLGATHER:
        case NEIGHBOR_ALLGATHERV:
            lay_out(job, &job->take, job->ins, false, dice);
            lay_out(job, &job->give, 1, true, dice);
            break;
        default:
            lay_out(job, &job->take, job->ins, false, dice);
            lay_out(job, &job->give, job->outs, true, dice);
            break;
        }
    }
    if (job->function == NEIGHBOR_ALLTOALLW) {
        job->give_at = calloc((size_t)job->give.blocks + 1, sizeof(MPI_Aint));
        job->take_at = calloc((size_t)job->take.blocks + 1, sizeof(MPI_Aint));
        for (int b = 0; b < job->give.blocks; b++)
            job->give_at[b] = job->give.block[b].at;
        for (int b = 0; b < job->take.blocks; b++)
            job->take_at[b] = job->take.block[b].at;
    }
    if (job->give.memory)
        job->kept = malloc(job->give.bytes);
    fill_job(job, 0);
}

void fill_job(struct job *job, int round)
{
    job->round = round;
    job->values = mixed(job->seed, (uint64_t)round, 3, 3);
    struct buffer *give = &job->give, *take = &job->take;
    for (int b = 0; b < give->blocks; b++)
        draw_block(job, give, b, job->me, neighborly(job) && job->out ? job->out[b] : b, 0);
    if (take->memory) {
        memset(take->memory, 0xA5, take->bytes);
        if (job->function == BCAST && at_root(job))
            draw_block(job, take, 0, job->root, 0, 0);
        const bool in_place = job->in_place && !give->memory;
        if (in_place && is_reduction(job))
            draw_block(job, take, 0, job->me, 0, 0);
        else if (in_place && among(job->function, GATHER, ALLGATHERV) &&
                 !among(job->function, SCATTER, SCATTERV))
            draw_block(job, take, job->me, job->me, 0, 0);
        else if (in_place && among(job->function, ALLTOALL, ALLTOALLW))
            for (int b = 0; b < take->blocks; b++)
                draw_block(job, take, b, job->me, b, 0);
    }
    if (job->kept)
        memcpy(job->kept, give->memory, give->bytes);
}

/* Name is the blocking function's, name the others'. */
#if MPI_VERSION >= 4
#define LASTING_FORM(Name, ...) MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &job->request)
#else
#define LASTING_FORM(Name, ...) MPI_ERR_OTHER
#endif
#define FORMS(Name, name, ...)                                                                               \
    (job->form == AT_ONCE ? MPI_##Name(__VA_ARGS__)                                                          \
     : job->form == BEGUN ? MPI_I##name(__VA_ARGS__, &job->request)                                          \
                          : LASTING_FORM(Name, __VA_ARGS__))

static int call(struct job *job)
{
    const struct buffer *give = &job->give, *take = &job->take;
    static char nowhere[8];
    /* What is not significant may be anything. */
    const void *from = give->memory ? give->given
                       : job->in_place && (is_reduction(job) || !among(job->function, SCATTER, SCATTERV))
                           ? MPI_IN_PLACE
                           : nowhere;
    void *to = take->memory                                               ? take->given
               : job->in_place && among(job->function, SCATTER, SCATTERV) ? MPI_IN_PLACE
                                                                          : nowhere;
    const bool gives = give->memory && give->blocks, takes = take->memory && take->blocks;
    MPI_Datatype out = gives ? give->block[0].type : MPI_INT, in = takes ? take->block[0].type : MPI_INT;
    int sent = gives ? give->block[0].count : 7, taken = takes ? take->block[0].count : 7;
    if (neighborly(job) && !gives) /* Open MPI compares the two */
        out = in, sent = taken;
    if (neighborly(job) && !takes)
        in = out, taken = sent;
    const MPI_Datatype any = give->memory && is_reduction(job) ? out : in;
    const int vector = is_reduction(job) && give->memory ? sent : taken;
    const MPI_Comm comm = job->comm;
    switch (job->function) {
    case BARRIER:
        return job->form == AT_ONCE ? MPI_Barrier(comm)
               : job->form == BEGUN ? MPI_Ibarrier(comm, &job->request)
                                    : LASTING_FORM(Barrier, comm);
    case BCAST:
        return FORMS(Bcast, bcast, to, taken, in, job->root, comm);
    case GATHER:
        return FORMS(Gather, gather, from, sent, out, to, taken, in, job->root, comm);
    case GATHERV:
        return FORMS(Gatherv, gatherv, from, sent, out, to, take->counts, take->places, in, job->root, comm);
    case SCATTER:
        return FORMS(Scatter, scatter, from, sent, out, to, taken, in, job->root, comm);
    case SCATTERV:
        return FORMS(Scatterv, scatterv, from, give->counts, give->places, out, to, taken, in, job->root,
                     comm);
    case ALLGATHER:
        return FORMS(Allgather, allgather, from, sent, out, to, taken, in, comm);
    case ALLGATHERV:
        return FORMS(Allgatherv, allgatherv, from, sent, out, to, take->counts, take->places, in, comm);
    case ALLTOALL:
        return FORMS(Alltoall, alltoall, from, sent, out, to, taken, in, comm);
    case ALLTOALLV:
        return FORMS(Alltoallv, alltoallv, from, give->counts, give->places, out, to, take->counts,
                     take->places, in, comm);
    case ALLTOALLW:
        return FORMS(Alltoallw, alltoallw, from, give->counts, give->places, give->types, to, take->counts,
                     take->places, take->types, comm);
    case REDUCE:
        return FORMS(Reduce, reduce, from, to, vector, any, job->op, job->root, comm);
    case ALLREDUCE:
        return FORMS(Allreduce, allreduce, from, to, vector, any, job->op, comm);
    case REDUCE_SCATTER:
        return FORMS(Reduce_scatter, reduce_scatter, from, to, job->counts, any, job->op, comm);
    case REDUCE_SCATTER_BLOCK:
        return FORMS(Reduce_scatter_block, reduce_scatter_block, from, to, job->length, any, job->op, comm);
    case SCAN:
        return FORMS(Scan, scan, from, to, vector, any, job->op, comm);
    case EXSCAN:
        return FORMS(Exscan, exscan, from, to, vector, any, job->op, comm);
    case NEIGHBOR_ALLGATHER:
        return FORMS(Neighbor_allgather, neighbor_allgather, from, sent, out, to, taken, in, comm);
    case NEIGHBOR_ALLGATHERV:
        return FORMS(Neighbor_allgatherv, neighbor_allgatherv, from, sent, out, to, take->counts,
                     take->places, in, comm);
    case NEIGHBOR_ALLTOALL:
        return FORMS(Neighbor_alltoall, neighbor_alltoall, from, sent, out, to, taken, in, comm);
    case NEIGHBOR_ALLTOALLV:
        return FORMS(Neighbor_alltoallv, neighbor_alltoallv, from, give->counts, give->places, out, to,
                     take->counts, take->places, in, comm);
    case NEIGHBOR_ALLTOALLW:
        return FORMS(Neighbor_alltoallw, neighbor_alltoallw, from, give->counts, job->give_at, give->types,
                     to, take->counts, job->take_at, take->types, comm);
    case FUNCTIONS:
        break;
    }
    return MPI_ERR_OTHER;
}

int begin_job(struct job *job)
{
    const int result = call(job);
    if (job->freed_early && result == MPI_SUCCESS) {
        free_types(&job->give);
        free_types(&job->take);
        if (job->op_made)
            MPI_Op_free(&job->op);
        job->op_made = false;
    }
    return result;
}

static bool right_term(const struct job *job, int first, int last, int block, int index, int place)
{
    _Alignas(16) char expected[ELEMENT] = {0}, term[ELEMENT] = {0};
    for (int r = first; r <= last; r++) {
        draw_term(job->reduction, job->kind, r == first ? expected : term, job->values, r, place);
        if (r > first)
            combine(job->reduction, job->kind, expected, term);
    }
    return same_result(job->reduction, job->kind, element_at(&job->take, block, index), expected);
}

const char *wrong_in_job(struct job *job)
{
    struct buffer *take = &job->take;
    if (job->kept && memcmp(job->kept, job->give.memory, job->give.bytes) != 0)
        return "what was given has changed";
    if (!take->memory)
        return NULL;
    if (is_reduction(job)) {
        const bool parts = job->function == REDUCE_SCATTER || job->function == REDUCE_SCATTER_BLOCK;
        const int last = job->function == SCAN     ? job->me
                         : job->function == EXSCAN ? job->me - 1
                                                   : job->ranks - 1;
        if (last < 0)
            return NULL;
        const int length = job->function == REDUCE_SCATTER ? job->counts[job->me] : job->length,
                  first = parts ? sum_before(job, job->me) : 0;
        for (int i = 0; i < length; i++) {
            if (!right_term(job, 0, last, 0, i, first + i))
                return "a wrong value was reduced";
            stamp(take, 0, i);
        }
        for (int i = length; i < take->block[0].length; i++)
            stamp(take, 0, i); /* in place: what is behind the own part may be anything */
        return untouched(take) ? NULL : "memory was written that was not to be";
    }
    for (int b = 0; b < take->blocks; b++) {
        const int source = neighborly(job) ? job->in[b]
                           : take->blocks == 1 && among(job->function, BCAST, SCATTERV) &&
                                   !among(job->function, GATHER, GATHERV)
                               ? job->root
                               : b;
        for (int i = 0; source >= 0 && i < take->block[b].length; i++) {
            _Alignas(16) char expected[ELEMENT] = {0};
            draw_element(
                job->kind, expected,
                mixed(job->values, (uint64_t)source, for_each(job) ? (uint64_t)job->me + 1 : 0, (uint64_t)i));
            if (!same(job->kind, element_at(take, b, i), expected))
                return "a wrong value came";
            stamp(take, b, i);
        }
    }
    return untouched(take) ? NULL : "memory was written that was not to be";
}

void end_job(struct job *job)
{
    if (job->op_made)
        MPI_Op_free(&job->op);
    free_buffer(&job->give);
    free_buffer(&job->take);
    free(job->counts);
    free(job->give_at);
    free(job->take_at);
    free(job->kept);
}
