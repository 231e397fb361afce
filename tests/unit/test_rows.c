/* SPDX-License-Identifier: BSD-3-Clause
 * Methods of a repository that this file alone has: with every kind of knob, need and order. */
#include "algorithms/knobs.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "algorithms/repository.h"
#include "expect.h"
#include "plan/build.h"
#include "plan/plan.h"
#include "plan/simulate.h"
#include "util/why.h"

#include <stdio.h>

static void build_nothing(struct star_builder *builder, const struct star_shape *shape)
{
    (void)builder, (void)shape;
}

static const char *const shapes[] = {"flat", "binary", "in-order", NULL};

#define NATIVE(row, of, ordering)                                                                            \
    static const struct star_algorithm row = {                                                               \
        .operation = of, .name = "native", .optimises = "native", .in_order = true, .order = ordering}
NATIVE(bcast_native, STAR_BCAST, STAR_ORDER_NONE);
NATIVE(allreduce_native, STAR_ALLREDUCE, STAR_ORDER_NATIVE);
NATIVE(reduce_native, STAR_REDUCE, STAR_ORDER_NATIVE);
NATIVE(gatherv_native, STAR_GATHERV, STAR_ORDER_NONE);

static const struct star_algorithm tree = {.operation = STAR_BCAST,
                                           .name = "tree",
                                           .optimises = "rounds",
                                           .knobs = {{.name = "shape",
                                                      .help = "flat, binary or in-order",
                                                      .most = 2,
                                                      .preset = 1,
                                                      .words = shapes,
                                                      .values = {2, {1, 0}},
                                                      .more = {1, {2}}},
                                                     STAR_KNOB_SEGMENT},
                                           .build = build_nothing};
static const struct star_algorithm large = {.operation = STAR_BCAST,
                                            .name = "large",
                                            .optimises = "bandwidth",
                                            .least_bytes = 100,
                                            .most_bytes = 1000,
                                            .knobs = {STAR_KNOB_RADIX(2, 4)},
                                            .build = build_nothing};
static const struct star_algorithm even = {.operation = STAR_ALLREDUCE,
                                           .name = "even",
                                           .optimises = "messages",
                                           .even = true,
                                           .order = STAR_ORDER_FIXED,
                                           .build = build_nothing};
static const struct star_algorithm nodes = {.operation = STAR_ALLREDUCE,
                                            .name = "nodes",
                                            .optimises = "nodes",
                                            .nodes = true,
                                            .in_order = true,
                                            .order = STAR_ORDER_FIXED,
                                            .build = build_nothing};
static const struct star_algorithm chain = {.operation = STAR_ALLREDUCE,
                                            .name = "chain",
                                            .optimises = "messages",
                                            .in_order = true,
                                            .order = STAR_ORDER_RANK,
                                            .most_bytes = 64,
                                            .knobs = {STAR_KNOB_SEGMENT},
                                            .build = build_nothing};
static const struct star_algorithm reduce_bcast = {.operation = STAR_ALLREDUCE,
                                                   .name = "reduce-bcast",
                                                   .optimises = "mock-ups",
                                                   .in_order = true,
                                                   .order = STAR_ORDER_NATIVE,
                                                   .mockup = STAR_MOCKUP_ALLREDUCE_REDUCE_BCAST};

const struct star_algorithm *const star_repository[] = {
    &bcast_native, &tree,  &large,        &allreduce_native, &even,
    &nodes,        &chain, &reduce_bcast, &reduce_native,    &gatherv_native};
const int star_repository_count = sizeof star_repository / sizeof *star_repository;

static struct star_method method_of(const char *text)
{
    struct star_method method;
    struct star_why why = {{0}};
    if (star_method_parse(text, &method, &why) != 0)
        fail_msg("'%s': %s", text, why.text);
    return method;
}

