/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GUARD = 96 };

void trial_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    star_settings_preset(&star_runtime.settings);
    star_runtime.settings.memory = INT64_MAX / 2;
    PMPI_Comm_dup(MPI_COMM_SELF, &star_runtime.self);
    PMPI_Comm_set_errhandler(star_runtime.self, MPI_ERRORS_RETURN);
    /* MPICH raises errors of MPI_Waitall there. */
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

void trial_end(void)
{
    PMPI_Comm_free(&star_runtime.self);
    PMPI_Finalize();
}

/* The ground. */

void ground_open(struct ground *ground, MPI_Comm comm)
{
    int unit;
    MPI_Aint size;
    *ground = (struct ground){.comm = comm};
    PMPI_Comm_rank(comm, &ground->state.rank);
    PMPI_Comm_size(comm, &ground->state.size);
    PMPI_Comm_dup(comm, &ground->state.private);
    PMPI_Comm_set_errhandler(ground->state.private, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    PMPI_Win_allocate_shared(ground->state.rank == 0 ? sizeof *ground->arrivals : 0, 1, MPI_INFO_NULL, comm,
                             (void *)&ground->arrivals, &ground->window);
    PMPI_Win_shared_query(ground->window, 0, &size, &unit, (void *)&ground->arrivals);
    if (ground->state.rank == 0)
        *ground->arrivals = 0;
    PMPI_Barrier(comm);
}

void ground_close(struct ground *ground)
{
    star_runners_free(&ground->state);
    PMPI_Win_free(&ground->window);
    PMPI_Comm_free(&ground->state.private);
}

/* Pairs; in turn; interleaved and uneven; one rank alone, then three, then the rest. */
static int node_of(int placement, int rank)
{
    switch (placement) {
    case 1:
        return rank / 2;
    case 2:
        return rank % 2;
    case 3:
        return (rank * rank + rank / 3) % 3;
    default:
        return rank < 1 ? 0 : rank < 4 ? 1 : 2;
    }
}

static void place_ranks(struct ground *ground, int placement)
{
    int known[3] = {-1, -1, -1}, nodes = 0;
    if (ground->placement == placement)
        return;
    star_runners_free(&ground->state); /* their plans are for other nodes */
    ground->placement = placement;
    for (int r = 0; placement != 0 && r < ground->state.size; r++) {
        int node = node_of(placement, r);
        if (placement >= 3 && known[node] < 0)
            known[node] = nodes++; /* numbered by first appearance */
        ground->node[r] = placement >= 3 ? known[node] : node;
    }
    ground->state.node = placement != 0 ? ground->node : NULL;
}

/* What the operations do. */

enum family {
    EXCHANGE, /* every rank has a block for each */
    GATHER,   /* each has a block, and all ranks, or the root, get all of them */
    SCATTER,
    BCAST,
    VECTOR,   /* reduced, in whole */
    PORTIONS, /* reduced, each rank getting its block */
    BARRIER
};
static const enum family families[STAR_OPERATIONS] = {
    [STAR_ALLTOALL] = EXCHANGE, [STAR_ALLTOALLV] = EXCHANGE,      [STAR_ALLGATHER] = GATHER,
    [STAR_ALLGATHERV] = GATHER, [STAR_GATHER] = GATHER,           [STAR_GATHERV] = GATHER,
    [STAR_SCATTER] = SCATTER,   [STAR_SCATTERV] = SCATTER,        [STAR_BCAST] = BCAST,
    [STAR_ALLREDUCE] = VECTOR,  [STAR_REDUCE] = VECTOR,           [STAR_SCAN] = VECTOR,
    [STAR_EXSCAN] = VECTOR,     [STAR_REDUCE_SCATTER] = PORTIONS, [STAR_REDUCE_SCATTER_BLOCK] = PORTIONS,
    [STAR_BARRIER] = BARRIER,
};

static bool is(const struct trial *trial, enum family family)
{
    return families[trial->operation] == family;
}

static bool is_reduction(const struct trial *trial)
{
    return is(trial, VECTOR) || is(trial, PORTIONS);
}

static bool has_counts(const struct trial *trial)
{
    return star_operations[trial->operation].units;
}

static bool is_rooted(const struct trial *trial)
{
    return star_operations[trial->operation].rooted;
}

/* Has this rank what only the root has, where there is one? */
static bool is_root(const struct trial *trial, int rank)
{
    return !is_rooted(trial) || rank == trial->root;
}

static bool says_in_place(const struct trial *trial, int rank)
{
    return trial->in_place == IN_PLACE_SOMEWHERE ? rank % 3 == 1
                                                 : trial->in_place == IN_PLACE && is_root(trial, rank);
}

static bool is_overlapping(const struct trial *trial)
{
    return trial->kind && strcmp(trial->kind->name, "overlapping") == 0;
}

/* Of these the standard does not say that all ranks must be in place, or says that they need not (MPI-4.0,
 * 6.10.2, 6.11). */
static bool may_differ_in_place(const struct trial *trial)
{
    return trial->operation == STAR_REDUCE_SCATTER || trial->operation == STAR_SCAN ||
           trial->operation == STAR_EXSCAN;
}

bool trial_is_legal(const struct trial *trial, int size)
{
    enum star_operation operation = trial->operation;
    bool barrier = operation == STAR_BARRIER;
    if (trial->root < 0 || trial->root >= size || (!is_rooted(trial) && trial->root > 0))
        return false;
    if (is_reduction(trial) ? !trial->reduction || trial->kind : trial->reduction || !trial->kind != barrier)
        return false;
    if (barrier && (trial->in_place || trial->absolute || trial->large || trial->units))
        return false;
    if (is(trial, BCAST) && trial->in_place)
        return false;
    if (trial->in_place == IN_PLACE_SOMEWHERE && operation != STAR_REDUCE_SCATTER && operation != STAR_SCAN &&
        operation != STAR_EXSCAN)
        return false;
    if (trial->absolute && is_reduction(trial))
        return false;
    if (!has_counts(trial) && trial->counts > 0)
        return false;
#if MPI_VERSION < 4
    if (trial->large)
        return false;
#endif
    return !(is_overlapping(trial) && is(trial, SCATTER)); /* a scatter reads no location twice */
}

int64_t trial_bytes(const struct trial *trial)
{
    if (trial->reduction)
        return trial->units * reduction_size(trial->reduction);
    return trial->kind ? trial->units * trial->kind->unit : 0;
}

static uint64_t mix(uint64_t x, int64_t y)
{
    x = (x ^ (uint64_t)y) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* How many times the unit the block is long that FROM has for TO. */
static int64_t weight(const struct trial *trial, int from, int to)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    if (!has_counts(trial))
        return 1;
    if (trial->in_place && is(trial, EXCHANGE))
        from = low, to = high; /* as long both ways */
    if (trial->counts == 0)
        return (from + 2 * to + 1) % 4;
    if (trial->counts % 5 == 4) /* one has nearly all */
        return (from + to) % 7 == trial->counts % 7 ? 9 : from == to;
    return (int64_t)(mix(mix((uint64_t)trial->counts, from), to) % 4);
}

/* Bytes of the block that FROM has for TO; where the counts are those of ranks, TO is 0. */
static int64_t block_bytes(const struct trial *trial, int from, int to)
{
    return trial_bytes(trial) * weight(trial, from, to);
}

/* Of the whole vector of a reduction, or of its blocks before that of RANK. */
static int64_t bytes_before(const struct trial *trial, int rank)
{
    int64_t bytes = 0;
    for (int k = 0; k < rank; k++)
        bytes += block_bytes(trial, k, 0);
    return bytes;
}

static int64_t vector_bytes(const struct trial *trial, int size)
{
    return is(trial, PORTIONS) ? bytes_before(trial, size) : trial_bytes(trial);
}

/* Byte I of the block that FROM has for TO. Overlapping ints must be equal. */
static char moved_byte(const struct trial *trial, int from, int to, int64_t i)
{
    if (is_overlapping(trial))
        to = 0, i %= 4;
    return (char)(mix(mix((uint64_t)from * 4099 + 17, to), i) >> 56);
}

static void put_element(const struct trial *trial, int rank, int64_t k, char *element)
{
    trial->reduction->fill(element, mix(mix(0x5eed, rank), k));
}

/* Memory. */

static int64_t elements_of(const struct part *part)
{
    int64_t most = 0;
    for (int k = 0; k < part->blocks; k++)
        if (part->counts[k] > 0 && part->displs[k] + part->counts[k] > most)
            most = part->displs[k] + part->counts[k];
    return most;
}

/* Blocks one behind the other; or, SPREAD, from the last to the first one, with gaps. */
static void lay_out(struct part *part, bool spread)
{
    int64_t at = 0;
    for (int i = 0; i < part->blocks; i++) {
        int k = spread ? part->blocks - 1 - i : i;
        part->displs[k] = (int)at;
        at += part->counts[k] + (spread ? k % 3 : 0);
        part->large_counts[k] = part->counts[k];
        part->large_displs[k] = part->displs[k];
    }
}

/* ELEMENTS: of which there must be room at least. */
static void open_memory(struct part *part, int64_t elements, int rank, int salt)
{
    int64_t low, high, most = elements_of(part);
    layout_span(&part->layout, elements > most ? elements : most, &low, &high);
    part->length = high - low + 2 * GUARD;
    size_t room = (size_t)part->length;
    part->region = malloc(room);
    part->before = malloc(room);
    part->after = malloc(room);
    part->start = part->region + GUARD - low;
    for (int64_t i = 0; i < part->length; i++)
        part->before[i] = (char)(mix((uint64_t)rank * 2 + (unsigned)salt, i) >> 48);
}

static void close_part(struct part *part)
{
    free(part->region);
    free(part->before);
    free(part->after);
    layout_free(&part->layout);
}

/* Where packed byte I of block K lies in the images of the part's memory. */
static int64_t place_of(const struct part *part, int k, int64_t i)
{
    int64_t first = k < part->blocks ? (int64_t)part->displs[k] * part->layout.size : 0;
    return part->start - part->region + layout_place(&part->layout, first + i);
}

static void put_block(const struct trial *trial, const struct part *part, char *image, int k, int from,
                      int to, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++)
        image[place_of(part, k, i)] = moved_byte(trial, from, to, i);
}

