/* SPDX-License-Identifier: BSD-3-Clause
 * What is seen outside of the library. */
#pragma once

#define STAR_EXPORT __attribute__((visibility("default")))
