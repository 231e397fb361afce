/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/policy.h"
#include "algorithms/operations.h"
#include "runtime/session.h"

bool star_may_wait(enum star_operation operation)
{
    return star_operation_awaits_all(operation) || star_keeps_rank_order(operation) ||
           star_methods_first(&star_runtime.force, operation) != NULL || star_runtime.settings.verify;
}

bool star_keeps_rank_order(enum star_operation operation)
{
    return star_runtime.settings.reproducible == STAR_REPRODUCIBLE_ORDER &&
           star_operations[operation].expected.reduces;
}
