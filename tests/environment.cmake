# SPDX-License-Identifier: BSD-3-Clause
# ctest reads this before the tests: none of them keeps a report in the user's home, nor reads or writes what the user's
# runs have learned. What tests these makes a home of its own; drivers that begin with an environment of their own, also
# by hand, say it there.
set(ENV{XDG_STATE_HOME} /dev/null)
set(ENV{STARTUNE_WISDOM} off)
# Short programs are tuned, from their first calls on. Tests of when tuning begins say so themselves.
set(ENV{STARTUNE_TUNE_AFTER} 0)
# The machine that runs the tests has few processors. They are of nodes that have one for each rank.
set(ENV{STARTUNE_CROWDED} no)
