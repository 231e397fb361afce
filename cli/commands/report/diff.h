/* SPDX-License-Identifier: BSD-3-Clause
 * startune report diff: what has changed from one run to another. */
#pragma once

int cli_report_diff(int count, char **words);
