# SPDX-License-Identifier: BSD-3-Clause
"""The benches (bench/) as programs: what they say of themselves, and that they harm nothing of the user's. What they measure
is not tested, and tests/lab/benches.py has those that bring clusters up."""
import contextlib
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

from command import BUILD, SOURCE, CommandTest, main, processes_marked

BENCH = SOURCE / "bench"
sys.path.insert(0, str(BENCH))
import clusters  # noqa: E402

TRACE = """# taken by hand
startune trace 2
context alltoall 4 1024 1.2e-05
method alltoall:native 0
method alltoall:ring 3e-05 7
burst 1 30/31/30/29 20/22/20/20 21/20/21/22
burst 0 25/25/25/25 26/27/26/25
end 1
"""


class Benches(CommandTest):
    def test_all_say_how_they_are_used_and_begin_nothing(self):
        benches = sorted(path for path in BENCH.iterdir() if path.is_file() and os.access(path, os.X_OK))
        self.assertGreater(len(benches), 10)
        for bench in benches:
            with self.subTest(bench=bench.name):
                result = self.command(bench, "--help", env={"LAB_CLUSTER": "helped"})
                self.assertStatus(result)
                self.assertEqual(result.stderr, "")
                self.assertIn(bench.name, result.stdout)
        self.assertEqual(list(Path("/run").glob("netns/startune-helped-*")) + list(self.home.iterdir()), [])

    def test_runs_on_clusters_keep_no_reports(self):
        os.environ["STARTUNE_REPORTS"] = "50"
        self.addCleanup(os.environ.pop, "STARTUNE_REPORTS")
        self.assertEqual(clusters.environment("mine")["STARTUNE_REPORTS"], "0")

    def test_forecasts_can_go_where_the_traces_are(self):
        (self.home / "one.trace").write_text(TRACE)
        self.assertStatus(self.command(BENCH / "forecasts", BUILD, self.home, "one.trace"))
        self.assertRegex((self.home / "one.trace").read_text(),
                         "^" + TRACE.replace("+", r"\+").replace("trace 2", "trace 3").replace("3e-05 7", r"3e-05( [-+.e\d]+){5}") + "$")
        self.assertEqual([path.name for path in self.home.iterdir()], ["one.trace"])

    def node(self, does, *words):
        """bench/node, where launches do this instead."""
        tools, mark = self.home / "tools", f"CLI_TEST_MARK={uuid.uuid4()}"
        tools.mkdir()
        for mpi in ("openmpi", "mpich"):
            (tools / f"mpirun.{mpi}").write_text(f"#!/bin/sh\n[ $1 = --version ] && echo 4.5.6 && exit\nfor calls; do :; done\n{does}\n")
            (tools / f"mpirun.{mpi}").chmod(0o755)
        result = self.command(BENCH / "node", BUILD, *words, env={"PATH": f"{tools}:{os.environ['PATH']}"} | dict([mark.split("=")]))
        self.assertEqual(processes_marked(mark), [])
        return result

    def test_a_node_is_measured_in_its_minutes_and_what_was_not_reached_is_told(self):
        """It made three launches of each case, however late it was, and waited for each up to 300 s."""
        answers = """case "$*" in *" allreduce 8 "*) echo "{\\"seconds\\": {\\"$calls\\": 0.5}}";; *) trap "" TERM; sleep 1000 & wait;; esac"""
        result = self.node(answers, "--minutes", 0.3, "--ranks", "all")
        self.assertStatus(result)
        self.assertRegex(result.stdout, r"(?m)^allreduce +8 \w+ +\S+ +1\.00 \(1\.00-1\.00\) .* 1$")
        self.assertNotRegex(result.stdout, "(?m)^(allreduce +[^8 ]|bcast)")
        self.assertRegex(result.stdout, r"(?m)^missing, not reached: .*allreduce 1024 \w+; .*bcast 8 \w+; ")

    def test_a_node_on_which_launches_fail(self):
        result = self.node('echo broken; exit 3', "--only", "barrier", "--launches", 1, "--minutes", 2)
        self.assertStatus(result, 1)
        self.assertRegex(result.stdout, r"(?m)^missing, mpirun.\w+ ended with 3: broken: barrier 1 \w+$")

    def record_beside_load(self, end):
        """The load is a program that leaves a trace of each turn; what is measured beside it does what END says."""
        tools, build, traces = (self.home / name for name in ("tools", "build", "traces"))
        for name, does in (("timeout", "echo turn >>$HOME/load; sleep 0.05"),
                           ("mpirun.openmpi", f"while [ ! -e $HOME/load ]; do sleep 0.05; done; echo >$HOME/begun; {end}")):
            tools.mkdir(exist_ok=True)
            (tools / name).write_text(f"#!/bin/sh\n{does}\n")
            (tools / name).chmod(0o755)
        build.mkdir()
        traces.mkdir()
        job = subprocess.Popen([BENCH / "record", build, traces, "noisy"], env=self.env | {"PATH": f"{tools}:{os.environ['PATH']}"},
                               start_new_session=True, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.kill_group, job)
        return job

    @staticmethod
    def kill_group(job):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.pid, signal.SIGKILL)
        job.wait()

    def expect_no_load(self, job):
        _, said = job.communicate(timeout=120)
        self.assertEqual(job.returncode, 1, said)
        self.assertGreater(len((self.home / "load").read_text()), 0)
        for _ in range(600):
            try:
                os.killpg(job.pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
        self.fail("its load is left")

    def test_recording_that_fails_leaves_no_load(self):
        self.expect_no_load(self.record_beside_load("exit 1"))

    def test_recording_that_is_interrupted_leaves_no_load(self):
        job = self.record_beside_load("exec sleep 100")
        for _ in range(6000):
            if (self.home / "begun").exists():
                break
            time.sleep(0.01)
        os.killpg(job.pid, signal.SIGINT)
        self.expect_no_load(job)


if __name__ == "__main__":
    main()
