/* SPDX-License-Identifier: BSD-3-Clause
 * The mapper; with the word "long", on more machines and against longer annealing, and how long it takes. */
#include "expect.h"
#include "matrices.h"
#include "place/gain.h"
#include "place/place.h"
#include "place/tally.h"
#include "place/told.h"
#include "util/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const struct {
    const char *name;
    int switches, slots; /* of each host */
    double host_mbps, trunk_mbps;
    bool uneven;
} machines[] = {
    {"switch", 1, 4, 100, 100, false},        {"two-switches", 2, 4, 100, 100, false},
    {"four-switches", 4, 2, 100, 400, false}, {"uneven", 4, 4, 1000, 1000, true},
    {"one-a-host", 8, 1, 100, 200, false},    {"wide", 3, 8, 1000, 4000, true},
};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Ranks that talk, and where they may be. */
struct scene {
    struct star_mapping mapping;
    struct star_matrix *matrix;
    struct star_topology *topology;
    int *slots, *machine;
};

static void open_scene(struct scene *scene, enum matrix_kind kind, int m, int ranks)
{
    int hosts =
        (ranks + machines[m].switches * machines[m].slots - 1) / (machines[m].switches * machines[m].slots);
    hosts += machines[m].uneven ? hosts / 5 + 2 : 0;
    scene->matrix = matrix_of(kind, ranks);
    scene->topology = machine_of(machines[m].switches, hosts, machines[m].slots, machines[m].host_mbps,
                                 machines[m].trunk_mbps, machines[m].uneven);
    scene->slots = calloc((size_t)scene->topology->nodes, sizeof *scene->slots);
    scene->machine = calloc((size_t)ranks, sizeof *scene->machine);
    assert_non_null(scene->slots);
    assert_non_null(scene->machine);
    for (int node = 0; node < scene->topology->nodes; node++)
        scene->slots[node] = scene->topology->node[node].slots;
    scene->mapping = (struct star_mapping){scene->matrix, scene->topology, &star_cost_presets, scene->slots};
}

static void close_scene(struct scene *scene)
{
    star_matrix_free(scene->matrix);
    star_topology_free(scene->topology);
    free(scene->slots);
    free(scene->machine);
}

/* Ranks in the slots in order. */
static void fill(const struct scene *scene)
{
    int filled = 0;
    for (int node = 0; node < scene->topology->nodes; node++)
        for (int s = 0; scene->topology->node[node].machine && s < scene->slots[node]; s++)
            if (filled < scene->matrix->ranks)
                scene->machine[filled++] = node;
}

static double cost_of(const struct scene *scene)
{
    double cost, seconds;
    assert_int_equal(star_cost_of_ranks(&scene->mapping, scene->machine, &cost, &seconds, NULL), 0);
    return cost;
}

static double map(const struct scene *scene)
{
    int *used = calloc((size_t)scene->topology->nodes, sizeof *used);
    assert_int_equal(star_map_ranks(&scene->mapping, scene->machine, NULL), 0);
    for (int r = 0; r < scene->matrix->ranks; r++) {
        assert_true(scene->topology->node[scene->machine[r]].machine);
        assert_true(++used[scene->machine[r]] <= scene->slots[scene->machine[r]]);
    }
    free(used);
    return cost_of(scene);
}

/* So many times the work, from ranks in order, and hot at first. */
static double anneal(const struct scene *scene, double times)
{
    struct star_effort effort = star_effort_for(scene->matrix);
    effort.work *= times;
    effort.heat = 3;
    effort.seed = 99;
    fill(scene);
    assert_int_equal(star_improve_ranks(&scene->mapping, &effort, scene->machine, NULL), 0);
    return cost_of(scene);
}

static void compare(int ranks, int many, double times)
{
    const double near = 1.03;
    for (int m = 0; m < many; m++)
        for (int kind = 0; kind < MATRIX_KINDS; kind++) {
            struct scene scene;
            open_scene(&scene, (enum matrix_kind)kind, m, ranks);
            fill(&scene);
            double filled = cost_of(&scene), mapped = map(&scene), annealed = anneal(&scene, times);
            if (mapped > near * annealed || mapped > filled * (1 + 1e-9))
                fail_msg("%s on %s, %d ranks: in order %g, mapped %g, annealed %g", matrix_names[kind],
                         machines[m].name, ranks, filled, mapped, annealed);
            close_scene(&scene);
        }
}

