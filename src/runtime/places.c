/* SPDX-License-Identifier: BSD-3-Clause
 * Places: which machine of the topology each rank runs on. Found once, for MPI_COMM_WORLD: rank 0 reads the
 * topology, all get it, and each finds its own host in it. Of other communicators it is looked up. */
#include "runtime/places.h"
#include "runtime/agree.h"
#include "runtime/ranks.h"
#include "runtime/session.h"
#include "runtime/warn.h"
#include "topology/addresses.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "topology/write.h"
#include "util/fpenv.h"
#include "util/placement.h"
#include "util/version.h"
#include "util/why.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOST_NAME_MOST = 256 };

static struct star_topology *topology;
static int *world_machine; /* of each rank of MPI_COMM_WORLD; NULL: not all are known */
static bool by_address;    /* Slurm told each rank its place */

/* NULL: WHY says what is wrong with it. */
static struct star_topology *read_file(const char *path, struct star_why *why)
{
    struct star_topology *read = NULL;
    struct stat kind;
    if (stat(path, &kind) == 0 && !S_ISREG(kind.st_mode)) /* nor is there anything to wait for */
        star_because(why, STAR_EINPUT, "%s is no file of a topology", path);
    else
        star_topology_read(path, &read, why);
    return read;
}

/* The setting `nodes` may pretend where ranks run. */
static bool pretends(void)
{
    struct star_placement placement = {STAR_PLACED_AUTO, 0};
    star_placement_parse(star_runtime.settings.nodes, &placement, NULL);
    return placement.kind >= STAR_PLACED_BLOCK;
}

/* −1: it is not in there. */
static int this_host(const struct star_topology *read)
{
    char host[HOST_NAME_MOST] = "";
    return gethostname(host, sizeof host - 1) == 0 ? star_topology_machine(read, host) : -1;
}

/* For "auto": the user's own, or the cluster's, or Slurm's; the first that has this host. NULL: there is
 * none. What is Slurm's is not ours to complain of. */
static struct star_topology *find_file(void)
{
    enum { OWN, SITE, SLURM, FILES, PATH_MOST = 4096 };
    char own[PATH_MOST];
    const char *files[FILES] = {
        [OWN] = own, [SITE] = STAR_ETC "/startune/topology", [SLURM] = "/etc/slurm/topology.conf"};
    struct star_why why;
    if (star_topology_own_path(own, sizeof own, &why))
        own[0] = 0;
    for (int i = 0; i < FILES; i++) {
        if (access(files[i], F_OK) != 0)
            continue;
        struct star_topology *read = read_file(files[i], &why);
        if (read != NULL && (pretends() || this_host(read) >= 0))
            return read;
        if (read == NULL && i != SLURM)
            star_warn(STAR_WARN_TOPOLOGY, 0, "%s; going on without it", why.text);
        star_topology_free(read);
    }
    return NULL;
}

/* On rank 0: the topology in our text format; empty when there is none. */
static void read_topology(struct star_text *text)
{
    const char *setting = star_runtime.settings.topology;
    struct star_why why;
    struct star_topology *read = NULL;
    if (strcmp(setting, "auto") == 0)
        read = find_file();
    else if ((read = read_file(setting, &why)) == NULL)
        star_warn(STAR_WARN_TOPOLOGY, 0, "%s; going on without a topology", why.text);
    if (read != NULL)
        star_topology_write(read, text);
    star_topology_free(read);
}

static int compare_names(const void *left, const void *right)
{
    return strverscmp(topology->node[*(const int *)left].name, topology->node[*(const int *)right].name);
}

/* Where Slurm says that this rank's node is; NULL: it does not. */
static const char *own_address(void)
{
    const char *address = getenv("SLURM_TOPOLOGY_ADDR");
    return star_address_is_usable(address, getenv("SLURM_TOPOLOGY_ADDR_PATTERN")) ? address : NULL;
}

/* For "auto" without a file: rank 0 asks what Slurm told all ranks, by a text of this length, which no
 * topology has. */
enum { ASKS = 1 };

static void ask_for_addresses(struct star_text *text)
{
    if (strcmp(star_runtime.settings.topology, "auto") == 0 && text->length == 0 && own_address() != NULL)
        star_text_add(text, "?");
}

/* Collective. Then TEXT is the topology, of LENGTH. False: an MPI error. */
static bool gather_addresses(struct star_text *text, int64_t *length)
{
    struct star_text addresses = {0};
    struct star_text *const texts[] = {&addresses};
    const char *own = own_address();
    by_address = true;
    star_text_free(text);
    if (own != NULL)
        star_text_add(&addresses, "%s\n", own);
    star_agree_collect(texts, 1, NULL, 0);
    if (star_runtime.world_rank == 0)
        star_addresses_write(addresses.bytes, addresses.length, text);
    star_text_free(&addresses);
    *length = text->failed ? 0 : (int64_t)text->length;
    return star_agree_lengths(length, 1) && star_agree_text(text, *length);
}

