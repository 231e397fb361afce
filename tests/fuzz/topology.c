/* SPDX-License-Identifier: BSD-3-Clause
 * Topology files of all kinds: accepted ones survive writing and reading. */
#include "topology/topology.h"
#include "expect.h"
#include "targets.h"
#include "topology/draw.h"
#include "topology/graph.h"
#include "topology/network.h"
#include "topology/read.h"
#include "topology/write.h"
#include "util/text.h"
#include "util/why.h"

#include <stdlib.h>

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* TEXT in lines, which are sorted but for the first; without a comment. */
static char **sorted_lines(char *text, size_t *count)
{
    size_t lines = 0, room = 1;
    for (const char *c = text; *c; c++)
        room += *c == '\n';
    char **line = malloc(room * sizeof *line);
    assert_non_null(line);
    for (char *one; (one = strsep(&text, "\n")) != NULL;)
        if (one[0] != '#')
            line[lines++] = one;
    qsort(line + 1, lines - 1, sizeof *line, compare_lines);
    *count = lines;
    return line;
}

/* Writing and reading may change the order of what hangs on a switch, and nothing else. */
static void expect_same_tree(const struct star_topology *topology, const struct star_topology *again)
{
    struct star_text first = {0}, second = {0};
    size_t first_count, second_count;
    assert_int_equal(topology->machines, again->machines);
    assert_int_equal(topology->has_speeds, again->has_speeds);
    star_topology_write(topology, &first);
    star_topology_write(again, &second);
    char **a = sorted_lines(first.bytes, &first_count), **b = sorted_lines(second.bytes, &second_count);
    assert_int_equal(first_count, second_count);
    for (size_t i = 0; i < first_count; i++)
        assert_string_equal(a[i], b[i]);
    free(a);
    free(b);
    star_text_free(&first);
    star_text_free(&second);
}

static void expect_tree(const struct star_topology *topology)
{
    assert_true(topology->machines >= 1 && topology->root == 0 && topology->node[0].parent == -1);
    for (int i = 0; i < topology->nodes; i++) {
        const struct star_node *node = &topology->node[i];
        assert_true(i == 0 || (node->parent >= 0 && node->parent < i && node->mbps > 0));
        assert_true(i == 0 || !topology->node[node->parent].machine);
        assert_true(node->machine || (i + 1 < topology->nodes && topology->node[i + 1].parent == i));
        assert_true(!node->machine || star_topology_machine(topology, node->name) == i);
        assert_true(star_graph_name_is_good(node->name) || (i == 0 && topology->islands > 1));
    }
}

static int count(int directed_link, void *context)
{
    (void)directed_link;
    ++*(int *)context;
    return 0;
}

/* A rank on each of the first machines: they have a network, unless they are on several islands. */
static void expect_network(const struct star_topology *topology)
{
    enum { RANKS = 48 };
    int machine[RANKS], ranks = 0, links = 0;
    struct star_network *network = NULL;
    struct star_why why;
    for (int i = 0; i < topology->nodes && ranks < RANKS; i++)
        if (topology->node[i].machine)
            machine[ranks++] = i;
    bool apart = star_topology_parts(topology, machine[0], machine[ranks - 1]); /* they stand in order */
    int error = star_network_of(topology, machine, ranks, &network, &why);
    assert_int_equal(error, apart ? STAR_ENEEDS : 0);
    for (int r = 1; !error && r < ranks; r++)
        star_network_path(network, 0, r, count, &links);
    assert_true(error || links >= 2 * (ranks - 1));
    star_network_free(network);
}

static void accept(const struct star_topology *topology)
{
    struct star_topology *again = NULL;
    struct star_text text = {0}, picture = {0};
    struct star_why why = {{0}};
    expect_tree(topology);
    expect_network(topology);
    star_topology_write(topology, &text);
    if (star_topology_parse(text.bytes, text.length, "again", &again, &why))
        fail_msg("%s\n%s", why.text, text.bytes);
    expect_same_tree(topology, again);
    star_topology_draw(topology, &picture, &why); /* or refused, as it is too large */
    star_topology_svg(topology, &picture, &why);
    star_topology_json(topology, &picture);
    assert_false(picture.failed);
    star_topology_free(again);
    star_text_free(&text);
    star_text_free(&picture);
}

/* Do lists stand for more names than can be tried often? Those are for tests that run once. */
static bool is_huge(const char *text, size_t length)
{
    enum { DIGITS_MOST = 2, BRACKETS_MOST = 2 };
    int digits = 0, brackets = 0;
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        inside = c == '[' || (inside && c != ']');
        brackets = c == '[' ? brackets + 1 : c == '\n' || c == ' ' || c == '\t' ? 0 : brackets;
        if (brackets > BRACKETS_MOST || (inside && digits > DIGITS_MOST))
            return true;
    }
    return false;
}

int fuzz_topology(const char *text, size_t length, struct star_why *why)
{
    struct star_topology *topology = NULL;
    if (is_huge(text, length))
        return star_because(why, STAR_EINPUT, "fuzz: this may stand for very many names");
    int error = star_topology_parse(text, length, "fuzz", &topology, why);
    if (error)
        assert_null(topology);
    else
        accept(topology);
    star_topology_free(topology);
    return error;
}