/* This rank's input, where the program has it. */
static void put_input(struct scene *scene)
{
    const struct trial *trial = scene->trial;
    int rank = scene->ground->state.rank, size = scene->ground->state.size;
    bool in_place = says_in_place(trial, rank);
    struct part *part = in_place && !is(trial, SCATTER) ? &scene->received : &scene->sent;
    if (is(trial, EXCHANGE))
        for (int to = 0; to < size; to++)
            put_block(trial, part, part->before, to, rank, to, block_bytes(trial, rank, to));
    else if (is(trial, GATHER))
        put_block(trial, part, part->before, in_place ? rank : 0, rank, 0, block_bytes(trial, rank, 0));
    else if (is(trial, SCATTER) && rank == trial->root)
        for (int to = 0; to < size; to++)
            put_block(trial, part, part->before, to, rank, to, block_bytes(trial, to, 0));
    else if (is(trial, BCAST) && rank == trial->root)
        put_block(trial, &scene->received, scene->received.before, 0, rank, 0, trial_bytes(trial));
    else if (is_reduction(trial)) {
        char element[LAYOUT_SIZE_MAX];
        int64_t width = part->layout.size, count = vector_bytes(trial, size) / width;
        for (int64_t k = 0; k < count; k++) {
            put_element(trial, rank, k, element);
            for (int64_t i = 0; i < width; i++)
                part->before[part->start - part->region + layout_place(&part->layout, k * width + i)] =
                    element[i];
        }
    }
}

