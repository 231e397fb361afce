# SPDX-License-Identifier: BSD-3-Clause
"""startune topo bound: figures by hand on topologies of our own, the link that limits, refusals."""
import json
import unittest

from command import SOURCE, CommandTest

TOPOLOGIES = SOURCE / "lab/topologies"
HUB = """switch hub
switch left
switch right
link hub left 80
link hub right 40
host a[0-3] left 80
host b[0-3] right 80
"""
CHAIN = """switch top
switch middle
switch bottom
link top middle 8
link middle bottom 80
host a0 top 80
host b0 bottom 80
"""


class Bounds(CommandTest):
    def bound(self, text, *words):
        file = self.home / "net.topo"
        file.write_text(text)
        return self.startune("topo", "bound", file, *words)

    def question(self, *words):
        """What is said of the network with a hub, as JSON."""
        return self.json_of(self.bound(HUB, *words, "--json"))

    def test_an_all_to_all_takes_the_time_of_its_busiest_link(self):
        answer = self.question("alltoall", "1M")
        self.assertAlmostEqual(answer["seconds"], 16 * 2**20 / 5e6)
        self.assertEqual(answer["ranks"], 8)
        self.assertEqual({answer["link"]["from"], answer["link"]["to"]}, {"hub", "right"})
        self.assertEqual(answer["link"]["mbps"], 40)

    def test_a_broadcast_is_limited_on_the_way_from_its_root(self):
        for root, ends in ((0, ("hub", "right", "down")), (7, ("right", "hub", "up"))):
            answer = self.question("bcast", "5000000", "--root", root)
            self.assertAlmostEqual(answer["seconds"], 1.0 * 5e6 / 5e6)
            self.assertEqual((answer["link"]["from"], answer["link"]["to"], answer["link"]["way"]), ends)

    def test_framing_makes_it_longer_by_what_ethernet_adds(self):
        plain = self.question("alltoall", "1M")["seconds"]
        framed = self.question("alltoall", "1M", "--framing")["seconds"]
        self.assertAlmostEqual(framed / plain, 1538 / 1448)
        self.assertIn("framing", self.bound(HUB, "alltoall", "1M", "--framing").stdout)

    def test_placing_matters_to_prefixes(self):
        """By blocks one vector passes between the switches; by turns there are four, and three back."""
        block = self.question("scan", "5000000")
        cyclic = self.question("scan", "5000000", "--map", "cyclic")
        self.assertAlmostEqual(block["seconds"], 1.0)
        self.assertAlmostEqual(cyclic["seconds"], 4.0)
        self.assertEqual(cyclic["link"]["way"], "down")

    def test_the_slowest_of_several_links_in_a_row_is_named(self):
        answer = self.json_of(self.bound(CHAIN, "alltoall", "1000000", "--json"))
        self.assertAlmostEqual(answer["seconds"], 1.0)
        self.assertEqual({answer["link"]["from"], answer["link"]["to"]}, {"top", "middle"})

    def test_all_machines_together_limit_an_allreduce(self):
        result = self.startune("topo", "bound", TOPOLOGIES / "1x16.topo", "allreduce", "1M")
        self.assertStatus(result)
        self.assertIn("all machines together", result.stdout)

    def test_the_figures_of_the_papers_topologies(self):
        for name, units in (("2x16", 256), ("4x8-chain", 256), ("4x8-star", 192), ("1x16", 15)):
            result = self.startune("topo", "bound", TOPOLOGIES / f"{name}.topo", "alltoall", "64K", "--json")
            answer = self.json_of(result)
            self.assertAlmostEqual(answer["seconds"], units * 65536 * 8 / (answer["link"]["mbps"] * 1e6))

    def test_nothing_limits_a_barrier(self):
        result = self.bound(HUB, "barrier")
        self.assertStatus(result)
        self.assertIn("no link", result.stdout)
        self.assertEqual(self.question("barrier")["limit"], "none")

    def test_the_answer_goes_to_a_file(self):
        self.assertEqual(self.bound(HUB, "alltoall", "64K", "--json", "-o", "answer.json").stdout, "")
        self.assertEqual(json.loads((self.home / "answer.json").read_text())["operation"], "alltoall")

    def test_refusals(self):
        for words, names in (
            ((), ("operation",)),
            (("alltoall",), ("bytes",)),
            (("alltoal", "64K"), ("alltoal", "alltoall")),
            (("alltoall", "many"), ("many",)),
            (("alltoallv", "64K"), ("alltoallv",)),
            (("alltoall", "64K", "more"), ("more",)),
            (("barrier", "64K"), ("64K",)),
            (("bcast", "64K", "--root", "8"), ("8",)),
            (("bcast", "64K", "--root", "-1"), ("-1",)),
            (("alltoall", "64K", "--root", "1"), ("alltoall", "root")),
            (("alltoall", "64K", "-n", "0"), ("0",)),
            (("alltoall", "64K", "--map", "round"), ("round", "cyclic")),
            (("alltoall", "64K", "--svg"), ("svg", "bound")),
        ):
            with self.subTest(words=words):
                self.assertRefused(self.bound(HUB, *words), *names)
        self.assertRefused(self.startune("topo", "bound"), "file")
        self.assertRefused(self.startune("topo", "bound", "missing.topo", "alltoall", "1K"), "missing.topo")
        self.assertRefused(self.bound("switch s\nhost a nowhere\n", "alltoall", "1K"), "nowhere")
        (self.home / "net.topo").write_text(HUB)
        self.assertRefused(self.startune("topo", "show", "net.topo", "-n", "3"), "-n", "show")


if __name__ == "__main__":
    unittest.main()
