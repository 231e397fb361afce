/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/matrix.h"
#include "cli/common/messages.h"
#include "util/parse.h"

#include <stdint.h>

void cli_matrix_warn(const struct star_talk *talk)
{
    char bytes[32];
    int ranks = talk->matrix->ranks;
    if (talk->left_out > 0)
        cli_warn("the matrix lacks %s bytes, to partners that got little: the report had no room for them",
                 star_format_bytes((int64_t)talk->left_out, bytes, sizeof bytes));
    if (talk->cut > 0)
        cli_warn("the matrix lacks some of what %d of %d ranks sent: they had no memory to count it",
                 talk->cut, ranks);
    if (talk->silent > 0)
        cli_warn("the matrix lacks what %d of %d ranks sent: the report has no row of them", talk->silent,
                 ranks);
}