/* Elements FIRST… of all ranks' vectors, reduced from rank 0 to LAST, at the start of the receive buffer. */
static void put_reduced(struct scene *scene, int last, int64_t first, int64_t count)
{
    const struct part *part = &scene->received;
    char element[2][LAYOUT_SIZE_MAX];
    for (int64_t k = 0; k < count; k++) {
        put_element(scene->trial, 0, first + k, element[0]);
        for (int r = 1; r <= last; r++) {
            put_element(scene->trial, r, first + k, element[r % 2]);
            scene->trial->reduction->combine(element[(r + 1) % 2], element[r % 2]);
        }
        for (int i = 0; i < part->layout.size; i++)
            part->after[part->start - part->region + layout_place(&part->layout, k * part->layout.size + i)] =
                element[last % 2][i];
    }
}

static void put_reduction(struct scene *scene)
{
    const struct trial *trial = scene->trial;
    int rank = scene->ground->state.rank, last = scene->ground->state.size - 1;
    int64_t first = 0, bytes = trial_bytes(trial);
    if (trial->operation == STAR_SCAN)
        last = rank;
    if (trial->operation == STAR_EXSCAN)
        last = rank - 1;
    if (is(trial, PORTIONS)) {
        first = bytes_before(trial, rank);
        bytes = block_bytes(trial, rank, 0);
    }
    int width = scene->received.layout.size;
    if (is_root(trial, rank) && last >= 0)
        put_reduced(scene, last, first / width, bytes / width);
}

