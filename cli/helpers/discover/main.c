/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring part of `startune topo discover`: an MPI program. Its arguments were checked by the command:
 * FILE TRIPS on|off on|off|auto text|json. */
#include "cli/common/progress.h"
#include "cli/helpers/measure/rank.h"
#include "streams.h"
#include "topology/infer.h"
#include "topology/infer_streams.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "topology/write.h"
#include "trips.h"
#include "util/file_write.h"
#include "util/home.h"
#include "util/text.h"
#include "util/why.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOST_NAME_MOST = STAR_NODE_NAME_MOST + 1, SWEEPS = 32, HOSTS_ALONE_MOST = 32 };

static struct {
    const char *file; /* "-": standard output; "": where runs look, and which is then KEPT */
    char kept[4096];
    int trips;
    bool confirm, json;
    const char *together;
} ask;

static int complain(const char *why)
{
    fprintf(stderr, "startune topo: error: discover: %s\n", why);
    return 1;
}

/* No signal comes between. */
static int put(const struct star_text *text)
{
    struct star_why why;
    int error = 0;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (strcmp(ask.file, "-") != 0)
        error = star_file_write(ask.file, text->bytes, text->length, &why);
    else if (fwrite(text->bytes, 1, text->length, stdout) != text->length || fflush(stdout) != 0)
        error = star_because(&why, STAR_ESYSTEM, "standard output: %s", strerror(errno));
    if (!error && ask.kept[0])
        printf("kept in %s: runs on these hosts know it from now on\n", ask.file);
    return error ? complain(why.text) : 0;
}

static int print(const struct star_topology *topology)
{
    struct star_text text = {0};
    if (!ask.json)
        star_text_add(&text, "# Found by startune topo discover%s.\n",
                      ask.confirm ? "" : ", which did not confirm it");
    (ask.json ? star_topology_json : star_topology_write)(topology, &text);
    int status = text.failed ? complain("out of memory for the text") : put(&text);
    star_text_free(&text);
    return status;
}

/* What rank 0 knows of each host. */
struct hosts {
    char (*name)[HOST_NAME_MOST];
    const char **names;
    int *ranks;
};

static void gather_hosts(const struct speakers *speakers, char *own, int ranks_here, struct hosts *hosts)
{
    size_t count = (size_t)speakers->count;
    hosts->name = must(malloc(count * sizeof *hosts->name));
    hosts->names = must(malloc(count * sizeof *hosts->names));
    hosts->ranks = must(malloc(count * sizeof *hosts->ranks));
    MPI_Gather(own, HOST_NAME_MOST, MPI_CHAR, hosts->name, HOST_NAME_MOST, MPI_CHAR, 0, speakers->comm);
    MPI_Gather(&ranks_here, 1, MPI_INT, hosts->ranks, 1, MPI_INT, 0, speakers->comm);
    for (size_t i = 0; i < count; i++)
        hosts->names[i] = hosts->name[i];
}

static void hosts_free(struct hosts *hosts)
{
    free(hosts->name);
    free(hosts->names);
    free(hosts->ranks);
}

/* Returns on rank 0 what came of it there. CROWDED: was it by streams? Without them the round trips get a
 * second attempt: minima only come nearer to the truth by more of them. */
static int infer(const struct speakers *speakers, const struct hosts *hosts, struct star_topology **topology,
                 struct star_why *why)
{
    struct measured measured;
    int error = STAR_ENEEDS, attempts = ask.confirm ? 1 : 2;
    bool together = strcmp(ask.together, "auto") == 0 ? speakers->count > HOSTS_ALONE_MOST
                                                      : strcmp(ask.together, "on") == 0;
    struct star_trips trips = {.machines = speakers->count, .name = hosts->names};
    trips_begin(&measured, speakers, attempts * SWEEPS);
    for (int attempt = 0; attempt < attempts && error == STAR_ENEEDS; attempt++) {
        trips_measure(&measured, speakers, SWEEPS, ask.trips, together);
        trips.sweeps = measured.sweeps;
        trips.seconds = measured.seconds;
        if (speakers->rank == 0)
            error = star_infer(&trips, topology, why);
        MPI_Bcast(&error, 1, MPI_INT, 0, speakers->comm);
    }
    if (error == STAR_ENEEDS && ask.confirm && speakers->count >= STAR_STREAMS_MACHINES_LEAST)
        error = streams_infer(speakers, &trips, topology, why);
    trips_end(&measured);
    return error;
}

