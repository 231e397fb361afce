/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes: which ranks share memory. Found once, for MPI_COMM_WORLD; of other communicators it is looked up, so
 * that making them tuned costs no messages. */
#include "runtime/nodes.h"
#include "dialect/launcher.h"
#include "runtime/agree.h"
#include "runtime/ranks.h"
#include "runtime/session.h"
#include "util/hash.h"
#include "util/placement.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The node of each rank of MPI_COMM_WORLD; NULL: all are on one. */
static int *world_node;
static bool apart; /* each rank is on a node of its own */
/* Room for those of all ranks, until nodes are found. */
static struct star_rank_host *hosts;

/* Numbers what is equal alike, from 0 by first appearance; KNOWN has room for as many as the world has
 * ranks. */
static int number(int *node, int count, int *known)
{
    int nodes = 0;
    for (int r = 0; r < star_runtime.world_size; r++)
        known[r] = -1;
    for (int r = 0; r < count; r++) {
        int *as = &known[node[r]];
        if (*as < 0)
            *as = nodes++;
        node[r] = *as;
    }
    return nodes;
}

/* Equal on ranks that share a machine's memory: its name, since nodes may be containers of one machine, the
 * system that it runs, and that system's memory for files. */
static uint64_t find_host(void)
{
    char name[256] = "", boot[64] = "";
    struct stat memory = {0};
    gethostname(name, sizeof name - 1);
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, boot, sizeof boot - 1) < 0)
        boot[0] = 0;
    if (file >= 0)
        close(file);
    stat("/dev/shm", &memory);
    return star_hash_add(star_hash_text(star_hash_text(star_hash_empty, name), boot),
                         (uint64_t)memory.st_dev);
}

/* Keeps NODE where there are several. False: out of memory. */
static bool keep(int *node)
{
    int *known = malloc((size_t)star_runtime.world_size * sizeof *known);
    bool made = node != NULL && known != NULL;
    int nodes = made ? number(node, star_runtime.world_size, known) : 1;
    apart = nodes > 1 && nodes == star_runtime.world_size;
    free(known);
    if (nodes > 1)
        world_node = node;
    else
        free(node);
    return made;
}

bool star_nodes_begin(uint64_t *host, bool *known)
{
    int size = star_runtime.world_size;
    struct star_placement placement = {STAR_PLACED_AUTO, 0};
    star_nodes_forget();
    star_placement_parse(star_runtime.settings.nodes, &placement, NULL);
    *host = find_host();
    *known = placement.kind != STAR_PLACED_AUTO || size == 1 || star_launched_here() == size;
    if (placement.kind < STAR_PLACED_BLOCK) {
        hosts = malloc((size_t)size * sizeof *hosts);
        return hosts != NULL;
    }
    int *node = malloc((size_t)size * sizeof *node);
    for (int r = 0; node != NULL && r < size; r++)
        node[r] = star_placement_node(&placement, r);
    return keep(node);
}

static int by_host(const void *left, const void *right)
{
    const struct star_rank_host *a = left, *b = right;
    return a->host != b->host ? (a->host > b->host) - (a->host < b->host)
                              : (a->rank > b->rank) - (a->rank < b->rank);
}

/* They told each other. */
static bool find_among(struct star_rank_host *all, int size)
{
    int *node = malloc((size_t)size * sizeof *node);
    qsort(all, (size_t)size, sizeof *all, by_host);
    for (int i = 0, first = 0; node != NULL && i < size; i++) {
        if (all[i].host != all[first].host)
            first = i;
        node[all[i].rank] = (int)all[first].rank;
    }
    return keep(node);
}

bool star_nodes_find(uint64_t host, bool together)
{
    const struct star_rank_host own = {host, star_runtime.world_rank};
    bool made = together || (star_agree_hosts(own, hosts) && find_among(hosts, star_runtime.world_size));
    free(hosts);
    hosts = NULL;
    return made;
}

int *star_nodes_of(MPI_Comm comm, int size, bool *failed)
{
    *failed = false;
    if (world_node == NULL)
        return NULL;
    int *node = star_world_ranks(comm, size),
        *known = malloc((size_t)star_runtime.world_size * sizeof *known);
    int nodes = 0;
    *failed = node == NULL || known == NULL;
    for (int r = 0; !*failed && r < size; r++)
        node[r] = world_node[node[r]];
    if (!*failed)
        nodes = number(node, size, known);
    free(known);
    if (*failed || nodes < 2) {
        free(node);
        return NULL;
    }
    return node;
}

bool star_nodes_differ(MPI_Comm comm, int size)
{
    return world_node != NULL && star_ranks_differ(comm, size, world_node);
}

bool star_nodes_are_known(void)
{
    struct star_placement placement = {STAR_PLACED_AUTO, 0};
    star_placement_parse(star_runtime.settings.nodes, &placement, NULL);
    return placement.kind == STAR_PLACED_AUTO;
}

int star_nodes_count(const int *node, int size)
{
    int nodes = 1;
    for (int rank = 0; node != NULL && rank < size; rank++)
        nodes = node[rank] + 1 > nodes ? node[rank] + 1 : nodes;
    return nodes;
}

bool star_nodes_are_apart(void)
{
    return apart;
}

bool star_nodes_are_one(void)
{
    return world_node == NULL && star_nodes_are_known();
}

void star_nodes_forget(void)
{
    free(world_node);
    free(hosts);
    world_node = NULL;
    hosts = NULL;
    apart = false;
}
