# SPDX-License-Identifier: BSD-3-Clause
"""Whether startune topo discover finds the cluster's tree. A hop takes a microsecond here and other work on the machine
takes longer, so it may refuse, again and again on a busy one; it must never find another tree, and never leave a file
when it refuses."""
import json
import subprocess
import tempfile
from pathlib import Path

from lab import MPIS, STARTUNE, TOPOLOGIES, LabTest, cluster, main

TRIES = 3


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
            result = cluster("run", "--mpi", mpi, "--timeout", 200, *words, "--", STARTUNE, "topo", "discover", "-o", file,
                             "--json", timeout=220)
            if result.returncode == 0:
                self.assertEqual([path.name for path in Path(folder).iterdir()], [file.name])
                return json.loads(file.read_text())
            self.assertRegex(result.stderr, r"(?m)^startune topo: error: discover: ")
            self.assertEqual(list(Path(folder).iterdir()), [])
            return None

    def assertFinds(self, topology, *words):
        truth = json.loads(self.shown(topology))
        self.up(topology)
        refusals = []
        for mpi in MPIS:
            found = None
            for _ in range(TRIES):
                found = found or self.discover(mpi, *words)
            if not found:
                refusals.append(mpi)
                continue
            self.assertEqual(hops(found), hops(truth))
            for link in found["hosts"] + found["switches"]:
                self.assertTrue(link.get("parent", "") is None or 80 <= link["mbps"] <= 120, link)
        cluster("down")
        if refusals:
            self.skipTest(f"too busy a machine: {TRIES} refusals with {', '.join(refusals)}")

    @staticmethod
    def shown(topology):
        return subprocess.run([STARTUNE, "topo", "show", TOPOLOGIES / topology, "--json"], capture_output=True,
                              text=True, check=True).stdout

    def test_two_switches(self):
        self.assertFinds("2x4.topo")

    def test_a_chain_with_ranks_in_another_order(self):
        self.assertFinds("4x2.topo", "--map", "random:3")

    def test_one_host_is_no_network(self):
        self.up("2x4.topo")
        for mpi in MPIS:
            result = cluster("run", "--mpi", mpi, "--timeout", 40, "-n", 1, "--", STARTUNE, "topo", "discover")
            self.assertEqual(result.returncode, 1)
            self.assertIn("on the host n0: round trips need two hosts at least", result.stderr)
        cluster("down")


if __name__ == "__main__":
    main()
