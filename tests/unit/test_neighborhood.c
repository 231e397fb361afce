/* SPDX-License-Identifier: BSD-3-Clause
 * The table of methods of the neighbourhood exchange, and their spelling. */
#include "algorithms/method.h"
#include "expect.h"
#include "halo/neighborhood.h"
#include "util/why.h"

#include <stdio.h>

static const struct star_neighborhood *parsed(const char *text)
{
    const struct star_neighborhood *method = NULL;
    struct star_why why = {{0}};
    if (star_neighborhood_parse(text, &method, &why))
        fail_msg("%s", why.text);
    return method;
}

/* The paper's table, by the names that ADCL's library gives them: the paper's own are not unique. */
static void adcls_twenty_are_there_with_their_attributes(void **state)
{
    (void)state;
    static const char *const known[][2] = {
        {"IsendIrecv_aao", "neighborhood:isend_irecv"},
        {"IsendIrecv_pair", "neighborhood:isend_irecv,mapping=pair"},
        {"IsendIrecv_aao_pack", "neighborhood:isend_irecv,data=pack"},
        {"IsendIrecv_pair_pack", "neighborhood:isend_irecv,mapping=pair,data=pack"},
        {"SendIrecv_aao", "neighborhood:send_irecv"},
        {"SendIrecv_pair", "neighborhood:send_irecv,mapping=pair"},
        {"SendIrecv_aao_pack", "neighborhood:send_irecv,data=pack"},
        {"SendIrecv_pair_pack", "neighborhood:send_irecv,mapping=pair,data=pack"},
        {"Send_Recv_pair", "neighborhood:send_recv"},
        {"Send_Recv_pair_pack", "neighborhood:send_recv,data=pack"},
        {"Sendrecv_pair", "neighborhood:sendrecv"},
        {"Sendrecv_pair_pack", "neighborhood:sendrecv,data=pack"},
        {"WinFencePut_aao", "neighborhood:fence_put"},
        {"WinFencePut_pair", "neighborhood:fence_put,mapping=pair"},
        {"WinFenceGet_aao", "neighborhood:fence_get"},
        {"WinFenceGet_pair", "neighborhood:fence_get,mapping=pair"},
        {"PostStartPut_aao", "neighborhood:post_start_put"},
        {"PostStartPut_pair", "neighborhood:post_start_put,mapping=pair"},
        {"PostStartGet_aao", "neighborhood:post_start_get"},
        {"PostStartGet_pair", "neighborhood:post_start_get,mapping=pair"},
    };
    int named = 0;
    for (int i = 0; i < star_neighborhoods_count; i++)
        named += star_neighborhoods[i].adcl != NULL;
    assert_int_equal(named, 20);
    for (size_t i = 0; i < 20; i++) {
        char text[80], spelt[STAR_METHOD_TEXT];
        snprintf(text, sizeof text, "neighborhood:%s", known[i][0]);
        const struct star_neighborhood *method = parsed(text);
        assert_string_equal(method->adcl, known[i][0]);
        assert_string_equal(star_neighborhood_format(method, spelt, sizeof spelt), known[i][1]);
    }
}

static void no_method_is_there_twice_and_each_reads_back(void **state)
{
    (void)state;
    char text[STAR_METHOD_TEXT];
    for (int i = 0; i < star_neighborhoods_count; i++) {
        const struct star_neighborhood *method = &star_neighborhoods[i];
        assert_ptr_equal(star_neighborhood_find(method->value), method);
        assert_ptr_equal(parsed(star_neighborhood_format(method, text, sizeof text)), method);
    }
}

static void every_transfer_has_a_method_and_words_say_what_it_does(void **state)
{
    (void)state;
    for (int t = 0; t < STAR_TRANSFERS; t++) {
        bool found = false;
        for (int i = 0; i < star_neighborhoods_count; i++)
            found = found || star_neighborhoods[i].value[STAR_BY_TRANSFER] == t;
        assert_true(found);
        assert_non_null(star_neighborhood_knobs[STAR_BY_TRANSFER].words[t]);
        assert_true(star_transfers[t].calls[0] && star_transfers[t].moves[0] &&
                    star_transfers[t].optimises[0]);
    }
    assert_null(star_neighborhood_knobs[STAR_BY_TRANSFER].words[STAR_TRANSFERS]);
}

static void a_blocking_pair_needs_an_order(void **state)
{
    (void)state;
    for (int i = 0; i < star_neighborhoods_count; i++) {
        int transfer = star_neighborhoods[i].value[STAR_BY_TRANSFER];
        if (transfer == STAR_SEND_RECV || transfer == STAR_SENDRECV)
            assert_int_equal(star_neighborhoods[i].value[STAR_BY_MAPPING], STAR_PAIR);
    }
}

static void knobs_may_be_named_in_any_order(void **state)
{
    (void)state;
    assert_ptr_equal(parsed("neighborhood:persistent,data=pack,mapping=pair"),
                     parsed("neighborhood:persistent,mapping=pair,data=pack"));
    assert_ptr_equal(parsed("neighborhood:isend_irecv,mapping=aao,data=ddt"), &star_neighborhoods[0]);
}

static void a_wrong_spelling_is_refused_with_the_nearest_word(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"neighborhood:isend_irec", "'isend_irecv'"},
        {"neighborhood:persistent,data=packed", "'pack'"},
        {"neighborhood:persistent,date=pack", "'data'"},
        {"neighborhood:persistent,mapping=all", "unknown mapping 'all'"},
        {"neighborhood:persistent,pack", "knob=value"},
        {"neighborhood:persistent,", "knob=value"},
        {"neighborhood:persistent,data=ddt,data=pack", "twice"},
        {"neighborhood:sendrecv,mapping=aao", "mapping=pair only"},
        {"neighborhood:neighbor_alltoallw,mapping=pair", "mapping=aao only"},
        {"neighborhood:", "unknown algorithm"},
        {"alltoall:ring", "does not begin with 'neighborhood:'"},
        {"neighborhood", "does not begin"},
        {"", "does not begin"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct star_neighborhood *method = NULL;
        struct star_why why = {{0}};
        assert_int_equal(star_neighborhood_parse(wrong[i][0], &method, &why), STAR_EINPUT);
        expect_reason(&why, wrong[i][1]);
        assert_null(method);
    }
}

static void a_long_spelling_is_refused(void **state)
{
    (void)state;
    char text[1000] = "neighborhood:";
    memset(text + strlen(text), 'x', 900);
    const struct star_neighborhood *method = NULL;
    struct star_why why = {{0}};
    assert_int_equal(star_neighborhood_parse(text, &method, &why), STAR_EINPUT);
    expect_reason(&why, "too long");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(adcls_twenty_are_there_with_their_attributes),
        cmocka_unit_test(no_method_is_there_twice_and_each_reads_back),
        cmocka_unit_test(every_transfer_has_a_method_and_words_say_what_it_does),
        cmocka_unit_test(a_blocking_pair_needs_an_order),
        cmocka_unit_test(knobs_may_be_named_in_any_order),
        cmocka_unit_test(a_wrong_spelling_is_refused_with_the_nearest_word),
        cmocka_unit_test(a_long_spelling_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
