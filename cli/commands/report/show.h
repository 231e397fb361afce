/* SPDX-License-Identifier: BSD-3-Clause
 * startune report show: one run, in the terminal, as JSON or as a page. */
#pragma once

int cli_report_show(int count, char **words);
