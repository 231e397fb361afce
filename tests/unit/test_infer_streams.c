/* SPDX-License-Identifier: BSD-3-Clause
 * Discovery by streams alone, on simulated networks, busy ones too. A tree is compared by its trunks: which
 * machines each has on the side of n0's opposite. */
#include "crossing.h"
#include "topology/confirm.h"
#include "topology/infer.h"
#include "topology/infer_streams.h"
#include "topology/streams.h"
#include "topology/topology.h"
#include "util/why.h"

#include <stdio.h>

enum { SWEEPS = 3, MACHINES_MOST = 12, TRUNKS_MOST = CROSSING_NODES };

/* What makes streams slower than links do. */
struct trouble {
    double noise;      /* the mean of what a stream loses, as a share, exponentially distributed */
    double stalls;     /* how probable it is that all streams of a run get a part of a processor only */
    double processors; /* Mbit/s that all streams may have together; 0: any */
};

struct network {
    struct star_topology *truth, *inferred;
    struct trouble trouble;
    uint64_t random;
    int runs, broken_at; /* the run that fails, −1: none */
};

static double draw(uint64_t *random)
{
    return (double)random_below(random, 1u << 30) / (1u << 30);
}

static int node_of(const struct star_topology *topology, int machine)
{
    char name[16];
    snprintf(name, sizeof name, "n%d", machine);
    return star_topology_machine(topology, name);
}

static int links_between(const struct star_topology *topology, int one, int other)
{
    int links = 0;
    for (; one != other; links++) {
        int *lower = one > other ? &one : &other;
        *lower = topology->node[*lower].parent;
    }
    return links;
}

static void disturb(struct network *network, int count, double *mbps)
{
    const struct trouble *trouble = &network->trouble;
    double sum = 0, part = draw(&network->random) < trouble->stalls ? draw(&network->random) : 1;
    for (int i = 0; i < count; i++) {
        double loss = -trouble->noise * log(1 - draw(&network->random));
        mbps[i] *= part * fmax(0.01, 1 - loss);
        sum += mbps[i];
    }
    for (int i = 0; i < count && trouble->processors > 0; i++)
        mbps[i] *= fmin(1, trouble->processors / sum);
}

/* Streams between machines by their numbers, or, while there is a tree INFERRED, between its nodes. */
static int true_node(const struct network *network, int node)
{
    if (network->inferred == NULL)
        return node_of(network->truth, node);
    return star_topology_machine(network->truth, network->inferred->node[node].name);
}

static int simulate(const struct star_stream *streams, int count, double *mbps, int left, void *context,
                    struct star_why *why)
{
    struct network *network = context;
    struct star_stream true_streams[CROSSING_NODES];
    assert_true(left >= 0);
    if (network->runs++ == network->broken_at)
        return star_because(why, STAR_ESYSTEM, "broken");
    for (int i = 0; i < count; i++)
        true_streams[i] =
            (struct star_stream){true_node(network, streams[i].from), true_node(network, streams[i].to)};
    carry(network->truth, true_streams, count, mbps);
    disturb(network, count, mbps);
    return 0;
}

/* The machines on the side of LINK that n0 is not on, as bits. */
static unsigned side_of(const struct star_topology *topology, int link)
{
    unsigned below = 0, all = (1u << topology->machines) - 1;
    for (int i = 0; i < topology->machines; i++) {
        int node = node_of(topology, i);
        while (node > link)
            node = topology->node[node].parent;
        below |= node == link ? 1u << i : 0;
    }
    return below & 1 ? all & ~below : below;
}

