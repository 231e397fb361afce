/* SPDX-License-Identifier: BSD-3-Clause
 * Discovery without machines: hop counts of random trees, and round trips made of them with simulated noise.
 */
#include "expect.h"
#include "topology/infer.h"
#include "topology/infer_tree.h"
#include "topology/topology.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>

enum { NODES_MOST = 96, MACHINES_MOST = 32, SWEEPS = 8 };

/* The truth: switches first, each below an earlier one, then machines. */
struct truth {
    int parent[NODES_MOST], switches, machines;
    int hops[MACHINES_MOST * MACHINES_MOST];
    char names[MACHINES_MOST][16];
    const char *name[MACHINES_MOST];
};

static int depth_of(const struct truth *truth, int node)
{
    int depth = 0;
    for (; truth->parent[node] >= 0; depth++)
        node = truth->parent[node];
    return depth;
}

/* By depths: the slow way, not that of the code. */
static int links_between(const struct truth *truth, int one, int other)
{
    int links = 0, down = depth_of(truth, one), across = depth_of(truth, other);
    for (; down > across; down--, links++)
        one = truth->parent[one];
    for (; across > down; across--, links++)
        other = truth->parent[other];
    for (; one != other; links += 2) {
        one = truth->parent[one];
        other = truth->parent[other];
    }
    return links;
}

static void finish(struct truth *truth)
{
    for (int i = 0; i < truth->machines; i++) {
        snprintf(truth->names[i], sizeof truth->names[i], "n%d", i);
        truth->name[i] = truth->names[i];
        for (int k = 0; k < truth->machines; k++)
            truth->hops[i * truth->machines + k] =
                links_between(truth, truth->switches + i, truth->switches + k);
    }
}

static void add_machine(struct truth *truth, int on)
{
    truth->parent[truth->switches + truth->machines++] = on;
}

/* SWITCHES in a chain, EACH machines on each. */
static void chain(struct truth *truth, int switches, int each)
{
    *truth = (struct truth){.switches = switches};
    for (int i = 0; i < switches; i++)
        truth->parent[i] = i - 1;
    for (int i = 0; i < switches * each; i++)
        add_machine(truth, i / each);
    finish(truth);
}

/* A core without machines, and SWITCHES on it. */
static void star(struct truth *truth, int switches, int each)
{
    *truth = (struct truth){.switches = switches + 1, .parent = {-1}};
    for (int i = 0; i < switches * each; i++)
        add_machine(truth, 1 + i / each);
    finish(truth);
}

static void random_tree(struct truth *truth, uint64_t *random)
{
    *truth = (struct truth){.switches = 1 + (int)random_below(random, 10)};
    int machines = 2 + (int)random_below(random, MACHINES_MOST - 1);
    for (int i = 0; i < truth->switches; i++)
        truth->parent[i] = i ? (int)random_below(random, (uint64_t)i) : -1;
    int shared = (int)random_below(random, (uint64_t)truth->switches);
    for (int i = 0; i < machines; i++) /* two machines at least share a switch */
        add_machine(truth, i < 2 ? shared : (int)random_below(random, (uint64_t)truth->switches));
    finish(truth);
}

/* Independent of the code under test: walks up the topology's nodes. */
static int links_found(const struct star_topology *topology, const char *one, const char *other)
{
    int links = 0, from = star_topology_machine(topology, one), to = star_topology_machine(topology, other);
    assert_true(from >= 0 && to >= 0);
    for (; from != to; links++)
        if (from > to)
            from = topology->node[from].parent;
        else
            to = topology->node[to].parent;
    return links;
}

/* Are the hop counts those of the truth, when a link of the tree may stand for UNIT of them beyond a switch?
 */
static bool is_found(const struct truth *truth, const struct star_topology *topology)
{
    bool same = true, scaled = true; /* two groups: 2 and 3 links look the same as 2 and any other number */
    int seldom = 0, here = 0;
    for (int i = 0; i < truth->machines; i++)
        for (int k = 0; k < i; k++) {
            int links = links_found(topology, truth->name[i], truth->name[k]);
            int true_links = truth->hops[i * truth->machines + k];
            same = same && links == true_links;
            if (true_links > 2 && !seldom) {
                seldom = true_links - 2;
                here = links - 2;
            }
            scaled = scaled && (links - 2) * seldom == (true_links - 2) * here;
        }
    return same || (scaled && here > 0);
}

