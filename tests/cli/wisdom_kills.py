# SPDX-License-Identifier: BSD-3-Clause
"""Jobs and ranks that are killed at any moment leave the store whole."""
import os
import random
import signal
import subprocess
import time

from command import BUILD, MPIRUN, STARTUNE, CommandTest, each_mpi, exchange, main


class WisdomKills(CommandTest):
    def start(self, mpi):
        words = (MPIRUN, BUILD, mpi, 2, STARTUNE, "run", "--strategy", "exhaustive", "--iter", 2, exchange(mpi), 200)
        return subprocess.Popen([str(w) for w in words], env=self.env | {"STARTUNE_WISDOM": "on"}, cwd=self.home,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def ours(self, job):
        """The processes of the job's session, but for mpirun."""
        listed = subprocess.run(["ps", "-o", "pid=", "-s", str(job.pid)], capture_output=True, text=True).stdout.split()
        return [int(pid) for pid in listed if int(pid) != job.pid]

    @each_mpi
    def test_the_store_is_whole_after_each(self, mpi):
        begin = time.monotonic()
        job = self.start(mpi)
        self.assertEqual(job.wait(), 0)
        whole = time.monotonic() - begin
        draw = random.Random(7)
        known = 0
        for turn in range(30):
            job = self.start(mpi)
            time.sleep(draw.uniform(0.3, 1.1) * whole)
            if turn % 2 == 0:
                os.killpg(job.pid, signal.SIGKILL)
            for pid in self.ours(job)[turn % 3:]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            job.wait(timeout=60)
            health = self.json_of(self.startune("wisdom", "doctor", "--json"))
            self.assertEqual(health["state"], "whole")
            self.assertGreaterEqual(health["facts"], known)
            known = health["facts"]
        self.assertGreater(known, 0)
        self.assertEqual(list((self.home / ".local/share/startune").glob("*.damaged*")), [])
        self.assertEqual(self.start(mpi).wait(), 0)


if __name__ == "__main__":
    main()
