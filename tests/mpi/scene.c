/* SPDX-License-Identifier: BSD-3-Clause
 * The memory of a scene: what lies in it before and after the call. */
#include "scene.h"
#include "algorithms/operations.h"

#include <stdlib.h>
#include <string.h>

/* Byte I of the block that FROM has for TO. Overlapping ints must be equal. */
static char moved_byte(const struct trial *trial, int from, int to, int64_t i)
{
    if (trial_is_overlapping(trial))
        to = 0, i %= 4;
    return (char)(mix(mix((uint64_t)from * 4099 + 17, to), i) >> 56);
}

static void put_element(const struct trial *trial, int rank, int64_t k, char *element)
{
    trial->reduction->fill(element, mix(mix(0x5eed, rank), k));
}

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
        part->large_byte_displs[k] = part->displs[k] * part->layout.extent;
        part->byte_displs[k] = (int)part->large_byte_displs[k];
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
    bool in_place = trial_says_in_place(trial, rank);
    struct part *part = in_place && !trial_is(trial, SCATTER) ? &scene->received : &scene->sent;
    if (trial_is(trial, EXCHANGE))
        for (int to = 0; to < size; to++)
            put_block(trial, part, part->before, to, rank, to, trial_block_bytes(trial, rank, to));
    else if (trial_is(trial, GATHER))
        put_block(trial, part, part->before, in_place ? rank : 0, rank, 0, trial_block_bytes(trial, rank, 0));
    else if (trial_is(trial, SCATTER) && rank == trial->root)
        for (int to = 0; to < size; to++)
            put_block(trial, part, part->before, to, rank, to, trial_block_bytes(trial, to, 0));
    else if (trial_is(trial, BCAST) && rank == trial->root)
        put_block(trial, &scene->received, scene->received.before, 0, rank, 0, trial_bytes(trial));
    else if (trial_is_reduction(trial)) {
        char element[LAYOUT_SIZE_MAX];
        int64_t width = part->layout.size, count = trial_vector_bytes(trial, size) / width;
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
    if (trial_is(trial, PORTIONS)) {
        first = trial_bytes_before(trial, rank);
        bytes = trial_block_bytes(trial, rank, 0);
    }
    int width = scene->received.layout.size;
    if (trial_is_root(trial, rank) && last >= 0)
        put_reduced(scene, last, first / width, bytes / width);
}

/* What this rank gets. */
static void put_output(struct scene *scene)
{
    const struct trial *trial = scene->trial;
    struct part *part = &scene->received;
    int rank = scene->ground->state.rank, size = scene->ground->state.size;
    if (trial_is(trial, EXCHANGE))
        for (int from = 0; from < size; from++)
            put_block(trial, part, part->after, from, from, rank, trial_block_bytes(trial, from, rank));
    else if (trial_is(trial, GATHER) && trial_is_root(trial, rank))
        for (int from = 0; from < size; from++)
            put_block(trial, part, part->after, from, from, 0, trial_block_bytes(trial, from, 0));
    else if (trial_is(trial, SCATTER) && !trial_says_in_place(trial, rank))
        put_block(trial, part, part->after, 0, trial->root, rank, trial_block_bytes(trial, rank, 0));
    else if (trial_is(trial, BCAST))
        put_block(trial, part, part->after, 0, trial->root, 0, trial_bytes(trial));
    else if (trial_is_reduction(trial))
        put_reduction(scene);
}

/* Opening. */

static void make_layouts(struct scene *scene, int64_t room)
{
    const struct trial *trial = scene->trial;
    int odd = scene->ground->state.rank % 2;
    layout_maker *send = layout_byte, *recv = layout_byte;
    if (trial->reduction)
        send = recv = trial->reduction->layout[odd];
    if (trial->kind) {
        send = trial->kind->send[odd];
        recv = trial->kind->recv[odd];
    }
    if (trial_is(trial, BCAST) && scene->ground->state.rank == trial->root)
        recv = send;
    send(&scene->sent.layout, room);
    recv(&scene->received.layout, room);
}

