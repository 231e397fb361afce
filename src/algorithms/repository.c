/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/repository.h"

#define STAR_ALGORITHM(name) extern const struct star_algorithm star_##name;
#include "algorithms/repository.def"
#undef STAR_ALGORITHM

#define STAR_ALGORITHM(name) &star_##name,
const struct star_algorithm *const star_repository[] = {
#include "algorithms/repository.def"
};
#undef STAR_ALGORITHM

const int star_repository_count = sizeof star_repository / sizeof *star_repository;