static void it_is_as_good_as_longer_annealing(void **state)
{
    (void)state;
    compare(32, 1, 3);
}

static void it_is_as_good_as_long_annealing_on_all_machines(void **state)
{
    (void)state;
    compare(64, MACHINES, 8);
    compare(128, MACHINES, 5);
}

static void it_is_the_same_every_time(void **state)
{
    struct scene one, other;
    (void)state;
    open_scene(&one, LEVELS, 3, 48);
    open_scene(&other, LEVELS, 3, 48);
    map(&one);
    map(&other);
    assert_memory_equal(one.machine, other.machine, 48 * sizeof *one.machine);
    close_scene(&one);
    close_scene(&other);
}

static double seconds_of(int ranks)
{
    const double nano = 1e-9;
    double most = 0;
    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        for (int m = 0; m < MACHINES; m++) {
            struct scene scene;
            struct timespec begin, end;
            open_scene(&scene, (enum matrix_kind)kind, m, ranks);
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
            map(&scene);
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
            double took = (double)(end.tv_sec - begin.tv_sec) + nano * (double)(end.tv_nsec - begin.tv_nsec);
            most = took > most ? took : most;
            close_scene(&scene);
        }
    printf("%d ranks are mapped in %.2f s at most\n", ranks, most);
    return most;
}

static void it_takes_a_second_for_a_thousand_ranks(void **state)
{
    (void)state;
    assert_true(seconds_of(1024) < 1.5); /* some for noise */
    assert_true(seconds_of(10000) < 20);
}

static void few_ranks_have_places(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 7; ranks += 2)
        for (int m = 0; m < MACHINES; m++) {
            struct scene scene;
            open_scene(&scene, ANYBODY, m, ranks);
            map(&scene);
            close_scene(&scene);
        }
}

static void what_is_taken_back_costs_as_before(void **state)
{
    struct scene scene;
    struct star_load load;
    uint64_t random = 5;
    (void)state;
    open_scene(&scene, HALO_3D, 1, 64);
    fill(&scene);
    assert_true(star_load_make(&load, scene.matrix, scene.topology, &star_cost_presets, scene.machine, 64));
    double before = star_load_cost(&load);
    assert_true(before == cost_of(&scene));
    for (int i = 0; i < 1000; i++) {
        int one = (int)star_draw(&random, 64), other = (int)star_draw(&random, 64);
        star_load_exchange(&load, one, other);
        if (i % 7 != 0) {
            star_load_undo(&load);
            assert_true(star_load_cost(&load) == before);
        }
        before = star_load_cost(&load);
    }
    memcpy(scene.machine, load.machine, 64 * sizeof *scene.machine);
    assert_true(fabs(before / cost_of(&scene) - 1) < 1e-9);
    star_load_free(&load);
    close_scene(&scene);
}

/* Two hosts of two slots: 1 MB from rank 0 to rank 1, apart and together. */
static void the_cost_is_that_of_links_and_latencies(void **state)
{
    const struct star_matrix_entry entries[] = {{0, 1, 4e5, 1}, {0, 1, 6e5, 1}, {1, 1, 9e9, 1}};
    const struct star_cost_parameters parameters = {.latency = 1e-3, .hop = 1e-4, .framing = 1, .host = 1};
    struct star_topology *topology = machine_of(1, 2, 2, 8, 8, false); /* 1 MB a second */
    struct star_matrix *matrix;
    double cost, seconds;
    (void)state;
    int first = topology->nodes - 2, slots[] = {0, 0, 2, 2};
    assert_int_equal(star_matrix_make(2, entries, 3, &matrix, NULL), 0);
    assert_int_equal(matrix->first[2], 2);
    const struct star_mapping mapping = {matrix, topology, &parameters, slots};
    assert_int_equal(star_cost_of_ranks(&mapping, (int[]){first, first + 1}, &cost, &seconds, NULL), 0);
    assert_true(fabs(seconds - (1 + 2 * 1.2e-3 / 2)) < 1e-9); /* two messages over two links, of two ranks */
    assert_true(fabs(cost - (seconds + 2.0 / 4)) < 1e-9);     /* two of the four directed links */
    assert_int_equal(star_cost_of_ranks(&mapping, (int[]){first, first}, &cost, &seconds, NULL), 0);
    assert_true(cost == 0 && seconds == 0);
    star_matrix_free(matrix);
    star_topology_free(topology);
}

