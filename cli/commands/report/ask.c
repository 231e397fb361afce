/* SPDX-License-Identifier: BSD-3-Clause */
#include "ask.h"

struct cli_report_ask cli_report_ask;
