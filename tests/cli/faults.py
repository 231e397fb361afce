# SPDX-License-Identifier: BSD-3-Clause
"""Clocks that step, ranks that sleep, thousands of contexts: the program's results are right, no estimate keeps what was
none, and what is remembered is whole. Where the environment has STARTUNE_FAULTS=long, each fault by itself, else a few."""
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest
import uuid
from pathlib import Path

from command import BUILD, MPIRUN, STARTUNE, CommandTest, an_mpi, exchange, main, processes_marked

LONG = os.environ.get("STARTUNE_FAULTS") == "long"
HOUR = 3600
RANKS = 3
CALLS = 100000
PER_CONTEXT = 20_000  # bytes on the rank that decides: 16.5 KB, as docs/explanation/limits.md says
MARK = f"FAULTS_MARK={uuid.uuid4()}"


class Faults(CommandTest):
    def setUp(self):
        super().setUp()
        self.env |= {"STARTUNE_WISDOM": "on", "STARTUNE_WISDOM_PATIENCE": "60"}

    def known(self):
        """What is remembered, which is whole."""
        health = self.json_of(self.startune("wisdom", "doctor", "--json"))
        self.assertEqual(health["state"], "whole")
        return self.json_of(self.startune("wisdom", "export"))["facts"]

    def assertNoneAbsurd(self, report, seconds):
        """No call here takes as long; and nothing takes less than no time."""
        for context in report["contexts"]:
            for method in context["methods"]:
                for sample in method["samples"]:
                    self.assertTrue(0 <= sample < seconds, method)
                self.assertLess(method["estimate_seconds"] or 0, seconds)
        for fact in self.known():
            self.assertTrue(0 < fact["mean"] < seconds, fact)


class Clocks(Faults):
    def run_with(self, mpi, steps, calls=4000):
        words = ["env", f"LD_PRELOAD={BUILD / 'tests/clocks.so'}:{BUILD / 'tests/yield.so'}" if mpi == "mpich" else
                 f"LD_PRELOAD={BUILD / 'tests/clocks.so'}", f"STEPS={steps}", STARTUNE, "run", "--report", "run.json", exchange(mpi), calls]
        result = self.mpirun(mpi, RANKS, *words, env={"STARTUNE_WISDOM": "on"}, timeout=180)
        self.assertStatus(result)
        self.assertEqual(result.stdout, f"{calls} calls on {RANKS} ranks, 0 wrong\n")
        report = json.loads((self.home / "run.json").read_text())
        self.assertNoneAbsurd(report, HOUR / 10)
        return report

    @an_mpi
    def test_the_measuring_clock_steps(self, mpi):
        by = [HOUR, -HOUR]
        each = [f"measure:{rank}:{reading}:{step}" for rank in ("1", "all") for step in by for reading in (3, 20, 60, 150, 401, 2000)]
        for steps in each if LONG else [" ".join(each[:6] + each[-6:])]:
            with self.subTest(steps=steps):
                self.run_with(mpi, steps)

    @an_mpi
    def test_the_date_steps(self, mpi):
        years = 10 * 365 * 24 * HOUR
        each = [f"real:{rank}:{reading}:{step}" for rank in ("0", "all") for step in (years, -years, -100 * years) for reading in (1, 100)]
        for steps in each if LONG else [" ".join(each[1::2])]:
            with self.subTest(steps=steps):
                self.run_with(mpi, steps)
                self.assertLessEqual(max(fact["date"] for fact in self.known()), time.time())
        report = self.run_with(mpi, "")
        self.assertGreater(report["contexts"][0]["remembered_methods"], 0)


def ranks(mpi):
    """The job's ranks, which are those of the program."""
    found = []
    for pid in processes_marked(MARK):
        with contextlib.suppress(OSError):  # it has ended
            if Path(f"/proc/{pid}/comm").read_text().strip() == f"exchange-{mpi}"[:15]:
                found.append(pid)
    return found


