# SPDX-License-Identifier: BSD-3-Clause
"""Requests of the neighbourhood exchange begin with what earlier runs saw of the same problem, or of one like it."""
import json

from command import BUILD, STARTUNE, CommandTest, an_mpi_at_home, main, told_of

BEST, OTHER = "neighborhood:sendrecv,data=pack", "neighborhood:isend_irecv"
SMALL, CALLS = "neighborhood:34x34/1/8/2x2/2/1", 300  # of 64 x 64 points on 2 x 2 ranks


class WisdomRequests(CommandTest):
    def heat(self, mpi, *words, steps=CALLS, **more):
        return self.run_program(mpi, BUILD / f"examples/heat-{mpi}", *words, "--steps", steps, **more)

    def run_program(self, mpi, *words, ranks=4, wisdom="on"):
        """The report of a run that compares all functions, unless it remembers."""
        result = self.mpirun(mpi, ranks, STARTUNE, "run", "--report", "run.json", "--strategy", "exhaustive", "--iter", 3,
                             *words, env={"STARTUNE_WISDOM": wisdom})
        self.assertStatus(result)
        self.assertNotIn("warning", result.stderr)
        return json.loads((self.home / "run.json").read_text())

    def request(self, *words, **more):
        [request] = self.heat(*words, **more)["requests"]
        return request

    def facts(self):
        return self.json_of(self.startune("wisdom", "export", "neighborhood"))["facts"]

    def know(self, mpi, means, calls=100):
        """As if earlier runs had seen the small problem."""
        machine = self.heat(mpi, "--size", 8, steps=1, wisdom="off")["machine"]
        self.learn(machine, {SMALL: means}, calls)

    def remembers(self, request):
        """It begins with the best one, and measures nothing."""
        first, *later = request["history"]
        self.assertEqual((first["call"], first["reason"], first["stage"], first["function"]), (0, "remembered", "monitor", BEST))
        self.assertEqual(request["remembered_function"], BEST)
        self.assertEqual({decision["stage"] for decision in later} - {"monitor"}, set())
        self.assertEqual(request["calls"], CALLS)

    @an_mpi_at_home
    def test_a_run_tells_what_it_saw_and_the_next_one_knows_it(self, mpi):
        first = self.request(mpi, "--size", 41, ranks=3)  # blocks of several sizes: rank 0's counts
        self.assertNotIn("remembered_functions", first)
        facts = self.facts()
        measured = {one["function"] for one in first["functions"] if one["samples"] or one["calls"]}
        self.assertLessEqual({fact["method"] for fact in facts}, measured)
        self.assertGreaterEqual(len(facts), 16)
        self.assertEqual({(fact["operation"], fact["ranks"], fact["nodes"]) for fact in facts}, {(first["problem"], 3, 1)})
        shown = self.startune("wisdom", "show", "neighborhood").stdout
        for fact in facts:
            self.assertIn(f"\n{fact['method']} ", shown)
        second = self.request(mpi, "--size", 41, ranks=3)
        self.assertEqual(second["remembered_functions"], len(facts))
        self.assertIn(second["remembered_function"], {fact["method"] for fact in facts})

    @an_mpi_at_home
    def test_what_was_best_runs_at_once(self, mpi):
        self.know(mpi, {BEST: 1, OTHER: 2})  # seconds, which no exchange here takes
        request = self.request(mpi, "--size", 64)
        self.remembers(request)
        self.assertEqual(request["remembered_functions"], 2)
        self.assertAlmostEqual(request["remembered_confidence"], 100 / 102, places=3)

    @an_mpi_at_home
    def test_a_similar_problem_knows_it_less_surely(self, mpi):
        self.know(mpi, {BEST: 1, OTHER: 2})
        request = self.request(mpi, "--size", 128)
        self.remembers(request)
        # Faces of twice the bytes are 1 away, pieces of 66 instead of 34 points half of log2 (66 / 34).
        self.assertAlmostEqual(request["remembered_confidence"], 2**-0.5 * (34 / 66)**0.25 * 100 / 102, places=3)
        self.assertNotIn("remembered_functions", self.request(mpi, "--dimensions", 3, "--size", 16, steps=2))
        self.assertNotIn("remembered_functions", self.request(mpi, "--size", 1024, steps=2))

    @an_mpi_at_home
    def test_a_wrong_memory_is_corrected(self, mpi):
        self.know(mpi, {BEST: 1e-9, OTHER: 2e-9})
        request = self.request(mpi, "--size", 64)
        first, *later = request["history"]
        self.assertEqual((first["reason"], first["function"]), ("remembered", BEST))
        doubt = next(decision for decision in later if decision["stage"] == "measure")
        self.assertLessEqual(doubt["call"], 3 * 16 + 3)
        self.assertGreater(sum(1 for one in request["functions"] if one["samples"]), 16)
        means = {fact["method"]: fact["mean"] for fact in self.facts()}
        self.assertGreater(means[BEST], 1e-8)

    @an_mpi_at_home
    def test_few_calls_say_only_what_to_try_first(self, mpi):
        self.know(mpi, {BEST: 1, OTHER: 2}, calls=5)
        request = self.request(mpi, "--size", 64, steps=40)
        self.assertEqual(request["remembered_functions"], 2)
        self.assertNotIn("remembered", [decision["reason"] for decision in request["history"]])

    @an_mpi_at_home
    def test_what_overlaps_is_not_told(self, mpi):
        program = BUILD / f"tests/cli/overlap-{mpi}"
        self.run_program(mpi, program, CALLS, "waited")
        self.assertEqual(self.facts(), [])
        self.run_program(mpi, program, CALLS, "started")
        self.assertEqual({fact["operation"] for fact in self.facts()}, {SMALL})

    @an_mpi_at_home
    def test_a_report_teaches_what_the_run_would_have(self, mpi):
        program = BUILD / f"tests/cli/overlap-{mpi}"
        [waited] = self.run_program(mpi, program, CALLS, "waited", wisdom="off")["requests"]
        self.assertFalse(waited["teaches"])
        self.assertStatus(self.startune("wisdom", "import", "run.json"))
        self.assertEqual(self.facts(), [])
        [started] = self.run_program(mpi, program, CALLS, "started", wisdom="off")["requests"]
        self.assertTrue(started["teaches"])
        self.assertStatus(self.startune("wisdom", "import", "run.json"))
        samples = {function["function"]: function["samples"] for function in started["functions"] if function["samples"]}
        facts = self.facts()
        self.assertEqual({fact["method"] for fact in facts}, set(samples))
        for fact in facts:
            mine = samples[fact["method"]]
            self.assertEqual((fact["operation"], fact["ranks"], fact["nodes"], fact["bytes"], fact["count"]), (SMALL, 4, 1, -1, len(mine)))
            self.assertAlmostEqual(fact["mean"], told_of(mine)[0], delta=1e-6 * fact["mean"])
        [later] = self.run_program(mpi, program, CALLS, "started")["requests"]
        self.assertEqual(later["remembered_functions"], len(samples))

    @an_mpi_at_home
    def test_switched_off_nothing_is_read_or_written(self, mpi):
        self.know(mpi, {BEST: 1, OTHER: 2})
        before = self.store.read_bytes()
        self.assertNotIn("remembered_functions", self.request(mpi, "--size", 64, wisdom="off"))
        self.assertStatus(self.mpirun(mpi, 4, BUILD / f"examples/heat-{mpi}", "--size", 64))
        self.assertEqual(self.store.read_bytes(), before)


if __name__ == "__main__":
    main()
