/* SPDX-License-Identifier: BSD-3-Clause */
#include "inside.h"
#include "topology/read.h"
#include "util/scratch.h"

#include <stdlib.h>
#include <string.h>

/* The ranks of one host. */
struct tenants {
    const struct cli_inside *inside;
    struct star_mapping mapping; /* on the host's cores */
    int *rank, ranks;
    int *local; /* of each rank of all, its number here; −1: it is elsewhere */
    int *slots, *in_order, *mapped;
    struct star_matrix *matrix;
    struct star_scratch memory;
};

/* The node whose branches are several: what all cores have in common is above it. −1: there is none. */
static int find_top(const struct star_topology *topology)
{
    int top = 0;
    for (;;) {
        int branches = 0, branch = -1;
        for (int node = 0; node < topology->nodes; node++)
            if (topology->node[node].parent == top) {
                branches++;
                branch = node;
            }
        if (branches != 1)
            return branches > 1 ? top : -1;
        top = branch;
    }
}

/* "numa" of "host/numa:1". */
static void name_kind(struct cli_inside *inside, const char *name)
{
    inside->kind = basename(name);
    inside->kind_length = (int)strcspn(inside->kind, ":");
}

static void find_parts(struct cli_inside *inside, int top)
{
    const struct star_topology *topology = inside->topology;
    int cores = 0;
    for (int node = 0; node < topology->nodes; node++) {
        int parent = topology->node[node].parent;
        inside->part[node] = parent == top ? inside->parts++ : parent >= 0 ? inside->part[parent] : -1;
        if (parent == top && inside->parts == 1)
            name_kind(inside, topology->node[node].name);
        if (topology->node[node].machine)
            inside->core[cores++] = node;
    }
}

int cli_inside_read(const char *file, struct cli_inside *inside, struct star_why *why)
{
    *inside = (struct cli_inside){.topology = NULL};
    int error = star_topology_read(file, &inside->topology, why);
    if (error)
        return error;
    int top = find_top(inside->topology);
    inside->core = calloc((size_t)inside->topology->machines, sizeof *inside->core);
    inside->part = calloc((size_t)inside->topology->nodes, sizeof *inside->part);
    if (top < 0)
        error = star_because(why, STAR_EINPUT, "%.150s: one core has no inside", file);
    else if (inside->core == NULL || inside->part == NULL)
        error = star_because(why, STAR_EMEMORY, "out of memory");
    else
        find_parts(inside, top);
    if (error)
        cli_inside_free(inside);
    return error;
}

void cli_inside_free(struct cli_inside *inside)
{
    star_topology_free(inside->topology);
    free(inside->core);
    free(inside->part);
    *inside = (struct cli_inside){.topology = NULL};
}

static bool open_tenants(struct tenants *tenants, const struct cli_inside *inside, int all)
{
    struct star_scratch *memory = &tenants->memory;
    tenants->inside = inside;
    tenants->rank = star_scratch(memory, (size_t)all, sizeof *tenants->rank);
    tenants->local = star_scratch(memory, (size_t)all, sizeof *tenants->local);
    tenants->in_order = star_scratch(memory, (size_t)all, sizeof *tenants->in_order);
    tenants->mapped = star_scratch(memory, (size_t)all, sizeof *tenants->mapped);
    tenants->slots = star_scratch(memory, (size_t)inside->topology->nodes, sizeof *tenants->slots);
    return !memory->failed;
}

/* A core has one rank, unless there are more ranks than cores; and of each part as many cores are used. */
static void give_slots(struct tenants *tenants)
{
    const struct cli_inside *inside = tenants->inside;
    int cores = inside->topology->machines, times = (tenants->ranks + cores - 1) / cores, given = 0;
    int most = (tenants->ranks + inside->parts - 1) / inside->parts, used = 0, part = -1;
    memset(tenants->slots, 0, (size_t)inside->topology->nodes * sizeof *tenants->slots);
    for (int c = 0; c < cores; c++) {
        int node = inside->core[c];
        used = inside->part[node] == part ? used : 0;
        part = inside->part[node];
        tenants->slots[node] = used + times <= most ? times : most - used;
        used += tenants->slots[node];
        given += tenants->slots[node];
    }
    for (int c = 0; c < cores && given < tenants->ranks; c++) /* parts are uneven */
        tenants->slots[inside->core[c]] = times;
}

