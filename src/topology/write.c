/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/write.h"

void star_topology_write(const struct star_topology *topology, struct star_text *text)
{
    if (topology->spare > 0)
        star_text_add(text, "# A spanning tree: %d links are spare\n", topology->spare);
    if (topology->by_id > 0)
        star_text_add(
            text, "# Hosts with an id for a name: %d; what they are called is no name, or that of others\n",
            topology->by_id);
    if (topology->islands > 0)
        star_text_add(text, "islands\n");
    for (int i = star_topology_first(topology); i < topology->nodes; i++)
        if (!topology->node[i].machine)
            star_text_add(text, "switch %s\n", topology->node[i].name);
    for (int i = 1; i < topology->nodes; i++) {
        const struct star_node *node = &topology->node[i];
        const char *above = topology->node[node->parent].name;
        if (above[0] == 0)
            continue;
        if (node->machine)
            star_text_add(text, "host %s %s", node->name, above);
        else
            star_text_add(text, "link %s %s", above, node->name);
        if (topology->has_speeds) {
            star_text_append(text, " ", 1);
            star_text_number(text, node->mbps);
        }
        if (node->slots > 1)
            star_text_add(text, " slots=%d", node->slots);
        star_text_add(text, "\n");
    }
}

static void add_json(const struct star_topology *topology, const struct star_node *node,
                     struct star_text *text)
{
    bool is_root = node->parent < star_topology_first(topology);
    const char *above = is_root ? NULL : topology->node[node->parent].name;
    star_json_add(text, "{name: %s", node->name);
    if (above != NULL)
        star_json_string(text, node->machine ? "switch" : "parent", above);
    else
        star_json_raw(text, "parent", "null", 4);
    if (above != NULL)
        star_json_number(text, "mbps", node->mbps);
    else
        star_json_raw(text, "mbps", "null", 4);
    if (node->machine)
        star_json_integer(text, "slots", node->slots);
    star_json_close(text, '}');
}

void star_topology_json(const struct star_topology *topology, struct star_text *text)
{
    star_json_open(text, NULL, '{');
    for (int machines = 0; machines <= 1; machines++) {
        star_json_open(text, machines ? "hosts" : "switches", '[');
        for (int i = star_topology_first(topology); i < topology->nodes; i++)
            if (topology->node[i].machine == (machines == 1))
                add_json(topology, &topology->node[i], text);
        star_json_close(text, ']');
    }
    star_json_add(text, "spare_links: %d, hosts_by_id: %d}", topology->spare, topology->by_id);
    star_text_add(text, "\n");
}
