# SPDX-License-Identifier: BSD-3-Clause
"""Programs with requests, in startune's environment and out of it: patterns.py BUILD MPI SCENARIO."""
import json
import os
import re
import subprocess

from jobs import Run, build, expect, fail, main, mpi, scratch, startune

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
    if [(request["function_set"], request["requests"]) for request in requests] != [("neighborhood", 2)]:
        fail("the report has other requests than the two of the plate, which are alike", requests)
    for request in requests:
        if request["calls"] != steps or request["ranks"] != 4 or request["bytes"] != 512:
            fail("calls, ranks or bytes", request)
        if request["problem"] != "neighborhood:34x34/1/8/2x2/2/1":
            fail("what it is about", request["problem"])
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


def forced():
    """The function that the setting names runs always; what is wrong with a name is said in one line."""
    path, words = os.path.join(scratch.name, "forced.json"), [example("heat"), "--size", 90, "--steps", 300]
    alone = Run(1, words)
    expect(alone)
    right = re.search(r"checksum (\w+)", alone.out)[1]

    def requests():
        with open(path) as file:
            return [(request["function"], request["tuned"]) for request in json.load(file)["requests"]]

    one_sided = mpi != "mpich"  # Debian's is over UCX
    for name in ("neighborhood:persistent,mapping=pair", "neighborhood:Sendrecv_pair_pack",
                 *["neighborhood:fence_put"][:one_sided]):
        run = Run(4, words, **quick, STARTUNE_FORCE=f"alltoall:ring {name}", STARTUNE_REPORT=path)
        if expect(run, warnings=0) and f"checksum {right}" not in run.out:
            fail(f"{name}: another plate than {right}", run.out)
        spelt = name.replace("Sendrecv_pair_pack", "sendrecv,data=pack")
        if requests() != [(spelt, False)]:
            fail("another function runs than the forced one", spelt, requests())
    for ranks in (1,) if one_sided else (1, 4):
        run = Run(ranks, words, **quick, STARTUNE_FORCE="neighborhood:fence_put", STARTUNE_REPORT=path)
        if expect(run, warnings=1) and (requests() != [("neighborhood:isend_irecv", False)]
                                        or "fence_put" not in run.err or f"checksum {right}" not in run.out):
            fail("where there are no windows the first function runs instead", run.err, requests())
    program = os.path.join(build, "tests", "mpi", mpi, "requests")
    run = Run(4, [program, "nonblocking"], **quick, STARTUNE_FORCE="ibcast:blocking", STARTUNE_REPORT=path)
    if expect(run) and requests().count(("blocking", False)) != 1:
        fail("ibcast is not forced", requests())
    for calls, progress in (("binomial bruck ring binomial", "each"), ("chain ring bruck chain", "eighth"),
                            ("binomial ring ring chain", "rarely")):
        functions = [f"{call},progress={progress}" for call in calls.split()]
        force = " ".join(f"{name}:{function}" for name, function in
                         zip(("ibcast", "ialltoall", "iallgather", "ireduce"), functions))
        run = Run(4, [program, "nonblocking"], **quick, STARTUNE_FORCE=force, STARTUNE_REPORT=path)
        if expect(run, warnings=0) and sorted(requests()) != sorted((function, False) for function in functions):
            fail("plans that go on in pieces are forced", force, requests())
    run = Run(2, words, **quick, STARTUNE_FORCE="neighborhood:persistant")
    if expect(run, warnings=1) and "did you mean 'persistent'" not in run.err:
        fail("what is wrong", run.err)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("STARTUNE")}
    wrong = subprocess.run([startune, "run", "--force", "neighborhood:persistant", *map(str, words)], env=clean,
                           capture_output=True, text=True)
    if wrong.returncode != 2 or len(wrong.stderr.splitlines()) > 2 or "'persistent'" not in wrong.stderr:
        fail("startune run says what is wrong", wrong.returncode, wrong.stderr)


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
