# SPDX-License-Identifier: BSD-3-Clause
"""bench/solver: the tables of what was measured before."""
import json
import shutil
import unittest

from command import SOURCE, CommandTest, main


def run(kind, name, seconds, **tuning):
    name = name if kind != "fixed" else f"neighborhood:{name}"
    return {"kind": kind, "name": name, "seconds": seconds, "left": 0, "place": "2x4", "mpi": "mpich", "dimensions": 3} | tuning


def tuned(seconds, evaluated, chosen):
    return run("tuned", "hypothesis", seconds, evaluated=evaluated, open_for=40, chosen=f"neighborhood:{chosen}")


class Tables(CommandTest):
    def tables(self, runs, *words):
        (self.home / "runs.json").write_text(json.dumps(runs))
        return self.command(SOURCE / "bench/solver", "--from", "runs.json", *words)

    def test_decisions_are_compared_with_the_best_function(self):
        # Medians: first 2 s, second 1 s, third 4 s. The hypothesis took 1.5 s, chose the second twice and the first once.
        runs = [run("fixed", "first", s) for s in (2, 2, 9)] + [run("fixed", "second", s) for s in (1, 1, 1)]
        runs += [run("fixed", "third", 4), run("by hand", "sendrecv", 3)]
        runs += [tuned(1.5, 2, "second"), tuned(1.6, 2, "first"), tuned(1.1, 2, "second")]
        result = self.tables(runs)
        self.assertStatus(result)
        lines = result.stdout.splitlines()
        # Those chosen took 1, 2 and 1 times the second's, which may be chance, and the whole runs 1.5, 1.6 and 1.1 times: the mean
        # of their logarithms is 0.324, less log 1.05 0.276, its standard error 0.116, of which 4.30 (two functions ran to the end) are more.
        self.assertIn("| 2x4 | 3 | mpich | hypothesis | 2 of 3 | 40 | `second` (2), `first` (1) | 1.00 | open | 1.50 | open |", lines)
        self.assertIn("| fixed | `first` | 2.000 [2.000 9.000] 2.00 |", lines)
        self.assertIn("| by hand | `sendrecv` | 3.000 [3.000 3.000] 3.00 |", lines)
        self.assertIn("| the decision is within 2 % of the best function |  | 1 open |  |  |", lines)
        self.assertIn("| at most half of the functions are used |  | 1 no |  |  |", lines)
        self.assertIn("| the whole run takes at most 5 % more than with the best function |  | 1 open |  |  |", lines)
        # Ratios 1.5, 0.8 and 1.1: the mean of their logarithms is 0.0925, its standard error 0.1815, of which 4.303 are 0.781.
        self.assertIn("| whole run over one with the chosen function alone, same turn: mean, in brackets at 95 % |  | "
                      "1.10 [0.50 2.39] |  |  |", lines)

    def expect_verdicts(self, seconds, chosen, near, cheap):
        """Three functions, of which the first two are alike within 1 %, in four turns that differ much."""
        turns = (1.0, 1.7, 1.2, 3.0)
        one = [turn * noise for turn, noise in zip(turns, (1.000, 1.004, 1.002, 1.000))]
        other = [turn * noise for turn, noise in zip(turns, (1.004, 1.000, 1.000, 1.003))]
        runs = [run("fixed", name, own[turn], turn=turn) for turn in range(4)
                for name, own in (("one", one), ("other", other), ("slow", [1.5 * its for its in one]))]
        runs += [tuned(turns[turn] * seconds, 1, chosen) | {"turn": turn} for turn in reversed(range(4))]
        result = self.tables(runs)
        self.assertStatus(result)
        row = next(line for line in result.stdout.splitlines() if "| hypothesis |" in line).split(" | ")
        self.assertEqual((row[8], row[10].rstrip(" |")), (near, cheap))

    def test_turns_are_compared_in_pairs(self):
        self.expect_verdicts(1.01, "one", "yes", "yes")  # though turns differ by a factor of three
        self.expect_verdicts(1.04, "other", "yes", "yes")
        self.expect_verdicts(1.05, "other", "yes", "open")
        self.expect_verdicts(1.10, "slow", "no", "no")

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_they_are_written_and_drawn_whole(self):
        result = self.tables([run("fixed", "first", 2), tuned(2.5, 1, "first")], "-o", "tables.md", "--svg", "picture.svg")
        self.assertStatus(result)
        self.assertEqual(result.stdout, "")
        self.assertIn("hypothesis", (self.home / "picture.svg").read_text())
        self.assertEqual({path.name for path in self.home.iterdir()}, {"runs.json", "tables.md", "picture.svg"})

    def test_what_is_wrong_is_said_in_one_line(self):
        self.assertSaysWhatIsWrong("solver", ["--from", "none.json"], ["--places", "nowhere"], ["--dimensions", "4"], ["--repetitions", "0"],
                                   ["--mpis", "x"])


if __name__ == "__main__":
    main()
