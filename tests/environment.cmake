# SPDX-License-Identifier: BSD-3-Clause
# ctest reads this before the tests: no report of theirs is kept in the user's home. What tests that, makes a home of
# its own.
set(ENV{XDG_STATE_HOME} /dev/null)
