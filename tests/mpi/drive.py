# SPDX-License-Identifier: BSD-3-Clause
"""Runs ordinary MPI programs natively and under startune, and compares: drive.py BUILD MPI SCENARIO."""
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

build, mpi, scenario = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
here = os.path.dirname(os.path.abspath(__file__))
mpirun = os.path.join(here, "..", "support", "mpirun")
startune = os.path.join(build, "bin", "startune")
programs = os.path.join(build, "tests", "mpi", mpi)
rank_variable = {"openmpi": "OMPI_COMM_WORLD_RANK", "mpich": "PMI_RANK"}[mpi]
scratch = tempfile.TemporaryDirectory(prefix="startune-test-")
failures = []
runs = 0


def fail(what, *details):
    failures.append(what)
    print("FAILED:", what)
    for detail in details:
        print("    " + str(detail).strip().replace("\n", "\n    ")[-3000:])


class Run:
    """What a job printed and how it ended; status None: it was still running after the time given."""

    def __init__(self, ranks, words, seconds=60, launcher=None, **environment):
        global runs
        runs += 1
        clean = {k: v for k, v in os.environ.items() if not k.startswith("STARTUNE")}
        clean["XDG_CONFIG_HOME"] = scratch.name
        command = [mpirun, build, launcher or mpi, str(ranks)] + [str(word) for word in words]
        self.words = " ".join(str(word).replace(build + "/", "") for word in words)
        job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**clean, **environment}, start_new_session=True, cwd=scratch.name)
        try:
            self.out, self.err = job.communicate(timeout=seconds)
            self.status = job.returncode
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGTERM)
            try:
                self.out, self.err = job.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
                self.out, self.err = job.communicate()
            self.status = None

    def warnings(self):
        return [line for line in self.err.splitlines() if "startune: warning" in line]


def program(name):
    return os.path.join(programs, name)


def tuned(options, words):
    return [startune, "run", *options, "--", *words]


def expect(run, status=0, out=None, warnings=None):
    how = "hangs" if run.status is None else f"ends with {run.status}, not {status}"
    if run.status != status:
        fail(f"{run.words}: {how}", run.out, run.err)
    elif out is not None and run.out != out:
        fail(f"{run.words}: prints something else than natively", *differing(out, run.out))
    elif "FAILED" in run.err:
        fail(run.words, run.err)
    elif warnings is not None and len(run.warnings()) != warnings:
        fail(f"{run.words}: {len(run.warnings())} warnings, not {warnings}", run.err)
    else:
        return True
    return False


def differing(native, other):
    native, other = native.splitlines(), other.splitlines()
    return [f"natively: {a}\n   tuned: {b}" for a, b in itertools.zip_longest(native, other) if a != b]


def report(ranks, options, words, **environment):
    path = os.path.join(scratch.name, f"report-{runs}.json")
    run = Run(ranks, tuned(["--report", path, *options], words), **environment)
    try:
        with open(path) as file:
            return run, json.load(file)
    except (OSError, ValueError) as error:
        fail(f"{run.words}: no report: {error}", run.err)
        return run, None


def methods(every=False):
    """All spellings that the repository's table gives; EVERY: not only those that the tuner tries."""
    listed = subprocess.run([startune, "list", "--json"], capture_output=True, text=True, check=True)
    for algorithm in json.loads(listed.stdout):
        name = f"{algorithm['operation']}:{algorithm['name']}"
        knobs = [[f",{knob['name']}={value}" for value in knob["values"]] for knob in algorithm["knobs"]]
        for setting in itertools.product(*knobs):
            yield name + "".join(setting)
    if every:
        yield from ("alltoall:ring,window=4", "alltoall:ring,sync=barriers:1", "alltoall:bruck,radix=3")


matrix = [
    [],
    ["--iter", "2", "--tune-after", "0"],
    ["--iter", "2", "--tune-after", "0", "--epsilon", "0", "--delta", "1", "--delta-most", "2", "--warmup", "0"],
    ["--iter", "3", "--strategy", "exhaustive"],
    ["--iter", "3", "--strategy", "grouped", "--estimator", "max-of-filtered-mean"],
    ["--iter", "2", "--strategy", "exhaustive", "--estimator", "max-of-filtered-mean", "--delta", "1"],
    ["--iter", "2", "--tune-after", "0", "--sites"],
    ["--iter", "2", "--communicators", "2"],
    ["--iter", "2", "--communicators", "0"],
    ["--iter", "2", "--memory", "1K"],
    ["--iter", "2", "--memory", "0"],
    ["--iter", "2", "--sizes", "2"],
    ["--iter", "1", "--sizes", "1", "--sites", "--tune-after", "0", "--delta", "1"],
    ["--off"],
]