/* In the order of names, n2 before n10. */
static int machine_by_number(int64_t number)
{
    int *machine = malloc((size_t)topology->machines * sizeof *machine), count = 0, found = -1;
    for (int i = 0; machine != NULL && i < topology->nodes; i++)
        if (topology->node[i].machine)
            machine[count++] = i;
    if (number < count) {
        qsort(machine, (size_t)count, sizeof *machine, compare_names);
        found = machine[number];
    }
    free(machine);
    return found;
}

/* This rank's machine, −1: none. The setting `nodes` may pretend where ranks run. */
static int own_machine(void)
{
    struct star_placement placement = {STAR_PLACED_AUTO, 0};
    star_placement_parse(star_runtime.settings.nodes, &placement, NULL);
    if (placement.kind < STAR_PLACED_BLOCK && by_address)
        return own_address() ? star_topology_machine(topology, star_address_node(own_address())) : -1;
    if (placement.kind < STAR_PLACED_BLOCK)
        return this_host(topology);
    return machine_by_number(star_placement_node(&placement, star_runtime.world_rank));
}

/* The first rank whose machine nothing connects with rank 0's; −1: there is none. The same on all ranks. */
static int first_apart(const int *machines, int missing)
{
    for (int r = 1; missing == 0 && r < star_runtime.world_size; r++)
        if (star_topology_parts(topology, machines[r], machines[0]))
            return r;
    return -1;
}

/* Says which ranks' hosts the topology lacks, or does not connect with rank 0's. */
static void complain(int missing, int first, const char *host, int apart)
{
    if (strcmp(star_runtime.settings.topology, "auto") == 0)
        return;
    if (missing > 0 && pretends())
        star_warn(
            STAR_WARN_TOPOLOGY, star_runtime.world_rank,
            "the setting nodes=%s asks for more machines than the topology has; going on without a topology",
            star_runtime.settings.nodes);
    else if (missing > 0)
        star_warn(STAR_WARN_TOPOLOGY, star_runtime.world_rank,
                  "%d of %d ranks run on hosts that the topology lacks, rank %d on '%s' first; going on "
                  "without a topology",
                  missing, star_runtime.world_size, first, host);
    else if (apart >= 0)
        star_warn(
            STAR_WARN_TOPOLOGY, star_runtime.world_rank,
            "nothing in the topology connects the hosts of rank 0 and rank %d; going on without a topology",
            apart);
}

bool star_places_are_wanted(void)
{
    return strcmp(star_runtime.settings.topology, "auto") == 0 && world_machine == NULL && !pretends();
}

void star_places_read(struct star_text *text)
{
    if (strcmp(star_runtime.settings.topology, "none") == 0)
        return;
    read_topology(text);
    ask_for_addresses(text);
}

bool star_places_find(struct star_text *text, int64_t length)
{
    int size = star_runtime.world_size, machine = -1, missing, first, apart = -1;
    char host[HOST_NAME_MOST] = "";
    bool shared = length != ASKS || gather_addresses(text, &length), same;
    if (!shared || length == 0) {
        star_text_free(text);
        return shared;
    }
    int *machines = malloc((size_t)size * sizeof *machines);
    struct star_why why;
    int error = text->failed
                    ? STAR_EMEMORY
                    : star_topology_parse(text->bytes, text->length, "the topology", &topology, &why);
    star_text_free(text);
    bool made = machines != NULL && error != STAR_EMEMORY;
    made = star_agree(star_all(), made, 0, &same);
    if (made && error != 0) { /* the same text on all ranks */
        if (!by_address)
            star_warn(STAR_WARN_TOPOLOGY, star_runtime.world_rank, "%s; going on without a topology",
                      why.text);
        free(machines);
        return true;
    }
    if (made) {
        machine = own_machine();
        gethostname(host, sizeof host - 1);
        made = star_agree_places(machine, machines, host, sizeof host, &missing, &first);
        apart = made ? first_apart(machines, missing) : -1;
        if (made)
            complain(missing, first, host, apart);
    }
    if (made && missing == 0 && apart < 0) {
        world_machine = machines;
        return true;
    }
    free(machines);
    star_places_forget();
    return made;
}

static bool make_network(const int *machine, int size, struct star_network **network)
{
    STAR_FPENV_DEFAULT;
    return star_network_of(topology, machine, size, network, NULL) == 0;
}

bool star_places_are_known(void)
{
    return world_machine != NULL;
}

bool star_places_differ(MPI_Comm comm, int size)
{
    return world_machine != NULL && star_ranks_differ(comm, size, world_machine);
}

int *star_places_of(MPI_Comm comm, int size, const struct star_topology **found)
{
    int *machine = world_machine != NULL ? star_world_ranks(comm, size) : NULL;
    for (int r = 0; machine != NULL && r < size; r++)
        machine[r] = world_machine[machine[r]];
    *found = topology;
    return machine;
}

struct star_network *star_network_for(MPI_Comm comm, int size, bool *failed)
{
    struct star_network *network = NULL;
    const struct star_topology *known;
    *failed = false;
    if (world_machine == NULL)
        return NULL;
    int *machine = star_places_of(comm, size, &known);
    *failed = machine == NULL || !make_network(machine, size, &network);
    free(machine);
    return network;
}

void star_places_forget(void)
{
    free(world_machine);
    world_machine = NULL;
    star_topology_free(topology);
    topology = NULL;
}