static void fill_in_order(struct tenants *tenants)
{
    int filled = 0;
    for (int c = 0; c < tenants->inside->topology->machines; c++)
        for (int s = 0; s < tenants->slots[tenants->inside->core[c]] && filled < tenants->ranks; s++)
            tenants->in_order[filled++] = tenants->inside->core[c];
}

/* What the host's ranks send each other. */
static int cut_matrix(struct tenants *tenants, const struct star_matrix *all, struct star_why *why)
{
    size_t count = 0;
    struct star_matrix_entry *entries = malloc((all->first[all->ranks] + 1) * sizeof *entries);
    if (entries == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory");
    for (int i = 0; i < tenants->ranks; i++)
        for (size_t p = all->first[tenants->rank[i]]; p < all->first[tenants->rank[i] + 1]; p++)
            if (tenants->local[all->pair[p].peer] >= 0)
                entries[count++] = (struct star_matrix_entry){i, tenants->local[all->pair[p].peer],
                                                              all->pair[p].out, all->pair[p].messages_out};
    int error = star_matrix_make(tenants->ranks, entries, count, &tenants->matrix, why);
    free(entries);
    return error;
}

static double between_parts(const struct tenants *tenants, const int *machine)
{
    const struct star_matrix *matrix = tenants->matrix;
    const int *part = tenants->inside->part;
    double bytes = 0;
    for (int r = 0; r < matrix->ranks; r++)
        for (size_t p = matrix->first[r]; p < matrix->first[r + 1]; p++)
            bytes += part[machine[r]] != part[machine[matrix->pair[p].peer]] ? matrix->pair[p].out : 0;
    return bytes;
}

/* Puts the tenants in the better way into MAPPED. */
static int map_tenants(struct tenants *tenants, struct star_why *why)
{
    const double worth = 0.99;
    double cost, in_order, seconds;
    int error = star_map_ranks(&tenants->mapping, tenants->mapped, why);
    if (!error)
        error = star_cost_of_ranks(&tenants->mapping, tenants->mapped, &cost, &seconds, why);
    if (!error)
        error = star_cost_of_ranks(&tenants->mapping, tenants->in_order, &in_order, &seconds, why);
    if (!error && cost >= worth * in_order)
        memcpy(tenants->mapped, tenants->in_order, (size_t)tenants->ranks * sizeof *tenants->mapped);
    return error;
}

static int core_of(const struct cli_inside *inside, int node)
{
    int core = 0;
    while (inside->core[core] != node)
        core++;
    return core;
}

static int place_host(struct tenants *tenants, const struct star_mapping *all, int *core,
                      struct cli_inside_gain *gain, struct star_why *why)
{
    give_slots(tenants);
    fill_in_order(tenants);
    int error = cut_matrix(tenants, all->matrix, why);
    if (error)
        return error;
    tenants->mapping =
        (struct star_mapping){tenants->matrix, tenants->inside->topology, all->parameters, tenants->slots};
    error = map_tenants(tenants, why);
    for (int i = 0; !error && i < tenants->ranks; i++)
        core[tenants->rank[i]] = core_of(tenants->inside, tenants->mapped[i]);
    if (!error) {
        gain->before += between_parts(tenants, tenants->in_order);
        gain->after += between_parts(tenants, tenants->mapped);
    }
    star_matrix_free(tenants->matrix);
    return error;
}

static void find_tenants(struct tenants *tenants, const int *machine, int host, int all)
{
    tenants->ranks = 0;
    for (int r = 0; r < all; r++) {
        tenants->local[r] = machine[r] == host ? tenants->ranks : -1;
        if (machine[r] == host)
            tenants->rank[tenants->ranks++] = r;
    }
}

int cli_inside_place(const struct cli_inside *inside, const struct star_mapping *mapping, const int *machine,
                     int *core, struct cli_inside_gain *gain, struct star_why *why)
{
    struct tenants tenants = {.inside = NULL};
    int all = mapping->matrix->ranks, error = 0;
    *gain = (struct cli_inside_gain){0, 0};
    if (!open_tenants(&tenants, inside, all))
        error = star_because(why, STAR_EMEMORY, "out of memory");
    for (int host = 0; !error && host < mapping->topology->nodes; host++) {
        if (!mapping->topology->node[host].machine || mapping->slots[host] == 0)
            continue;
        find_tenants(&tenants, machine, host, all);
        if (tenants.ranks > 0)
            error = place_host(&tenants, mapping, core, gain, why);
    }
    star_scratch_free(&tenants.memory);
    return error;
}