/* What this rank gets. */
static void put_output(struct scene *scene)
{
    const struct trial *trial = scene->trial;
    struct part *part = &scene->received;
    int rank = scene->ground->state.rank, size = scene->ground->state.size;
    if (is(trial, EXCHANGE))
        for (int from = 0; from < size; from++)
            put_block(trial, part, part->after, from, from, rank, block_bytes(trial, from, rank));
    else if (is(trial, GATHER) && is_root(trial, rank))
        for (int from = 0; from < size; from++)
            put_block(trial, part, part->after, from, from, 0, block_bytes(trial, from, 0));
    else if (is(trial, SCATTER) && !says_in_place(trial, rank))
        put_block(trial, part, part->after, 0, trial->root, rank, block_bytes(trial, rank, 0));
    else if (is(trial, BCAST))
        put_block(trial, part, part->after, 0, trial->root, 0, trial_bytes(trial));
    else if (is_reduction(trial))
        put_reduction(scene);
}

/* Opening. */

static void make_layouts(struct scene *scene, int64_t room)
{
    const struct trial *trial = scene->trial;
    int odd = scene->ground->state.rank % 2;
    layout_maker *send = layout_byte, *recv = layout_byte;
    if (trial->reduction)
        send = recv = trial->reduction->layout;
    if (trial->kind) {
        send = trial->kind->send[odd];
        recv = trial->kind->recv[odd];
    }
    if (is(trial, BCAST) && scene->ground->state.rank == trial->root)
        recv = send;
    send(&scene->sent.layout, room);
    recv(&scene->received.layout, room);
}

static void count_blocks(struct scene *scene)
{
    const struct trial *trial = scene->trial;
    struct part *sent = &scene->sent, *received = &scene->received;
    int rank = scene->ground->state.rank, size = scene->ground->state.size;
    bool root = is_root(trial, rank), all = is(trial, EXCHANGE);
    sent->blocks = is(trial, BCAST)             ? 0
                   : all || is(trial, PORTIONS) ? size
                   : is(trial, SCATTER)         ? (root ? size : 0)
                                                : 1;
    received->blocks = all                               ? size
                       : is(trial, GATHER)               ? (root ? size : 0)
                       : trial->operation == STAR_REDUCE ? root
                                                         : 1;
    for (int k = 0; k < sent->blocks; k++) {
        int64_t bytes =
            all ? block_bytes(trial, rank, k) : block_bytes(trial, sent->blocks > 1 ? k : rank, 0);
        sent->counts[k] = (int)(bytes / sent->layout.size);
    }
    for (int k = 0; k < received->blocks; k++) {
        int64_t bytes =
            all ? block_bytes(trial, k, rank) : block_bytes(trial, is(trial, GATHER) ? k : rank, 0);
        received->counts[k] = (int)(bytes / received->layout.size);
    }
    bool spread = has_counts(trial);
    lay_out(sent, spread && (all || is(trial, SCATTER)));
    lay_out(received, spread && (all || is(trial, GATHER)));
}

