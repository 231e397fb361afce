/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "map/choose.h"
#include "map/combine.h"
#include "map/map.h"
#include "map/read.h"
#include "map/write.h"
#include "maps.h"
#include "plan/plan.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Everything that a file may hold, as it is written. */
static const char whole[] = "startune map 1\n"
                            "made-by startune 0.1.0\n"
                            "date 2026-01-31\n"
                            "mpi Open MPI 4.1.4\n"
                            "topology 4x2.topo # not a comment\n"
                            "nodes 4\n"
                            "ranks-per-node 2\n"
                            "operation alltoall\n"
                            "point 4 1024 grid\n"
                            "winner alltoall:ring 1.25e-05 3 1.2e-05 1.25e-05 1.3000000000000001e-05\n"
                            "tied alltoall:ring,sync=light 1.26e-05 1 1.26e-05\n"
                            "slower alltoall:native 2e-05 40\n"
                            "point 4 1500 search\n"
                            "slower alltoall:ring 0.1 2\n"
                            "winner alltoall:native 0.05 2\n"
                            "guessed 8 1024 grid\n"
                            "winner alltoall:ring - 0\n"
                            "slower alltoall:native 3e-05 0\n"
                            "operation barrier\n"
                            "point 2 0 grid\n"
                            "winner barrier:native 1e-06 5\n"
                            "end 4\n";

static void a_file_is_written_as_it_was_read(void **state)
{
    (void)state;
    struct star_map *map = map_parsed(whole);
    struct star_text text = {0};
    star_map_write(map, &text);
    assert_string_equal(text.bytes, whole);
    star_text_free(&text);
    star_map_free(map);
}

static void a_file_holds_what_its_lines_say(void **state)
{
    (void)state;
    struct star_map *map = map_parsed(whole);
    assert_string_equal(map->machine.mpi, "Open MPI 4.1.4");
    assert_int_equal(map->machine.ranks_per_node, 2);
    const struct star_map_operation *of = &map->of[STAR_ALLTOALL];
    assert_int_equal(of->points, 3);
    assert_int_equal(of->methods, 3);
    const struct star_map_point *first = &of->point[0];
    assert_true(first->ranks == 4 && first->bytes == 1024 && !first->searched && !first->guessed);
    assert_true(first->timings == 3 && first->winner == 0 && first->timing[1].tied && !first->timing[2].tied);
    assert_true(first->timing[0].count == 3 && first->timing[0].samples[1] == 1.25e-05);
    assert_true(first->timing[2].count == 40 && first->timing[2].samples == NULL);
    assert_true(of->point[1].searched && of->point[1].winner == 1);
    assert_true(of->point[2].guessed && isnan(of->point[2].timing[0].median));
    assert_int_equal(map->of[STAR_BARRIER].points, 1);
    assert_int_equal(map->of[STAR_BCAST].points, 0);
    star_map_free(map);
}

/* Line LINE of the whole file becomes TEXT; the reason names that line, or AT, and WORD. */
static void expect_refused(int line, const char *text, int at, const char *word)
{
    struct star_map *map = NULL;
    struct star_why why = {{0}};
    struct star_text changed = {0};
    char position[40];
    const char *begin = whole;
    for (int i = 1; *begin; i++) {
        const char *end = strchr(begin, '\n') + 1;
        if (i == line)
            star_text_add(&changed, "%s", text);
        else
            star_text_append(&changed, begin, (size_t)(end - begin));
        begin = end;
    }
    int error = star_map_parse(changed.bytes, changed.length, "test", &map, &why);
    snprintf(position, sizeof position, "test:%d: ", at);
    if (error != STAR_EINPUT || strncmp(why.text, position, strlen(position)) != 0)
        fail_msg("line %d as '%s': %d '%s' is not at %s", line, text, error, why.text, position);
    expect_reason(&why, word);
    star_text_free(&changed);
}

static void a_foreign_or_future_file_is_refused(void **state)
{
    (void)state;
    expect_refused(1, "switch hub\n", 1, "no decision map");
    expect_refused(1, "startune map\n", 1, "version");
    expect_refused(1, "startune map 2\n", 1, "up to 1");
    expect_refused(1, "startune map x\n", 1, "version");
    expect_refused(1, "startune map 1 x\n", 1, "more than");
    expect_refused(3, "future 5\n", 3, "unknown word 'future'");
}