def preloaded():
    """An ordinary program under many settings."""
    native = Run(4, [program("preloaded"), 40])
    expect(native)
    for options in matrix:
        expect(Run(4, tuned(options, [program("preloaded"), 40])), out=native.out)
    for ranks in (1, 2, 3, 8):
        native = Run(ranks, [program("preloaded"), 40])
        expect(Run(ranks, tuned(["--iter", "3"], [program("preloaded"), 40])), out=native.out)
    expect(Run(4, tuned([], [program("preloaded"), 150])))


def churn():
    """Thousands of communicators."""
    expect(Run(3, tuned(["--tune-after", "2", "--iter", "2"], [program("preloaded"), 5, 3000]), 120))


def forced():
    """Every method in turn."""
    native = Run(4, [program("preloaded"), 10])
    wrong = Run(4, [program("errors")])
    for method in methods(every=True):
        expect(Run(4, tuned(["--force", method], [program("preloaded"), 10])), out=native.out)
        expect(Run(4, tuned(["--force", method], [program("errors")])), out=wrong.out)


def errors():
    """Wrong arguments are answered as natively."""
    for ranks in (1, 4):
        native = Run(ranks, [program("errors")])
        expect(native)
        for options in ([], ["--iter", "2", "--tune-after", "0"], ["--methods", "alltoall:linear"]):
            expect(Run(ranks, tuned(options, [program("errors")])), out=native.out)


def threads():
    native = Run(2, [program("threads"), 300])
    if native.status == 77:
        sys.exit(77)
    expect(native)
    expect(Run(2, tuned([], [program("threads")])))
    expect(Run(3, tuned(["--iter", "2", "--tune-after", "0", "--delta", "1"], [program("threads"), 600])))
    expect(Run(2, tuned(["--communicators", "2", "--iter", "2"], [program("threads"), 1000])))
    expect(Run(2, tuned(["--force", "alltoall:ring,sync=light"], [program("threads"), 1000])))


def differs():
    """A setting that differs between ranks: rank 0's counts, with one warning."""

    def each(setting):
        return ["sh", "-c", f"{setting}; exec \"$@\"", "sh"]

    ending = [startune, "run", "--report", os.path.join(scratch.name, "differs.json"), program("ending")]
    run = Run(4, each(f"export STARTUNE_ITER=$((2 + {rank_variable}))") + ending)
    if expect(run, warnings=1):
        with open(os.path.join(scratch.name, "differs.json")) as file:
            if json.load(file)["settings"]["iter"] != "2":
                fail("rank 0's setting does not count")
    run = Run(4, each(f"[ ${rank_variable} != 0 ] && export STARTUNE_FORCE=alltoall:pair") + ending)
    expect(run, warnings=1)
    for where in ("= 1", "= 0"):
        run = Run(4, each(f"[ ${rank_variable} {where} ] && export STARTUNE=off") + ending, 15)
        expect(run, warnings=1)


def sites():
    run, found = report(4, ["--sites", "--iter", "2"], [program("sites"), "same"])
    if expect(run, warnings=0) and len({context["site"] for context in found["contexts"]}) != 2:
        fail("two call sites are not told apart", found["contexts"])
    for options in (["--iter", "2"], ["--tune-after", "0"], ["--force", "alltoall:ring"], ["--sizes", "1"]):
        expect(Run(4, tuned(["--sites", *options], [program("sites"), "root"])), warnings=1)
    expect(Run(4, tuned(["--sites"], [program("sites"), "upper"])), warnings=1)
    expect(Run(4, tuned([], [program("sites"), "root"])), warnings=0)