static void the_tree_is_found_from_its_hop_counts(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < trials(2000, 100); i++) {
        struct truth truth;
        struct star_topology *topology;
        struct star_why why = {{0}};
        random_tree(&truth, &random);
        if (star_infer_tree(truth.hops, truth.machines, truth.name, &topology, &why))
            fail_msg("%s", why.text);
        assert_int_equal(topology->machines, truth.machines);
        for (int a = 0; a < truth.machines; a++)
            for (int b = 0; b < truth.machines; b++)
                assert_int_equal(links_found(topology, truth.name[a], truth.name[b]),
                                 truth.hops[a * truth.machines + b]);
        star_topology_free(topology);
    }
}

static void hop_counts_of_no_tree_are_refused(void **state)
{
    (void)state;
    static const int odd[] = {0, 3, 3, 3, 0, 3, 3, 3, 0};    /* no node is half a link away */
    static const int inside[] = {0, 2, 2, 2, 0, 4, 2, 4, 0}; /* n0 would be on the way */
    static const int cycle[] = {0, 3, 4, 3, 3, 0, 3, 4, 4, 3, 0, 3, 3, 4, 3, 0}; /* four switches in a ring */
    static const char *const names[] = {"n0", "n1", "n2", "n3"};
    struct star_topology *topology;
    struct star_why why;
    assert_int_equal(star_infer_tree(odd, 3, names, &topology, &why), STAR_ENEEDS);
    expect_reason(&why, "3 links apart");
    assert_int_equal(star_infer_tree(inside, 3, names, &topology, &why), STAR_ENEEDS);
    expect_reason(&why, "n1 and n2");
    assert_int_equal(star_infer_tree(cycle, 4, names, &topology, &why), STAR_ENEEDS);
    expect_reason(&why, "no tree");
    assert_int_equal(star_infer_tree(odd, 1, names, &topology, &why), STAR_ENEEDS);
    expect_reason(&why, "one machine");
}

static void one_wrong_hop_count_is_refused(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int i = 0; i < trials(2000, 100); i++) {
        struct truth truth;
        struct star_topology *topology;
        struct star_why why;
        random_tree(&truth, &random);
        if (truth.machines < 4)
            continue;
        int a = (int)random_below(&random, (uint64_t)truth.machines);
        int b = (a + 1 + (int)random_below(&random, (uint64_t)truth.machines - 1)) % truth.machines;
        truth.hops[a * truth.machines + b] = ++truth.hops[b * truth.machines + a];
        assert_int_equal(star_infer_tree(truth.hops, truth.machines, truth.name, &topology, &why),
                         STAR_ENEEDS);
        expect_reason(&why, "no tree");
    }
}

/* Exponentially distributed, as delays beyond the least are. */
static double delay(uint64_t *random, double mean)
{
    return -mean * log(1 - (double)random_below(random, 1u << 30) / (1u << 30));
}

/* Round trips of 10 µs and 1 µs a link; NOISE: the mean delay of what is measured, in links. */
static int infer(const struct truth *truth, double noise, uint64_t *random, struct star_topology **topology,
                 struct star_why *why)
{
    static double seconds[SWEEPS * MACHINES_MOST * MACHINES_MOST];
    int cells = truth->machines * truth->machines;
    for (int i = 0; i < SWEEPS * cells; i++)
        seconds[i] = 1e-5 + 1e-6 * (truth->hops[i % cells] + delay(random, noise));
    struct star_trips trips = {truth->machines, SWEEPS, truth->name, seconds};
    return star_infer(&trips, topology, why);
}

enum { TRIALS = 3000, FEW = 150 };
static const struct strength {
    double noise; /* in links */
    int found;    /* so many of TRIALS at least */
} strengths[] = {{0, TRIALS}, {0.001, 2990}, {0.01, 2900}, {0.05, 2700}, {0.2, 0},
                 {0.5, 0},    {1, 0},        {3, 0},       {20, 0}};

