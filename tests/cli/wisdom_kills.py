# SPDX-License-Identifier: BSD-3-Clause
"""Jobs and ranks that are killed at any moment leave the store whole."""
import os
import random
import signal
import subprocess
import time
import uuid

from command import BUILD, MPIRUN, STARTUNE, CommandTest, an_mpi, exchange, main, processes_marked

MARK = f"WISDOM_KILLS_MARK={uuid.uuid4()}"


class WisdomKills(CommandTest):
    def start(self, mpi):
        words = (MPIRUN, BUILD, mpi, 2, STARTUNE, "run", "--strategy", "exhaustive", "--iter", 2, exchange(mpi), 200)
        return subprocess.Popen([str(w) for w in words], env=self.env | {"STARTUNE_WISDOM": "on", "STARTUNE_WISDOM_PATIENCE": "60", "STARTUNE_TUNE_AFTER": "0"} | dict([MARK.split("=")]),
                                cwd=self.home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def kill(self, job, first):
        """Of the job's processes, but for mpirun, those from the FIRST on. How many it killed."""
        killed = 0
        for pid in [pid for pid in processes_marked(MARK) if pid != job.pid][first:]:
            try:
                os.kill(pid, signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
        return killed

    def wait(self, job):
        """Until it ends, and ranks that outlive their launcher too. Open MPI 4's launcher may outlive them for ever: at its end it
        may wait for a lock of PMIx that nobody gives back."""
        alone = 0
        for _ in range(900):
            others = [pid for pid in processes_marked(MARK) if pid != job.pid]
            if job.poll() is not None and not others:
                return
            alone = 0 if others else alone + 1
            if alone == 100:
                break
            time.sleep(0.1)
        self.kill(job, 0)
        job.kill()
        job.wait()

    @an_mpi
    def test_the_store_is_whole_after_each(self, mpi):
        begin = time.monotonic()
        job = self.start(mpi)
        self.assertEqual(job.wait(), 0)
        whole = time.monotonic() - begin
        draw = random.Random(7)
        known = killed = 0
        for turn in range(30):
            job = self.start(mpi)
            time.sleep(draw.uniform(0.3, 1.1) * whole)
            if turn % 2 == 0:
                os.killpg(job.pid, signal.SIGKILL)
                self.kill(job, turn % 3)
            else:
                killed += self.kill(job, turn % 3)
            self.wait(job)
            health = self.json_of(self.startune("wisdom", "doctor", "--json"))
            self.assertEqual(health["state"], "whole")
            self.assertGreaterEqual(health["facts"], known)
            known = health["facts"]
        for _ in range(5):  # they came too late, if the first run took long
            if killed > 0:
                break
            job = self.start(mpi)
            while job.poll() is None and len(processes_marked(MARK)) < 3:
                time.sleep(0.01)
            killed += self.kill(job, 0)
            self.wait(job)
        self.assertGreater(killed, 0)  # under a launcher that lives
        self.assertEqual(self.start(mpi).wait(), 0)
        self.assertGreater(self.json_of(self.startune("wisdom", "doctor", "--json"))["facts"], 0)
        self.assertEqual(list((self.home / ".local/share/startune").glob("*.damaged*")), [])


if __name__ == "__main__":
    main()
