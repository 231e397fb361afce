/* SPDX-License-Identifier: BSD-3-Clause
 * What is fuzzed: a parser each. A target reads TEXT, which reasons call "fuzz" and which has no end but its
 * LENGTH, uses what comes of it, and gives it back: 0, or STAR_EINPUT with a reason. Unit tests mutate some
 * input with them (tests/unit/fuzz.h), corpus.c runs the inputs that are kept, libfuzzer.c makes new ones. */
#ifndef TESTS_TARGETS_H
#define TESTS_TARGETS_H

#include "util/why.h"

#include <stddef.h>

int fuzz_elf(const char *text, size_t length, struct star_why *why);
int fuzz_environment(const char *text, size_t length, struct star_why *why);
int fuzz_facts(const char *text, size_t length, struct star_why *why);
int fuzz_hours(const char *text, size_t length, struct star_why *why);
int fuzz_import(const char *text, size_t length, struct star_why *why);
int fuzz_losses(const char *text, size_t length, struct star_why *why);
int fuzz_map(const char *text, size_t length, struct star_why *why);
int fuzz_message(const char *text, size_t length, struct star_why *why);
int fuzz_methods(const char *text, size_t length, struct star_why *why);
int fuzz_report(const char *text, size_t length, struct star_why *why);
int fuzz_settings(const char *text, size_t length, struct star_why *why);
int fuzz_topology(const char *text, size_t length, struct star_why *why);
int fuzz_trace(const char *text, size_t length, struct star_why *why);
int fuzz_words(const char *text, size_t length, struct star_why *why);

#endif
