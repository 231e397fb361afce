# SPDX-License-Identifier: BSD-3-Clause
"""What the drivers share: a job of ordinary MPI ranks, natively or under startune: DRIVER BUILD MPI SCENARIO."""
import concurrent.futures
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

build, mpi = os.path.abspath(sys.argv[1]), sys.argv[2]
here = os.path.dirname(os.path.abspath(__file__))
mpirun = os.path.join(here, "..", "support", "mpirun")
startune = os.path.join(build, "bin", "startune")
programs = os.path.join(build, "tests", "mpi", mpi)
below = mpi  # behind the standard ABI it is another one
if mpi == "abi":
    with open(os.path.join(build, "tests", "abi", "over")) as file:
        below = os.environ.get("MPI_ABI_OVER", file.read().strip())
rank_variable = {"openmpi": "OMPI_COMM_WORLD_RANK", "mpich": "PMI_RANK"}[below]
scratch = tempfile.TemporaryDirectory(prefix="startune-test-")
failures = []
runs = 0


def some(items, every):
    """The first of each EVERY; all of them by ./check --long."""
    return itertools.islice(items, 0, None, 1 if os.environ.get("LONG_TESTS") == "yes" else every)


def fail(what, *details):
    failures.append(what)
    print("FAILED:", what)
    for detail in details:
        print("    " + str(detail).strip().replace("\n", "\n    ")[-3000:])


class Run:
    """What a job printed and how it ended; status None: it was still running after the time given."""

    def __init__(self, ranks, words, seconds=200, launcher=None, **environment):
        for _ in range(3):
            self.run(ranks, words, seconds, launcher, environment)
            # PRRTE, Open MPI 5's launcher, now and then writes a piece of standard error to standard output. Of Open MPI 4.1,
            # a thread of its own now and then runs on in MPI_Finalize what is unloaded: 139, natively.
            if "startune:" not in self.out and (self.status != 139 or startune in map(str, words)):
                break

    def run(self, ranks, words, seconds, launcher, environment):
        global runs
        runs += 1
        clean = {k: v for k, v in os.environ.items() if not k.startswith("STARTUNE")} | {"STARTUNE_WISDOM": "off", "STARTUNE_REPORTS": "0"}
        clean["STARTUNE_TUNE_AFTER"] = os.environ.get("STARTUNE_TUNE_AFTER", "0")  # see tests/environment.cmake
        clean["STARTUNE_CROWDED"] = os.environ.get("STARTUNE_CROWDED", "no")
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


def at_once(run, *cases):
    """What run(*CASE) returns for each: for those of which most wait."""
    with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
        return list(pool.map(lambda case: run(*case), cases))


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


def main(scenarios):
    begin = time.monotonic()
    scenarios[sys.argv[3]]()
    print(f"{mpi}: {sys.argv[3]}: {runs} runs, {len(failures)} failures, {time.monotonic() - begin:.0f} s")
    sys.exit(bool(failures))
