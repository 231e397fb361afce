# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the command share: running it as a user would, in an empty home, and judging what it says."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("STARTUNE_BUILD", SOURCE / "build"))
MPIS = os.environ.get("STARTUNE_MPIS", "openmpi mpich").split()
STARTUNE = BUILD / "bin/startune"
MPIRUN = SOURCE / "tests/support/mpirun"
SUBCOMMANDS = ["run", "tune", "bench", "list", "plan", "check", "topo", "map", "export", "wisdom", "report", "replay", "settings"]


def exchange(mpi):
    """The program of exchange.c: exchange CALLS [STATUS]."""
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
        env = {"STARTUNE_WISDOM": "off"} | (more.pop("env", None) or {})
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

    def json_of(self, result):
        self.assertStatus(result)
        return json.loads(result.stdout)


def each_mpi(test):
    """Runs TEST (self, mpi) for each MPI that was built."""
    def run(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                test(self, mpi)
    return run


def each_mpi_at_home(test):
    """The same, each MPI in a home of its own."""
    def move_and_run(self, mpi):
        home = self.home
        self.move(home / mpi)
        test(self, mpi)
        self.move(home)
    return each_mpi(move_and_run)


def main():
    unittest.main(verbosity=1)