static void knobs_of_words_and_bytes_are_spelt_in_one_way(void **state)
{
    (void)state;
    static const char *const known[][2] = {
        {"bcast:tree", "bcast:tree"},
        {"bcast:tree,shape=binary", "bcast:tree"},
        {"bcast:tree,shape=flat", "bcast:tree,shape=flat"},
        {"bcast:tree,shape=in-order", "bcast:tree,shape=in-order"},
        {"bcast:tree,segment=none", "bcast:tree"},
        {"bcast:tree,segment=1024", "bcast:tree,segment=1K"},
        {"bcast:tree,segment=8K,shape=flat", "bcast:tree,shape=flat,segment=8K"},
        {"bcast:tree,segment=1", "bcast:tree,segment=1"},
        {"bcast:tree,segment=1000", "bcast:tree,segment=1000"},
        {"bcast:tree,segment=128K", "bcast:tree,segment=128K"},
        {"bcast:tree,segment=1M", "bcast:tree,segment=1M"},
        {"bcast:tree,segment=2147483647", "bcast:tree,segment=2147483647"},
        {"allreduce:reduce-bcast", "allreduce:reduce-bcast"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[STAR_METHOD_TEXT];
        struct star_method method = method_of(known[i][0]), again;
        assert_string_equal(star_method_format(&method, text, sizeof text), known[i][1]);
        again = method_of(text);
        assert_true(star_method_equal(&method, &again));
    }
}

static void values_of_knobs_are_told(void **state)
{
    (void)state;
    struct star_method method = method_of("bcast:tree,shape=in-order,segment=16K");
    assert_int_equal(star_method_knob(&method, "shape", 99), 2);
    assert_int_equal(star_method_knob(&method, "segment", 99), 16384);
    assert_int_equal(star_method_knob(&method, "radix", 99), 99);
    method = method_of("bcast:tree");
    assert_int_equal(star_method_knob(&method, "shape", 99), 1);
    assert_int_equal(star_method_knob(&method, "segment", 99), 0);
}

static void bad_words_and_bytes_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        /* the spelling, the word at fault, what would do */
        {"bcast:tree,shape=", "''", "in-order"},
        {"bcast:tree,shape=Flat", "'Flat'", "flat"},
        {"bcast:tree,shape=1", "'1'", "binary"},
        {"bcast:tree,shape=none", "'none'", "binary"},
        {"bcast:tree,shap=flat", "'shap'", "'shape'"},
        {"bcast:tree,segment=", "''", "8K"},
        {"bcast:tree,segment=None", "'None'", "none"},
        {"bcast:tree,segment=-1", "'-1'", "none"},
        {"bcast:tree,segment=8Q", "'8Q'", "8K"},
        {"bcast:tree,segment=flat", "'flat'", "none"},
        {"bcast:tree,segment=2G", "'2G'", "8K"},
        {"bcast:tree,segment=99999999999999999999", "'99999", "8K"},
        {"bcast:tree,segment=8K,segment=none", "segment", "twice"},
        {"bcast:large,radix=1", "'1'", "radix"},
        {"bcast:large,radix=2K", "'2K'", "radix"},
        {"bcast:large,segment=8K", "'segment'", "radix"},
        {"reduce:tree", "'tree'", "native"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_method method;
        struct star_why why = {{0}};
        if (star_method_parse(bad[i][0], &method, &why) != STAR_EINPUT)
            fail_msg("'%s' was taken for a method", bad[i][0]);
        expect_reason(&why, bad[i][1]);
        expect_reason(&why, bad[i][2]);
    }
}

static int count(const struct star_method *method, void *context)
{
    char text[STAR_METHOD_TEXT];
    struct star_method again = method_of(star_method_format(method, text, sizeof text));
    assert_true(star_method_equal(method, &again));
    ++*(int *)context;
    return 0;
}

static void each_setting_of_all_knobs_is_visited(void **state)
{
    (void)state;
    int all = 0, tried = 0;
    star_methods_each(STAR_BCAST, true, count, &all);
    star_methods_each(STAR_BCAST, false, count, &tried);
    assert_int_equal(tried, 1 + 2 * 7 + 2);
    assert_int_equal(all, 1 + 3 * 8 + 3);
}

