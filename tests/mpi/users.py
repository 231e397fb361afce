# SPDX-License-Identifier: BSD-3-Clause
"""What users meet with each operation, in C and Fortran, natively and tuned: users.py BUILD MPI SCENARIO."""
import collections
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

from jobs import Run, at_once, below, build, expect, fail, main, methods, mpi, program, report, scratch, some, startune, tuned

quick = ["--tune-after", "0", "--iter", "2", "--epsilon", "0", "--delta", "1", "--delta-most", "2", "--sizes", "1000"]


def forces(most=None):
    """One method of each operation at a time, until each had its turn."""
    of = collections.defaultdict(list)
    for method in methods():
        if not method.endswith(":native"):
            of[method.split(":")[0]].append(method)
    turns = max(len(one) for one in of.values())
    for turn in range(0, turns, max(1, turns // most) if most else 1):
        yield " ".join(one[turn % len(one)] for one in of.values())


def same(ranks, words, several=(), most=3, seconds=200):
    """The same output natively, tuned, and with methods that are forced; what it printed."""
    native = Run(ranks, words, seconds)
    if native.status == 77:
        sys.exit(77)
    expect(native)
    for options in ([], quick, *several, *(["--force", force] for force in some(forces(most), 2) if most)):
        expect(Run(ranks, tuned(options, words), seconds), out=native.out)
    return native.out


def check_calls(run, found, times=1, what=""):
    """Each call that can be tuned is in the report, once: the program says how many there were."""
    calls = collections.Counter()
    for context in found["contexts"] if found else []:
        calls[context["operation"]] += context["calls"]
    said = {name.lower(): times * int(number) for name, number in re.findall(r"^calls (\S+) (\d+)$", run.out, re.M)}
    wrong = {name: (calls[name], said.get(name, 0)) for name in {*calls, *said} if calls[name] != said.get(name, 0)}
    if wrong or not said:
        fail(f"{run.words} {what}: calls in the report, and made", wrong)


def counts(ranks, words, **environment):
    for options in (["--tune-after", "0", "--sizes", "1000"], [*quick, "--sample", "1"],
                    ["--sizes", "1000", "--force", next(forces())]):
        run, found = report(ranks, options, words, **environment)
        if expect(run) and found:
            check_calls(run, found)


def section(name, rounds=4, ranks=(4,), **more):
    for number in ranks:
        same(number, [program("semantics"), name, rounds], **more)


def every():
    section("every", ranks=some((2, 4, 5), 2), most=6)
    counts(4, [program("semantics"), "every", 4])


def every_method():
    """All of them, one of each operation at a time."""
    words = [program("semantics"), "every", 2]
    native = Run(4, words)
    for force in forces():
        expect(Run(4, tuned(["--force", force], words)), out=native.out)


def large_counts():
    """MPI-4's bindings, and the datatypes that they make."""
    if Run(1, [program("session")]).status == 77:
        sys.exit(77)
    section("large", most=6)
    section("large_types")
    counts(4, [program("semantics"), "large", 4])


def inter():
    section("inter", ranks=(2, 4))


def few_ranks():
    section("few", ranks=(1, 3))


def nothing():
    section("empty", ranks=(1, 4))
    section("nothing")
    section("halves")


def insignificant():
    """What Open MPI does not look at, and MPICH does."""
    section("insignificant")


def communicators():
    section("churn", several=[["--communicators", "3", *quick]])
    section("dying", several=[["--communicators", "3", *quick]])


def nonblocking():
    section("nonblocking")


def two_threads():
    section("threads", 2, seconds=400)


def short_lived():
    section("lived", 8)
    words = [program("semantics"), "lived", 100] # 10^5 of each
    expect(Run(2, tuned([], words), 200), out=Run(2, words, 200).out)


def files():
    """Collective input and output: what it calls inside is the MPI library's own, and in no report."""
    section("files")
    counts(4, [program("semantics"), "files", 4])


def refused():
    """One argument wrong, of each operation: as natively."""
    shared = [f"{operation}:shared" for operation in ("alltoall", "allgather", "allreduce", "bcast", "reduce",
                                                       "gather", "scatter", "reduce_scatter_block", "barrier")]
    for ranks in (1, 4):
        same(ranks, [program("refusals")], [["--force", " ".join(shared)]], most=6 if ranks > 1 else 1)


def sessions():
    """Tuned with MPI_Init, and without where some communicator is of all processes, but Open MPI's; else native."""
    if below == "mpich":
        at_once(lambda case: case(), (waits_aloud,), (sessions_in_turn,))
    else:
        sessions_in_turn()


def sessions_in_turn():
    for words in ([program("session"), how] for how in ("one", "several", "parts", "alone")):
        native = Run(1, words)
        if native.status == 0:
            for options in ([], ["--off"]):
                expect(Run(1, tuned(options, words)), out=native.out, warnings=0)
    endings = itertools.product(("first", "last"), repeat=2)
    for words in (["one"], ["several"], ["turns"], ["turns", "init"], ["again"], ["parts"], ["alone"], *(["init", *ending] for ending in endings)):
        is_tuned = words[0] == "init" or (words[0] != "alone" and below != "openmpi")
        words = [program("session"), *words]
        native = Run(4, words)
        if native.status == 77:
            sys.exit(77)
        # Of MPICH 4.0, sessions cannot begin again, nor have groups of parts without MPI_Init. Of Open MPI 6.0, ranks that never
        # meet may end before others have found their shared memory.
        if native.status != 0 or (words[1] == "alone" and below == "openmpi"):
            continue
        run, found = report(4, ["--tune-after", "0"], words) if is_tuned else (Run(4, tuned(["--tune-after", "0"], words)), None)
        if expect(run, out=native.out, warnings=0) and is_tuned and not any(c["tuned"] for c in found["contexts"]):
            fail(f"{run.words} is not tuned", run.err)
        if not is_tuned and run.err != native.err:
            fail(f"{run.words}: something is said", run.err)
        expect(Run(4, tuned(["--force", next(forces())], words)), out=native.out)


def waits_aloud():
    """Rank 1 has no startune. Rank 0 takes itself for the only one of its node, as on another: it says what it waits for."""
    words = [f"case $PMI_RANK in 0) MPI_LOCALNRANKS=1 exec {shlex.join(map(str, tuned(['--watchdog', '1'], [program('session'), 'one'])))};;"
             f" *) exec {program('session')} one;; esac"]
    run = Run(2, ["sh", "-c", *words], seconds=8)
    if "has waited 1 s in MPI_Comm_create_from_group" not in run.err or "rank 0 on" not in run.err:
        fail("a rank waits silently", run.err)


def fortran():
    for way in ("mpif", "module", "f08"):
        words = [os.path.join(build, "tests", "fortran", mpi, way), 4]
        for ranks in (1, 4):
            same(ranks, words, most=6 if ranks > 1 else 0)
        counts(4, words)


def fortran_trapping():
    """gfortran's -ffpe-trap=zero,invalid,overflow: with what an earlier run has learned, too."""
    words = [os.path.join(build, "tests", "fortran", mpi, "trapping"), 4]
    if "SIGFPE" in Run(4, words).err:  # Open MPI 5's topology reader
        sys.exit(77)
    out = same(4, words, most=2)
    remembers(4, "", words, out)


def explicit():
    """A program that is linked with startune, and calls each operation by both names."""
    words = [program("explicit"), 12]

    def without(text):
        return text.replace("active 1", "active 0")

    bare = Run(4, words)
    expect(bare)
    if "startune:" in bare.err or "active 0" not in bare.out:
        fail("without an environment it says something, or MPI_X is tuned", bare.out, bare.err)
    path = os.path.join(scratch.name, "explicit.json")
    base = {"STARTUNE_TUNE_AFTER": "0", "STARTUNE_SIZES": "1000", "STARTUNE_REPORT": path}
    # How often each call is in the report, and whether MPI_X is tuned.
    for environment, times, active in (({"STARTUNE": "on"}, 2, 1), ({"STARTUNE": "on", "STARTUNE_NAMED": "on"}, 1, 0),
                                       ({"STARTUNE": "off"}, 0, 0)):
        run = Run(4, words, **base, **environment)
        if not expect(run) or without(run.out) != bare.out or f"active {active}" not in run.out:
            fail(f"{environment}: prints something else", run.out)
        in_report(path, run, times, environment)
    for options, times in (([], 2), (["--named"], 1), (["--off"], 0)):
        run = Run(4, tuned([*options, "--tune-after", "0", "--sizes", "1000", "--report", path], words))
        if expect(run):
            in_report(path, run, times, f"startune run {options}")
    for force in forces(3):
        run = Run(4, words, STARTUNE="on", STARTUNE_FORCE=force)
        if expect(run) and without(run.out) != bare.out:
            fail(f"{run.words}: {force}: prints something else", run.out)


def in_report(path, run, times, what):
    found = None
    if os.path.exists(path):
        with open(path) as file:
            found = json.load(file)
        os.remove(path)
    check_calls(run, found, times, what)


def link_order():
    """Behind its MPI library startune cannot work: one line says what to do."""
    run = Run(1, [program("explicit_behind")])
    if run.status in (0, None) or "before its MPI library" not in run.err:
        fail("linked behind the MPI library", run.status, run.err)
    compiler = shutil.which("g++")
    if compiler is None:
        return
    words = [compiler, "-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"]
    for header in ("startune.h", "ADCL.h"):
        compiled = subprocess.run([*words, *os.environ["STARTUNE_INCLUDES"].split(), "-include", header, "-x", "c++",
                                   os.devnull], capture_output=True, text=True)
        if compiled.returncode or compiled.stderr:
            fail(f"{header} is no C++", compiled.stderr)


def tool():
    """Another tool of the profiling interface, in front or behind: it sees each call once, and startune tunes it."""
    library = os.path.join(build, "tests", "mpi", mpi, "libtool.so")
    preload = library if below == "openmpi" else f"{library}:{build}/tests/yield.so"
    under = ["env", f"LD_PRELOAD={preload}"]
    words = [program("semantics"), "every", 3]
    inside, before = ([program(name), "every", 3] for name in ("semantics_with_tool", "semantics_before_tool"))
    own = os.path.join(build, "lib", f"libstartune-{mpi}.so")
    behind = ["env", f"LD_PRELOAD={own}:{preload}"]
    plain = Run(4, words)
    native = Run(4, under + words)
    if not expect(native) or not expect(plain):
        return
    told = native.out.splitlines()[-1]
    if not re.fullmatch(r"tool: 1 init, [1-9]\d* alltoall, [1-9]\d* allreduce, told every 3", told) or \
            native.out.splitlines()[:-1] != plain.out.splitlines():
        fail("the tool alone does not work", native.out)
    for job in (under + tuned(quick, words), under + tuned(["--force", next(forces())], words), tuned(quick, inside), inside,
                before, tuned(["--off"], before), tuned(["--force", next(forces())], before), behind + words):
        expect(Run(4, job), out=native.out)
    path = os.path.join(scratch.name, "tool.json")
    for first, then in ((under, words), ([], inside), ([], before), (behind, words)):
        run = Run(4, first + tuned([*quick, "--report", path], then))
        if expect(run, out=native.out):
            in_report(path, run, 1, "with a tool")


def with_environment(floating, words):
    """The words, in a floating-point environment as tests/support/environment.h has them."""
    preload = f"{build}/tests/fpenv.so" + ("" if below == "openmpi" else f":{build}/tests/yield.so")
    return ["env", f"FPENV={floating}", f"LD_PRELOAD={preload}", *words]


# As OpenFOAM and gfortran's -ffpe-trap do; results that are not rounded as usual; and all traps that there are: but
# MPICH's connections are inexact when they are made, natively, too.
trapping = "invalid,divide,overflow"
environments = [trapping, f"{trapping},up,flush", f"{trapping},underflow{',inexact' if below == 'openmpi' else ''}", "down", "zero,flush"]


def remembers(ranks, floating, words, out):
    """Two runs, of which the second one begins with what the first one has learned."""
    store, path = (os.path.join(scratch.name, f"{floating}.{name}") for name in ("wisdom", "json"))
    known = []
    for _ in range(2):
        run = Run(ranks, with_environment(floating, tuned(["--wisdom", store, "--report", path], words)))
        if not expect(run, out=out):
            return
        with open(path) as file:
            known.append(sum("remembered_methods" in context for context in json.load(file)["contexts"]))
    if known[0] >= known[1]: # in the first one contexts learn from each other
        fail(f"{run.words}: nothing was remembered", known)


def floating_point():
    """A program's traps, rounding, flushing and pending exceptions are its own: reductions go by them, startune does not."""
    ways = [[], quick, ["--verify"], ["--strategy", "hypothesis", "--iter", "3"]]
    for floating in environments[:len(list(some(environments, 2)))]:
        words = [program("fpenv"), 800]
        native = Run(2, with_environment(floating, words))
        expect(native)
        for options in some(ways, 2):
            expect(Run(2, with_environment(floating, tuned(options, words))), out=native.out)
        remembers(2, floating, words, native.out)
    words = [program("fpenv"), 300]
    expect(Run(4, with_environment(trapping, tuned(quick, words))), out=Run(4, with_environment(trapping, words)).out)


def trapping_programs():
    """Other tests' programs, which trap, and do not round to nearest."""
    every = [program("semantics"), "every", 4]
    for floating in some((f"{trapping},up,flush", trapping), 2):
        native = Run(4, with_environment(floating, every))
        for options in some(([], quick, ["--sites", *quick], *(["--force", force] for force in forces(4))), 2):
            expect(Run(4, with_environment(floating, tuned(options, every))), out=native.out)
        remembers(4, floating, every, native.out)
    # Between two ranks sums of a reduction are the same, whichever method it is.
    for floating in some(("up", "down", f"{trapping},zero"), 2):
        native = Run(2, with_environment(floating, [program("bits")]))
        for options in some((quick, *(["--force", force] for force in forces(6))), 2):
            expect(Run(2, with_environment(floating, tuned(options, [program("bits")]))), out=native.out)


def wide():
    """More than 2^31 bytes."""
    for part in ("bcast", "allgather", "allreduce", "element", *(["counted"] if below == "mpich" else [])):
        native = Run(2, [program("wide"), part], 200)
        if native.status == 77:
            sys.exit(77)
        expect(native)
        # Methods whose temporaries are no longer than a vector.
        for force in ("allgather:ring bcast:binomial allreduce:ring", "bcast:split_binary allreduce:rdb"):
            expect(Run(2, tuned(["--force", force, "--memory", "3G"], [program("wide"), part]), 200), out=native.out,
                   warnings=0)


def applications():
    """examples/nbody: the same to the last bit on any number of ranks, natively and while it is tuned."""
    nbody = os.path.join(build, "examples", f"nbody-{mpi}")
    if not os.path.exists(nbody):
        sys.exit(77)
    checksums, simulate = set(), [nbody, "--size", 240, "--steps", 300]
    runs = [Run(ranks, simulate) for ranks in (1, 2, 4, 5)]
    runs += [Run(4, tuned([*options, "--no-summary", "--iter", "2"], simulate))
             for options in ([], ["--strategy", "exhaustive", "--tune-after", "0"], ["--force", "allgather:bruck"])]
    for run in runs:
        found = re.fullmatch(r"nbody: 240 bodies, \d ranks, 300 steps: [\d.]+ s, energy changed by (\S+) of it, "
                             r"checksum ([0-9a-f]{16})\n", run.out)
        if expect(run, warnings=0) and (not found or float(found[1]) > 1e-4):
            fail("the energy was not kept", run.out)
        checksums.add(found and found[2])
    if len(checksums) != 1:
        fail("the results differ", checksums)
    for words in (["--size", 241], ["--steps", 0], ["--size"], ["--size", "x"]):
        expect(Run(2, [nbody, *words]), status=2)


main(globals())
