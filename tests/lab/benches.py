# SPDX-License-Identifier: BSD-3-Clause
"""Whether benches leave nothing of the clusters that they bring up, however they are ended."""
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from lab import BUILD, ENVIRONMENT, NAME, SOURCE, LabTest, cluster, main, namespaces, processes, until

BENCHES = {"networks": ["--suite", "small"], "maps": [], "applications": [], "prediction": [], "live": ["--quick"],
           "solver": ["--quick", "--places", "2x4"]}


class Benches(LabTest):
    def begin(self, name):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(cluster, "down")
        return subprocess.Popen([sys.executable, "-B", SOURCE / "bench" / name, BUILD, *BENCHES[name]], env=ENVIRONMENT,
                                cwd=folder.name, start_new_session=True, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def end(self, bench, happens, *signals, group=False):
        """Ends it when that happens; nothing is left."""
        self.assertTrue(until(lambda: happens() or bench.poll() is not None))
        for number in signals if bench.poll() is None else ():
            (os.killpg if group else os.kill)(bench.pid, number)
        _, said = bench.communicate(timeout=60)
        self.assertEqual((namespaces(), list(Path("/run/startune-lab").glob(f"{NAME}*"))), ([], []), said)
        return bench.returncode

    def test_a_bench_that_is_ended_takes_its_cluster_down(self):
        for name in BENCHES:
            with self.subTest(bench=name):
                status = self.end(self.begin(name), processes, signal.SIGTERM)
                self.assertEqual(status, 1 if name in ("live", "solver") else 130)  # these say what was measured: nothing

    def test_so_does_one_that_is_ended_as_timeout_does_it(self):
        """The whole group, and it itself once more."""
        self.assertEqual(self.end(self.begin("networks"), processes, signal.SIGTERM, signal.SIGTERM, group=True), 130)

    def test_so_does_one_whose_terminal_is_gone_while_it_comes_up(self):
        for count in (1, 11):
            with self.subTest(count=count):
                self.assertEqual(self.end(self.begin("live"), lambda: len(namespaces()) >= count, signal.SIGHUP), 1)

    def test_a_bench_that_is_refused_leaves_the_cluster_of_another_alone(self):
        self.up("2x4.topo")
        bench = self.begin("networks")
        _, said = bench.communicate(timeout=60)
        self.assertEqual(bench.returncode, 2, said)
        self.assertIn("is up already", said)
        self.assertEqual(len(namespaces()), 11)


if __name__ == "__main__":
    main()