static void a_truncated_file_is_refused_at_each_byte(void **state)
{
    (void)state;
    for (size_t length = 0; length + 1 < sizeof whole - 1; length++) { /* the last newline may be missing */
        struct star_map *map = NULL;
        struct star_why why = {{0}};
        assert_int_equal(star_map_parse(whole, length, "test", &map, &why), STAR_EINPUT);
        expect_reason(&why, "test:");
    }
}

static void a_lost_line_is_refused(void **state)
{
    (void)state;
    expect_refused(8, "", 8, "before any operation");
    expect_refused(9, "", 9, "before any point");
    expect_refused(10, "", 12, "no winner");
    expect_refused(13, "", 13, "twice at this point");
    expect_refused(17, "", 18, "no winner");
    expect_refused(19, "", 19, "sorted");
    expect_refused(20, "", 20, "before any point");
    expect_refused(22, "", 21, "ends early");
}

static void a_bad_line_is_named(void **state)
{
    (void)state;
    expect_refused(3, "date\n", 3, "date");
    expect_refused(4, "date 2026-02-01\n", 4, "once");
    expect_refused(6, "nodes -1\n", 6, "nodes -1");
    expect_refused(6, "nodes 4 5\n", 6, "'5' is too much");
    expect_refused(8, "operation alltoal\n", 8, "alltoall");
    expect_refused(9, "point 0 1024 grid\n", 9, "ranks 0");
    expect_refused(9, "point 4 -5 grid\n", 9, "bytes -5");
    expect_refused(9, "point 4 1024\n", 9, "'grid' or 'search'");
    expect_refused(9, "nodes 3\n", 9, "before the operations");
    expect_refused(13, "point 4 1000 grid\n", 13, "sorted");
    expect_refused(13, "point 4 1024 grid\n", 13, "sorted");
    expect_refused(12, "slower alltoall:natiev 1 1\n", 12, "native");
    expect_refused(12, "slower bcast:native 1 1\n", 12, "no method of alltoall");
    expect_refused(12, "slower alltoall:ring 1 1\n", 12, "twice");
    expect_refused(12, "winner alltoall:native 1 1\n", 12, "second winner");
    expect_refused(12, "slower alltoall:native - 0\n", 12, "'-' is no time");
    expect_refused(12, "slower alltoall:native 0 1\n", 12, "'0' is no time");
    expect_refused(12, "slower alltoall:native nan 1\n", 12, "'nan' is no time");
    expect_refused(12, "slower alltoall:native 1 0\n", 12, "number of samples");
    expect_refused(12, "slower alltoall:native 1 2 1\n", 12, "fewer");
    expect_refused(12, "slower alltoall:native 1 1 1 1\n", 12, "more");
    expect_refused(12, "slower alltoall:native 1 2000000000 1\n", 12, "fewer");
    expect_refused(19, "operation alltoall\n", 19, "twice");
    expect_refused(22, "end 5\n", 22, "4 points");
    expect_refused(22, "end 4\nmore\n", 23, "after the end");
    expect_refused(22, "end 4 4\n", 22, "too much");
}

static void the_nearest_point_is_chosen_by_ratio(void **state)
{
    (void)state;
    struct star_map *map = star_map_new();
    map_measure(map, "bcast:chain", 4, 1, 1);
    map_measure(map, "bcast:binomial", 4, 1024, 1);
    map_measure(map, "bcast:linear", 16, 64, 1);
    assert_string_equal(map_choice(map, STAR_BCAST, 4, 31), "bcast:chain");
    assert_string_equal(map_choice(map, STAR_BCAST, 4, 32), "bcast:chain"); /* as near: the smaller */
    assert_string_equal(map_choice(map, STAR_BCAST, 4, 33), "bcast:binomial");
    assert_string_equal(map_choice(map, STAR_BCAST, 2, 1 << 30), "bcast:binomial");
    assert_string_equal(map_choice(map, STAR_BCAST, 1, 0), "bcast:chain");
    assert_string_equal(map_choice(map, STAR_BCAST, 8, 1), "bcast:chain"); /* as near: the smaller */
    assert_string_equal(map_choice(map, STAR_BCAST, 9, 1), "bcast:linear");
    assert_string_equal(map_choice(map, STAR_BCAST, 1 << 20, INT64_MAX), "bcast:linear");
    assert_string_equal(map_choice(map, STAR_REDUCE, 4, 1), "nothing");
    star_map_free(map);
}