def reports():
    """Law 6, and native in every context (law 3)."""
    for estimator, strategy in itertools.product(("min-of-mean", "max-of-filtered-mean"), ("exhaustive", "grouped")):
        run, found = report(4, ["--iter", "3", "--no-confirm", "--estimator", estimator, "--strategy", strategy,
                                "--delta", "1000", "--tune-after", "0"], [program("preloaded"), 80])
        if not expect(run) or found is None:
            continue
        if f"estimator {estimator}" not in run.err:
            fail(f"{run.words}: the summary does not name the estimator", run.err)
        if found["settings"]["estimator"] != estimator or not found["contexts"]:
            fail(f"{run.words}: the report does not name the estimator, or has no contexts")
        decided = [check_context(run, context, estimator) for context in found["contexts"]]
        if not any(decided):
            fail(f"{run.words}: nothing was decided")


def check_context(run, context, estimator):
    where = f"{run.words}: context of {context['bytes']} bytes on {context['ranks']} ranks"
    tried = context["methods"]
    if tried[0]["method"] != "alltoall:native":
        fail(f"{where}: native is not first", tried)
    measured = {m["method"]: m for m in tried if m["samples"]}
    for name, method in measured.items():
        if len(method["samples"]) != 3 or method["calls"] < 3:
            fail(f"{where}: {name} has {len(method['samples'])} samples of {method['calls']} calls")
        estimate, samples = method["estimate_seconds"], method["samples"]
        if estimator == "min-of-mean" and abs(estimate - min(samples)) > 1e-6 * estimate:
            fail(f"{where}: {name}: {estimate} is not the least of {samples}")
        if not 0 < estimate < 10:
            fail(f"{where}: {name}: estimate {estimate}")
    if not any(step["stage"] == "monitor" for step in context["history"]):
        return False
    if "alltoall:native" not in measured:
        fail(f"{where}: decided without native", tried)
    best = min(measured, key=lambda name: measured[name]["estimate_seconds"])
    if measured[context["method"]]["estimate_seconds"] > measured[best]["estimate_seconds"]:
        fail(f"{where}: chose {context['method']}, though {best} is faster")
    return True


def native_stays():
    """Law 3: where only a much slower method is tried beside it, native remains."""
    run, found = report(8, ["--methods", "alltoall:ring,sync=barrier", "--tune-after", "0", "--epsilon", "100%"],
                        [program("ending")])
    if expect(run) and found:
        for context in found["contexts"]:
            if context["method"] != "alltoall:native" or [m["method"] for m in context["methods"]][1:] != [
                    "alltoall:ring,sync=barrier"]:
                fail("native does not remain", json.dumps(context, indent=1))


def names():
    """Law 5: what is unknown is an error before the program starts."""
    mark, file = os.path.join(scratch.name, "mark"), os.path.join(scratch.name, "settings")
    with open(file, "w") as settings:
        settings.write("iter = 3\nitre = 4\n")
    cases = [([], {"STARTUNE_ITRE": "3"}, "iter"), ([], {"STARTUNE_FORCE": "alltoall:rnig"}, "ring"),
             ([], {"STARTUNE_METHODS": "alltoall:ring,snyc=light"}, "sync"), ([], {"STARTUNE_ITER": "three"}, "three"),
             ([], {"STARTUNE": "perhaps"}, "perhaps"), (["--settings", file], {}, "iter"),
             (["--force", "alltoal:ring"], {}, "alltoall"), (["--strategy", "groupd"], {}, "grouped")]
    for options, environment, named in cases:
        run = Run(2, tuned(options, ["sh", "-c", f": > {mark}"]), **environment)
        what = f"{options} {environment}"
        if os.path.exists(mark):
            fail(f"{what}: the program was started")
            os.remove(mark)
        if run.status == 0 or (mpi == "openmpi" and run.status != 2) or named not in run.err.lower() or run.out:
            fail(f"{what}: status {run.status}", run.out, run.err)


