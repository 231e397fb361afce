/* SPDX-License-Identifier: BSD-3-Clause */
#include "ways.h"

int cli_place_ranks(const struct cli_place *place)
{
    return place->talk.matrix->ranks;
}

/* Where the run had its ranks; false: on other hosts, or on more slots than there are. */
static bool find_as_it_ran(struct cli_place *place, int *machine)
{
    const struct star_topology *topology = place->hosts.topology;
    int *used = star_scratch(&place->memory, (size_t)topology->nodes, sizeof *used);
    for (int r = 0; used != NULL && r < cli_place_ranks(place); r++) {
        const char *host = place->talk.host[r];
        machine[r] = host != NULL ? star_topology_machine(topology, host) : -1;
        if (machine[r] < 0 || ++used[machine[r]] > place->hosts.slots[machine[r]])
            return false;
    }
    return used != NULL;
}

static void fill_by_slot(const struct cli_place *place, int *machine)
{
    const struct cli_hosts *hosts = &place->hosts;
    int filled = 0;
    for (int h = 0; h < hosts->count; h++)
        for (int s = 0; s < hosts->slots[hosts->node[h]] && filled < cli_place_ranks(place); s++)
            machine[filled++] = hosts->node[h];
}

static void fill_by_node(const struct cli_place *place, int *machine)
{
    const struct cli_hosts *hosts = &place->hosts;
    int filled = 0;
    for (int turn = 0; filled < cli_place_ranks(place); turn++)
        for (int h = 0; h < hosts->count && filled < cli_place_ranks(place); h++)
            if (turn < hosts->slots[hosts->node[h]])
                machine[filled++] = hosts->node[h];
}

static struct star_mapping mapping_of(const struct cli_place *place)
{
    return (struct star_mapping){place->talk.matrix, place->hosts.topology, &place->parameters,
                                 place->hosts.slots};
}

int cli_place_expect(const struct cli_place *place, struct way *way, struct star_why *why)
{
    const struct star_mapping mapping = mapping_of(place);
    way->between = star_matrix_between(place->talk.matrix, way->machine);
    return star_cost_of_ranks(&mapping, way->machine, &way->cost, &way->seconds, why);
}

/* Places the ranks in all ways. */
static int find_ways(struct cli_place *place, struct star_why *why)
{
    static const char *const names[WAYS] = {"as it ran", "by slot", "by node", "startune's", "earlier"};
    const struct star_mapping mapping = mapping_of(place);
    int error = cli_hosts_widen(&place->hosts, cli_place_ranks(place), why);
    for (int w = 0; w < WAYS; w++) {
        struct way *way = &place->way[w];
        way->name = names[w];
        way->machine = star_scratch(&place->memory, (size_t)cli_place_ranks(place), sizeof *way->machine);
    }
    if (!error && place->memory.failed)
        error = star_because(why, STAR_EMEMORY, "out of memory");
    if (error)
        return error;
    fill_by_slot(place, place->way[BY_SLOT].machine);
    fill_by_node(place, place->way[BY_NODE].machine);
    if (!find_as_it_ran(place, place->way[AS_IT_RAN].machine))
        place->way[AS_IT_RAN].machine = NULL;
    place->way[EARLIER].machine = NULL;
    error = star_map_ranks(&mapping, place->way[MAPPED].machine, why);
    for (int w = 0; !error && w < WAYS; w++)
        if (place->way[w].machine != NULL)
            error = cli_place_expect(place, &place->way[w], why);
    return error;
}

/* What is not expected to be better by one in a hundred is not worth a change. */
static void choose(struct cli_place *place)
{
    const double worth = 0.99;
    place->before = place->way[AS_IT_RAN].machine != NULL ? AS_IT_RAN : BY_SLOT;
    place->chosen = place->before;
    for (int w = 0; w < WAYS; w++)
        if (place->way[w].machine != NULL && place->way[w].cost < worth * place->way[place->chosen].cost &&
            place->way[w].seconds < worth * place->way[place->before].seconds)
            place->chosen = w;
}

int cli_place_find(struct cli_place *place, struct star_why *why)
{
    int error = find_ways(place, why);
    if (!error)
        choose(place);
    return error;
}

int cli_place_inside(struct cli_place *place, int *core, struct star_why *why)
{
    const struct star_mapping mapping = mapping_of(place);
    return cli_inside_place(&place->inside, &mapping, place->way[place->chosen].machine, core,
                            &place->inside_gain, why);
}

void cli_place_free(struct cli_place *place)
{
    star_talk_free(&place->talk);
    cli_hosts_free(&place->hosts);
    cli_inside_free(&place->inside);
    cli_trials_free(&place->trials);
    star_scratch_free(&place->memory);
}
