#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions that startune's library executes for one call, with callgrind, on two ranks.

usage: instructions.py BUILD MPI [--expect FILE] [--update FILE]

Counted are the library's own instructions, not those of the MPI library or the clock: the difference between a
long and a short run, over the difference of their calls. --expect compares with the figures of FILE, which may
differ by 10 %, and exits with 1 when one differs by more."""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

CASES = {  # options of `startune run`, program and its arguments, calls among them
    "native chosen, 2 ranks": (["--sample", "1", "--methods", "alltoall:native"], ["overhead", "world", "CALLS", "8"]),
    "native chosen, not timed": (["--sample", "100000", "--methods", "alltoall:native"], ["overhead", "world", "CALLS", "8"]),
    "communicator of size 1": ([], ["overhead", "self", "CALLS", "8"]),
    "--off": (["--off"], ["overhead", "world", "CALLS", "8"]),
    "request, 2 neighbours": (["--sample", "1", "--force", "neighborhood:isend_irecv"], ["starts", "CALLS"]),
}
SHORT, LONG = 2, 6  # thousands of calls
TRIES = 3


def own_instructions(path):
    """Self cost of all functions of libstartune in a callgrind file, but for looking again while others are awaited."""
    names, functions, total, current, function, is_call_cost = {}, {}, 0, None, None, False
    for line in open(path):
        named = re.match(r"fn=(?:\((\d+)\))?(?: ?(.*))?$", line.rstrip("\n"))
        if named:
            if named[2]:
                functions[named[1]] = named[2]
            function = functions.get(named[1], named[2])
        found = re.match(r"(c?ob)=(?:\((\d+)\))?(?: ?(.*))?$", line.rstrip("\n"))
        if found:
            kind, number, name = found.groups()
            if name:
                names[number] = name
            if kind == "ob":
                current = names.get(number, name)
        elif line.startswith("calls="):
            is_call_cost = True
        elif re.match(r"[+\-*\d]", line):
            if not is_call_cost and current and "libstartune" in current and "star_watch_wait" not in (function or ""):
                total += int(line.split()[1])
            is_call_cost = False
    return total


def run(build, mpi, options, program, thousands):
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        command = [os.path.join(here, "..", "tests", "support", "mpirun"), build, mpi, "2",
                   os.path.join(build, "bin", "startune"), "run", "--no-summary", "--wisdom", "off", *options,
                   "valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + folder + "/%p",
                   os.path.join(build, "bench", program[0] + "-" + mpi),
                   *[str(thousands * 1000) if word == "CALLS" else word for word in program[1:]]]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "STARTUNE_REPORTS": "0"})
        if done.returncode != 0:
            sys.exit("instructions.py: %s failed:\n%s" % (" ".join(command), done.stderr))
        counts = sorted(own_instructions(path) for path in glob.glob(folder + "/*") if os.path.getsize(path))
    if not counts:
        sys.exit("instructions.py: callgrind left no figures")
    return counts[-1]


def count_of(build, mpi, options, program):
    short, long = (run(build, mpi, options, program, n) for n in (SHORT, LONG))
    return (long - short) / ((LONG - SHORT) * 1000)


def is_near(count, known):
    return abs(count - known) <= max(0.1 * known, 2)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build")
    arguments.add_argument("mpi")
    arguments.add_argument("--expect")
    arguments.add_argument("--update")
    ask = arguments.parse_args()
    build = os.path.abspath(ask.build)
    expected, bad = {}, 0
    if ask.expect:
        for line in open(ask.expect):
            if not line.startswith("#"):
                mpi, count, case = line.rstrip("\n").split(" ", 2)
                expected[mpi, case] = float(count)
    figures = []
    for case, (options, program) in CASES.items():
        count = count_of(build, ask.mpi, options, program)
        known = expected.get((ask.mpi, case))
        # The tuner follows measured times: a disturbance costs agreements, which are not the call's.
        for _ in range(TRIES - 1):
            if known and not is_near(count, known):
                count = min(count, count_of(build, ask.mpi, options, program), key=lambda c: abs(c - known))
        figures.append("%s %.1f %s" % (ask.mpi, count, case))
        verdict = ""
        if ask.expect:
            good = is_near(count, known)
            verdict = ", expected %.1f: %s" % (known, "ok" if good else "NOT within 10 %")
            bad += not good
        print("%s, %s: %.1f instructions a call%s" % (ask.mpi, case, count, verdict))
    if ask.update:
        with open(ask.update, "a") as file:
            file.write("\n".join(figures) + "\n")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
