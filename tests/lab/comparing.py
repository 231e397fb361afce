# SPDX-License-Identifier: BSD-3-Clause
"""bench/live: every strategy takes part, and what is kept is not measured again."""
import json
import subprocess
import tempfile
from pathlib import Path

from lab import BUILD, ENVIRONMENT, MPIS, SOURCE, LabTest, main


class Live(LabTest):
    def test_it_measures_each_way_once_and_goes_on_from_what_is_kept(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        kept = Path(folder.name) / "runs.json"
        words = [SOURCE / "bench/live", BUILD, "--quick", "--mpis", MPIS[0], "--json", kept]
        result = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=1000, env=ENVIRONMENT)
        self.assertEqual(result.returncode, 0, result.stderr)
        runs = json.loads(kept.read_text())
        ways = [run["way"] for run in runs if run["turn"] == 0]
        self.assertEqual(len(ways), len(set(ways)))
        tuned = {"race", "wisdom", "grouped", "exhaustive", "halving", "hypothesis", "factorial"}
        self.assertLessEqual(tuned | {"bcast:native"}, set(ways))
        for run in runs:
            self.assertTrue(all(seconds > 0 for seconds in run["seconds"].values()))
        for name in tuned:
            self.assertIn(f"| {name} | ", result.stdout)
        again = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=1000, env=ENVIRONMENT)
        self.assertEqual((again.returncode, again.stdout), (0, result.stdout))
        self.assertEqual(json.loads(kept.read_text()), runs)


if __name__ == "__main__":
    main()
