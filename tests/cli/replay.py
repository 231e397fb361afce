# SPDX-License-Identifier: BSD-3-Clause
"""startune replay, and the traces that startune bench --record writes."""
import re
from pathlib import Path

from command import STARTUNE, CommandTest, an_mpi, main

TRACE = """startune trace 2
context alltoall 4 2048 0
method alltoall:native 0
method alltoall:ring 0
burst 0 20/20/20/20 20/20/20/20 20/20/20/20 20/20/20/20
burst 1 10/10/10/10 10/10/10/10 10/10/10/10 10/10/10/10
end 1
"""


class Replay(CommandTest):
    def trace(self, text=TRACE, name="a.trace"):
        path = self.home / name
        path.write_text(text)
        return path

    def test_always_native_would_be_half_as_fast(self):
        found = self.json_of(self.startune("replay", self.trace(), "--json", "--budget", "0", "--strategy", "race"))
        for summary in found["summaries"]:
            self.assertAlmostEqual(summary["regret"], 1, 4)
            self.assertAlmostEqual(summary["native_over_run"], 1, 4)
            self.assertEqual((summary["near"], summary["switches"]), (0, 0))
        self.assertEqual(found["contexts"][0]["best"], "alltoall:ring")
        self.assertAlmostEqual(found["contexts"][0]["native_over_best"], 2, 4)

    def test_all_strategies_find_the_faster_of_two(self):
        found = self.json_of(self.startune("replay", self.trace(), "--json", "--calls", "10,1000"))
        self.assertEqual([s["strategy"] for s in found["summaries"][:9]],
                         ["exhaustive", "grouped", "race", "hypothesis", "factorial", "halving", "second", "wisdom", "once"])
        for summary in found["summaries"][9:]:
            self.assertEqual(summary["near"], 1, summary["strategy"])
            self.assertLess(summary["regret"], 0.06)

    def test_who_comes_near_in_which_context(self):
        slow = TRACE.replace("alltoall 4", "allgather 4").replace("alltoall:", "allgather:").replace("20/", "9.9/").replace("/20", "/9.9")
        found = self.json_of(self.startune("replay", self.trace(), self.trace(slow, "b.trace"), "--json", "--budget", "0", "--strategy", "race"))
        self.assertEqual([[regret["near"] for regret in context["regrets"]] for context in found["contexts"]], [[0] * 3, [1] * 3])
        self.assertEqual([summary["near"] for summary in found["summaries"]], [0.5] * 3)

    def test_the_table_and_a_line_for_each_context(self):
        result = self.startune("replay", self.trace(), "--contexts", "--strategy", "wisdom", "--calls", "500")
        self.assertStatus(result)
        self.assertRegex(result.stdout, r"(?m)^1 contexts, 20 runs each$")
        self.assertRegex(result.stdout, r"(?m)^ +500  wisdom +0\.\d %")
        self.assertRegex(result.stdout, r"(?m)^a\.trace +alltoall +4 +2K +2 +2\.00  alltoall:ring +0\.\d %$")

    def test_what_the_regret_is_spent_for_adds_up(self):
        found = self.json_of(self.startune("replay", self.trace(TRACE.replace("2048 0", "2048 3e-6").replace("ring 0", "ring 2e-5")), "--json",
                                           "--runs", "1", "--calls", "400"))
        for summary in found["summaries"]:
            self.assertEqual(list(summary["spent"]), ["running", "trying", "agreeing", "planning", "asking"])
            self.assertAlmostEqual(sum(summary["spent"].values()), summary["regret"], 6, summary["strategy"])
            # The best one, ring, takes 10 us, and is planned once.
            self.assertAlmostEqual(summary["spent"]["planning"], 20 / 4000, 6)
        self.assertEqual([regret["spent"] for regret in found["contexts"][0]["regrets"]], [summary["spent"] for summary in found["summaries"]])
        result = self.startune("replay", self.trace(), "--spent", "--contexts", "--strategy", "race", "--calls", "500", "--budget", "0")
        self.assertRegex(result.stdout, r"(?m)^ +500  race +100\.00 %( +0\.00 %){4}  all\n +500  race +100\.00 %( +0\.00 %){4}  alltoall 2K, a\.trace$")

    def test_once_is_each_method_planned_and_called_once(self):
        text = TRACE.replace("ring 0", "ring 5e-5").replace("20/20/20/20 20/20/20/20 20/20/20/20 20/20/20/20", "30/30/30/30 20/20/20/20 20/20/20/20 20/20/20/20")
        found = self.json_of(self.startune("replay", self.trace(text), "--json", "--calls", "1,2,10", "--strategy", "once"))
        # 30 us; then a plan and a call of 50 + 10; then the best one's 10 us each.
        for summary, seconds in zip(found["summaries"], [30, 90, 170]):
            self.assertAlmostEqual(summary["regret"], seconds / (10 * summary["calls"]) - 1, 4)
        self.assertEqual([summary["near"] for summary in found["summaries"]], [0, 1, 1])

    def test_the_longer_the_earlier_run_the_more_wisdom(self):
        methods = [f"method alltoall:{name} 1e-4" for name in ("ring", "linear", "bruck", "pair", "ring,window=2", "ring,window=4")]
        bursts = [f"burst {i} " + "1000/1000/1000/1000 " * 4 for i in range(6)] + ["burst 6 " + "300/300/300/300 " * 4]
        text = "\n".join(["startune trace 2", "context alltoall 4 2048 1e-4", "method alltoall:native 0", *methods, *bursts, "end 1\n"])
        regrets = []
        for earlier in (5, 5000):
            found = self.json_of(self.startune("replay", self.trace(text), "--json", "--calls", "10", "--strategy", "wisdom",
                                               "--earlier", earlier))
            regrets.append(found["summaries"][0]["regret"])
        self.assertGreater(regrets[0], 1)
        self.assertLess(regrets[1], 0.1)

    def test_a_first_context_tells_the_second_of_the_network(self):
        # Links are 16 times as slow as the cost model assumes: bytes count, and of messages one may have more.
        foreseen = {"ring": (9e-4, 1e-4), "linear": (9.5e-4, 2e-4), "simple": (11e-4, 10.5e-4), "pair": (10e-4, 3e-4),
                    "ring,window=2": (10.5e-4, 6e-4), "ring,window=4": (10e-4, 5e-4)}
        lines = ["startune trace 3"]
        for operation in ("alltoall", "alltoallv"):
            lines += [f"context {operation} 4 {2048 if operation == 'alltoall' else -1} 1e-5", f"method {operation}:native 0"]
            lines += [f"method {operation}:{name} 1e-6 {alone} {latency} {alone - latency:.3g} 0 0" for name, (alone, latency) in foreseen.items()]
            times = [3.7e-3] + [latency + 16 * (alone - latency) for alone, latency in foreseen.values()]
            lines += [f"burst {i} " + (f"{1e6 * seconds:.5g}/" * 4)[:-1] + f" {1e6 * seconds:.5g}" + f"/{1e6 * seconds:.5g}" * 3
                      for i, seconds in enumerate(times)]
        found = self.json_of(self.startune("replay", self.trace("\n".join(lines + ["end 2\n"])), "--json", "--calls", "50", "--strategy", "race,second"))
        race, second = [summary["regret"] for summary in found["summaries"]]
        self.assertLess(second, 0.8 * race)
        self.assertEqual(found["summaries"][1]["near"], 1)

    def test_the_cost_model_may_be_asked_on_a_topology(self):
        """It is right, and what stands in the trace is just the opposite."""
        topology = self.home / "two.topo"
        topology.write_text("switch s[0-1]\nlink s0 s1 50\nhost n[0-3] s0 50\nhost n[4-7] s1 50\n")
        methods = [f"alltoall:{name}" for name in ("simple", "ring", "pair", "bruck", "linear", "spreading", "scheduled")]
        seconds = {}
        for method in methods:
            result = self.startune("plan", method, "-n", "8", "--bytes", "1K", "--cost", "--json", "--topology", topology, "--map", "cyclic")
            if result.returncode == 0:
                seconds[method] = self.json_of(result)["predicted_seconds"]
        self.assertGreater(len(seconds), 4)
        best = min(seconds.values())
        lines = ["startune trace 3", "context alltoall 8 1024 1e-6", "method alltoall:native 0"]
        lines += [f"method {method} 1e-6 {best * best / each}" for method, each in seconds.items()]
        times = [1.2 * max(seconds.values()), *seconds.values()]
        lines += [f"burst {i} " + " ".join(["/".join([f"{1e6 * each:.6g}"] * 8)] * 4) for i, each in enumerate(times)]
        trace = self.trace("\n".join(lines + ["end 1\n"]))
        words = ["replay", trace, "--json", "--strategy", "race", "--calls", "50"]
        alone, told = (self.json_of(self.startune(*words, *more))["summaries"][0]["regret"]
                       for more in ([], ["--topology", topology, "--map", "cyclic"]))
        self.assertLess(told, 0.85 * alone)
        self.assertRefused(self.startune(*words, "--map", "cyclic"), "--map is about --topology")
        self.assertRefused(self.startune(*words, "--topology", topology, "--map", "anyhow"), "'anyhow'")
        self.assertRefused(self.startune(*words, "--topology", self.home / "none.topo"), "none.topo")
        topology.write_text("switch s0\nhost n[0-3] s0 50\n")
        self.assertRefused(self.startune(*words, "--topology", topology), "a.trace: its 8 ranks need more than the 4 slots of")

    def fleet(self, *words, env=None):
        traces = sorted((Path(__file__).parents[2] / "bench/data").glob("cluster-*.trace"))
        return self.json_of(self.startune("replay", "--fleet", "--json", *words, *traces, env=env))

    def test_of_a_fleet_few_jobs_are_hurt(self):
        found = self.fleet("--jobs", "1000")
        words = ["replay", "--fleet", "--json", "--jobs", "1000"]
        traces = sorted((Path(__file__).parents[2] / "bench/data").glob("cluster-*.trace"))
        self.assertEqual(found, self.json_of(self.startune(*words, *reversed(traces))))  # in whatever order
        self.assertNotEqual(found, self.fleet("--jobs", "1000", "--seed", "2"))
        self.assertEqual((found["programs"], found["before"]["jobs"], found["known"]["jobs"]), (50, 150, 850))
        for jobs in found["before"], found["known"]:
            self.assertGreater(jobs["saved_seconds"], 0)
            self.assertTrue(jobs["hurt_low"] <= jobs["hurt_share"] <= jobs["hurt_high"])
        self.assertLess(found["known"]["hurt_share"], 0.01)
        self.assertGreater(found["before"]["hurt_high"], 1.96 ** 2 / (50 + 1.96 ** 2) - 1e-6)  # 50 programs tell no more

    def test_the_rule_of_withdrawal_spares_jobs_of_a_fleet(self):
        """By the setting of runs: with 0 no program is left alone."""
        words = ["--jobs", "1000", "--seed", "5"]
        ruled, never = self.fleet(*words), self.fleet(*words, env={"STARTUNE_RETRY_AFTER": "0"})
        self.assertEqual((never["withdrawn_programs"], never["known"]["left_alone"]), (0, 0))
        self.assertGreater(ruled["withdrawn_programs"], 0)
        self.assertLess(ruled["known"]["hurt"], never["known"]["hurt"])

    def test_of_a_fleet_whose_native_is_best_by_far_none_is_hurt_much(self):
        text = TRACE.replace("20/20", "5/5")
        found = self.json_of(self.startune("replay", "--fleet", "--json", "--jobs", "200", self.trace(text)))
        self.assertEqual(found["known"]["hurt"], 0)
        result = self.startune("replay", "--fleet", "--jobs", "50", self.trace(text))
        self.assertRegex(result.stdout, r"^50 jobs of 3 programs, .*\nruns known .*\nfewer than 3 +9 +.*\n3 or more +41 ")
        self.assertRefused(self.startune("replay", "--fleet", "--contexts", self.trace(text)), "--contexts")

    def test_the_same_seed_prints_the_same(self):
        words = ["replay", self.trace(), "--contexts", "--seed", "7"]
        self.assertEqual(self.startune(*words).stdout, self.startune(*words).stdout)

    def test_two_seeds_have_no_run_in_common(self):
        trace = Path(__file__).parents[2] / "bench/data/cluster-bcast-mpich.trace"

        def regret(runs, seed):
            found = self.json_of(self.startune("replay", trace, "--json", "--strategy", "race", "--calls", "300", "--runs", runs, "--seed", seed))
            return found["summaries"][0]["regret"]

        alone = [regret(1, seed) for seed in (1, 2, 3, 4)]
        self.assertEqual(len(set(alone)), 4)
        for seed in (1, 2):  # the median of two is their mean
            self.assertAlmostEqual(regret(2, seed), sum(alone[2 * seed - 2:2 * seed]) / 2, 6)

    def test_the_plot_is_written_beside_first(self):
        plot = self.home / "plot.svg"
        self.assertStatus(self.startune("replay", self.trace(), "--plot", plot, "--calls", "100"))
        self.assertRegex(plot.read_text(), r"^<svg [\s\S]*race[\s\S]*</svg>\n$")
        kept = plot.read_text()
        self.assertRefused(self.startune("replay", self.trace(), "--plot", self.home), "Is a directory", status=1)
        self.assertRefused(self.startune("replay", self.trace(), "--plot", ""), "empty")
        self.assertEqual(self.startune("replay", self.trace("startune trace 2\n", "b.trace"), "--plot", plot).returncode, 2)
        self.assertEqual(plot.read_text(), kept)

    def test_what_is_wrong_is_one_line_and_says_where(self):
        bad = self.trace(TRACE.replace("20/20/20/20 20/20/20/20 20/20/20/20 20/20/20/20", "20/20/20/20 x"), "bad.trace")
        for words, reason in [([bad], r"bad\.trace:5: call 2 of the burst"),
                              ([self.home / "none.trace"], r"none\.trace"),
                              ([], "no trace"),
                              ([self.trace(), "--strategy", "rice"], "did you mean 'race'"),
                              ([self.trace(), "--strategy", "race,race"], "twice"),
                              ([self.trace(), "--calls", "500,100"], "ascending"),
                              ([self.trace(), "--earlier", "0"], "1 to 10000000"),
                              ([self.trace(), "--runs", "0"], "1 to 10000")]:
            with self.subTest(words=words):
                result = self.startune("replay", *words)
                self.assertEqual(result.returncode, 2)
                self.assertRegex(result.stderr, rf"^startune replay: error: .*{reason}.*\n$")

    @an_mpi
    def test_a_recorded_trace_is_replayed(self, mpi):
        path = self.home / "recorded.trace"
        self.assertStatus(self.mpirun(mpi, 3, STARTUNE, "bench", "bcast", "--sizes", "64,1K", "--rounds", 2, "--calls", 3, "--compute",
                                      0, "--arrival", 1, "--record", path))
        text = Path(path).read_text()
        self.assertEqual(len(re.findall("(?m)^context bcast 3 ", text)), 2)
        methods = len(re.findall("(?m)^method ", text))
        self.assertEqual(len(re.findall("(?m)^burst ", text)), 2 * methods)
        self.assertRegex(text, r"(?m)^burst \d+( [\d.e-]+/[\d.e-]+/[\d.e-]+){4}$")
        found = self.json_of(self.startune("replay", path, "--json", "--calls", "50", "--runs", 2))
        self.assertEqual(len(found["contexts"]), 2)

    @an_mpi
    def test_of_many_ranks_sixteen_are_recorded(self, mpi):
        path = self.home / "many.trace"
        self.assertStatus(self.mpirun(mpi, 18, STARTUNE, "bench", "barrier", "--methods", "barrier:linear", "--rounds", 1,
                                      "--calls", 2, "--compute", 0, "--record", path))
        self.assertRegex(path.read_text(), r"(?m)^context barrier 18 [\s\S]*^burst \d+( [\d.e-]+(/[\d.e-]+){15}){3}$")
        self.assertStatus(self.startune("replay", path, "--runs", 2))


if __name__ == "__main__":
    main()
