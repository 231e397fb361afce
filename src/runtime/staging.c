/* SPDX-License-Identifier: BSD-3-Clause
 * Plans copy, pack and reduce, which the host cannot do in a device's memory. There the MPI library alone
 * moves data, as messages of this rank to itself: it takes such buffers, with all datatypes, and what lies
 * between the elements is neither read nor written. Native gets the program's buffers. */
#include "runtime/staging.h"
#include "algorithms/operations.h"
#include "exec/region.h"
#include "exec/side.h"
#include "runtime/areas.h"
#include "runtime/call.h"
#include "runtime/device.h"
#include "runtime/runners.h"
#include "runtime/session.h"

#include <pthread.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

/* Threads' messages would meet each other. */
static int send_to_self(void *from, void *to, const struct star_region *region)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int count = (int)region->count;
    pthread_mutex_lock(&lock);
    int error = PMPI_Sendrecv(from, count, region->type, 0, 0, to, count, region->type, 0, 0, star_alone(),
                              MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&lock);
    return error;
}

/* The elements of AREA, between the program's buffer and what lies SHIFT behind it. */
static int move(const struct star_area *area, int64_t shift, bool back)
{
    int64_t behind = 0, count;
    int error = MPI_SUCCESS;
    for (int k = 0; !error && k < area->blocks; k++) {
        struct star_side block = star_area_block(area, k, behind, &count);
        struct star_region region = {.type = block.type, .count = count, .extent = block.extent};
        void *image = star_shifted(block.base, shift);
        behind += count;
        if (count == 0)
            continue;
        error = star_region_make_arguments(&region);
        if (!error)
            error =
                back ? send_to_self(image, block.base, &region) : send_to_self(block.base, image, &region);
        star_region_free(&region);
    }
    return error;
}

static bool is_devices(const struct star_device *device, const struct star_area *one,
                       const struct star_area *other)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    MPI_Comm alone = star_alone();
    return star_area_span(one, false, &low, &high, alone) &&
           star_area_span(other, false, &low, &high, alone) && low < high &&
           (star_device_holds(device, star_shifted(NULL, low)) ||
            star_device_holds(device, star_shifted(NULL, high - 1)));
}

/* Makes room for both areas, with what lies between the elements, and brings INPUT there. */
static int make_image(const struct star_area *input, const struct star_area *results, char **memory,
                      int64_t *shift)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    MPI_Comm alone = star_alone();
    if (!star_area_span(input, true, &low, &high, alone) ||
        !star_area_span(results, true, &low, &high, alone))
        return MPI_ERR_TYPE;
    *memory = calloc((size_t)(high - low) + ALIGNMENT, 1);
    if (*memory == NULL)
        return MPI_ERR_NO_MEM;
    /* As the program's buffer is aligned. */
    uintptr_t start = (uintptr_t)*memory;
    start += ((uintptr_t)low - start) % ALIGNMENT;
    *shift = (int64_t)(start - (uintptr_t)low);
    return move(input, *shift, false);
}

static int stage_sent(struct star_staging *staging, const struct star_area *sent)
{
    const struct star_area none = {0};
    int64_t shift;
    int error = make_image(sent, &none, &staging->sent, &shift);
    if (!error)
        staging->call.sendbuf = star_shifted(staging->call.sendbuf, shift);
    return error;
}

/* What the call leaves as it is comes back as it was. The root of a broadcast only reads. */
static int stage_received(struct star_staging *staging, const struct star_areas *areas, bool reads)
{
    const struct star_area *input = areas->other.blocks > 0 ? &areas->other : &areas->received;
    int error = make_image(input, &areas->received, &staging->received, &staging->shift);
    if (error)
        return error;
    staging->call.recvbuf = star_shifted(staging->call.recvbuf, staging->shift);
    if (!reads)
        staging->results = areas->received;
    return MPI_SUCCESS;
}

int star_staging_begin(struct star_staging *staging, const struct star_communicator *state,
                       const struct star_call *call, const struct star_facts *facts)
{
    struct star_device device = star_device_now();
    struct star_areas areas;
    *staging = (struct star_staging){.call = *call};
    if (!star_device_is_there(&device) || !star_areas_of(call, state, facts, &areas))
        return MPI_SUCCESS;
    bool reads = star_operations[call->operation].expected.one_buffer && facts->root == state->rank;
    int error = MPI_SUCCESS;
    if (is_devices(&device, &areas.sent, &areas.sent))
        error = stage_sent(staging, &areas.sent);
    if (!error && is_devices(&device, &areas.received, &areas.other))
        error = stage_received(staging, &areas, reads);
    return error ? star_staging_end(staging, error) : MPI_SUCCESS;
}

int star_staging_end(struct star_staging *staging, int error)
{
    if (!error && staging->received != NULL)
        error = move(&staging->results, staging->shift, true);
    free(staging->sent);
    free(staging->received);
    return error;
}

int star_staged_run(struct star_communicator *state, struct star_shared_runner *runner,
                    const struct star_call *call, const struct star_facts *facts)
{
    struct star_staging staging;
    if (!state->devices)
        return star_runner_run(state, runner, call, facts);
    int error = star_staging_begin(&staging, state, call, facts);
    if (error) {
        star_runner_refuse(state, runner);
        return error;
    }
    return star_staging_end(&staging, star_runner_run(state, runner, &staging.call, facts));
}