static int applies(const char *text, const struct star_shape *shape, const char *word)
{
    struct star_method method = method_of(text);
    struct star_why why = {{0}};
    int error = star_method_applies(&method, shape, &why);
    assert_int_equal(star_method_applies(&method, shape, NULL), error);
    assert_int_equal(star_method_is_candidate(&method, shape, 10), error == 0);
    if (error)
        expect_reason(&why, word);
    return error;
}

static void an_even_number_of_ranks_is_asked_for(void **state)
{
    (void)state;
    for (int size = 1; size <= 20; size++) {
        struct star_shape shape = star_shape_of(size, 8);
        assert_int_equal(applies("allreduce:even", &shape, "even"), size % 2 ? STAR_ENEEDS : 0);
    }
}

static void some_ranks_but_not_all_must_share_a_node(void **state)
{
    (void)state;
    static const struct {
        int size, node[6];
        bool suits;
    } known[] = {
        {1, {0}, false},
        {2, {0, 0}, false},
        {2, {0, 1}, false},
        {3, {0, 0, 1}, true},
        {3, {0, 1, 0}, true},
        {3, {0, 1, 1}, true},
        {3, {0, 1, 2}, false},
        {6, {0, 0, 0, 0, 0, 0}, false},
        {6, {0, 1, 2, 3, 4, 5}, false},
        {6, {0, 1, 2, 3, 4, 4}, true},
        {6, {0, 1, 2, 3, 4, 0}, true},
        {6, {0, 0, 0, 0, 0, 1}, true},
        {6, {0, 1, 2, 0, 1, 2}, true},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct star_shape shape = star_shape_of(known[i].size, 8);
        assert_int_equal(applies("allreduce:nodes", &shape, "node"), STAR_ENEEDS); /* all on one */
        shape.node = known[i].node;
        assert_int_equal(applies("allreduce:nodes", &shape, "node"), known[i].suits ? 0 : STAR_ENEEDS);
    }
}

static void an_operator_that_is_not_commutative_needs_a_method_in_order(void **state)
{
    (void)state;
    struct star_shape shape = star_shape_of(4, 8);
    static const int placed[] = {0, 0, 1, 1};
    shape.node = placed;
    for (int commutative = 0; commutative < 2; commutative++) {
        shape.commutative = commutative;
        int refused = commutative ? 0 : STAR_ENEEDS;
        assert_int_equal(applies("allreduce:even", &shape, "commutative"), refused);
        assert_int_equal(applies("allreduce:nodes", &shape, ""), 0);
        assert_int_equal(applies("allreduce:chain", &shape, ""), 0);
        assert_int_equal(applies("allreduce:native", &shape, ""), 0);
        assert_int_equal(applies("allreduce:reduce-bcast", &shape, ""), 0);
        assert_int_equal(applies("bcast:tree", &shape, ""), 0); /* it reduces nothing */
    }
}

static void methods_are_candidates_in_the_range_of_their_sizes(void **state)
{
    (void)state;
    struct star_shape shape = star_shape_of(4, 8);
    struct star_method method = method_of("bcast:large");
    static const int64_t bytes[] = {0, 99, 100, 101, 999, 1000, 1001, INT64_MAX};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        assert_int_equal(star_method_is_candidate(&method, &shape, bytes[i]),
                         bytes[i] >= 100 && bytes[i] <= 1000);
}

static void a_segment_that_holds_the_vector_is_no_candidate(void **state)
{
    (void)state;
    struct star_shape shape = star_shape_of(4, 8);
    struct star_method whole = method_of("bcast:tree"), cut = method_of("bcast:tree,segment=1K");
    for (int64_t bytes = 1000; bytes < 1050; bytes++) {
        assert_true(star_method_is_candidate(&whole, &shape, bytes));
        assert_int_equal(star_method_is_candidate(&cut, &shape, bytes), bytes > 1024);
        assert_int_equal(star_method_applies(&cut, &shape, NULL), 0);
    }
}

