/* SPDX-License-Identifier: BSD-3-Clause
 * The distributions that comparisons of measurements ask for. */
#pragma once

/* How likely a standard normal variable is above Z. */
double star_normal_above(double z);
/* How likely Student's t with FREEDOM degrees (above 0, not always whole) is T or less. */
double star_student_below(double t, double freedom);
/* What that variable is not above with probability P, from 0.5 to less than 1. */
double star_student_quantile(double p, double freedom);
/* How likely of COUNT fair coins K show heads. */
double star_coins(int k, int count);