static void told(const char *text, int ranks, bool good, size_t expected)
{
    struct star_matrix_entry *entries = NULL;
    size_t count = 0;
    struct star_text of = {0};
    star_text_add(&of, "%s", text);
    assert_int_equal(star_told_read(&of, ranks, &entries, &count), good);
    if (good)
        assert_int_equal(count, expected);
    else
        assert_null(entries);
    free(entries);
    star_text_free(&of);
}

/* A host's name may have anything in it. */
static void what_ranks_told_is_read(void **state)
{
    (void)state;
    struct star_text text = {0};
    struct star_matrix_entry *entries;
    struct star_tally tally = {0};
    size_t count;
    for (int rank = 0; rank < 3; rank++) {
        tally = (struct star_tally){0};
        star_tally_add(&tally, STAR_TALK_PROGRAM, (rank + 1) % 3, false, 100 + rank, 2);
        if (rank == 1)
            star_tally_add(&tally, STAR_TALK_PROGRAM, 0, true, 7, 1);
        star_tally_tell(&tally, rank, "a\"to\": [ [1, {\"rank\": 9", 64, &text);
        star_tally_free(&tally);
    }
    assert_true(star_told_read(&text, 3, &entries, &count));
    assert_int_equal(count, 4);
    assert_int_equal(entries[2].from, 0); /* what rank 1 fetched */
    assert_int_equal(entries[2].to, 1);
    assert_true(entries[2].bytes == 7 && entries[3].from == 2 && entries[3].bytes == 102);
    free(entries);
    assert_false(star_told_read(&text, 4, &entries, &count)); /* one told nothing */
    star_tally_add(&tally, STAR_TALK_PROGRAM, 1, false, 5, 1);
    star_tally_add(&tally, STAR_TALK_PROGRAM, 2, false, 6, 1);
    star_tally_tell(&tally, 3, "h", 1, &text); /* not all had room */
    star_tally_free(&tally);
    assert_false(star_told_read(&text, 4, &entries, &count));
    star_text_free(&text);
    told("", 1, false, 0);
    told(",\n{\"rank\": 0, \"to\": [], \"from\": [], \"left_out_bytes\": 0, \"complete\": true}", 1, true, 0);
    told(",\n{\"rank\": 0, \"to\": [], \"from\": [], \"left_out_bytes\": 0, \"complete\": false}", 1, false,
         0);
    told(",\n{\"rank\": 0, \"to\": [[1, 2, 3]], \"from\": [], \"left_out_bytes\": 0, \"complete\": true}", 1,
         false, 0);
    told(",\n{\"rank\": 0, \"to\": [[0, 2", 1, false, 0);
}

static void a_gain_is_told_where_it_is_clear(void **state)
{
    (void)state;
    struct star_gain gain = star_gain_of(100, 50, 20);
    assert_true(gain.believable && fabs(gain.expected - 30) < 1e-9 && fabs(gain.error - 21) < 1e-9);
    assert_true(star_gain_is_worth_telling(&gain, 100));
    gain = star_gain_of(100, 50, 43);
    assert_false(star_gain_is_worth_telling(&gain, 100));
    gain = star_gain_of(100, 150, 20);
    assert_false(gain.believable || star_gain_is_worth_telling(&gain, 100));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_as_good_as_longer_annealing),
        cmocka_unit_test(it_is_the_same_every_time),
        cmocka_unit_test(few_ranks_have_places),
        cmocka_unit_test(what_is_taken_back_costs_as_before),
        cmocka_unit_test(the_cost_is_that_of_links_and_latencies),
        cmocka_unit_test(what_ranks_told_is_read),
        cmocka_unit_test(a_gain_is_told_where_it_is_clear),
    };
    const struct CMUnitTest longer[] = {
        cmocka_unit_test(it_is_as_good_as_long_annealing_on_all_machines),
        cmocka_unit_test(it_takes_a_second_for_a_thousand_ranks),
    };
    bool all = argc > 1 && strcmp(argv[1], "long") == 0;
    return all ? cmocka_run_group_tests(longer, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
