# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the command share: running it as a user would, in an empty home, and judging what it says."""
import concurrent.futures
import functools
import json
import os
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
import unittest
import zlib
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("STARTUNE_BUILD", SOURCE / "build"))
MPIS = os.environ.get("STARTUNE_MPIS", "openmpi mpich").split()
LONG = os.environ.get("LONG_TESTS") == "yes"
STARTUNE = BUILD / "bin/startune"
MPIRUN = SOURCE / "tests/support/mpirun"
SUBCOMMANDS = ["run", "tune", "bench", "list", "plan", "check", "topo", "place", "map", "export", "wisdom", "report", "replay", "settings"]
API_PAGES = ["startune", "startune_patterns", "startune_attributes", "startune_vectors", "startune_topologies", "startune_requests",
             "startune_requests_for_mpis_operations", "startune_timers"]


def exchange(mpi):
    """The program of exchange.c: exchange CALLS [STATUS [MILLISECONDS]]."""
    return BUILD / f"tests/cli/exchange-{mpi}"


def processes_marked(mark):
    """Processes that have MARK in their environment, the oldest first. MPICH's launcher gives each of its own a session
    of its own."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            pass
    return sorted(found)


def told_of(samples):
    """Mean and squares of what a run tells wisdom of calls: without those of three times the least or more, unless these are
    most of them."""
    kept = [sample for sample in samples if not min(samples) < sample >= 3 * min(samples)]
    mean = statistics.fmean(kept if 2 * len(kept) >= len(samples) else samples)
    return mean, sum((sample - mean) ** 2 for sample in kept) * len(samples) / len(kept)


def context_of(**more):
    """Of a report, with SAMPLES of one method."""
    samples = more.pop("samples", [1e-3, 1e-3])
    return {"operation": "bcast", "bytes": 64, "ranks": 4, "nodes": 1, "in_place": False, "commutative": True, "caller": "app+0x40", "calls": 9,
            "timed_calls": 9, "seconds": 1.0, "method": "bcast:chain", "tuned": True, "tuning_calls": 2, "pruned": 0, "history": [],
            "agreements": 0, "methods": [{"method": "bcast:chain", "calls": 2, "mean_seconds": 1e-3, "estimate_seconds": 1e-3,
                                          "left_out": False, "samples": samples, "wrong": False}]} | more


def request_of(**more):
    return {"function_set": "mine", "ranks": 4, "requests": 1, "calls": 9, "timed_calls": 9, "seconds": 1.0, "function": "move",
            "attributes": {"by": "rows"}, "tuned": True, "timer": False, "history": [], "agreements": 0,
            "functions": [{"function": "move", "attributes": {"by": "rows"}, "calls": 4, "mean_seconds": 1e-3, "estimate_seconds": 1e-3,
                           "left_out": False, "samples": [1e-3]}]} | more


def report_of(*contexts, **more):
    return {"startune": "1", "mpi": "m", "machine": "m", "program": "./app", "date": int(time.time()), "seconds": 1.0, "ranks": 4,
            "saved_seconds": 0.0, "settings": {}, "contexts": contexts, "requests": [], "others": [], "left_out": 0} | more


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.home = Path(tempfile.mkdtemp(prefix="startune-cli-"))
        self.addCleanup(shutil.rmtree, self.home)
        ours = ("STARTUNE", "OMPI_", "PMI", "HYDI_", "LD_PRELOAD", "XDG_")
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        self.move(self.home)

    def move(self, home):
        """Into another home, where nothing is known; STORE is its wisdom's."""
        home.mkdir(exist_ok=True)
        self.home, self.store = home, home / ".local/share/startune/wisdom.db"
        self.env["HOME"] = str(home)

    def command(self, *words, env=None, cwd=None, timeout=500):
        return subprocess.run([str(word) for word in words], env=self.env | (env or {}), cwd=cwd or self.home,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=timeout)

    def startune(self, *words, **more):
        return self.command(STARTUNE, *words, **more)

    def mpirun(self, mpi, ranks, *words, **more):
        env = {"STARTUNE_WISDOM": "off", "STARTUNE_WISDOM_PATIENCE": "60", "STARTUNE_TUNE_AFTER": "0", "STARTUNE_CROWDED": "no"} | (more.pop("env", None) or {})
        return self.command(MPIRUN, BUILD, mpi, ranks, *words, env=env, **more)

    def assertStatus(self, result, status=0):
        self.assertEqual(result.returncode, status, f"{result.args}\n{result.stdout}\n{result.stderr}")

    def assertRefused(self, result, *names, status=2):
        """One line on standard error that names what is wrong and what would be right; nothing was started."""
        self.assertStatus(result, status)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertRegex(result.stderr, r"^startune\b.*: error: ")
        for name in names:
            self.assertIn(name, result.stderr)

    def learn(self, machine, means, calls):
        """As if earlier runs of 4 ranks had seen requests; MEANS has the seconds of each function of each problem."""
        facts = [{"machine": machine, "operation": problem, "ranks": 4, "nodes": 1, "bytes": -1, "commutative": True, "in_place": False,
                  "method": method, "count": calls, "mean": mean, "squares": 0, "least": mean, "date": int(time.time())}
                 for problem, of in means.items() for method, mean in of.items()]
        (self.home / "facts.json").write_text(json.dumps({"startune_wisdom": 2, "facts": facts}))
        self.assertStatus(self.startune("wisdom", "import", "facts.json"))

    def assertSaysWhatIsWrong(self, bench, *cases):
        """A program of bench/, of the words of each case: in its last line."""
        for words in cases:
            with self.subTest(words=words):
                result = self.command(SOURCE / "bench" / bench, *words)
                self.assertStatus(result, 2)
                self.assertRegex(result.stderr.splitlines()[-1], r"error: .+")

    def json_of(self, result):
        self.assertStatus(result)
        return json.loads(result.stdout)


def interrupt(test, job):
    """Ctrl-C, as a terminal sends it: to all; and again, since Hydra now and then misses the first. Its status then is
    Hydra's own affair too."""
    for _ in range(6):
        os.killpg(job.pid, signal.SIGINT)
        try:
            job.communicate(timeout=20)
            return
        except subprocess.TimeoutExpired:
            pass
    test.fail("it does not end")


def each_mpi(test):
    """Runs TEST (self, mpi) for each MPI that was built."""
    def run(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                test(self, mpi)
    return run


def an_mpi(test):
    """Runs TEST (self, mpi) for one of the MPIs, by the test's name; by ./check --long for each."""
    def run(self):
        one = MPIS[zlib.crc32(test.__name__.encode()) % len(MPIS)]
        for mpi in MPIS if LONG else [one]:
            with self.subTest(mpi=mpi):
                test(self, mpi)
    return run


def an_mpi_at_home(test):
    """The same, each MPI in a home of its own."""
    def move_and_run(self, mpi):
        home = self.home
        self.move(home / mpi)
        test(self, mpi)
        self.move(home)
    return an_mpi(functools.wraps(test)(move_and_run))


class SideBySide(unittest.TestSuite):
    def run(self, result, debug=False):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda test: test(result), self))
        return result


def main(suite=unittest.TestSuite):
    """SideBySide: for tests whose programs sleep."""
    loader = unittest.TestLoader()
    loader.suiteClass = suite
    unittest.main(verbosity=1, testLoader=loader)
