# SPDX-License-Identifier: BSD-3-Clause
"""Programs with requests, in startune's environment and out of it: patterns.py BUILD MPI SCENARIO."""
import json
import os
import re
import subprocess

from jobs import Run, build, expect, fail, main, mpi, scratch

source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
quick = {"STARTUNE": "on", "STARTUNE_STRATEGY": "exhaustive", "STARTUNE_ITER": "3", "STARTUNE_SAMPLE": "1"}


def example(name):
    return os.path.join(build, "examples", f"{name}-{mpi}")


def heat():
    """One rank exchanges nothing: what it computes, all numbers of ranks do, with each strategy."""
    words = [example("heat"), "--size", 90, "--steps", 300]
    alone = Run(1, words)
    expect(alone)
    right = re.search(r"checksum (\w+)", alone.out)[1]
    for ranks in (2, 3, 4, 6):
        for environment in ({}, {"STARTUNE": "off"}, quick, {**quick, "STARTUNE_STRATEGY": "hypothesis"}):
            run = Run(ranks, words, **environment)
            if expect(run) and f"checksum {right}" not in run.out:
                fail(f"{run.words}: {ranks} ranks, {environment}: another plate than {right}", run.out)


def reports():
    """Requests are in the summary and in the report: all calls, all functions, the decision."""
    path, steps = os.path.join(scratch.name, "requests.json"), 600
    run = Run(4, [example("heat"), "--size", 64, "--steps", steps], **quick, STARTUNE_REPORT=path)
    expect(run)
    lines = re.findall(r"^startune: neighborhood +512 .* +(\d+)  (neighborhood:\S+)", run.err, re.M)
    if not lines:
        fail("the summary has no line for the exchange", run.err)
    with open(path) as file:
        requests = json.load(file)["requests"]
    if [request["function_set"] for request in requests] != ["neighborhood"] * 2:
        fail("the report has other requests than the two of the plate", requests)
    for request in requests:
        if request["calls"] != steps / 2 or request["ranks"] != 4 or request["bytes"] != 512:
            fail("calls, ranks or bytes", request)
        if set(request["attributes"]) != {"transfer", "mapping", "data"} or not request["tuned"]:
            fail("attributes of the decision", request)
        chosen = next(one for one in request["functions"] if one["function"] == request["function"])
        if chosen["attributes"] != request["attributes"] or chosen["left_out"]:
            fail("the decision is another function", chosen, request["attributes"])
        known = [one for one in request["functions"] if one["samples"] and not one["left_out"]]
        if len(known) < 20 or not request["history"] or not request["agreements"]:
            fail("what was measured", request)
    run = Run(4, [example("heat"), "--size", 64])
    if run.err:
        fail("without startune's environment it says something", run.err)


def slides():
    """The sum of all points does not change by smoothing: that of the ranks' numbers."""
    for ranks in (1, 2, 4, 6):
        run, total = Run(ranks, [example("slides")], **quick), ranks * (ranks + 1) // 2
        if expect(run) and f"slides: {ranks} ranks, sum {total}.000000000 of" not in run.out:
            fail("another sum", run.out)


def document():
    """The program in docs/requests.md is compiled and run as it stands there."""
    with open(os.path.join(source, "docs", "requests.md")) as file:
        text = re.search(r"^```c\n(.*?)^```", file.read(), re.M | re.S)[1]
    path = os.path.join(scratch.name, "program")
    with open(path + ".c", "w") as file:
        file.write(text)
    compiled = subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", *os.environ["STARTUNE_INCLUDES"].split(),
                               path + ".c", "-o", path, *os.environ["STARTUNE_LINKS"].split()],
                              capture_output=True, text=True)
    if compiled.returncode:
        fail("it is not compiled", compiled.stderr)
        return
    run = Run(4, [path], LD_LIBRARY_PATH=os.path.join(build, "lib"))
    if expect(run) and run.err:
        fail("it says something", run.err)
    run = Run(4, [path], LD_LIBRARY_PATH=os.path.join(build, "lib"), STARTUNE="on")
    if expect(run) and "startune: neighborhood" not in run.err:
        fail("it is not in the summary", run.err)


def fortran():
    """The program in Fortran in docs/requests.md is compiled and run as it stands there."""
    with open(os.path.join(source, "docs", "requests.md")) as file:
        text = re.search(r"^```fortran\n(.*?)^```", file.read(), re.M | re.S)[1]
    path = os.path.join(scratch.name, "halo")
    with open(path + ".f90", "w") as file:
        file.write(text)
    modules = os.path.join(build, "fortran", mpi)
    compiled = subprocess.run([f"mpif90.{mpi}", "-Wall", "-Werror", f"-I{modules}", path + ".f90", "-o", path,
                               f"-L{build}/lib", f"-lstartune-{mpi}"], capture_output=True, text=True)
    if compiled.returncode:
        fail("it is not compiled", compiled.stderr)
        return
    run = Run(4, [path], LD_LIBRARY_PATH=os.path.join(build, "lib"), STARTUNE="on")
    if expect(run) and "startune: neighborhood" not in run.err:
        fail("it is not in the summary", run.err)


main(globals())