static void native_and_mockups_have_no_plan(void **state)
{
    (void)state;
    static const char *const none[] = {"allreduce:native", "allreduce:reduce-bcast"};
    for (int i = 0; i < 2; i++) {
        struct star_method method = method_of(none[i]);
        struct star_shape shape = star_shape_of(4, 8);
        struct star_plan *plan = (struct star_plan *)&shape;
        struct star_why why = {{0}};
        assert_int_equal(star_is_native(&method), i == 0);
        assert_int_equal(star_method_plan(&method, &shape, INT64_MAX, &plan, &why), STAR_ENEEDS);
        assert_null(plan);
        expect_one_line(why.text);
        assert_int_equal(star_method_prove(&method, &shape, false, NULL, NULL), STAR_ENEEDS);
        assert_int_equal(star_method_prove_all(&method, 4, 8, NULL, NULL), STAR_ENEEDS);
    }
}

/* The names of the candidates for an allreduce, each with a space behind. */
static const char *names_of(const char *only_text, const struct star_shape *shape, int64_t bytes,
                            bool in_rank_order, char *names, size_t room)
{
    struct star_methods only, candidates;
    int *groups;
    char text[STAR_METHOD_TEXT];
    assert_int_equal(star_methods_parse(only_text, &only, NULL), 0);
    assert_int_equal(
        star_candidates(&only, STAR_ALLREDUCE, shape, bytes, in_rank_order, &candidates, &groups), 0);
    names[0] = 0;
    for (int i = 0; i < candidates.count; i++) {
        star_method_format(&candidates.at[i], text, sizeof text);
        size_t used = strlen(names);
        snprintf(names + used, room - used, "%s ", strchr(text, ':') + 1);
        assert_int_equal(groups[i] == groups[0], i == 0 || candidates.at[i].algorithm->optimises ==
                                                               candidates.at[0].algorithm->optimises);
    }
    star_methods_free(&candidates);
    star_methods_free(&only);
    free(groups);
    return names;
}
#define NAMES(only, shape, bytes, in_rank_order)                                                             \
    names_of(only, shape, bytes, in_rank_order, (char[500]){0}, 500)

static void candidates_suit_the_shape_and_the_bytes(void **state)
{
    (void)state;
    static const int placed[] = {0, 0, 1, 1};
    struct star_shape shape = star_shape_of(4, 8);
    assert_string_equal(NAMES("", &shape, 8, false), "native even chain reduce-bcast ");
    assert_string_equal(NAMES("", &shape, 65, false), "native even reduce-bcast ");
    shape.node = placed;
    assert_string_equal(NAMES("", &shape, 8, false), "native even nodes chain reduce-bcast ");
    shape.size = 3;
    assert_string_equal(NAMES("", &shape, 8, false), "native nodes chain reduce-bcast ");
    shape.size = 4;
    shape.commutative = false;
    assert_string_equal(NAMES("", &shape, 8, false), "native nodes chain reduce-bcast ");
}

static void only_those_in_the_order_of_ranks_are_candidates_where_it_is_asked_for(void **state)
{
    (void)state;
    struct star_shape shape = star_shape_of(4, 8);
    for (int commutative = 0; commutative < 2; commutative++) {
        shape.commutative = commutative;
        assert_string_equal(NAMES("", &shape, 8, true), "chain ");
        assert_string_equal(NAMES("", &shape, 65, true), "native "); /* there is no other */
    }
}

static void methods_asked_for_are_candidates_at_any_size(void **state)
{
    (void)state;
    struct star_shape shape = star_shape_of(4, 8);
    assert_string_equal(NAMES("allreduce:chain bcast:tree", &shape, 65, false), "native chain ");
    assert_string_equal(NAMES("allreduce:chain,segment=1K", &shape, 8, false), "native chain,segment=1K ");
    assert_string_equal(NAMES("allreduce:even allreduce:nodes", &shape, 8, false), "native even ");
    assert_string_equal(NAMES("bcast:tree reduce:native", &shape, 8, false),
                        "native even chain reduce-bcast ");
    assert_string_equal(NAMES("allreduce:native", &shape, 8, false), "native ");
    shape.size = 5;
    assert_string_equal(NAMES("allreduce:even", &shape, 8, false), "native ");
}

