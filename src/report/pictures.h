/* SPDX-License-Identifier: BSD-3-Clause
 * The pictures of a report's page. Each is appended as SVG; where there is nothing to draw, as a word that
 * says so. */
#pragma once

#include "report/rows.h"

enum { STAR_ROWS_DRAWN = 40 }; /* of the contexts and requests: those that took longest */

/* Native beside chosen: the times of a call, with 95 % confidence intervals, native's being 100. */
void star_picture_helped(const struct star_rows *rows, struct star_text *text);
/* What ran when: each method with its name. */
void star_picture_timeline(const json_t *report, const struct star_rows *rows, struct star_text *text);
/* Calls by the bytes of contexts, and by the ranks of communicators. */
void star_picture_sizes(const json_t *report, struct star_text *text);
void star_picture_ranks(const json_t *report, struct star_text *text);
/* The times of a method's calls: least, quartiles, median and most. */
void star_picture_samples(const struct star_row *row, struct star_text *text);
/* The mean time of a call between decisions, over calls. */
void star_picture_convergence(const struct star_row *row, struct star_text *text);
