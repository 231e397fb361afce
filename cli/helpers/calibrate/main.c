/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring part of `startune topo calibrate`: an MPI program. Its arguments were checked by the command:
 * TOPOLOGY text|json. */
#include "cli/helpers/measure/ground.h"
#include "cli/helpers/measure/rank.h"
#include "plan/cost.h"
#include "probes.h"
#include "topology/network.h"
#include "util/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PEERS_MOST = 16 };

static struct ranks ranks;

/* The ranks that rank 0 talks to: on other hosts, where there are any. */
struct peers {
    int at[PEERS_MOST], hops[PEERS_MOST]; /* links with a rate on the way; 0 where that is not known */
    int count;
};

struct counted {
    const struct star_network *network;
    int links;
};

static int count_limited(int link, void *context)
{
    struct counted *counted = context;
    counted->links += counted->network->rate[link / 2] > 0;
    return 0;
}

static int hops_to(const struct star_network *network, int peer)
{
    struct counted counted = {network, 0};
    if (network != NULL)
        star_network_path(network, 0, peer, count_limited, &counted);
    return counted.links;
}

static void find_peers(struct peers *peers, const int *node, const struct star_network *network)
{
    peers->count = 0;
    for (int r = 1; r < ranks.count && peers->count < PEERS_MOST; r++)
        if (node == NULL || node[r] != node[0]) {
            peers->at[peers->count] = r;
            peers->hops[peers->count++] = hops_to(network, r);
        }
}

static void progress(const char *what)
{
    if (ranks.rank == 0 && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s%s", *what ? "measuring " : "", what);
}

/* The line through the trips over their hops: what each hop adds, and what there is without any. */
static void fit_trips(const struct peers *peers, const double *trip, double *hop, double *without)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < peers->count; i++) {
        x += peers->hops[i] / (double)peers->count;
        y += trip[i] / peers->count;
    }
    for (int i = 0; i < peers->count; i++) {
        xx += (peers->hops[i] - x) * (peers->hops[i] - x);
        xy += (peers->hops[i] - x) * (trip[i] - y);
    }
    *hop = xx > 0 ? fmax(0, xy / xx) : 0;
    *without = fmax(0, y - *hop * x);
}

static void calibrate(const struct peers *peers, struct star_cost_parameters *parameters)
{
    double trip[PEERS_MOST], without;
    progress("latency");
    for (int i = 0; i < peers->count; i++)
        trip[i] = probe_trip(&ranks, peers->at[i]);
    fit_trips(peers, trip, &parameters->hop, &without);
    progress("overhead");
    parameters->overhead = probe_overhead(&ranks) / 2;
    parameters->latency = fmax(0, without - 2 * parameters->overhead);
    progress("the eager limit");
    parameters->eager = probe_eager(&ranks, peers->at[0]);
    progress("bandwidth");
    parameters->host = probe_bandwidth(&ranks, peers->at[0]) * parameters->framing;
    progress("copies and sums");
    parameters->copy = probe_copy(&ranks);
    parameters->reduce = probe_reduce(&ranks);
    progress("");
}

static void print(const struct star_cost_parameters *parameters, bool json)
{
    struct star_text text = {0};
    if (json) {
        star_json_open(&text, NULL, '{');
        star_cost_json(parameters, &text);
        star_json_close(&text, '}');
    } else {
        star_cost_write(parameters, &text);
    }
    star_text_add(&text, "\n");
    if (ranks.rank == 0 && !text.failed)
        fputs(text.bytes, stdout);
    star_text_free(&text);
}

int main(int argc, char **argv)
{
    struct ground ground;
    struct peers peers = {0};
    struct star_cost_parameters parameters = star_cost_presets;
    MPI_Init(&argc, &argv);
    if (argc != 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    ground_begin("auto", argv[1]);
    ground_open(&ground, MPI_COMM_WORLD);
    ranks = (struct ranks){ground.comm, ground.here.rank, ground.here.size, must(calloc(ROOM, 1)),
                           must(calloc(ROOM, 1))};
    bool good = ranks.count > 1;
    if (!good)
        fprintf(stderr,
                "startune topo: error: calibrate: one rank has nobody to send to: mpirun -n 2 or more\n");
    if (good) {
        find_peers(&peers, ground.here.node, ground.here.network);
        calibrate(&peers, &parameters);
        print(&parameters, strcmp(argv[2], "json") == 0);
    }
    free(ranks.bytes);
    free(ranks.into);
    ground_close(&ground);
    ground_end();
    MPI_Finalize();
    return good ? 0 : 1;
}