static void noise_makes_it_refuse_and_never_err(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (size_t s = 0; s < sizeof strengths / sizeof *strengths; s++) {
        int found = 0, wrong = 0, count = trials(TRIALS, FEW);
        for (int i = 0; i < count; i++) {
            struct truth truth;
            struct star_topology *topology;
            struct star_why why = {{0}};
            random_tree(&truth, &random);
            int error = infer(&truth, strengths[s].noise, &random, &topology, &why);
            if (error) {
                expect_one_line(why.text);
                continue;
            }
            *(is_found(&truth, topology) ? &found : &wrong) += 1;
            star_topology_free(topology);
        }
        print_message("noise of %g links: %d of %d found, %d wrong\n", strengths[s].noise, found, count,
                      wrong);
        assert_int_equal(wrong, 0);
        assert_true(found >= strengths[s].found * count / TRIALS);
    }
}

static void plain_shapes_are_found(void **state)
{
    (void)state;
    static const int shapes[][3] = {/* star?, switches, machines each */ {0, 1, 2},
                                    {0, 1, 16},
                                    {0, 2, 4},
                                    {0, 4, 2},
                                    {0, 8, 4},
                                    {1, 4, 8},
                                    {1, 3, 2},
                                    {0, 2, 16}};
    uint64_t random = 3;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct truth truth;
        struct star_topology *topology;
        struct star_why why = {{0}};
        (shapes[i][0] ? star : chain)(&truth, shapes[i][1], shapes[i][2]);
        if (infer(&truth, 0.005, &random, &topology, &why))
            fail_msg("%s", why.text);
        for (int a = 0; a < truth.machines; a++)
            for (int b = 0; b < a; b++)
                assert_int_equal(links_found(topology, truth.name[a], truth.name[b]),
                                 truth.hops[a * truth.machines + b]);
        assert_int_equal(topology->nodes - topology->machines, truth.switches);
        assert_false(topology->has_speeds);
        star_topology_free(topology);
    }
}

static void names_of_switches_are_no_hosts(void **state)
{
    (void)state;
    static const int hops[] = {0, 2, 2, 0};
    static const char *const names[] = {"s0", "n1"}, *const twice[] = {"n", "n"};
    struct star_topology *topology;
    struct star_why why;
    assert_int_equal(star_infer_tree(hops, 2, names, &topology, &why), 0);
    assert_string_equal(topology->node[0].name, "switch0");
    star_topology_free(topology);
    assert_int_equal(star_infer_tree(hops, 2, twice, &topology, &why), STAR_EINPUT);
}

static void reasons_name_what_was_measured(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    static const struct {
        double microseconds[3][3]; /* of a and b, a and c, b and c, in each of three sweeps */
        const char *reason;
    } cases[] = {
        {{{20, 20, 20}, {22, 20, 20}, {23, 20, 20}}, "a and b differ by 3"},
        {{{20, 23, 25}, {20, 23, 25}, {20, 23, 25}}, "links seem to differ"},
        {{{20, 20, 20.9}, {20, 20, 20.9}, {20, 20, 20.9}}, "no tree"},
        {{{20, 20, 20.39}, {20, 20, 20.39}, {20, 20, 20.39}}, "differ by up to 390 ns"},
        {{{20, 0, 20}, {20, 0, 20}, {20, 0, 20}}, "between a and c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double seconds[3 * 9] = {0};
        struct star_trips trips = {3, 3, names, seconds};
        struct star_topology *topology;
        struct star_why why = {{0}};
        for (int sweep = 0; sweep < 3; sweep++) {
            const double *times = cases[i].microseconds[sweep];
            const double cells[] = {0, times[0], times[1], times[0], 0, times[2], times[1], times[2], 0};
            for (int k = 0; k < 9; k++)
                seconds[9 * sweep + k] = 1e-6 * cells[k];
        }
        assert_int_equal(star_infer(&trips, &topology, &why), STAR_ENEEDS);
        expect_reason(&why, cases[i].reason);
        trips.sweeps = 2;
        assert_int_equal(star_infer(&trips, &topology, &why), STAR_ENEEDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_found_from_its_hop_counts),
        cmocka_unit_test(hop_counts_of_no_tree_are_refused),
        cmocka_unit_test(one_wrong_hop_count_is_refused),
        cmocka_unit_test(noise_makes_it_refuse_and_never_err),
        cmocka_unit_test(plain_shapes_are_found),
        cmocka_unit_test(names_of_switches_are_no_hosts),
        cmocka_unit_test(reasons_name_what_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
