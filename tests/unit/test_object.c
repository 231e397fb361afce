/* SPDX-License-Identifier: BSD-3-Clause
 * Handles of objects: what is wrong with one is told apart, and a freed one stays freed. */
#include "functions/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static int destroyed;

static void destroy(struct star_object *object)
{
    (void)object;
    destroyed++;
}

static intptr_t make(enum star_kind kind)
{
    struct star_object *object = star_object_new(kind, sizeof *object, destroy);
    assert_non_null(object);
    return star_handle_new(object);
}

static enum star_fault fault_of(enum star_kind kind, intptr_t handle)
{
    enum star_fault fault;
    struct star_object *object = star_handle_find(kind, handle, &fault);
    assert_int_equal(object != NULL, fault == STAR_FAULT_NONE);
    return fault;
}

static void a_handle_finds_its_object(void **state)
{
    (void)state;
    struct star_object *object = star_object_new(STAR_KIND_VECTOR, sizeof *object, destroy);
    intptr_t handle = star_handle_new(object);
    enum star_fault fault;
    assert_ptr_equal(star_handle_find(STAR_KIND_VECTOR, handle, &fault), object);
    assert_in_range(handle, 1, INT32_MAX);
    star_object_release(star_handle_drop(handle));
}

static void faults_are_told_apart(void **state)
{
    (void)state;
    intptr_t vector = make(STAR_KIND_VECTOR);
    assert_int_equal(fault_of(STAR_KIND_VECTOR, 0), STAR_FAULT_UNSET);
    assert_int_equal(fault_of(STAR_KIND_VECTOR, -1), STAR_FAULT_UNSET);
    assert_int_equal(fault_of(STAR_KIND_VECTOR, (intptr_t)&vector), STAR_FAULT_UNSET);
    assert_int_equal(fault_of(STAR_KIND_VECTOR, vector | (intptr_t)1 << 59), STAR_FAULT_UNSET);
    assert_int_equal(fault_of(STAR_KIND_VECTOR, star_handle_null(STAR_KIND_VECTOR)), STAR_FAULT_NULL);
    assert_int_equal(fault_of(STAR_KIND_TOPOLOGY, vector), STAR_FAULT_KIND);
    assert_int_equal(fault_of(STAR_KIND_VECTOR, vector), STAR_FAULT_NONE);
    star_object_release(star_handle_drop(vector));
    assert_int_equal(fault_of(STAR_KIND_VECTOR, vector), STAR_FAULT_FREED);
    /* A number that was never given out. */
    assert_int_not_equal(fault_of(STAR_KIND_VECTOR, star_handle_null(STAR_KIND_VECTOR) | 0x3ffff),
                         STAR_FAULT_NONE);
}

static void a_freed_handle_stays_freed_though_its_place_is_used_again(void **state)
{
    enum { TIMES = 5000 };
    (void)state;
    intptr_t first = make(STAR_KIND_VECTOR);
    star_object_release(star_handle_drop(first));
    for (int i = 0; i < TIMES; i++) {
        intptr_t next = make(STAR_KIND_VECTOR);
        assert_true(next != first);
        assert_int_equal(fault_of(STAR_KIND_VECTOR, first), STAR_FAULT_FREED);
        star_object_release(star_handle_drop(next));
    }
}

static void the_last_reference_destroys(void **state)
{
    (void)state;
    intptr_t handle = make(STAR_KIND_VMAP);
    enum star_fault fault;
    struct star_object *object = star_handle_find(STAR_KIND_VMAP, handle, &fault);
    star_object_keep(object);
    destroyed = 0;
    star_object_release(star_handle_drop(handle));
    assert_int_equal(destroyed, 0);
    star_object_release(object);
    assert_int_equal(destroyed, 1);
    star_object_release(NULL);
}

static void predefined_handles_are_in_no_table(void **state)
{
    (void)state;
    intptr_t handle = star_handle_null(STAR_KIND_FNCTSET) | (intptr_t)STAR_HANDLE_PREDEFINED << 18 | 7;
    assert_int_equal(star_handle_predefined(STAR_KIND_FNCTSET, handle), 7);
    assert_int_equal(star_handle_predefined(STAR_KIND_VECTOR, handle), 0);
    intptr_t made = make(STAR_KIND_FNCTSET);
    assert_int_equal(star_handle_predefined(STAR_KIND_FNCTSET, made), 0);
    star_object_release(star_handle_drop(made));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_finds_its_object),
        cmocka_unit_test(faults_are_told_apart),
        cmocka_unit_test(a_freed_handle_stays_freed_though_its_place_is_used_again),
        cmocka_unit_test(the_last_reference_destroys),
        cmocka_unit_test(predefined_handles_are_in_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