def silent():
    """Law 7."""
    library = os.path.join(build, "lib", f"libstartune-{mpi}.so")
    if not os.path.exists(library):
        found = subprocess.run(["find", build, "-name", f"libstartune-{mpi}.so"], capture_output=True, text=True)
        library = found.stdout.split()[0]
    preload = library if mpi == "openmpi" else f"{library}:{build}/tests/yield.so"
    native = Run(4, [program("preloaded"), 30])
    bare = Run(4, [program("ending")])
    for environment in ({}, {"STARTUNE": "off"}, {"STARTUNE_ITER": "nonsense"}):
        words = ["env", f"LD_PRELOAD={preload}", *(f"{k}={v}" for k, v in environment.items())]
        if expect(Run(4, words + [program("preloaded"), 30]), out=native.out):
            run = Run(4, words + [program("ending")])
            if run.err != bare.err or "startune" in run.err:
                fail(f"{run.words}: says something", run.err)
        # No attribute, no duplicate: what it adds to the heap is nothing.
        expect(Run(2, words + [program("growth"), 2000]))
    run = Run(4, tuned(["--off"], [program("ending")]))
    if run.err != bare.err:
        fail("--off says something", run.err)
    run = Run(4, tuned(["--no-summary"], [program("ending")]))
    if run.err != bare.err:
        fail("--no-summary says something", run.err)
    run = Run(4, tuned([], [program("ending")]))
    if run.out != bare.out or "startune:" not in run.err:
        fail("the summary is not on standard error", run.out, run.err)
    expect(Run(2, tuned([], ["echo", "no MPI"])), out="no MPI\nno MPI\n")


def endings():
    """A program that ends early: its status, no report, no hang."""
    path = os.path.join(scratch.name, "early.json")
    for how in ("abort", "abort-one", "exit", "exit-one"):
        native = Run(3, [program("ending"), how], 30)
        run = Run(3, tuned(["--report", path, "--tune-after", "0"], [program("ending"), how]), 30)
        if native.status is None and run.status is None:
            continue
        # MPICH's launcher says 3 or 9, as its own kill of the other ranks is faster or slower.
        either = (3, 9, 11) if mpi == "mpich" and how.startswith("exit") else (native.status,)
        if run.status not in either:
            fail(f"{how}: ends with {run.status}, natively {native.status}", run.err)
        if os.path.exists(path) or "startune:" in run.err:
            fail(f"{how}: a report or a summary is written", run.err)


def python():
    """mpi4py, which Debian builds for Open MPI."""
    words = ["/usr/bin/python3", os.path.join(here, "alltoall.py")]
    native = Run(4, words)
    expect(native)
    for method in methods():
        expect(Run(4, tuned(["--force", method], words)), out=native.out)
    run = Run(4, tuned(["--iter", "2"], words))
    if expect(run, out=native.out) and "alltoall" not in run.err:
        fail("mpi4py runs untuned", run.err)


def python_elsewhere():
    """The same under the other MPI's launcher: one clear line instead of a crash."""
    run = Run(2, tuned([], ["/usr/bin/python3", os.path.join(here, "alltoall.py")]), 30, launcher="mpich")
    lines = [line for line in run.err.splitlines() if line.startswith("startune: error")]
    if run.status in (0, None) or not lines or "Traceback" in run.err or re.search("signal|Segmentation", run.err):
        fail(f"mpi4py under MPICH's launcher: status {run.status}", run.out, run.err)
    for line in lines:
        if "MPICH" not in line or "Open MPI" not in line:
            fail("the line does not name both MPIs", line)


def memory():
    """No growth over calls and over communicators; the report's figures do not grow either."""
    figures = []
    for calls in (10000, 100000):
        run, found = report(2, ["--iter", "5"], [program("growth"), calls])
        if expect(run) and found:
            figures.append(sorted({(c["bytes"], c["in_place"], c["memory_bytes"]["context"])
                                   for c in found["contexts"]}))
    expect(Run(2, tuned(["--iter", "2", "--tune-after", "0"], [program("growth"), 2000, 2000])))
    if len(figures) == 2 and figures[0] != figures[1]:
        fail("memory of contexts grows with the calls", *figures)


def private():
    """Law 4: 5,000 communicators made, tuned and freed; MPICH has about 2,048 at a time."""
    run, found = report(2, ["--tune-after", "0", "--iter", "1"], [program("growth"), 1500, 5000], seconds=100)
    if expect(run, warnings=0) and "x5000" not in run.err:
        fail("not all of 5,000 communicators were tuned", run.err)


begin = time.monotonic()
globals()[scenario]()
print(f"{mpi}: {scenario}: {runs} runs, {len(failures)} failures, {time.monotonic() - begin:.0f} s")
sys.exit(bool(failures))
