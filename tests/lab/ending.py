# SPDX-License-Identifier: BSD-3-Clause
"""Whether everything ends, and nothing is left, however a command is ended."""
import os
import signal
import subprocess
import sys
from pathlib import Path

from lab import (A_WHILE, CLUSTER, ENVIRONMENT, MPIS, NAME, STARTUNE, TOPOLOGIES, LabTest, cluster, main, namespaces, processes,
                 traffic, until)

SLEEP = ("sleep", "1000")


def begin(*words, **more):
    return subprocess.Popen([sys.executable, "-B", CLUSTER, *map(str, words)], env=ENVIRONMENT,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)


def begin_up():
    return begin("up", TOPOLOGIES / "4x8-star.topo", "--startune", STARTUNE)


class Ending(LabTest):
    def setUp(self):
        self.addCleanup(self.check_nothing_is_left)

    def check_nothing_is_left(self):
        self.assertEqual(cluster("down").returncode, 0)
        self.assertEqual(namespaces(), [])
        self.assertEqual(list(Path("/run/startune-lab").glob(f"{NAME}*")), [])

    def test_down_without_a_cluster_does_nothing(self):
        self.assertEqual(cluster("down").returncode, 0)
        self.assertRefused(cluster("status"), 1, "lab/cluster up")

    def kill_up(self, after, how):
        """Ends `up` when it has made some namespaces; once more, where it was done before."""
        for _ in range(5):
            starting = begin_up()
            self.assertTrue(until(lambda: len(namespaces()) >= after))
            starting.send_signal(how)
            starting.communicate(timeout=60)
            if starting.returncode != 0:
                break
            cluster("down")
        return starting.returncode

    def test_up_after_a_killed_up_works(self):
        for after in (1, 20, 30):
            self.assertEqual(self.kill_up(after, signal.SIGKILL), -signal.SIGKILL)
            self.assertRefused(cluster("run", "--", "true"), 1, "no cluster")
        self.up("2x4.topo")
        self.assertEqual(len(namespaces()), 11)
        self.run_on("--mpi", MPIS[0], "--", traffic(MPIS[0]), "ring", 1000, 2)

    def test_down_removes_what_a_killed_up_has_made(self):
        self.kill_up(10, signal.SIGKILL)
        self.assertTrue(namespaces())

    def test_an_interrupted_up_removes_what_it_has_made(self):
        self.assertEqual(self.kill_up(10, signal.SIGINT), 130)
        self.assertEqual(namespaces(), [])

    def begin_run(self, mpi, **more):
        running = begin("run", "--mpi", mpi, "--", *SLEEP, **more)
        self.assertTrue(until(lambda: sum(line.startswith("sleep\0") for line in processes()) == 8))
        return running

    def test_an_interrupted_run_ends_all_ranks(self):
        self.up("2x4.topo")
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                running = self.begin_run(mpi)
                running.send_signal(signal.SIGINT)
                running.communicate(timeout=60)
                self.assertEqual(running.returncode, 130)
                self.assertTrue(until(lambda: processes() == []))

    def test_ctrl_c_ends_all_ranks(self):
        """A terminal interrupts the whole process group, so the launcher too."""
        self.up("2x4.topo")
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                running = self.begin_run(mpi, start_new_session=True)
                os.killpg(running.pid, signal.SIGINT)
                running.communicate(timeout=60)
                self.assertEqual(running.returncode, 130)
                self.assertTrue(until(lambda: processes() == []))

    def test_a_killed_run_ends_all_ranks(self):
        self.up("2x4.topo")
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                running = self.begin_run(mpi)
                running.kill()
                running.communicate(timeout=60)
                self.assertTrue(until(lambda: processes() == []))

    def test_a_program_that_takes_too_long_is_ended(self):
        self.up("2x4.topo")
        for mpi in MPIS:
            self.assertRefused(cluster("run", "--mpi", mpi, "--timeout", 1.5, "--", *SLEEP), 124, "1.5 s")
            self.assertTrue(until(lambda: processes() == []))

    def test_two_users_at_once_are_kept_apart(self):
        self.up("2x4.topo")
        running = self.begin_run(MPIS[0])
        for words in (["run", "--", "true"], ["down"], ["up", TOPOLOGIES / "2x4.topo", "--startune", STARTUNE]):
            self.assertRefused(cluster(*words), 1, f"process {running.pid}")
        self.assertEqual(cluster("status").returncode, 0)
        running.terminate()
        running.communicate(timeout=60)

    def test_what_else_runs_on_a_host_goes_on_after_a_run(self):
        self.up("2x4.topo")
        other = subprocess.Popen(["ip", "netns", "exec", f"startune-{NAME}-host-n0", *SLEEP])
        self.run_on("--", *A_WHILE)
        self.assertIsNone(other.poll())
        self.assertEqual(cluster("down").returncode, 0)
        self.assertEqual(other.wait(60), -signal.SIGKILL)

    def test_other_namespaces_are_left_alone(self):
        other = f"startune-{NAME}x-head"
        subprocess.run(["ip", "netns", "add", other], check=True)
        self.addCleanup(subprocess.run, ["ip", "netns", "delete", other], check=True)
        outside = os.listdir("/sys/class/net")
        self.up("2x4.topo")
        self.assertEqual(sorted(os.listdir("/sys/class/net")), sorted(outside))
        self.assertEqual(cluster("down").returncode, 0)
        self.assertTrue(Path("/run/netns", other).exists())
        self.assertEqual(sorted(os.listdir("/sys/class/net")), sorted(outside))


if __name__ == "__main__":
    main()
