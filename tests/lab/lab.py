# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the laboratory share: the command as a user runs it, on clusters of a name of their own."""
import json
import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("STARTUNE_BUILD", SOURCE / "build"))
MPIS = os.environ.get("STARTUNE_MPIS", "openmpi mpich").split()
CLUSTER, TOPOLOGIES, STARTUNE = SOURCE / "lab/cluster", SOURCE / "lab/topologies", BUILD / "bin/startune"
NAME = f"test{os.getpid()}"
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not name.startswith(("STARTUNE", "OMPI_", "UCX_", "LD_PRELOAD"))}
ENVIRONMENT |= {"LAB_CLUSTER": NAME, "STARTUNE_WISDOM": "off"}
# For programs without MPI. Where these end before all of the launcher's processes have come, MPICH's mpiexec fails now
# and then, and Open MPI 5's waits for ever.
A_WHILE = ("sleep", "1")


def cluster(*words, env=None, timeout=120):
    return subprocess.run([sys.executable, "-B", CLUSTER, *map(str, words)], env=ENVIRONMENT | (env or {}),
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=timeout, check=False)


def traffic(mpi):
    """The program of traffic.c: traffic ring|alltoall|stream BYTES TIMES."""
    return BUILD / f"tests/lab/traffic-{mpi}"


def stream(result):
    """The rate that a run of traffic's stream says, in Mbit/s of data."""
    return float(re.search(r"stream: ([\d.]+) Mbit/s", result.stdout)[1])


def until(happens):
    """Whether it does in 60 s."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if happens():
            return True
        time.sleep(0.01)
    return False


def namespaces():
    """What is there of the test's cluster."""
    folder = Path("/run/netns")
    return sorted(path.name for path in folder.glob(f"startune-{NAME}-*")) if folder.exists() else []


def processes():
    """Command lines of all that runs in the cluster's namespaces."""
    spaces = {f"net:[{Path('/run/netns', name).stat().st_ino}]" for name in namespaces()}
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "ns/net") in spaces:
                found.append((process / "cmdline").read_text())
        except OSError:
            pass
    return found


class LabTest(unittest.TestCase):
    """Of a cluster that is brought up once, when a class has a TOPOLOGY."""
    topology, options = None, ()

    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(cluster, "down")
        if cls.topology:
            cls.up(cls.topology, *cls.options)

    @staticmethod
    def up(topology, *options):
        result = cluster("up", TOPOLOGIES / topology, "--startune", STARTUNE, *options)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def run_on(self, *words, status=0, **more):
        result = cluster("run", "--timeout", 100, *words, **more)
        self.assertEqual(result.returncode, status, f"{result.args}\n{result.stdout}\n{result.stderr}")
        return result

    def assertRefused(self, result, status, *names):
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        # Open MPI's launcher may say something of its own.
        said = re.sub(r"^\[[^\]]*\] plm:[rs]sh: Warning: setpgid[^\n]*\n", "", result.stderr, flags=re.M)
        self.assertRegex(said, r"^lab/cluster: error: [^\n]*\n$")
        for name in names:
            self.assertIn(name, result.stderr)

    def placed(self, result):
        """The host that each rank says it is on."""
        said = {int(rank): host for rank, host in re.findall(r"rank (\d+) on (\S+)", result.stdout)}
        self.assertEqual(sorted(said), list(range(len(said))))
        return [said[rank] for rank in sorted(said)]

    def links(self):
        return json.loads(cluster("status", "--json").stdout)["links"]

    def carried(self, *words):
        """(result, bytes by kind of link and direction) of a run, from its --counters."""
        result = self.run_on("--counters", *words)
        return result, {name: int(count) for name, count in re.findall(r"lab: (\w+ \w+): (\d+) bytes", result.stderr)}


def main():
    """Skips all where no cluster can be: `up` says why."""
    probe = cluster("up", TOPOLOGIES / "2x4.topo", "--startune", STARTUNE)
    cluster("down")
    if probe.returncode == 77:
        print(probe.stderr)
        sys.exit(77)
    unittest.main(verbosity=1)
