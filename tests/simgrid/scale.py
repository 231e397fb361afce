# SPDX-License-Identifier: BSD-3-Clause
"""Many ranks: scale.py many|thousand."""
import sys
import tempfile
import unittest
from pathlib import Path

from simgrid import main, simulate


class Scale(unittest.TestCase):
    size = "many"

    def cluster(self, switches, hosts, slots=1):
        """A topology file: SWITCHES with HOSTS each round a core that carries all."""
        folder = tempfile.TemporaryDirectory(prefix="startune-simgrid-")
        self.addCleanup(folder.cleanup)
        lines = [f"switch core\nswitch leaf[0-{switches - 1}]\nlink core leaf[0-{switches - 1}] {hosts * 100}\n"]
        lines += [f"host n[{s * hosts}-{s * hosts + hosts - 1}] leaf{s} 100 slots={slots}\n" for s in range(switches)]
        path = Path(folder.name, "cluster.topo")
        path.write_text("".join(lines))
        return path

    def test_256_ranks_tune(self):
        if self.size != "many":
            self.skipTest("another size")
        run = simulate(self.cluster(16, 16), "cyclic", ["allreduce:4096:25"], iter=2,
                       methods="allreduce:rdb allreduce:rab1", budget="10")
        self.assertEqual(run.report["ranks"], 256)
        self.assertEqual(run.chosen["allreduce", 4096], "allreduce:rab1")

    def test_1024_ranks_run(self):
        if self.size != "thousand":
            self.skipTest("another size")
        run = simulate(self.cluster(32, 16, slots=2), "cyclic", ["allreduce:4096:12"], timeout=900,
                       force="allreduce:rdb")
        self.assertEqual(run.report["ranks"], 1024)
        self.assertEqual(run.chosen["allreduce", 4096], "allreduce:rdb")


if __name__ == "__main__":
    Scale.size = sys.argv.pop()
    main()