static void methods_asked_for_must_be_in_the_order_of_ranks_too(void **state)
{
    (void)state;
    struct star_shape shape = star_shape_of(4, 8);
    assert_string_equal(NAMES("allreduce:even allreduce:chain", &shape, 65, true), "chain ");
    assert_string_equal(NAMES("allreduce:even allreduce:reduce-bcast", &shape, 8, true), "native ");
    assert_string_equal(NAMES("allreduce:native allreduce:chain", &shape, 8, true), "chain ");
}

/* r1 op r0 for two ranks, r0 alone for one. */
static void build_backwards(struct star_builder *builder, const struct star_shape *shape)
{
    struct star_place own = star_at(STAR_SENDBUF, 0), got = star_build_temp(builder, shape->block);
    bool high = shape->rank == 1;
    for (int peer = 0; peer < shape->size; peer++)
        if (peer != shape->rank) {
            star_build_recv(builder, peer, got, shape->block);
            star_build_send(builder, peer, own, shape->block);
        }
    star_build_round(builder);
    if (high && shape->size > 1)
        star_build_reduce(builder, got, own, shape->block);
    star_build_copy(builder, star_at(STAR_RECVBUF, 0), high ? got : own, shape->block);
    star_build_round(builder);
    if (!high && shape->size > 1)
        star_build_reduce(builder, star_at(STAR_RECVBUF, 0), got, shape->block);
}

static void a_row_that_claims_another_order_than_it_has_is_not_proven(void **state)
{
    (void)state;
    struct star_algorithm row = {.operation = STAR_ALLREDUCE, .name = "backwards", .build = build_backwards};
    struct star_method method = {.algorithm = &row};
    struct star_why why = {{0}};
    static const enum star_order orders[] = {STAR_ORDER_FIXED, STAR_ORDER_RANK};
    for (int rank = 0; rank < 2; rank++)
        for (int in_place = 0; in_place < 2; in_place++) {
            struct star_shape shape = star_shape_of(2, 8);
            row.order = orders[rank];
            assert_int_equal(star_method_prove(&method, &shape, in_place, NULL, &why),
                             rank ? STAR_EWRONG : 0);
            assert_int_equal(star_method_prove_all(&method, 2, 8, NULL, &why), rank ? STAR_EWRONG : 0);
            if (rank)
                expect_reason(&why, "order of ranks");
            shape.size = 1;
            assert_int_equal(star_method_prove(&method, &shape, in_place, NULL, NULL), 0);
        }
    row.order = STAR_ORDER_FIXED;
    row.in_order = true; /* another thing that is not so */
    assert_int_equal(star_method_prove_all(&method, 2, 8, NULL, &why), STAR_EWRONG);
    expect_reason(&why, "not commutative");
}

static void build_page(struct star_builder *builder, const struct star_shape *shape)
{
    struct star_place own = star_at(STAR_SENDBUF, 0), place = star_at(STAR_RECVBUF, shape->rank);
    struct star_place page = star_build_page(builder, shape->size, false);
    star_build_copy(builder, star_plus(page, shape->rank), own, 1);
    if (shape->rank != shape->root)
        star_build_send(builder, shape->root, own, 1);
    else
        star_build_copy(builder, place, own, 1);
    for (int r = 0; shape->rank == shape->root && r < shape->size; r++)
        if (r != shape->root)
            star_build_recv(builder, r, star_at(STAR_RECVBUF, r), 1);
}

static void pages_where_no_rank_knows_all_lengths_are_not_proven(void **state)
{
    (void)state;
    struct star_algorithm row = {.operation = STAR_GATHERV, .name = "page", .build = build_page};
    struct star_method method = {.algorithm = &row};
    struct star_shape shape = star_shape_of(3, 1);
    struct star_why why = {{0}};
    assert_int_equal(star_method_prove(&method, &shape, false, NULL, &why), STAR_EWRONG);
    expect_reason(&why, "rank");
}

/* Knows what it is proven with. */
static struct {
    bool roots[16], commutative[2], several_nodes, short_vector;
    int64_t granule;
} seen;

