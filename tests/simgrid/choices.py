# SPDX-License-Identifier: BSD-3-Clause
"""What the tuner chooses on known networks, and what it gains there; expected times are worked out by hand."""
import os
import tempfile
import unittest
from pathlib import Path

from simgrid import OWN_TOPOLOGIES, TOPOLOGIES, main, simulate

BLOCK = 65536
# ms in which a link of 100 Mbit/s carries one block, framing counted.
STEP = BLOCK * 8 / (100e6 * 0.9407) * 1e3
RINGS = "allgather:neighbor_ring allgather:neighbor_ring,order=dfs allgather:rdb"
STAR, TREE = TOPOLOGIES / "4x8-star.topo", OWN_TOPOLOGIES / "fat-64.topo"


# Half a minute or more each.
long = unittest.skipUnless(os.environ.get("LONG_TESTS") == "yes", "for ./check --long")


class Choices(unittest.TestCase):
    def allgather(self, place, network=STAR, calls=40, **settings):
        run = simulate(network, place, [f"allgather:{BLOCK}:{calls}"], iter=2, budget=100, **settings)
        return run.late["allgather", BLOCK], run.chosen.get(("allgather", BLOCK))

    def assertAbout(self, value, expected):
        self.assertLess(abs(value / expected - 1), 0.03, f"{value} is not about {expected}")

    @long
    def test_ranks_in_blocks_need_no_other_order(self):
        late, chosen = self.allgather("block", methods=RINGS)
        self.assertRegex(chosen, r"^allgather:neighbor_ring(,order=dfs)?$") # here one and the same
        self.assertAbout(late, 31 * STEP)

    def test_cyclic_ranks_get_the_ring_by_switches(self):
        late, chosen = self.allgather("cyclic", methods=RINGS)
        self.assertEqual(chosen, "allgather:neighbor_ring,order=dfs")
        self.assertAbout(late, 31 * STEP)

    @long
    def test_scattered_ranks_get_the_ring_by_switches(self):
        for seed in (1, 2):
            with self.subTest(seed=seed):
                late, chosen = self.allgather(f"random:{seed}", methods=RINGS)
                self.assertEqual(chosen, "allgather:neighbor_ring,order=dfs")
                self.assertAbout(late, 31 * STEP)

    @long
    def test_among_all_methods_the_tuner_finds_a_ring_by_switches(self):
        late, chosen = self.allgather("cyclic", calls=160)
        self.assertRegex(chosen, r"^allgather:neighbor_ring,(sync=\w+,)?(segment=8K,)?order=dfs$")
        self.assertAbout(late, 31 * STEP)

    @long
    def test_by_rank_eight_messages_share_each_trunk(self):
        late, _ = self.allgather("cyclic", calls=20, force="allgather:neighbor_ring")
        self.assertAbout(late, 8 * 31 * STEP)

    @long
    def test_without_its_topology_the_tuner_does_its_best(self):
        late, chosen = self.allgather("cyclic", methods=RINGS, topology="none")
        self.assertEqual(chosen, "allgather:rdb")
        self.assertGreater(late, 1.5 * 31 * STEP)

    @long
    def test_native_that_may_be_all_that_links_allow_is_left_for_what_is_faster(self):
        # Were all machines on one switch, with links eight times as slow, nothing would be faster than native.
        native, _ = self.allgather("cyclic", calls=10, on="off")
        late, chosen = self.allgather("cyclic", calls=160, topology="none")
        self.assertNotEqual(chosen, "allgather:native")
        self.assertLess(late, 0.5 * native)

    @long
    def test_a_fat_tree_carries_any_order(self):
        for order in ("", ",order=dfs"):
            late, _ = self.allgather("cyclic", TREE, calls=12, force=f"allgather:neighbor_ring{order}")
            self.assertAbout(late, 63 * STEP)

    @long
    def test_on_a_fat_tree_of_64_fewer_messages_win(self):
        late, chosen = self.allgather("cyclic", TREE, calls=25, methods=RINGS)
        self.assertIn(chosen, ("allgather:native", "allgather:rdb")) # which SMPI's own is here
        self.assertAbout(late, 63 * STEP)

    @long
    def test_a_slow_trunk_is_crossed_once(self):
        """Two switches of eight, the link between them a quarter as fast as a host's: a ring takes 15 blocks over it; overlapped
        lanes 8, and in less time than it would take to hand out 7 hosts' blocks after that."""
        with tempfile.TemporaryDirectory(prefix="startune-simgrid-") as folder:
            slow = Path(folder, "slow.topo")
            slow.write_text("switch a\nswitch b\nlink a b 25\nhost n[0-7] a 100\nhost n[8-15] b 100\n")
            late, chosen = self.allgather("cyclic", slow, calls=80, methods="allgather:neighbor_ring,order=dfs "
                                          "allgather:lanes,level=switch "
                                          "allgather:overlapped_lanes,segment=4K,sync=light,level=switch")
            self.assertEqual(chosen, "allgather:overlapped_lanes,segment=4K,sync=light,level=switch")
            self.assertGreater(late, 8 * 4 * STEP)
            self.assertLess(late, (8 * 4 + 7) * STEP)
            late, _ = self.allgather("cyclic", slow, calls=20, force="allgather:neighbor_ring,order=dfs")
            self.assertAbout(late, 15 * 4 * STEP)

    def test_skew_that_grows_from_call_to_call_is_seen(self):
        """Exchanges without synchronisation of messages that are sent at once: a first call takes what it should,
        15 steps, and the ones after it three times as long."""
        run = simulate(TOPOLOGIES / "1x16.topo", "block", ["alltoall:65536:100"], eager=128000, budget=100,
                       methods="alltoall:pair alltoall:pair,sync=light")
        self.assertEqual(run.chosen["alltoall", BLOCK], "alltoall:pair,sync=light")
        self.assertAbout(run.late["alltoall", BLOCK], 15 * STEP * 1.01)
        run = simulate(TOPOLOGIES / "1x16.topo", "block", ["alltoall:65536:30"], eager=128000, force="alltoall:pair")
        self.assertGreater(run.late["alltoall", BLOCK], 3 * 15 * STEP)


if __name__ == "__main__":
    main()