static void of_unknown_times_the_known_one_is_faster(void **state)
{
    (void)state;
    struct star_map *map =
        map_of("operation alltoall\nguessed 3 64 grid\nwinner alltoall:pair - 0\n"
               "slower alltoall:ring - 0\nslower alltoall:bruck 2 0\nslower alltoall:native 1 0\n");
    const struct star_shape shape = {.size = 3, .commutative = true}; /* no power of two, as pair needs */
    const struct star_method *method = star_map_choose_for(map, STAR_ALLTOALL, &shape, 64);
    assert_non_null(method);
    assert_true(star_is_native(method));
    star_map_free(map);
}

static void a_measurement_takes_the_place_of_a_guess(void **state)
{
    (void)state;
    struct star_map *map = map_of("operation alltoall\nguessed 8 64 search\nwinner alltoall:ring - 0\n"
                                  "slower alltoall:bruck 2 0\n");
    struct star_map *more = map_of("operation alltoall\npoint 8 64 search\nwinner alltoall:native 1 3\n");
    struct star_text merged = {0}, measured = {0};
    assert_int_equal(star_map_merge(map, more, NULL), 0);
    star_map_write(map, &merged);
    star_map_write(more, &measured);
    assert_string_equal(merged.bytes, measured.bytes);
    star_text_free(&merged);
    star_text_free(&measured);
    star_map_free(map);
    star_map_free(more);
}

/* Maps of the same machine, a fact of which is not known to each; and of another one. */
static void maps_of_two_machines_are_not_merged(void **state)
{
    (void)state;
    static const char *const others[] = {"mpi MPICH 4.0.2", "topology b.topo", "nodes 8", "ranks-per-node 1"};
    static const char facts[] = "mpi Open MPI 4.1.4\ntopology a.topo\nnodes 4\nranks-per-node 2\n",
                      points[] = "operation alltoall\npoint 8 64 grid\nwinner alltoall:ring 1 3\n";
    struct star_text text = {0};
    star_text_add(&text, "made-by startune 0.2\n%s%s", facts, points);
    struct star_map *all = map_of(text.bytes), *none = map_of(points);
    assert_int_equal(star_map_merge(none, all, NULL), 0);
    assert_memory_equal(&none->machine, &all->machine, sizeof all->machine);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct star_why why = {{0}};
        star_text_free(&text);
        star_text_add(&text, "date 2026-02-01\n%s\n%s", others[i], points);
        struct star_map *other = map_of(text.bytes);
        assert_int_equal(star_map_merge(all, other, &why), STAR_EINPUT);
        expect_reason(&why, others[i]);
        star_map_free(other);
    }
    assert_int_equal(all->machine.date[0], 0); /* nothing was taken */
    star_text_free(&text);
    star_map_free(all);
    star_map_free(none);
}

static int count_crossover(const struct star_map_crossover *crossover, void *context)
{
    int *counts = context; /* exact ones, and others */
    counts[crossover->exact ? 0 : 1]++;
    assert_int_equal(crossover->below->ranks, 4);
    return 0;
}

static void an_exact_crossover_is_obeyed(void **state)
{
    (void)state;
    struct star_map *map = star_map_new();
    int counts[2] = {0, 0};
    map_measure(map, "bcast:linear", 2, 1, 1);
    map_measure(map, "bcast:chain", 4, 1, 1);
    map_measure(map, "bcast:chain", 4, 1535, 1);
    map_measure(map, "bcast:binomial", 4, 1536, 1);
    map_measure(map, "bcast:binomial", 4, 1 << 20, 1);
    map_measure(map, "bcast:linear", 4, 1 << 22, 1);
    assert_string_equal(map_choice(map, STAR_BCAST, 4, 1535), "bcast:chain");
    assert_string_equal(map_choice(map, STAR_BCAST, 4, 1536), "bcast:binomial");
    assert_int_equal(star_map_crossovers(map, STAR_BCAST, count_crossover, counts), 0);
    assert_true(counts[0] == 1 && counts[1] == 1);
    star_map_free(map);
}

static void a_map_that_changes_with_the_bytes_needs_them(void **state)
{
    (void)state;
    struct star_map *map = star_map_new();
    assert_false(star_map_needs_no_bytes(map, STAR_ALLTOALLV));
    map_measure(map, "alltoallv:ring", 4, 1, 1);
    map_measure(map, "alltoallv:ring", 4, 1024, 1);
    map_measure(map, "alltoallv:linear", 8, 1, 1);
    assert_true(star_map_needs_no_bytes(map, STAR_ALLTOALLV));
    map_measure(map, "alltoallv:ring", 8, 1024, 1);
    assert_false(star_map_needs_no_bytes(map, STAR_ALLTOALLV));
    star_map_forget(map, STAR_ALLTOALLV);
    assert_int_equal(map->of[STAR_ALLTOALLV].points, 0);
    star_map_free(map);
}

