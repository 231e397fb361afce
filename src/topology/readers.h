/* SPDX-License-Identifier: BSD-3-Clause
 * All kinds of topology files; read.c lists them. */
#pragma once

#include "topology/reader.h"

extern const struct star_reader star_reader_text, star_reader_slurm, star_reader_yaml, star_reader_fabric,
    star_reader_inside;