void scene_open(struct scene *scene, const struct trial *trial, struct ground *ground)
{
    int size = ground->state.size, rank = ground->state.rank;
    *scene = (struct scene){.trial = trial, .ground = ground, .op = MPI_OP_NULL};
    /* Room for columns: all blocks of the greatest weight, and the gaps between them. */
    make_layouts(scene, (has_counts(trial) ? 9 : 1) * trial_bytes(trial) * size +
                            (has_counts(trial) ? 2 * LAYOUT_SIZE_MAX * size : 0));
    count_blocks(scene);
    int64_t vector = is_reduction(trial) ? vector_bytes(trial, size) / scene->sent.layout.size : 0;
    open_memory(&scene->sent, vector, rank, 0);
    open_memory(&scene->received, says_in_place(trial, rank) ? vector : 0, rank, 1);
    put_input(scene);
    memcpy(scene->sent.after, scene->sent.before, (size_t)scene->sent.length);
    memcpy(scene->received.after, scene->received.before, (size_t)scene->received.length);
    put_output(scene);
    if (trial->reduction)
        scene->op = reduction_make(trial->reduction);
    if (trial->absolute) {
        layout_make_absolute(&scene->sent.layout, scene->sent.start);
        layout_make_absolute(&scene->received.layout, scene->received.start);
    }
}

void scene_close(struct scene *scene)
{
    if (scene->trial->reduction)
        reduction_release(scene->trial->reduction, &scene->op);
    close_part(&scene->sent);
    close_part(&scene->received);
}

/* The call. */

/* What is not significant is not legal either: nobody may look at it. */
static void give_garbage(struct star_call *call, bool send)
{
    if (send) {
        call->sendcount = -3;
        call->sendtype = MPI_DATATYPE_NULL;
        call->sendcounts = call->senddispls = NULL;
    } else {
        call->recvcount = -3;
        call->recvtype = MPI_DATATYPE_NULL;
        call->recvcounts = call->recvdispls = NULL;
    }
}

static struct star_call call_of(const struct scene *scene)
{
    const struct trial *trial = scene->trial;
    const struct part *sent = &scene->sent, *received = &scene->received;
    int rank = scene->ground->state.rank;
    bool large = trial->large;
    struct star_call call = {.operation = trial->operation,
                             .sendbuf = trial->absolute ? MPI_BOTTOM : sent->start,
                             .recvbuf = trial->absolute ? MPI_BOTTOM : received->start,
                             .sendcount = sent->counts[0],
                             .recvcount = received->counts[0],
                             .sendtype = sent->layout.type,
                             .recvtype = received->layout.type,
                             .op = scene->op,
                             .root = trial->root,
                             .large = large,
                             .comm = scene->ground->comm};
    if (has_counts(trial)) {
        call.sendcounts = large ? (const void *)sent->large_counts : sent->counts;
        call.senddispls = large ? (const void *)sent->large_displs : sent->displs;
        call.recvcounts = large ? (const void *)received->large_counts : received->counts;
        call.recvdispls = large ? (const void *)received->large_displs : received->displs;
    }
    if (is_reduction(trial)) {
        call.recvcounts = call.sendcounts;
        call.recvcount = sent->counts[0];
    } else if (!is_root(trial, rank) && !is(trial, BCAST))
        give_garbage(&call, is(trial, SCATTER));
    if (says_in_place(trial, rank) && is(trial, SCATTER)) {
        give_garbage(&call, false);
        call.recvbuf = MPI_IN_PLACE;
    } else if (says_in_place(trial, rank)) {
        if (!is_reduction(trial))
            give_garbage(&call, true);
        call.sendbuf = MPI_IN_PLACE;
    }
    return call;
}

static int complain(const struct scene *scene, const char *method, bool loud, const char *what, long long at)
{
    char text[TRIAL_TEXT];
    const struct star_communicator *state = &scene->ground->state;
    if (loud)
        fprintf(stderr, "%s: rank %d: %s %lld\n", trial_format(scene->trial, method, state->size, text),
                state->rank, what, at);
    return SCENE_WRONG;
}

static int64_t first_difference(const struct part *part)
{
    int64_t i = 0;
    if (memcmp(part->region, part->after, (size_t)part->length) == 0)
        return -1;
    while (part->region[i] == part->after[i])
        i++;
    return i;
}

