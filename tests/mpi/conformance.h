/* SPDX-License-Identifier: BSD-3-Clause
 * What the systematic conformance tests and the random ones share. */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "trial.h"

struct method_list {
    struct star_method at[1024];
    int count;
};
/* All methods of an operation that the tests run, native first. */
void methods_of(enum star_operation operation, struct method_list *list);

/* Runs the scene with a method, native among them, and returns the number of faults on this rank. Where an
 * MPI error or a hang ends it, it prints how to repeat it, and ends the program. */
int run_scene(struct scene *scene, const struct star_method *method, bool loud);
/* Does the MPI library itself go wrong there? Its defects are listed at the definition. */
bool native_is_defective(const struct scene *scene);
/* From here on, a hang is only one after a while from now. */
void watch(const char *what);

/* Seeded random calls for a while (0: the clock is the seed), of methods whose names begin with PREFIX; the
 * number of faults found. */
int run_random(uint64_t seed, double seconds, const char *prefix);
/* One trial, as trial_format writes it; negative: it is none. */
int run_again(const char *text);

#endif