static void build_and_see(struct star_builder *builder, const struct star_shape *shape)
{
    struct star_place all = star_at(STAR_RECVBUF, 0), own = star_at(STAR_SENDBUF, 0);
    seen.roots[shape->root] = true;
    seen.commutative[shape->commutative] = true;
    seen.several_nodes = seen.several_nodes || (shape->node != NULL && shape->node[shape->size - 1] > 0);
    seen.short_vector = seen.short_vector || shape->block / shape->granule < shape->size;
    seen.granule = shape->granule;
    assert_int_equal(shape->block % shape->granule, 0);
    struct star_place got = star_build_temp(builder, shape->block);
    bool last = shape->rank == shape->size - 1;
    if (!last)
        star_build_recv(builder, shape->rank + 1, got, shape->block);
    star_build_round(builder);
    star_build_reduce(builder, got, own, last ? 0 : shape->block);
    if (shape->rank > 0)
        star_build_send(builder, shape->rank - 1, last ? own : got, shape->block);
    star_build_round(builder);
    if (shape->root == 0 && shape->rank == 0)
        star_build_copy(builder, all, last ? own : got, shape->block);
    else if (shape->rank == 0)
        star_build_send(builder, shape->root, got, shape->block);
    else if (shape->rank == shape->root)
        star_build_recv(builder, 0, all, shape->block);
}

static void all_variants_are_proven(void **state)
{
    (void)state;
    struct star_algorithm row = {.operation = STAR_REDUCE,
                                 .name = "seen",
                                 .in_order = true,
                                 .order = STAR_ORDER_RANK,
                                 .build = build_and_see};
    struct star_method method = {.algorithm = &row};
    for (int variant = 0; variant < 3; variant++) {
        memset(&seen, 0, sizeof seen);
        row.nodes = variant == 1;
        row.in_order = variant < 2;
        struct star_why why = {{0}};
        struct star_simulation found;
        if (star_method_prove_all(&method, 5, 3, &found, &why) != 0)
            fail_msg("%s", why.text);
        for (int root = 0; root < 5; root++)
            assert_true(seen.roots[root]);
        assert_true(seen.commutative[1]);
        assert_int_equal(seen.commutative[0], variant < 2);
        assert_int_equal(seen.several_nodes, variant == 1);
        assert_true(seen.short_vector);
        assert_true(seen.granule > 1);
        assert_true(found.messages > 4 * 5 * 2 * 2); /* roots, lengths, in place or not */
    }
    row.nodes = true; /* one rank has no nodes */
    assert_int_equal(star_method_prove_all(&method, 1, 3, NULL, NULL), STAR_ENEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knobs_of_words_and_bytes_are_spelt_in_one_way),
        cmocka_unit_test(values_of_knobs_are_told),
        cmocka_unit_test(bad_words_and_bytes_are_refused),
        cmocka_unit_test(each_setting_of_all_knobs_is_visited),
        cmocka_unit_test(an_even_number_of_ranks_is_asked_for),
        cmocka_unit_test(some_ranks_but_not_all_must_share_a_node),
        cmocka_unit_test(an_operator_that_is_not_commutative_needs_a_method_in_order),
        cmocka_unit_test(methods_are_candidates_in_the_range_of_their_sizes),
        cmocka_unit_test(a_segment_that_holds_the_vector_is_no_candidate),
        cmocka_unit_test(native_and_mockups_have_no_plan),
        cmocka_unit_test(candidates_suit_the_shape_and_the_bytes),
        cmocka_unit_test(only_those_in_the_order_of_ranks_are_candidates_where_it_is_asked_for),
        cmocka_unit_test(methods_asked_for_are_candidates_at_any_size),
        cmocka_unit_test(methods_asked_for_must_be_in_the_order_of_ranks_too),
        cmocka_unit_test(a_row_that_claims_another_order_than_it_has_is_not_proven),
        cmocka_unit_test(pages_where_no_rank_knows_all_lengths_are_not_proven),
        cmocka_unit_test(all_variants_are_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