static int judge(const struct scene *scene, const char *method, int error, bool loud)
{
    if (error != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        PMPI_Error_string(error, text, &length);
        complain(scene, method, loud, text, error);
        return SCENE_FAILED;
    }
    int64_t at = first_difference(&scene->sent);
    if (at >= 0)
        return complain(scene, method, loud, "the send buffer is changed, at", at - GUARD);
    int abuses = reduction_abuses();
    if (abuses > 0)
        return complain(scene, method, loud, "an operator was called wrongly, so often:", abuses);
    if (scene->trial->operation == STAR_BARRIER) {
        long came = __atomic_load_n(scene->ground->arrivals, __ATOMIC_SEQ_CST);
        long due = scene->ground->barriers * scene->ground->state.size;
        return came >= due ? SCENE_RIGHT
                           : complain(scene, method, loud, "left before others came:", due - came);
    }
    at = first_difference(&scene->received);
    if (at < 0)
        return SCENE_RIGHT;
    bool touched = scene->received.before[at] != scene->received.after[at];
    return complain(scene, method, loud,
                    touched ? "the receive buffer is wrong at byte" : "written beside the data, at byte",
                    at - GUARD);
}

/* The MPI libraries leave what they like behind the result of a reduce_scatter in place, where the input was.
 */
static void forgive_input(struct scene *scene)
{
    const struct trial *trial = scene->trial;
    const struct part *part = &scene->received;
    int rank = scene->ground->state.rank;
    if (!is(trial, PORTIONS) || !says_in_place(trial, rank))
        return;
    int64_t end = vector_bytes(trial, scene->ground->state.size);
    for (int64_t i = block_bytes(trial, rank, 0); i < end; i++) {
        int64_t place = part->start - part->region + layout_place(&part->layout, i);
        part->region[place] = part->after[place];
    }
}

/* The memory before a call; and one rank after the other is late for a barrier. */
static void prepare(const struct scene *scene)
{
    memcpy(scene->sent.region, scene->sent.before, (size_t)scene->sent.length);
    memcpy(scene->received.region, scene->received.before, (size_t)scene->received.length);
    if (scene->trial->operation != STAR_BARRIER)
        return;
    if (scene->ground->barriers++ % scene->ground->state.size == scene->ground->state.rank)
        usleep(500);
    __atomic_add_fetch(scene->ground->arrivals, 1, __ATOMIC_SEQ_CST);
}

int scene_run_native(struct scene *scene, bool loud)
{
    struct star_call call = call_of(scene);
    char name[STAR_METHOD_TEXT];
    struct star_method native = star_native_of(call.operation);
    star_method_format(&native, name, sizeof name);
    prepare(scene);
    int error = star_servers[call.operation].native(&call);
    forgive_input(scene);
    return judge(scene, name, error, loud);
}

/* What all ranks must find out from their own arguments; false where the runtime may leave the call to
 * native. */
static bool facts_of(const struct scene *scene, struct star_facts *facts)
{
    const struct trial *trial = scene->trial;
    enum star_measure measure = star_operations[trial->operation].measure;
    *facts = (struct star_facts){.bytes = trial_bytes(trial), .granule = 1, .commutative = true};
    if (measure == STAR_OF_ALL)
        facts->bytes = bytes_before(trial, scene->ground->state.size);
    if (measure == STAR_UNKNOWN)
        facts->bytes = STAR_BYTES_UNKNOWN;
    if (trial->reduction) {
        facts->granule = reduction_size(trial->reduction);
        facts->commutative = trial->reduction->commutative;
    }
    facts->root = trial->root;
    facts->in_place = trial->in_place == IN_PLACE && !is_rooted(trial) && !may_differ_in_place(trial);
    bool in_place_v = trial->operation == STAR_ALLTOALLV && trial->in_place;
    return (facts->bytes != 0 || measure == STAR_NO_BYTES) && !in_place_v;
}

