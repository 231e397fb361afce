# SPDX-License-Identifier: BSD-3-Clause
"""bench/live: the tables of what was measured before."""
import json

from command import SOURCE, CommandTest, main

KEY = {"mpi": "mpich", "operation": "bcast", "bytes": 32768}


def run(way, turn, few, many, chosen=None, **more):
    """Seconds after 100 calls and after 500."""
    return KEY | {"way": way, "turn": turn, "seconds": {"100": few, "500": many}, "chosen": chosen or way, "methods": {}} | more


class Tables(CommandTest):
    def tables(self, runs, *words):
        (self.home / "runs.json").write_text(json.dumps(runs))
        return self.command(SOURCE / "bench/live", "--from", "runs.json", *words)

    def lines(self, runs):
        result = self.tables(runs)
        self.assertStatus(result)
        return result.stdout.splitlines()

    def test_regret_is_over_the_best_fixed_method_of_the_same_turn(self):
        # The chain is the best: 10 s for 500 calls, in the second turn, when all was slower, 20.
        runs = [run("bcast:native", 0, 4, 20), run("bcast:native", 1, 8, 40), run("bcast:native", 2, 4, 20)]
        runs += [run("bcast:chain", 0, 2, 10), run("bcast:chain", 1, 4, 20), run("bcast:chain", 2, 2, 10)]
        runs += [run("bcast:ring", 0, 9, 10.4), run("race", 0, 3, 11, "bcast:chain"), run("race", 1, 5, 24, "bcast:ring"),
                 run("race", 2, 4, 15, "bcast:native")]
        lines = self.lines(runs)
        # 1.1, 1.2 and 1.5 times the chain's; 1.5, 1.25 and 2 times after 100; and from then on 1, 1.19 and 1.38 times. Its method: the
        # chain, the ring, which is near it, and native.
        self.assertIn("| race | 50.0 % (50.0 %) | 20.0 % (20.0 %) | 1.67 | 33 % | 67 % |", lines)
        self.assertIn("| native | 100.0 % (100.0 %) | 100.0 % (100.0 %) | 1.00 |  |  |", lines)
        self.assertIn("| halving |  |  |  |  |  |", lines)
        self.assertIn("### mpich, bcast, 32768 bytes", lines)
        self.assertIn("| `bcast:chain` | 20.00 [20.00 40.00] | 0.0 % | 0.0 % |  |", lines)
        self.assertIn("| race | 30.00 [22.00 48.00] | 50.0 % | 20.0 % | `bcast:chain` (1), `bcast:ring` (1), `bcast:native` (1) |", lines)

    def test_with_the_topology_known_it_is_another_context(self):
        runs = [run("bcast:native", 0, 4, 20), run("bcast:chain", 0, 2, 10), run("race", 0, 3, 11)]
        runs += [{**told, "known": True} for told in (run("bcast:native", 0, 4, 20), run("race", 0, 3, 30))]
        lines = self.lines(runs)
        self.assertIn("| race | 12.5 % (50.0 %) | 30.0 % (50.0 %) | 1.24 | 50 % |  |", lines)
        self.assertEqual([line for line in lines if line.startswith("###")],
                         ["### mpich, bcast, 32768 bytes", "### mpich, bcast, 32768 bytes, the topology known"])

    def test_the_worst_is_of_contexts(self):
        runs = [run(way, 0, s / 5, s, bytes=size) for size, race in ((1, 3), (2, 6), (3, 2.2)) for way, s in
                (("bcast:native", 2), ("race", race))]
        self.assertIn("| race | 50.0 % (200.0 %) | 50.0 % (200.0 %) | 0.67 | 0 % |  |", self.lines(runs))

    def test_earlier_runs_and_those_of_other_turns_do_not_count(self):
        runs = [run("bcast:native", 0, 1, 2), run("race", 0, 1, 2, "bcast:native"), run("race", 7, 1, 9), run("earlier run", -2, 1, 1)]
        lines = self.lines(runs)
        self.assertIn("| race | 0.0 % (0.0 %) | 0.0 % (0.0 %) | 1.00 | 100 % | 100 % |", lines)
        self.assertFalse([line for line in lines if "earlier" in line])

    def test_files_are_written_whole_and_several_are_one(self):
        (self.home / "more.json").write_text(json.dumps([run("race", 0, 3, 3)]))
        result = self.tables([run("bcast:native", 0, 2, 2)], "more.json", "-o", "tables.md")
        self.assertStatus(result)
        self.assertEqual(result.stdout, "")
        self.assertIn("| race | 50.0 % (50.0 %) |", (self.home / "tables.md").read_text())
        self.assertEqual({path.name for path in self.home.iterdir()}, {"runs.json", "more.json", "tables.md"})

    def test_what_is_wrong_is_said_in_one_line(self):
        (self.home / "odd.json").write_text("[1]")
        self.assertSaysWhatIsWrong("live", ["--from", "none.json"], ["--from", "odd.json"], ["--operations", "gossip"], ["--mpis", "x"],
                                   ["--calls", "1,x"], ["--repetitions", "0"])


if __name__ == "__main__":
    main()