static int bits(unsigned set)
{
    int count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

/* Trunks with two machines at least on either side, each once, with the least bandwidth of those that part
 * the same machines. */
struct trunks {
    unsigned side[TRUNKS_MOST];
    double mbps[TRUNKS_MOST];
    int count;
};

static struct trunks trunks_of(const struct star_topology *topology)
{
    struct trunks trunks = {.count = 0};
    for (int link = 1; link < topology->nodes; link++) {
        unsigned side = side_of(topology, link);
        int at = 0;
        if (bits(side) < 2 || bits(side) > topology->machines - 2)
            continue;
        while (at < trunks.count && trunks.side[at] != side)
            at++;
        trunks.side[at] = side;
        trunks.mbps[at] = fmin(at < trunks.count ? trunks.mbps[at] : INFINITY, topology->node[link].mbps);
        trunks.count += at == trunks.count;
    }
    return trunks;
}

static bool has(const struct trunks *trunks, unsigned side)
{
    for (int i = 0; i < trunks->count; i++)
        if (trunks->side[i] == side)
            return true;
    return false;
}

/* Has FOUND only trunks that there are, and all of them that are no faster than MOST? */
static bool is_right(const struct star_topology *truth, const struct star_topology *found, double most)
{
    struct trunks true_ones = trunks_of(truth), found_ones = trunks_of(found);
    for (int i = 0; i < found_ones.count; i++)
        if (!has(&true_ones, found_ones.side[i]))
            return false;
    for (int i = 0; i < true_ones.count; i++)
        if (true_ones.mbps[i] <= most && !has(&found_ones, true_ones.side[i]))
            return false;
    return true;
}

/* Machines of 100 Mbit/s, of which none is alone on a switch without others; trunks of any of SPEEDS. */
static struct star_topology *random_network(uint64_t *random, const double *speeds, int count)
{
    char text[4096];
    int used = 0, switches = 1 + (int)random_below(random, 6), machines = 4 + (int)random_below(random, 9);
    used += snprintf(text, sizeof text, "switch s[0-%d]\n", switches - 1);
    for (int i = 1; i < switches; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "link s%d s%d %g\n",
                         (int)random_below(random, (uint64_t)i), i,
                         speeds[random_below(random, (uint64_t)count)]);
    machines = machines < switches ? switches : machines;
    for (int i = 0; i < machines; i++) /* each switch has one at least */
        used += snprintf(text + used, sizeof text - (size_t)used, "host n%d s%d 100\n", i,
                         i < switches ? i : (int)random_below(random, (uint64_t)switches));
    return read_topology(text);
}

/* As the command does: infers, then confirms. Round trips are of 10 µs, and each link adds one, and noise up
 * to one. */
static int infer(struct network *network, struct star_topology **found, struct star_why *why)
{
    static double seconds[SWEEPS * MACHINES_MOST * MACHINES_MOST];
    const struct star_topology *truth = network->truth;
    const char *name[MACHINES_MOST];
    int machines = truth->machines;
    struct star_trips trips = {machines, SWEEPS, name, seconds};
    struct star_streams streams = {simulate, network};
    for (int i = 0; i < machines; i++)
        name[i] = truth->node[node_of(truth, i)].name;
    for (int i = 0; i < machines * machines; i++) {
        int links = links_between(truth, node_of(truth, i / machines), node_of(truth, i % machines));
        seconds[i] = 1e-5 + 1e-6 * (links + draw(&network->random));
        for (int sweep = 1; sweep < SWEEPS; sweep++)
            seconds[sweep * machines * machines + i] = seconds[i];
    }
    int error = star_infer_streams(&trips, &streams, found, why);
    if (error)
        return error;
    network->inferred = *found;
    error = star_confirm(*found, &streams, why);
    if (error)
        star_topology_free(*found);
    return error;
}

enum outcome { FOUND, REFUSED, WRONG, OUTCOMES };

/* All trunks up to MOST must be found. */
static enum outcome discover(struct star_topology *truth, struct trouble trouble, double most, uint64_t seed)
{
    struct network network = {truth, NULL, trouble, seed, 0, -1};
    struct star_topology *found;
    struct star_why why = {{0}};
    int error = infer(&network, &found, &why);
    if (error) {
        expect_one_line(why.text);
        return REFUSED;
    }
    enum outcome outcome = is_right(truth, found, most) ? FOUND : WRONG;
    star_topology_free(found);
    return outcome;
}

enum { TRIALS = 1000, FEW = 50 };
static const struct condition {
    const char *what;
    double speeds[4]; /* of trunks, up to the first 0 */
    struct trouble trouble;
    double most; /* trunks that are no faster must be found, where nothing is refused */
    int found;   /* so many of TRIALS at least */
} conditions[] = {
    {"trunks as fast as machines", {100}, {0, 0, 0}, 1000, TRIALS},
    {"a third faster", {130}, {0, 0, 0}, 1000, TRIALS},
    {"slower ones too", {25, 50, 100}, {0, 0, 0}, 0, 200},
    {"faster ones too", {100, 250, 1000}, {0, 0, 0}, 100, 900},
    {"2 % lost by noise", {100}, {0.02, 0, 0}, 1000, TRIALS - 10},
    {"10 % lost by noise", {100}, {0.1, 0, 0}, 1000, 200},
    {"30 % lost by noise", {100}, {0.3, 0, 0}, 1000, 0},
    {"all lost by noise", {100}, {1, 0, 0}, 1000, 0},
    {"10 % of the runs stall", {100}, {0.02, 0.1, 0}, 1000, 800},
    {"30 % of the runs stall", {100}, {0.02, 0.3, 0}, 1000, 200},
    {"60 % of the runs stall", {100}, {0.02, 0.6, 0}, 1000, 0},
    {"all runs stall", {100}, {0.02, 1, 0}, 1000, 0},
    {"processors for 0.9 streams", {100}, {0.02, 0, 90}, 1000, 0},
    {"processors for 1.3 streams", {100}, {0.02, 0, 130}, 1000, 0},
    {"processors for 1.7 streams", {100}, {0.02, 0, 170}, 1000, 0},
    {"processors for 2.5 streams", {100}, {0.02, 0, 250}, 1000, 0},
    {"processors for 4 streams", {100}, {0.02, 0, 400}, 1000, 900},
};

/* Streams between machines that are equally fast: trouble makes it refuse, and never say another tree. Trunks
 * that are faster than machines may be missed, but none is made up. */
static void trouble_makes_it_refuse_and_never_err(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
        const struct condition *condition = &conditions[c];
        int outcomes[OUTCOMES] = {0}, speeds = 1, count = trials(TRIALS, FEW);
        uint64_t random = 5;
        while (speeds < 4 && condition->speeds[speeds] > 0)
            speeds++;
        for (int i = 0; i < count; i++) {
            struct star_topology *truth = random_network(&random, condition->speeds, speeds);
            outcomes[discover(truth, condition->trouble, condition->most, random)]++;
            star_topology_free(truth);
        }
        print_message("%s: %d found, %d refused, %d wrong\n", condition->what, outcomes[FOUND],
                      outcomes[REFUSED], outcomes[WRONG]);
        assert_int_equal(outcomes[WRONG], 0);
        assert_true(outcomes[FOUND] >= condition->found * count / TRIALS);
    }
}