bool scene_applies(const struct scene *scene, const struct star_method *method)
{
    struct star_facts facts;
    bool served = facts_of(scene, &facts);
    place_ranks(scene->ground, scene->trial->placement);
    struct star_shape shape = star_shape_for(&scene->ground->state, scene->trial->operation, &facts);
    int64_t segment = star_method_knob(method, "segment", 0);
    return served && !(segment > 0 && segment >= facts.bytes && facts.bytes > 0) &&
           star_method_applies(method, &shape, NULL) == 0;
}

/* May all ranks go without a runner? Mock-ups and builders may refuse: then each must, on all ranks. */
static bool is_refused(const struct star_communicator *state, const struct star_method *method,
                       const struct star_facts *facts)
{
    struct star_shape shape = star_shape_for(state, method->algorithm->operation, facts);
    struct star_plan *plan;
    if (method->algorithm->mockup != STAR_MOCKUP_NONE)
        return star_mockup_scratch(method->algorithm->mockup, state, facts) < 0;
    int error = star_method_plan(method, &shape, INT64_MAX, &plan, NULL);
    if (!error)
        star_plan_free(plan);
    return error == STAR_ENEEDS && method->algorithm->nodes; /* for such nodes; else its row would say it */
}

int scene_run(struct scene *scene, const struct star_method *method, bool loud)
{
    char name[STAR_METHOD_TEXT];
    struct star_call call = call_of(scene);
    struct star_facts facts = {.granule = 1, .commutative = true}, due;
    struct star_communicator *state = &scene->ground->state;
    star_method_format(method, name, sizeof name);
    if (!facts_of(scene, &due))
        return SCENE_REFUSED;
    if (!star_servers[call.operation].facts(&call, state, &facts) || facts.bytes != due.bytes ||
        facts.granule != due.granule || facts.root != due.root || facts.commutative != due.commutative ||
        facts.in_place != due.in_place) {
        complain(scene, name, loud, "the facts of the call are wrong, bytes", facts.bytes);
        return SCENE_FAILED; /* who decides on them decides otherwise than others */
    }
    place_ranks(scene->ground, scene->trial->placement);
    struct star_shared_runner *runner = star_runner_acquire(state, method, &facts);
    if (runner == NULL)
        return is_refused(state, method, &facts) ? SCENE_REFUSED
                                                 : complain(scene, name, loud, "no plan, bytes", facts.bytes);
    prepare(scene); /* only now: making the runner is a barrier of its own */
    int error = star_runner_run(state, runner, &call, &facts);
    star_runner_release(state, runner);
    if (method->algorithm->mockup != STAR_MOCKUP_NONE)
        forgive_input(scene);
    return judge(scene, name, error, loud);
}

/* As text. */

const char *trial_format(const struct trial *trial, const char *method, int size, char *text)
{
    const char *types = trial->kind ? trial->kind->name : "none";
    const char *reduction = trial->reduction ? trial->reduction->name : "none";
    snprintf(text, TRIAL_TEXT,
             "%s ranks=%d types=%s operator=%s units=%lld root=%d in-place=%d counts=%d placement=%d "
             "bottom=%d large=%d",
             method, size, types, reduction, (long long)trial->units, trial->root, (int)trial->in_place,
             trial->counts, trial->placement, trial->absolute, trial->large);
    return text;
}

int trial_parse(const char *text, struct trial *trial, struct star_method *method, int *size)
{
    char name[STAR_METHOD_TEXT], types[32], reduction[32];
    long long units;
    int in_place, absolute, large;
    *trial = (struct trial){.units = 0};
    if (sscanf(
            text,
            "%127s ranks=%d types=%31s operator=%31s units=%lld root=%d in-place=%d counts=%d placement=%d "
            "bottom=%d large=%d",
            name, size, types, reduction, &units, &trial->root, &in_place, &trial->counts, &trial->placement,
            &absolute, &large) != 11 ||
        star_method_parse(name, method, NULL) != 0)
        return -1;
    trial->operation = method->algorithm->operation;
    trial->kind = kind_named(types);
    trial->reduction = reduction_named(reduction);
    trial->units = units;
    trial->in_place = in_place;
    trial->absolute = absolute;
    trial->large = large;
    return trial_is_legal(trial, *size) ? 0 : -1;
}
