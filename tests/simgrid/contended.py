# SPDX-License-Identifier: BSD-3-Clause
"""What the tuner chooses where sharing a link costs, and where it does not: each further flow on a link takes a part of its
rate (0.05, a free parameter, not a measured one), down to half. Times are worked out by hand."""
import unittest

from simgrid import OWN_TOPOLOGIES, TOPOLOGIES, main, simulate

BLOCK = 65536
PENALTY = 0.05
STEP = BLOCK * 8 / (100e6 * 0.9407) * 1e3 # ms in which a link of 100 Mbit/s carries one block, framing counted
EXCHANGES = "alltoall:simple alltoall:pair,sync=light alltoall:ring,sync=light alltoall:scheduled,sync=needed"
# Phases: as many as the busiest link has messages.
STAR, CHAIN = (TOPOLOGIES / "4x8-star.topo", 8 * 24), (TOPOLOGIES / "4x8-chain.topo", 16 * 16)
PLACES = [(*STAR, "block"), (*STAR, "cyclic"), (*STAR, "random:1"), (*CHAIN, "cyclic")]


class Contended(unittest.TestCase):
    def alltoall(self, network, place, penalty, calls=12, **settings):
        """Without forecasts: the cost model knows nothing of that price, and says that the schedule is the slowest."""
        run = simulate(network, place, [f"alltoall:{BLOCK}:{calls}"], contention=penalty, iter=2, budget=100, predict="off", **settings)
        return run.late["alltoall", BLOCK], run.chosen["alltoall", BLOCK]

    def test_where_sharing_is_free_everything_at_once_wins(self):
        late, chosen = self.alltoall(*STAR[:1], "cyclic", 0, calls=69, methods=EXCHANGES)
        self.assertEqual(chosen, "alltoall:simple")
        self.assertLess(late, 1.01 * STAR[1] * STEP)

    def test_where_it_costs_the_schedule_without_contention_wins(self):
        for network, phases, place in PLACES:
            with self.subTest(network=network.name, place=place):
                late, chosen = self.alltoall(network, place, PENALTY, calls=70, methods=EXCHANGES)
                self.assertEqual(chosen, "alltoall:scheduled,sync=needed")
                self.assertLess(late, 1.04 * phases * STEP)

    def test_it_wins_though_the_cost_model_says_it_is_the_slowest(self):
        """All settings as preset: forecasts, within the budget."""
        for network, phases, place in PLACES:
            with self.subTest(network=network.name, place=place):
                run = simulate(network, place, [f"alltoall:{BLOCK}:1000"], contention=PENALTY, methods=EXCHANGES)
                self.assertEqual(run.chosen["alltoall", BLOCK], "alltoall:scheduled,sync=needed")
                self.assertLess(run.late["alltoall", BLOCK], 1.04 * phases * STEP)

    def test_the_schedule_loses_nothing_by_contention(self):
        for network, phases, place in PLACES:
            with self.subTest(network=network.name, place=place):
                late, _ = self.alltoall(network, place, PENALTY, force="alltoall:scheduled,sync=needed")
                free, _ = self.alltoall(network, place, 0, force="alltoall:scheduled,sync=needed")
                self.assertLess(late, 1.005 * free)
                self.assertGreater(free, phases * STEP)

    def test_on_one_switch_everything_at_once_pays_for_it(self):
        one = TOPOLOGIES / "1x16.topo"
        late, chosen = self.alltoall(one, "block", PENALTY, calls=200, methods=EXCHANGES)
        self.assertRegex(chosen, "^alltoall:(native|(pair|ring),sync=light)$")  # MPI's own goes in pairs too
        self.assertLess(late, 1.01 * 15 * STEP)
        late, _ = self.alltoall(one, "block", PENALTY, force="alltoall:simple")
        self.assertLess(abs(late / (15 * STEP * (1 + 14 * PENALTY)) - 1), 0.01)

    def test_on_a_fat_tree_the_order_matters_then(self):
        """Its links carry eight flows at full rate, but lose by it."""
        for order, flows in (("", 8), (",order=dfs", 1)):
            run = simulate(OWN_TOPOLOGIES / "fat-64.topo", "cyclic", [f"allgather:{BLOCK}:12"], contention=PENALTY,
                           force=f"allgather:neighbor_ring{order}")
            self.assertLess(abs(run.late["allgather", BLOCK] / (63 * STEP * (1 + (flows - 1) * PENALTY)) - 1), 0.03)


if __name__ == "__main__":
    main()
