# SPDX-License-Identifier: BSD-3-Clause
"""Simulations repeat to the bit, all of the tuner with them, and its results are right."""
import unittest

from simgrid import TOPOLOGIES, main, simulate

CALLS = ["alltoall:4096:40", "allgather:4096:40", "allreduce:16384:40", "bcast:131072:60"]
SOME = ("alltoall:ring alltoall:bruck alltoall:pair,sync=light allgather:ring allgather:neighbor_ring,order=dfs "
        "allreduce:rab1 allreduce:ring bcast:binomial bcast:chain,segment=8K")


class Repeatable(unittest.TestCase):
    def test_two_runs_are_the_same_to_the_last_digit(self):
        first, second = (simulate(TOPOLOGIES / "2x4.topo", "cyclic", CALLS, iter=3, methods=SOME) for _ in range(2))
        self.assertEqual(first.output, second.output)
        for report in (first.report, second.report):  # of the machine, not of the simulation
            del report["date"], report["program"]
            for context in report["contexts"]:
                del context["caller"]  # in a copy of the program that each run has of its own
        self.assertEqual(first.report, second.report)
        self.assertEqual(len(first.chosen), len(CALLS))
        for context in first.report["contexts"]:
            self.assertTrue(context["tuned"])
            self.assertTrue(any(switch["stage"] == "monitor" for switch in context["history"]), context["operation"])

    def test_startune_turned_off_leaves_the_program_as_it_is(self):
        run = simulate(TOPOLOGIES / "2x4.topo", "cyclic", CALLS, on="off")
        self.assertIsNone(run.report)
        self.assertEqual(len(run.late), len(CALLS))

    def test_every_candidate_is_right(self):
        """With `verify` each is compared with native's result when it first runs."""
        calls = ["alltoall:512:300", "allgather:512:400", "allreduce:4096:400"]
        run = simulate(TOPOLOGIES / "2x4.topo", "cyclic", calls, iter=1, strategy="exhaustive", verify="on")
        methods = [method for context in run.report["contexts"] for method in context["methods"]]
        self.assertGreater(len(methods), 50)
        self.assertEqual([method["method"] for method in methods if method["wrong"]], [])


if __name__ == "__main__":
    main()
