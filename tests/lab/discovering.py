# SPDX-License-Identifier: BSD-3-Clause
"""Whether startune topo discover finds the cluster's tree: nearly always when nothing else runs on the machine. On a
busy one it may refuse; it must never find another tree, never leave a file when it refuses, and end in time."""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lab import MPIS, STARTUNE, TOPOLOGIES, LabTest, cluster, main, traffic

RUNS, FOUND_LEAST = 10, 9  # of a topology, on an idle machine
SECONDS_MOST = 390         # the command's own six minutes, and launching
IDLE = 0.9                 # of the processors, when nothing else runs


def idle_share(seconds=1):
    """How idle the processors are."""
    def ticks():
        return [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]

    before = ticks()
    time.sleep(seconds)
    spent = [after - earlier for earlier, after in zip(before, ticks())]
    return (spent[3] + spent[4]) / sum(spent)


def hops(tree):
    """Links between each two hosts, of what startune topo show --json and discover --json write."""
    above = {switch["name"]: switch["parent"] for switch in tree["switches"]}
    above |= {host["name"]: host["switch"] for host in tree["hosts"]}

    def way(node):
        return [node] + way(above[node]) if node else []

    names = sorted(host["name"] for host in tree["hosts"])
    return {(one, other): len(set(way(one)) ^ set(way(other))) for one in names for other in names}


class Discovering(LabTest):
    def discover(self, mpi, *words):
        """The tree that is found, or None where it is refused."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "found.json")
            result = cluster("run", "--mpi", mpi, "--timeout", SECONDS_MOST, *words, "--", STARTUNE, "topo", "discover",
                             "-o", file, "--json", timeout=SECONDS_MOST + 20)
            if result.returncode == 0:
                self.assertEqual([path.name for path in Path(folder).iterdir()], [file.name])
                return json.loads(file.read_text())
            self.assertRegex(result.stderr, r"(?m)^startune topo: error: discover: ")
            self.assertEqual(list(Path(folder).iterdir()), [])
            return None

    def assertTheTree(self, found, topology):
        self.assertEqual(hops(found), hops(json.loads(self.shown(topology))))
        for link in found["hosts"] + found["switches"]:
            self.assertTrue(link.get("parent", "") is None or 80 <= link["mbps"] <= 120, link)

    def assertFinds(self, topology):
        """RUNS times, with either MPI library in turn and ranks in any order."""
        self.up(topology)
        found, idle = 0, 1
        for run in range(RUNS):
            idle = min(idle, idle_share())
            tree = self.discover(MPIS[run % len(MPIS)], "--map", f"random:{run}")
            if tree:
                self.assertTheTree(tree, topology)
                found += 1
        cluster("down")
        print(f"{topology}: found in {found} of {RUNS} runs", file=sys.stderr)
        if found < FOUND_LEAST and idle < IDLE:
            self.skipTest(f"{RUNS - found} of {RUNS} runs refused, on a busy machine")
        self.assertGreaterEqual(found, FOUND_LEAST)

    @staticmethod
    def shown(topology):
        return subprocess.run([STARTUNE, "topo", "show", TOPOLOGIES / topology, "--json"], capture_output=True,
                              text=True, check=True).stdout

    def test_one_switch(self):
        self.assertFinds("1x8.topo")

    def test_two_switches(self):
        self.assertFinds("2x4.topo")

    def test_a_chain(self):
        self.assertFinds("4x2.topo")

    def test_what_is_kept_is_known_to_runs(self):
        self.up("2x4.topo")
        hint = "how these 8 nodes are connected is not known"
        with tempfile.TemporaryDirectory() as folder:
            home, report = {"XDG_CONFIG_HOME": folder}, Path(folder, "report.json")
            for mpi in MPIS:
                Path(folder, "startune/topology").unlink(missing_ok=True)
                words = ["run", "--mpi", mpi, "--map", "cyclic", "--timeout", SECONDS_MOST, "--", STARTUNE]
                program = ["run", "--mpi", mpi, "--report", report, traffic(mpi), "alltoall", 1024, 40]
                self.assertIn(hint, cluster(*words, *program, env=home).stderr)
                for _ in range(RUNS):  # a busy machine may have it refused
                    found = cluster(*words, "topo", "discover", "--keep", env=home, timeout=SECONDS_MOST + 20)
                    if found.returncode == 0:
                        break
                self.assertEqual(found.stdout, f"kept in {folder}/startune/topology: runs on these hosts know it from now on\n")
                result = cluster(*words, *program, env=home)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertNotIn(hint, result.stderr)
                methods = [method["method"] for method in json.loads(report.read_text())["contexts"][0]["methods"]]
                self.assertIn("alltoall:scheduled", methods)
        cluster("down")

    def test_it_ends_on_a_busy_machine(self):
        self.up("4x2.topo")
        work = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))]
        try:
            for mpi in MPIS:
                tree = self.discover(mpi)
                if tree:
                    self.assertEqual(hops(tree), hops(json.loads(self.shown("4x2.topo"))))
        finally:
            for process in work:
                process.kill()
                process.wait()
        cluster("down")

    def test_one_host_is_no_network(self):
        self.up("2x4.topo")
        for mpi in MPIS:
            result = cluster("run", "--mpi", mpi, "--timeout", 40, "-n", 1, "--", STARTUNE, "topo", "discover")
            self.assertEqual(result.returncode, 1)
            self.assertIn("on the host n0: round trips need two hosts at least", result.stderr)
        cluster("down")


if __name__ == "__main__":
    main()