/* The streams' part, where there is a tree. */
static int confirm(const struct speakers *speakers, const struct hosts *hosts, struct star_topology *topology,
                   struct star_why *why)
{
    int *rank = NULL;
    if (topology != NULL) {
        rank = must(malloc((size_t)topology->nodes * sizeof *rank));
        for (int i = 0; i < speakers->count; i++)
            rank[star_topology_machine(topology, hosts->names[i])] = i;
    }
    int error = streams_confirm(speakers, rank, topology, why);
    free(rank);
    return error;
}

/* On rank 0 the tree; NULL: refused, with the reason said. */
static struct star_topology *discover(const struct speakers *speakers, const struct hosts *hosts)
{
    struct star_why why;
    struct star_topology *topology = NULL;
    int error = infer(speakers, hosts, &topology, &why);
    MPI_Bcast(&error, 1, MPI_INT, 0, speakers->comm);
    if (!error && ask.confirm)
        error = confirm(speakers, hosts, topology, &why);
    if (speakers->rank > 0)
        return NULL;
    cli_progress_end();
    for (int i = 0; i < speakers->count && !error; i++) /* as many slots as ranks */
        topology->node[star_topology_machine(topology, hosts->names[i])].slots = hosts->ranks[i];
    if (!error)
        return topology;
    complain(why.text);
    star_topology_free(topology);
    return NULL;
}

/* The speakers' part; the exit status is rank 0's. */
static int speak(struct speakers *speakers, char *own, int ranks_here)
{
    struct hosts hosts;
    int status = 0;
    MPI_Comm_rank(speakers->comm, &speakers->rank);
    MPI_Comm_size(speakers->comm, &speakers->count);
    if (speakers->count == 1) {
        char why[HOST_NAME_MOST + 100];
        snprintf(why, sizeof why, "all %d ranks are on the host %s: round trips need two hosts at least",
                 ranks_here, own);
        return complain(why);
    }
    gather_hosts(speakers, own, ranks_here, &hosts);
    struct star_topology *topology = discover(speakers, &hosts);
    if (speakers->rank == 0)
        status = topology ? print(topology) : 1;
    star_topology_free(topology);
    hosts_free(&hosts);
    return status;
}

/* The first rank on this one's host speaks. RANKS_HERE: how many there are. */
static bool is_first(char *own, int rank, int *ranks_here)
{
    int ranks, first = -1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char(*names)[HOST_NAME_MOST] = must(malloc((size_t)ranks * sizeof *names));
    MPI_Allgather(own, HOST_NAME_MOST, MPI_CHAR, names, HOST_NAME_MOST, MPI_CHAR, MPI_COMM_WORLD);
    *ranks_here = 0;
    for (int i = 0; i < ranks; i++)
        if (strcmp(names[i], own) == 0) {
            first = first < 0 ? i : first;
            ++*ranks_here;
        }
    free(names);
    return first == rank;
}

static void read_arguments(char **argv)
{
    ask.file = argv[1];
    ask.trips = atoi(argv[2]);
    ask.confirm = strcmp(argv[3], "on") == 0;
    ask.together = argv[4];
    ask.json = strcmp(argv[5], "json") == 0;
}

/* On rank 0; the same error on all ranks. */
static int find_kept(int rank, struct star_why *why)
{
    int error = 0;
    if (rank == 0)
        error = star_topology_own_path(ask.kept, sizeof ask.kept, why);
    if (rank == 0 && error == 0)
        error = star_home_make(ask.kept, why);
    MPI_Bcast(&error, 1, MPI_INT, 0, MPI_COMM_WORLD);
    ask.file = ask.kept;
    return error;
}

/* 0, or the exit status after RANK 0 has said why. */
static int refuse_output(int rank)
{
    struct star_why why;
    int error = strcmp(ask.file, "") == 0 ? find_kept(rank, &why) : 0;
    if (!error && strcmp(ask.file, "-") != 0)
        error = check_output(ask.file, &why);
    if (error && rank == 0)
        complain(why.text);
    return status_of(error);
}

/* The exit status, the same on all ranks. */
static int measure(int rank)
{
    char own[HOST_NAME_MOST] = "";
    int ranks_here, status = 0;
    struct speakers speakers = {.comm = MPI_COMM_NULL};
    MPI_Request told;
    gethostname(own, sizeof own - 1);
    bool speaks = is_first(own, rank, &ranks_here);
    MPI_Comm_split(MPI_COMM_WORLD, speaks ? 0 : MPI_UNDEFINED, rank, &speakers.comm);
    if (speaks) {
        status = speak(&speakers, own, ranks_here);
        MPI_Comm_free(&speakers.comm);
    }
    MPI_Ibcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD, &told);
    await(&told);
    return status;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    if (argc != 6)
        MPI_Abort(MPI_COMM_WORLD, 2);
    read_arguments(argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = refuse_output(rank);
    if (status == 0)
        status = measure(rank);
    MPI_Finalize();
    return status;
}
