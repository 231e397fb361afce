/* SPDX-License-Identifier: BSD-3-Clause
 * How subjects of this run begin. */
#pragma once

#include "subject/subject.h"

/* What settings say of a new subject of RANKS ranks; this one is RANK. */
void star_apply_settings(struct star_subject *subject, int rank, int ranks);
