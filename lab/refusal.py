# SPDX-License-Identifier: BSD-3-Clause
"""What ends the command with one line on standard error and an exit status."""


class Refusal(Exception):
    """Something is wrong with what was asked, or went wrong."""
    status = 1


class WrongInput(Refusal):
    """What was asked for makes no sense."""
    status = 2


class CannotRun(Refusal):
    """This machine, or this user, cannot have a cluster. Tests skip on the status."""
    status = 77


class TimedOut(Refusal):
    """A program took longer than it may."""
    status = 124
