/* SPDX-License-Identifier: BSD-3-Clause
 * Which sizes of an operation have contexts, where there are as many as the setting `sizes` allows. A program
 * may call many sizes once, as at its beginning, and then others for hours: an early context whose size is
 * called no longer gives its place to one that is. */
#pragma once

#include "runtime/state.h"

/* At a call that no further context may be made for: has an early one of OPERATION made room for it? It
 * depends on calls that all ranks count alike, and so is the same on all. */
bool star_sizes_make_room(struct star_communicator *state, enum star_operation operation);