class Asleep(Faults):
    """Ranks are stopped while they call, and go on."""

    def start(self, mpi, *options):
        words = (MPIRUN, BUILD, mpi, RANKS, STARTUNE, "run", "--report", "run.json", "--log", "decisions", "--tune-after", 0, *options,
                 exchange(mpi), CALLS)
        return subprocess.Popen([str(w) for w in words], env=self.env | dict([MARK.split("=")]), cwd=self.home,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def end(self, job):
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
        for pid in processes_marked(MARK):  # a rank that is stopped does not end with its launcher
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pipe in (job.stdout, job.stderr):
            pipe.close()
        job.wait()

    def send(self, pids, number):
        """Which of them it has reached."""
        reached = []
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):  # it has ended
                os.kill(pid, number)
                reached.append(pid)
        return reached

    def sleep(self, mpi, count, seconds):
        """How many ranks it has stopped."""
        stopped = self.send(ranks(mpi)[:count], signal.SIGSTOP)
        time.sleep(seconds)
        return len(self.send(stopped, signal.SIGCONT))

    def run_asleep(self, mpi, stage, count, seconds, *options):
        """STAGE is a word of a decision's line, or a moment in seconds. How many ranks slept."""
        shutil.rmtree(self.home / ".local", ignore_errors=True)  # who remembers does not measure
        job = self.start(mpi, *options)
        self.addCleanup(self.end, job)
        if isinstance(stage, float):
            time.sleep(stage)
            found = True
        else:
            found = any(stage in line for line in job.stderr)
        slept = self.sleep(mpi, count, seconds) if found else 0
        out, said = job.communicate(timeout=400)
        self.assertEqual((job.returncode, out), (0, f"{CALLS} calls on {RANKS} ranks, 0 wrong\n"), said)
        if found:
            self.assertNoneAbsurd(json.loads((self.home / "run.json").read_text()), seconds / 2)
        return slept

    @an_mpi
    def test_in_every_stage(self, mpi):
        soon = ["--strategy", "exhaustive", "--iter", 4]  # it is chosen soon
        rich = ["--budget", 100]  # there is something to measure
        stages = {"measures": rich, "budget": [], "selected": soon, "(kept": soon} if LONG else {"measures": rich}
        for stage, options in stages.items():
            for count in (1, RANKS) if LONG else (1,):
                with self.subTest(stage=stage, count=count):
                    # On a busy machine the program may have ended before its decision was read.
                    slept = any(self.run_asleep(mpi, stage, count, 3, *options) == count for _ in range(5))
                    self.assertTrue(slept)

    @unittest.skipUnless(LONG, "a minute")
    @an_mpi
    def test_at_any_moment(self, mpi):
        draw = random.Random(7)
        slept = 0
        for turn in range(12):
            with self.subTest(turn=turn):
                slept += self.run_asleep(mpi, draw.uniform(0, 2), 1 + turn % RANKS, 3)
        self.assertGreater(slept, 0)


class Contexts(Faults):
    @an_mpi
    def test_thousands(self, mpi):
        communicators, sizes, rounds = 100, 100 if LONG else 10, 9
        contexts = communicators * sizes
        begin = time.monotonic()
        result = self.mpirun(mpi, 2, STARTUNE, "run", "--report", "run.json", "--sizes", sizes, "--tune-after", 0,
                             BUILD / f"tests/cli/contexts-{mpi}", communicators, sizes, rounds, env={"STARTUNE_WISDOM": "on"}, timeout=300)
        took = time.monotonic() - begin
        self.assertStatus(result)
        calls, wrong, heap = [int(word) for word in result.stdout.split() if word.isdigit()]
        self.assertEqual((calls, wrong), (contexts * rounds, 0))
        self.assertLess(heap / contexts, PER_CONTEXT)
        if LONG:  # nothing else runs then
            self.assertLess(took, 10 + contexts * rounds * 2e-3)
        report = json.loads((self.home / "run.json").read_text())
        self.assertEqual(len(report["contexts"]) + report["left_out"], contexts + 1)  # and the program's sum
        self.assertGreater(len(self.known()), 0)


if __name__ == "__main__":
    main()