static void count_blocks(struct scene *scene)
{
    const struct trial *trial = scene->trial;
    struct part *sent = &scene->sent, *received = &scene->received;
    int rank = scene->ground->state.rank, size = scene->ground->state.size;
    bool root = trial_is_root(trial, rank), all = trial_is(trial, EXCHANGE);
    sent->blocks = trial_is(trial, BCAST)             ? 0
                   : all || trial_is(trial, PORTIONS) ? size
                   : trial_is(trial, SCATTER)         ? (root ? size : 0)
                                                      : 1;
    received->blocks = all                               ? size
                       : trial_is(trial, GATHER)         ? (root ? size : 0)
                       : trial->operation == STAR_REDUCE ? root
                                                         : 1;
    for (int k = 0; k < sent->blocks; k++) {
        int64_t bytes = all ? trial_block_bytes(trial, rank, k)
                            : trial_block_bytes(trial, sent->blocks > 1 ? k : rank, 0);
        sent->counts[k] = (int)(bytes / sent->layout.size);
    }
    for (int k = 0; k < received->blocks; k++) {
        int64_t bytes = all ? trial_block_bytes(trial, k, rank)
                            : trial_block_bytes(trial, trial_is(trial, GATHER) ? k : rank, 0);
        received->counts[k] = (int)(bytes / received->layout.size);
    }
    bool spread = trial_has_counts(trial);
    lay_out(sent, spread && (all || trial_is(trial, SCATTER)));
    lay_out(received, spread && (all || trial_is(trial, GATHER)));
}

/* Room for columns: all blocks of the greatest weight, and the gaps between them. A vector that is reduced
 * has just its own elements. */
static int64_t room_for(const struct trial *trial, int size)
{
    if (trial_is_reduction(trial))
        return trial_vector_bytes(trial, size);
    return (trial_has_counts(trial) ? 9 : 1) * trial_bytes(trial) * size +
           (trial_has_counts(trial) ? 2 * LAYOUT_SIZE_MAX * size : 0);
}

/* Open MPI wants a datatype of an empty block, too. */
#ifdef OPEN_MPI
static const bool refuses_none = true;
#else
static const bool refuses_none = false;
#endif

static void give_types(struct part *part)
{
    for (int k = 0; k < part->blocks; k++)
        part->types[k] = part->counts[k] > 0 || refuses_none ? part->layout.type : MPI_DATATYPE_NULL;
}

void scene_open(struct scene *scene, const struct trial *trial, struct ground *ground)
{
    int size = ground->state.size, rank = ground->state.rank;
    *scene = (struct scene){.trial = trial, .ground = ground, .op = MPI_OP_NULL};
    make_layouts(scene, room_for(trial, size));
    count_blocks(scene);
    int64_t vector =
        trial_is_reduction(trial) ? trial_vector_bytes(trial, size) / scene->sent.layout.size : 0;
    open_memory(&scene->sent, vector, rank, 0);
    open_memory(&scene->received, trial_says_in_place(trial, rank) ? vector : 0, rank, 1);
    put_input(scene);
    memcpy(scene->sent.after, scene->sent.before, (size_t)scene->sent.length);
    memcpy(scene->received.after, scene->received.before, (size_t)scene->received.length);
    put_output(scene);
    if (trial->reduction) {
        reduction_lay(trial->reduction, &scene->sent.layout);
        scene->op = reduction_make(trial->reduction);
    }
    if (trial->absolute) {
        layout_make_absolute(&scene->sent.layout, scene->sent.start);
        layout_make_absolute(&scene->received.layout, scene->received.start);
    }
    give_types(&scene->sent);
    give_types(&scene->received);
}

void scene_close(struct scene *scene)
{
    if (scene->trial->reduction)
        reduction_release(scene->trial->reduction, &scene->op);
    close_part(&scene->sent);
    close_part(&scene->received);
}
