# SPDX-License-Identifier: BSD-3-Clause
"""list, check and plan: the repository and its plans, without MPI."""
import json

from command import CommandTest, main


class Repository(CommandTest):
    def test_list_names_every_algorithm_in_every_form(self):
        listed = self.json_of(self.startune("list", "--json"))
        names = [entry["name"] for entry in listed]
        self.assertEqual(names[0], "native")
        for name in ("simple", "linear", "mesh2d", "mesh3d", "rdb", "bruck", "ring", "pair"):
            self.assertIn(name, names)
        text, table = self.startune("list").stdout, self.startune("list", "--markdown").stdout
        for entry in listed:
            self.assertRegex(text, rf"(?m)^  {entry['name']} ")
            self.assertIn(f"| `{entry['operation']}:{entry['name']}` |", table)
        for line in table.splitlines():
            self.assertEqual(line.replace("\\|", "").count("|"), table.splitlines()[0].count("|"), line)

    def test_list_of_one_operation(self):
        self.assertStatus(self.startune("list", "alltoall"))
        self.assertEqual({e["operation"] for e in self.json_of(self.startune("list", "--json", "alltoall"))},
                         {"alltoall"})
        self.json_of(self.startune("list", "alltoall", "--json"))

    def test_knobs_say_their_values(self):
        ring = next(e for e in self.json_of(self.startune("list", "--json")) if e["name"] == "ring")
        sync = next(knob for knob in ring["knobs"] if knob["name"] == "sync")
        self.assertIn("light", sync["values"])

    def test_check_proves_every_method(self):
        result = self.startune("check", "-n", "1:9")
        self.assertStatus(result)
        self.assertIn(" 0 wrong", result.stdout)
        found = self.json_of(self.startune("check", "--json", "-n", "1:9"))
        self.assertEqual((found["wrong"], found["failures"]), (0, []))
        self.assertEqual((found["ranks_from"], found["ranks_to"]), (1, 9))
        self.assertGreater(found["proven"], 100)

    def test_check_of_some_methods(self):
        found = self.json_of(self.startune("check", "-n", "5", "--json", "alltoall:ring", "alltoall:bruck,radix=3"))
        self.assertEqual((found["methods"], found["proven"]), (2, 2))
        found = self.json_of(self.startune("check", "alltoall:ring", "-n", "5", "--json"))
        self.assertEqual((found["methods"], found["proven"]), (1, 1))

    def test_check_refuses_bad_numbers(self):
        for ranks in ("0", "9:1", "1:5000", "x", "1:", "1:2:3"):
            self.assertRefused(self.startune("check", "-n", ranks), f"'{ranks}'", "1:64")
        self.assertRefused(self.startune("check", "--block", "0"), "'0'", "1 to 64K")


class Plan(CommandTest):
    def phases(self, method, ranks):
        result = self.startune("plan", method, "-n", ranks, "--format", "phases")
        self.assertStatus(result)
        return [tuple(map(int, line.split(" "))) for line in result.stdout.splitlines()]

    def test_phases_hold_every_ordered_pair_once(self):
        for method in ("alltoall:ring", "alltoall:ring,sync=light", "alltoall:ring,sync=barrier", "alltoall:pair",
                       "alltoall:simple"):
            lines = self.phases(method, 8)
            pairs = sorted((source, target) for _, source, target in lines)
            self.assertEqual(pairs, [(a, b) for a in range(8) for b in range(8) if a != b], method)

    def test_phases_of_ring(self):
        for ranks in (2, 5, 8):
            for phase, source, target in self.phases("alltoall:ring", ranks):
                first = min(p for p, _, _ in self.phases("alltoall:ring", ranks))
                self.assertEqual(target, (source + phase - first + 1) % ranks)

    def test_forms(self):
        text = self.startune("plan", "alltoall:ring,sync=light", "-n", 4)
        self.assertStatus(text)
        self.assertRegex(text.stdout, r"^alltoall:ring,sync=light, blocks of 1024 bytes\n")
        plan = self.json_of(self.startune("plan", "alltoall:ring,sync=light", "-n", 4, "--json"))
        self.assertEqual((plan["method"], plan["block_bytes"]), ("alltoall:ring,sync=light", 1024))
        self.assertEqual(len(plan["ranks"]), 4)
        same = self.startune("plan", "--format=json", "-n", 4, "alltoall:ring,sync=light")
        self.assertEqual(json.loads(same.stdout), plan)
        one = self.json_of(self.startune("plan", "alltoall:ring,sync=light", "-n", 4, "--rank", 3, "--json"))
        self.assertEqual(one["ranks"], plan["ranks"][3:])

    def test_one_rank_has_nothing_to_send(self):
        self.assertEqual(self.phases("alltoall:ring", 1), [])

    def test_many_ranks(self):
        one = self.startune("plan", "alltoall:ring", "-n", 20000, "--rank", 19999, "--json")
        self.assertEqual(len(self.json_of(one)["ranks"]), 1)

    def test_refusals(self):
        self.assertRefused(self.startune("plan"), "no method")
        self.assertRefused(self.startune("plan", "alltoall:ring"), "-n P")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 0), "'0'")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "--rank", 4), "rank 4", "4 ranks")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "--rank", -1), "'-1'")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "--format", "xml"), "'xml'",
                           "text|json|phases")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "--block", "x"), "'x'")

    def test_methods_that_do_not_apply(self):
        self.assertRefused(self.startune("plan", "alltoall:pair", "-n", 6), "alltoall:pair", "power of two", "6")
        self.assertRefused(self.startune("plan", "alltoall:ring,sync=barriers:5", "-n", 6), "barriers:5", "7 ranks")
        self.assertRefused(self.startune("plan", "alltoall:native", "-n", 6), "native")


if __name__ == "__main__":
    main()
