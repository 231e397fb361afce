/* SPDX-License-Identifier: BSD-3-Clause
 * What is seen outside of the library. */
#ifndef STAR_UTIL_EXPORT_H
#define STAR_UTIL_EXPORT_H

#define STAR_EXPORT __attribute__((visibility("default")))

#endif
