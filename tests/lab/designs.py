# SPDX-License-Identifier: BSD-3-Clause
"""What a cluster is made of and where ranks go, without making anything."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from lab import CLUSTER, SOURCE

# Runs a command in a root folder that is no mount point: in the folder $0, which gets what / has. The mounts are gone
# when it ends.
IN_A_FOLDER = """
for name in $(ls -A /); do
    if [ -L "/$name" ]; then cp -P "/$name" "$0/$name"
    elif [ -d "/$name" ]; then mkdir "$0/$name" && mount --rbind "/$name" "$0/$name"
    fi
done
exec chroot "$0" "$@"
"""

sys.path.insert(0, str(SOURCE / "lab"))
import network  # noqa: E402
import placement  # noqa: E402
import topology  # noqa: E402
from refusal import Refusal  # noqa: E402

TREE = {"switches": [{"name": "s1", "parent": "s0", "mbps": 500}, {"name": "s0", "parent": None, "mbps": None}],
        "hosts": [{"name": "n10", "switch": "s1", "mbps": 1000, "slots": 2},
                  {"name": "n2", "switch": "s0", "mbps": 250, "slots": 1},
                  {"name": "n1", "switch": "s0", "mbps": 1000, "slots": 1}]}


def tree():
    return topology.checked(topology.from_json(TREE), "tree")


class Designs(unittest.TestCase):
    def test_hosts_are_in_the_order_of_their_names(self):
        self.assertEqual([host.name for host in tree().hosts], ["n1", "n2", "n10"])

    def test_the_fastest_host_gets_the_rate_and_the_rest_keeps_its_ratio(self):
        scaled = tree()
        scaled.scale(100, None)
        self.assertEqual([host.mbps for host in scaled.hosts], [100, 25, 100])
        self.assertEqual([trunk.mbps for trunk in scaled.trunks()], [50])

    def test_trunks_may_have_a_rate_of_their_own(self):
        scaled = tree()
        scaled.scale(None, 7)
        self.assertEqual([host.mbps for host in scaled.hosts], [1000, 250, 1000])
        self.assertEqual([trunk.mbps for trunk in scaled.trunks()], [7])

    def test_block_fills_host_by_host(self):
        self.assertEqual(placement.place(tree(), "block"), ["n1", "n2", "n10", "n10"])
        self.assertEqual(placement.place(tree(), "block", 5), ["n1", "n1", "n2", "n2", "n10"])

    def test_cyclic_takes_the_switches_in_turn(self):
        self.assertEqual(placement.place(tree(), "cyclic"), ["n1", "n10", "n2", "n10"])

    def test_random_is_the_same_for_the_same_seed_only(self):
        orders = {tuple(placement.place(tree(), f"random:{seed}")) for seed in range(20)}
        self.assertGreater(len(orders), 3)
        for order in orders:
            self.assertEqual(sorted(order), ["n1", "n10", "n10", "n2"])
        self.assertEqual(placement.place(tree(), "random:5"), placement.place(tree(), "random:5"))

    def test_an_unknown_placement_is_refused(self):
        for how in ("blocks", "random:x", "block:3", ""):
            with self.assertRaises(Refusal):
                placement.place(tree(), how)

    def test_each_direction_of_each_link_is_shaped(self):
        plan = network.Plan("x", tree(), network.Emulation())
        shaped = [(name, line.split()[3]) for name, node in plan.nodes.items() for line in node.tc]
        self.assertEqual(sorted(shaped), sorted([
            ("startune-x-host-n1", "eth0"), ("startune-x-host-n2", "eth0"), ("startune-x-host-n10", "eth0"),
            ("startune-x-switch-s0", "p0"), ("startune-x-switch-s0", "p1"), ("startune-x-switch-s1", "p2"),
            ("startune-x-switch-s1", "uplink"), ("startune-x-switch-s0", "t1")]))

    def test_names_that_cannot_be_hosts_are_refused(self):
        for name in ("../x", "a b", "", "x" * 64, "-x"):
            hosts = [{"name": name, "switch": "s0", "mbps": 1}]
            with self.assertRaises(Refusal):
                topology.checked(topology.from_json({"switches": TREE["switches"], "hosts": hosts}), "tree")


class Command(unittest.TestCase):
    def run_command(self, *words, **more):
        return subprocess.run([sys.executable, "-B", CLUSTER, *words], capture_output=True, text=True, check=False,
                              **more)

    def test_every_command_explains_itself_with_examples(self):
        for name in ("up", "run", "status", "down"):
            result = self.run_command(name, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, rf"\nExamples:\n  lab/cluster {name}")

    def test_a_wrong_command_line_is_refused(self):
        for words in ([], ["frob"], ["up"], ["up", "x", "--mbps", "0"], ["up", "x", "--buffer", "64k"], ["run"],
                      ["run", "-n", "0", "x"], ["status", "--name", "a-b"], ["run", "--mpi", "lam", "x"]):
            self.assertEqual(self.run_command(*words).returncode, 2, words)

    def test_without_root_or_tools_it_says_so_in_one_line_and_with_status_77(self):
        with tempfile.TemporaryDirectory() as empty:
            result = self.run_command("down", env={"PATH": str(Path(empty))})
        self.assertEqual(result.returncode, 77)
        self.assertRegex(result.stderr, r"^lab/cluster: error: (.*root|missing: ip, tc).*\n$")

    def test_in_a_chroot_without_a_mount_at_its_root_it_says_so(self):
        folder = Path(tempfile.mkdtemp())
        there = subprocess.run(["unshare", "-m", "--propagation", "private", "sh", "-c", IN_A_FOLDER, folder, sys.executable, "-B",
                                CLUSTER, "down"], capture_output=True, text=True, check=False)
        for left in folder.iterdir():
            left.unlink() if left.is_symlink() else left.rmdir()  # never what is in it
        folder.rmdir()
        if os.geteuid() != 0 or "unshare: " in there.stderr or "mount: " in there.stderr:
            self.skipTest("needs root, and mount namespaces")
        self.assertEqual(there.returncode, 77, there.stderr)
        self.assertRegex(there.stderr, r"^lab/cluster: error: / is no mount point.*\n$")


if __name__ == "__main__":
    unittest.main(verbosity=1)
