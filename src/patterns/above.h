/* SPDX-License-Identifier: BSD-3-Clause
 * What the libraries on top of requests, src/adcl and src/fortran, take of startune beside its public
 * headers; tests/unit/test_layers.sh holds them to that. The public interface lacks it: functions that are
 * called in another way than C's, arrays in Fortran's order, problems of earlier runs, and lines for bad
 * input. Requests are handles here, and what lies behind them is not seen. */
#pragma once

#include "functions/own_problem.h"
#include "patterns/agrees.h"
#include "patterns/function.h"
#include "patterns/pattern_own.h"
#include "patterns/refuse.h"
#include "patterns/request_run.h"
#include "patterns/vector.h"
#include "runtime/operators.h"
#include "util/export.h"
#include "util/fpenv.h"
