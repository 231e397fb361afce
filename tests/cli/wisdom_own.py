# SPDX-License-Identifier: BSD-3-Clause
"""Function-sets of a program with a history of their own, by ADCL's interface: history.c, on a grid of 2 x 2 ranks."""
import json
import re

from command import BUILD, STARTUNE, CommandTest, an_mpi_at_home, main

CALLS = 200
METHODS = ("direct", "by rows #1", "by rows #2")  # two functions have one name


def problem(size, periodic=0):
    return f"own:halo%20of%20mine:4/2x2/{periodic}x{periodic}/{size}x{size}/0/8/halo/1/0"


class WisdomOwn(CommandTest):
    def history(self, mpi, size, steps=CALLS, periodic=0, wisdom="on"):
        """The program's request in the report, the report, and how often it wrote, read and filtered."""
        result = self.mpirun(mpi, 4, STARTUNE, "run", "--report", "run.json", "--strategy", "exhaustive", "--iter", 5, "--epsilon", 100,
                             BUILD / f"tests/cli/history-{mpi}", size, steps, periodic, env={"STARTUNE_WISDOM": wisdom})
        self.assertStatus(result)
        self.assertNotIn("warning", result.stderr)
        report = json.loads((self.home / "run.json").read_text())
        [request] = report["requests"]
        calls = re.search(r"(\d+) written, (\d+) read, (\d+) filtered", result.stdout)
        return request, report, tuple(int(count) for count in calls.groups())

    def facts(self):
        return self.json_of(self.startune("wisdom", "export", "own"))["facts"]

    def know(self, mpi, winners, calls=20):
        """As if earlier runs had seen problems; WINNERS has the fastest function of each."""
        _, report, _ = self.history(mpi, 9, steps=1)
        self.learn(report["machine"], {word: {method: 1 if method == winner else 2 for method in METHODS}
                                       for word, winner in winners.items()}, calls)

    @an_mpi_at_home
    def test_the_next_run_begins_with_what_this_one_learned(self, mpi):
        first, _, calls = self.history(mpi, 20)
        self.assertEqual((first["problem"], first["function"]), (problem(20), "direct"))
        self.assertEqual(calls, (0, 0, 0))  # there is nothing to look at
        facts = self.facts()
        self.assertEqual({fact["operation"] for fact in facts}, {problem(20)})
        least = {fact["method"]: fact["least"] for fact in facts}
        self.assertEqual(set(least), set(METHODS))
        self.assertLess(least["direct"], min(least["by rows #1"], least["by rows #2"]))
        second, _, calls = self.history(mpi, 20)
        self.assertEqual((second["remembered_functions"], second["remembered_function"]), (3, "direct"))
        self.assertEqual((second["history"][0]["call"], second["history"][0]["reason"]), (0, "remembered"))
        self.assertEqual(calls, (1, 1, 1))

    @an_mpi_at_home
    def test_problems_vote_as_far_as_they_reach(self, mpi):
        self.know(mpi, {problem(20): "by rows #2", problem(24): "by rows #2", problem(28): "by rows #2", problem(40): "direct"})
        request, _, calls = self.history(mpi, 26)
        # 20 and 28 reach 8 far, 24 reaches 4 far; 26 lies 6, 2 and 2 from them: 1.5, 0.5 and 1 in factors of two. 40 reaches nowhere.
        self.assertEqual((request["remembered_functions"], request["remembered_function"]), (3, "by rows"))
        self.assertAlmostEqual(request["remembered_confidence"], 2**-0.25 * 60 / 62, places=3)
        self.assertEqual(calls, (4, 4, 4))
        self.assertNotIn("remembered_functions", self.history(mpi, 39)[0])

    @an_mpi_at_home
    def test_what_the_filter_refuses_is_not_asked(self, mpi):
        self.know(mpi, {problem(20): "by rows #2", problem(20, 1): "direct"})
        for periodic, winner in ((0, 9), (1, 7)):
            request, _, calls = self.history(mpi, 20, periodic=periodic)
            self.assertEqual(request["attributes"], {"way": str(winner)})
            self.assertEqual(calls, (2, 2, 2))

    @an_mpi_at_home
    def test_a_report_teaches_too(self, mpi):
        first, _, _ = self.history(mpi, 20, wisdom="off")
        self.assertEqual([function.get("remembered_as", function["function"]) for function in first["functions"]], list(METHODS))
        self.assertStatus(self.startune("wisdom", "import", "run.json"))
        self.assertEqual({(fact["operation"], fact["method"]) for fact in self.facts()}, {(problem(20), method) for method in METHODS})
        self.assertEqual(self.history(mpi, 20)[0]["remembered_functions"], 3)

    @an_mpi_at_home
    def test_what_is_wrong_is_said_and_changes_nothing(self, mpi):
        result = self.mpirun(mpi, 4, BUILD / f"tests/cli/history-{mpi}", 20, 5, 0, "wrong", env={"STARTUNE_WISDOM": "on"})
        self.assertStatus(result)
        said = sorted(set(re.findall(r"startune: error: ([^\n]*)", result.stderr)))
        self.assertEqual(len(said), 5, result.stderr)
        for words in ("hist_functions is NULL", "fnctset", "function-set neighborhood is predefined", "hist_criteria is NULL", "request"):
            self.assertTrue(any(words in line for line in said), words)
        self.assertIn("0 written, 0 read, 0 filtered", result.stdout)


if __name__ == "__main__":
    main()
