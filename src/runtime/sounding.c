/* SPDX-License-Identifier: BSD-3-Clause
 * Soundings, run: see plan/sounding.h. */
#include "runtime/sounding.h"
#include "runtime/agree.h"
#include "util/clock.h"
#include "util/hash.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { TAG = 1 };
/* Of so many groups of ranks a process leads soundings, at most; of others nothing is found out. */
enum { KEPT_MOST = 64 };

/* The first rank of a machine; NODE numbers them by first appearance. */
static int first_of(const struct star_communicator *state, int machine)
{
    int rank = 0;
    while (state->node[rank] != machine)
        rank++;
    return rank;
}

/* Which of those that take part this rank is; −1: none. */
static int place_of(const struct star_communicator *state, const struct star_soundings *soundings)
{
    int all = star_nodes_count(state->node, state->size), own = state->node[state->rank];
    if (first_of(state, own) != state->rank)
        return -1;
    for (int k = 0; k < soundings->machines; k++)
        if (star_sounding_machine(soundings, all, k) == own)
            return k;
    return -1;
}

/* Seconds in which the rest of the train arrived from rank PARTNER; negative on an MPI error. */
static double meet(MPI_Comm comm, const struct star_train *train, int partner)
{
    char sent[STAR_TRAIN_PIECE_MOST] = {0}, came[STAR_TRAIN_PIECE_MOST];
    MPI_Request request[STAR_TRAIN_MOST];
    MPI_Status status[STAR_TRAIN_MOST];
    int all = train->head + train->rest, bytes = (int)train->piece, error = MPI_SUCCESS;
    int64_t begin = 0;
    for (int i = 0; !error && i < all; i++)
        error = PMPI_Isend(sent, bytes, MPI_BYTE, partner, TAG, comm, &request[i]);
    for (int i = 0; !error && i < all; i++) {
        error = PMPI_Recv(came, bytes, MPI_BYTE, partner, TAG, comm, MPI_STATUS_IGNORE);
        if (i + 1 == train->head)
            begin = star_now();
    }
    double seconds = (double)star_since(begin) * 1e-9;
    if (!error)
        error = PMPI_Waitall(all, request, status);
    return error ? -1 : seconds;
}

/* So that there are connections. */
static bool greet(MPI_Comm comm, int partner)
{
    return PMPI_Sendrecv(NULL, 0, MPI_BYTE, partner, TAG, NULL, 0, MPI_BYTE, partner, TAG, comm,
                         MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

/* What this rank finds out, if it is the first of a machine that takes part: seconds, or that it has FAILED.
 */
static bool sound_parts(const struct star_communicator *state, const struct star_soundings *soundings,
                        double *seconds)
{
    int machines = star_nodes_count(state->node, state->size), place = place_of(state, soundings),
        rank[STAR_SOUND_PARTS];
    bool good = true;
    for (int part = 0; part < STAR_SOUND_PARTS; part++) {
        int partner = place < 0 ? -1 : star_sounding_partner(soundings, (enum star_sounding_part)part, place);
        rank[part] = partner < 0 ? MPI_PROC_NULL
                                 : first_of(state, star_sounding_machine(soundings, machines, partner));
        good = good && greet(state->private, rank[part]);
    }
    for (int part = 0; good && part < STAR_SOUND_PARTS; part++)
        if (rank[part] != MPI_PROC_NULL) {
            seconds[part] = meet(state->private, &soundings->train[part], rank[part]);
            good = seconds[part] >= 0;
        }
    return good;
}

bool star_sound(const struct star_communicator *state, int64_t amount, double assumed,
                struct star_sounding *sounding)
{
    enum { FAILED = STAR_SOUND_PARTS, FIGURES };
    struct star_soundings soundings = star_soundings_of(star_nodes_count(state->node, state->size), amount);
    double seconds[STAR_SOUND_PARTS] = {0};
    struct star_figure mine[FIGURES], all[FIGURES] = {{0}};
    struct star_arrival arrival[STAR_SOUND_PARTS];
    mine[FAILED] = (struct star_figure){!sound_parts(state, &soundings, seconds), 0};
    for (int part = 0; part < STAR_SOUND_PARTS; part++)
        mine[part] = (struct star_figure){seconds[part], seconds[part]};
    if (!star_agree_figures(state->private, mine, all, FIGURES) || state->rank != 0 || all[FAILED].sum > 0)
        return false;
    for (int part = 0; part < STAR_SOUND_PARTS; part++) {
        int took_part = part == STAR_SOUND_ALONE ? 2 : soundings.machines;
        arrival[part] = (struct star_arrival){all[part].sum / took_part, all[part].most};
    }
    return star_sounding_tell(&soundings, arrival, assumed, sounding);
}

/* By which group of ranks, in their order. */
static struct {
    uint64_t ranks;
    bool sounded;
    struct star_sounding sounding;
} kept[KEPT_MOST];
static int kept_count;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

/* False: there is no memory to tell. */
static bool hash_ranks(const struct star_communicator *state, uint64_t *hash)
{
    int *world = star_world_ranks(state->private, state->size);
    *hash = star_hash_empty;
    for (int r = 0; world != NULL && r < state->size; r++)
        *hash = star_hash_add(*hash, (uint64_t)world[r]);
    free(world);
    return world != NULL;
}

bool star_sounding_recall(const struct star_communicator *state, struct star_networks *networks)
{
    uint64_t ranks;
    bool known = hash_ranks(state, &ranks);
    int i = 0;
    pthread_mutex_lock(&kept_lock);
    while (known && i < kept_count && kept[i].ranks != ranks)
        i++;
    if (known && i < kept_count) {
        networks->sounded = kept[i].sounded;
        networks->sounding = kept[i].sounding;
    }
    networks->tried = !known || i < kept_count || kept_count == KEPT_MOST;
    pthread_mutex_unlock(&kept_lock);
    return networks->tried;
}

void star_sounding_keep(const struct star_communicator *state, const struct star_networks *networks)
{
    uint64_t ranks;
    if (!hash_ranks(state, &ranks))
        return;
    pthread_mutex_lock(&kept_lock);
    if (kept_count < KEPT_MOST) {
        kept[kept_count].ranks = ranks;
        kept[kept_count].sounded = networks->sounded;
        kept[kept_count].sounding = networks->sounding;
        kept_count++;
    }
    pthread_mutex_unlock(&kept_lock);
}