static void points_are_kept_in_order_and_once(void **state)
{
    (void)state;
    struct star_map *map = star_map_new();
    uint64_t seed = 7;
    for (int i = 0; i < 2000; i++)
        assert_non_null(star_map_point(map, STAR_BCAST, 1 + (int)random_below(&seed, 20),
                                       (int64_t)random_below(&seed, 50)));
    const struct star_map_operation *of = &map->of[STAR_BCAST];
    assert_true(of->points > 800 && of->points <= 1000);
    for (int i = 1; i < of->points; i++) {
        const struct star_map_point *a = &of->point[i - 1], *b = &of->point[i];
        assert_true(a->ranks < b->ranks || (a->ranks == b->ranks && a->bytes < b->bytes));
    }
    int points = of->points, ranks = of->point[5].ranks;
    int64_t bytes = of->point[5].bytes;
    star_map_drop(map, STAR_BCAST, &map->of[STAR_BCAST].point[5]);
    assert_int_equal(of->points, points - 1);
    assert_null(star_map_find(map, STAR_BCAST, ranks, bytes));
    star_map_free(map);
}

static void samples_give_their_median(void **state)
{
    (void)state;
    struct star_map_timing timing = {.median = NAN};
    const double first[] = {5, 1, 3}, more[] = {2};
    assert_int_equal(star_map_add_samples(&timing, first, 3), 0);
    assert_true(timing.median == 3 && timing.count == 3);
    assert_int_equal(star_map_add_samples(&timing, more, 1), 0);
    assert_true(timing.median == 2.5 && timing.count == 4 && timing.samples[0] == 5 &&
                timing.samples[3] == 2);
    free(timing.samples);
}

static void a_fact_fits_a_line(void **state)
{
    (void)state;
    struct star_map *map = star_map_new();
    char longest[2 * STAR_MAP_TEXT];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    star_map_fact(map->machine.mpi, "  MPI\nof two lines ");
    star_map_fact(map->machine.topology, longest);
    assert_string_equal(map->machine.mpi, "MPI?of two lines");
    struct star_text text = {0};
    star_map_write(map, &text);
    struct star_map *again = map_parsed(text.bytes);
    assert_memory_equal(&map->machine, &again->machine, sizeof map->machine);
    star_text_free(&text);
    star_map_free(again);
    star_map_free(map);
}

static void a_saved_file_is_whole_or_the_old_one(void **state)
{
    (void)state;
    char folder[] = "/tmp/startune-map-XXXXXX", path[60];
    struct star_why why = {{0}};
    struct star_map *map = map_parsed(whole), *again = NULL;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.map", folder);
    assert_int_equal(star_map_save(map, path, &why), 0);
    assert_int_equal(star_map_read(path, &again, &why), 0);
    assert_int_equal(again->of[STAR_ALLTOALL].points, 3);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing is left beside */
    assert_int_equal(star_map_save(map, path, &why), STAR_ESYSTEM);
    expect_reason(&why, path);
    assert_int_equal(star_map_save(map, "/dev/null", &why), 0);
    assert_int_equal(access("/dev/null", F_OK), 0);
    star_map_free(map);
    star_map_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_written_as_it_was_read),
        cmocka_unit_test(a_file_holds_what_its_lines_say),
        cmocka_unit_test(a_foreign_or_future_file_is_refused),
        cmocka_unit_test(a_truncated_file_is_refused_at_each_byte),
        cmocka_unit_test(a_lost_line_is_refused),
        cmocka_unit_test(a_bad_line_is_named),
        cmocka_unit_test(the_nearest_point_is_chosen_by_ratio),
        cmocka_unit_test(of_unknown_times_the_known_one_is_faster),
        cmocka_unit_test(a_measurement_takes_the_place_of_a_guess),
        cmocka_unit_test(maps_of_two_machines_are_not_merged),
        cmocka_unit_test(an_exact_crossover_is_obeyed),
        cmocka_unit_test(a_map_that_changes_with_the_bytes_needs_them),
        cmocka_unit_test(points_are_kept_in_order_and_once),
        cmocka_unit_test(samples_give_their_median),
        cmocka_unit_test(a_fact_fits_a_line),
        cmocka_unit_test(a_saved_file_is_whole_or_the_old_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
