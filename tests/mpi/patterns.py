# SPDX-License-Identifier: BSD-3-Clause
"""Programs with requests, in startune's environment and out of it: patterns.py BUILD MPI SCENARIO."""
import itertools
import json
import os
import re
import struct
import subprocess

from jobs import Run, below, build, expect, fail, main, mpi, scratch, some, startune

source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
quick = {"STARTUNE": "on", "STARTUNE_STRATEGY": "exhaustive", "STARTUNE_ITER": "3", "STARTUNE_SAMPLE": "1"}


def example(name):
    return os.path.join(build, "examples", f"{name}-{mpi}")


def field_after(dimensions, size, steps):
    """Change and checksum, as examples/field.h says, without ranks: the cold outside is no place of the dictionary."""
    slopes, by = (7, 13, 29), 0.2 if dimensions == 2 else 0.125
    places = list(itertools.product(range(size), repeat=dimensions))
    now = {place: float(sum(map(int.__mul__, place, slopes)) % 100) for place in places}
    beside = {place: [place[:d] + (place[d] + way,) + place[d + 1:] for d in range(dimensions) for way in (-1, 1)]
              for place in places}
    for _ in range(steps):
        by_how_much = {}
        for place in places:
            around = 0.0
            for neighbor in beside[place]:  # one after the other, as there: the bits of a sum depend on it
                around += now.get(neighbor, 0.0)
            by_how_much[place] = by * (around - 2 * dimensions * now[place])
        now = {place: now[place] + by_how_much[place] for place in places}
    total = 0
    for place in places:
        number = 0
        for coordinate in place:
            number = number * 1000003 + coordinate + 1
        total += (struct.unpack("<Q", struct.pack("<d", now[place]))[0] ^ number % 2**64) * 0x9e3779b97f4a7c15
    return f"change {max(map(abs, by_how_much.values())):.17g}, checksum {total % 2**64:016x}"


def heat():
    """With startune's interface, with ADCL's and by hand: what a field computed without ranks becomes."""
    brute, hypothesis = quick, {**quick, "STARTUNE_STRATEGY": "hypothesis"}
    ways = [("heat", [], [{}, {"STARTUNE": "off"}, brute, hypothesis]), ("heat_adcl", [], [{}, brute]),
            ("heat_mpi", ["isend_irecv"], [{}]), ("heat_mpi", ["sendrecv"], [{}])]
    for dimensions, size, steps in (2, 41, 150), (3, 17, 90):
        right = field_after(dimensions, size, steps)
        for program, first, environments in ways:
            for ranks, environment in some(itertools.product((1, 3, 4, 6), environments), 3):
                run = Run(ranks, [example(program), *first, "--dimensions", dimensions, "--size", size, "--steps", steps],
                          **environment)
                if expect(run) and right not in run.out:
                    fail(f"{run.words}: {ranks} ranks, {environment}: it is not {right}", run.out)
    for words in ["heat", "--size"], ["heat", "--size", "2x"], ["heat", "--dimensions", 4], ["heat_mpi"], ["heat_mpi", "other"]:
        run = Run(1, [example(words[0]), *words[1:]])
        if run.status != 2 or "options" not in run.err:
            fail(f"{run.words} is not refused", run.err)


def reports():
    """Requests are in the summary and in the report: all calls, all functions, the decision."""
    path, steps = os.path.join(scratch.name, "requests.json"), 600
    run = Run(4, [example("heat"), "--size", 64, "--steps", steps], **quick, STARTUNE_SUMMARY="full", STARTUNE_REPORT=path)
    expect(run)
    lines = re.findall(r"^startune: neighborhood +512 .* +(\d+)  (neighborhood:\S+)", run.err, re.M)
    if not lines:
        fail("the summary has no line for the exchange", run.err)
    with open(path) as file:
        requests = json.load(file)["requests"]
    if [(request["function_set"], request["requests"]) for request in requests] != [("neighborhood", 1)]:
        fail("the report has other requests than that of the plate", requests)
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
        times, means = zip(*((decision["at_seconds"], decision["mean_seconds"]) for decision in request["history"]))
        if list(times) != sorted(times) or times[0] <= 0 or means[-1] is None or 0 in means:
            fail("when it decided, or what calls took until then", request["history"])
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

    one_sided = below != "mpich"  # Debian's is over UCX
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
    """The program in docs/how-to/own-patterns.md is compiled and run as it stands there."""
    with open(os.path.join(source, "docs/how-to/own-patterns.md")) as file:
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
    run = Run(4, [path], LD_LIBRARY_PATH=os.path.join(build, "lib"), STARTUNE="on", STARTUNE_SUMMARY="full")
    if expect(run) and "startune: neighborhood" not in run.err:
        fail("it is not in the summary", run.err)


def fortran():
    """The program in docs/reference/fortran.md is compiled and run as it stands there."""
    with open(os.path.join(source, "docs/reference/fortran.md")) as file:
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
    run = Run(4, [path], LD_LIBRARY_PATH=os.path.join(build, "lib"), STARTUNE="on", STARTUNE_SUMMARY="full")
    if expect(run) and "startune: neighborhood" not in run.err:
        fail("it is not in the summary", run.err)


main(globals())
