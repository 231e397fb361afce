# SPDX-License-Identifier: BSD-3-Clause
# ctest reads this before the tests: none of them keeps a report in the user's home, nor reads or writes what the user's
# runs have learned. What tests these makes a home of its own; drivers that begin with an environment of their own, also
# by hand, say it there.
set(ENV{XDG_STATE_HOME} /dev/null)
set(ENV{STARTUNE_WISDOM} off)