static const char two_by_four[] = "switch s[0-1]\nlink s0 s1 100\nhost n[0-3] s0 100\nhost n[4-7] s1 100\n";
static const char one_of_eight[] = "switch s\nhost n[0-7] s 100\n";

static void shapes_of_the_laboratory_take_few_streams(void **state)
{
    (void)state;
    static const char *const shapes[] = {two_by_four, one_of_eight,
                                         "switch s[0-3]\nlink s0 s1 100\nlink s1 s2 100\nlink s2 s3 100\n"
                                         "host n[0-1] s0 100\nhost n[2-3] s1 100\nhost n[4-5] s2 100\n"
                                         "host n[6-7] s3 100\n"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct network network = {read_topology(shapes[i]), NULL, {0, 0, 0}, 3, 0, -1};
        struct star_topology *found;
        struct star_why why = {{0}};
        if (infer(&network, &found, &why))
            fail_msg("%s", why.text);
        assert_true(is_right(network.truth, found, 1000));
        assert_int_equal(found->nodes, network.truth->nodes);
        print_message("%d runs\n", network.runs);
        assert_true(network.runs < 300);
        star_topology_free(found);
        star_topology_free(network.truth);
    }
}

static void reasons_say_what_was_seen(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct trouble trouble;
        const char *reason;
    } cases[] = {
        {two_by_four, {0, 0, 140}, "lack processors"},
        {one_of_eight, {0, 0, 250}, "lack processors"},
        {two_by_four, {1, 0, 0}, "nois"},
        {"switch s\nhost n[0-6] s 100\nhost n7 s 10\n", {0, 0, 0}, "links differ"},
        {"switch s[0-1]\nlink s0 s1 250\nhost n[0-3] s0 100\nhost n[4-7] s1 100\n",
         {0, 0, 0},
         "crowd a fast link"},
        {"switch s\nhost n[0-2] s 100\n", {0, 0, 0}, "3 machines"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct network network = {read_topology(cases[i].text), NULL, cases[i].trouble, 3, 0, -1};
        struct star_topology *found;
        struct star_why why = {{0}};
        assert_int_equal(infer(&network, &found, &why), STAR_ENEEDS);
        expect_reason(&why, cases[i].reason);
        star_topology_free(network.truth);
    }
}

static void an_error_of_a_stream_ends_all(void **state)
{
    (void)state;
    int error = STAR_ESYSTEM, at = 0;
    for (; error; at++) {
        struct network network = {read_topology(two_by_four), NULL, {0, 0, 0}, 3, 0, at};
        struct star_topology *found;
        struct star_why why;
        error = infer(&network, &found, &why);
        assert_true(error == 0 || error == STAR_ESYSTEM);
        assert_true(error == 0 || network.runs == at + 1);
        star_topology_free(network.truth);
        if (!error)
            star_topology_free(found);
    }
    assert_true(at > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trouble_makes_it_refuse_and_never_err),
        cmocka_unit_test(shapes_of_the_laboratory_take_few_streams),
        cmocka_unit_test(reasons_say_what_was_seen),
        cmocka_unit_test(an_error_of_a_stream_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
