# SPDX-License-Identifier: BSD-3-Clause
"""list, check and plan: the repository and its plans, without MPI."""
import json

from command import BUILD, MPIS, CommandTest, main

REDUCTIONS = ["allreduce", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"]
OPERATIONS = REDUCTIONS + ["alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv", "bcast", "gather", "gatherv", "scatter",
                           "scatterv", "barrier"]


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
        columns = 0
        for line in table.splitlines():
            columns = line.count("|") if line.startswith("| method") else columns
            if line.startswith("|"):
                self.assertEqual(line.replace("\\|", "").count("|"), columns, line)

    def test_functions_are_those_that_the_libraries_export(self):
        listed = self.json_of(self.startune("list", "functions", "--json"))
        names, sizes = {entry["function"] for entry in listed}, []
        persistent = {entry["function"] for entry in listed if entry["persistent"]}
        older = {name for name in names if not name.endswith("_c")} - persistent  # than MPI 4
        for library in sorted((BUILD / "lib").glob("libstartune-*.so")):
            if library.stem in [f"libstartune-{mpi}" for mpi in MPIS]:
                symbols = self.command("nm", "-D", "--defined-only", library).stdout
                found = {word.split("@")[0] for word in symbols.split() if word.startswith("MPI_")} & names
                self.assertTrue(found in (older, names), library)
                sizes.append(len(found))
        self.assertEqual(len(sizes), len(MPIS))
        self.assertIn(max(sizes), (len(names), len(older)))
        for line in self.startune("list", "functions").stdout.splitlines():
            self.assertIn(line.split()[0], names)

    def test_functions_are_all_collectives_of_the_standard_but_those_of_neighbourhoods(self):
        words = ("Allgather Allgatherv Allreduce Alltoall Alltoallv Alltoallw Barrier Bcast Exscan Gather Gatherv Reduce "
                 "Reduce_scatter Reduce_scatter_block Scan Scatter Scatterv")
        names = {f"MPI_{name}" for word in words.split() for name in (word, f"I{word.lower()}", f"{word}_init")}
        names |= {f"{name}_c" for name in names if "arrier" not in name}
        listed = self.json_of(self.startune("list", "functions", "--json"))
        self.assertEqual(len(listed), 99)
        self.assertEqual({entry["function"] for entry in listed}, names)

    def test_list_says_of_each_operation_what_its_bytes_are(self):
        listed = self.json_of(self.startune("list", "--json"))
        self.assertEqual({entry["operation"] for entry in listed}, set(OPERATIONS))
        text, tables = self.startune("list").stdout, self.startune("list", "--markdown").stdout
        for entry in listed:
            self.assertRegex(text, rf"(?m)^{entry['operation']} \(MPI_\w+\), bytes: {entry['bytes_are']}$")
            self.assertRegex(tables, rf"(?m)^## {entry['operation']}\n`MPI_\w+`; bytes: {entry['bytes_are']}\.$")

    def test_list_says_what_limits_an_algorithm(self):
        listed = {f"{e['operation']}:{e['name']}": e for e in self.json_of(self.startune("list", "--json"))}
        pair, ring = listed["alltoall:pair"], listed["alltoall:ring"]
        self.assertEqual((pair["power_of_two"], ring["power_of_two"]), (True, False))
        self.assertTrue(listed["gather:two_level"]["nodes"])
        self.assertTrue(listed["bcast:free_binary"]["network"])
        self.assertEqual(listed["bcast:free_binary"]["most_ranks"], 512)
        self.assertFalse(listed["bcast:chain"]["network"])
        self.assertTrue(listed["allreduce:ring"]["commutative_only"])
        self.assertEqual(listed["allreduce:ring"]["order"], "fixed")
        self.assertEqual(listed["allreduce:native"]["order"], "native")
        self.assertFalse(listed["allreduce:native"]["commutative_only"])
        for entry in listed.values():
            reduces = entry["operation"] in REDUCTIONS
            self.assertEqual(entry["order"] == "none", not reduces, entry)
        text = self.startune("list", "allreduce").stdout
        self.assertIn("limits: commutative operators", text)
        self.assertIn("order of reduction: fixed", text)

    def test_list_names_every_method_of_the_neighbourhood_exchange_in_every_form(self):
        listed = self.json_of(self.startune("list", "neighborhood", "--json"))
        self.assertEqual({entry["operation"] for entry in listed}, {"neighborhood"})
        self.assertEqual(listed[0]["method"], "neighborhood:isend_irecv")
        self.assertEqual(len([entry for entry in listed if "adcl" in entry]), 20)
        self.assertEqual({entry["mapping"] for entry in listed}, {"aao", "pair"})
        self.assertEqual({entry["data"] for entry in listed}, {"ddt", "pack"})
        text = self.startune("list", "neighborhood").stdout
        table = self.startune("list", "--markdown", "neighborhood").stdout
        for entry in listed:
            self.assertRegex(text, rf"(?m)^ +{entry['method']}(  \(ADCL: {entry.get('adcl')}\))?$")
            self.assertIn(f"| `{entry['method']}` | {entry['mapping']} | {entry['data']} |", table)
        self.assertEqual({line.count("|") for line in table.splitlines()}, {9})

    def test_list_of_one_operation(self):
        self.assertStatus(self.startune("list", "alltoall"))
        self.assertEqual({e["operation"] for e in self.json_of(self.startune("list", "--json", "alltoall"))},
                         {"alltoall"})
        self.json_of(self.startune("list", "alltoall", "--json"))

    def test_knobs_say_their_values(self):
        ring = next(e for e in self.json_of(self.startune("list", "alltoall", "--json")) if e["name"] == "ring")
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

    def test_check_of_operations(self):
        for operation in ("bcast", "allreduce", "gatherv"):
            methods = self.json_of(self.startune("check", operation, "-n", "4:5", "--json"))
            self.assertGreater(methods["methods"], 1)
            self.assertEqual(methods["wrong"], 0)
        self.assertRefused(self.startune("check", "allredcue"), "'allredcue'", "did you mean 'allreduce'")
        self.assertRefused(self.startune("check", "alltoall:native"), "alltoall:native", "MPI library")

    def test_check_reads_all_words_before_it_proves_what_the_first_one_asks(self):
        self.assertRefused(self.startune("check", "-n", "64:512", "alltoall", "alltoall:rnig", timeout=20), "'rnig'")

    def test_check_says_what_it_verified(self):
        said = self.startune("check", "-n", 4, "allreduce:ring").stdout
        for words in ("each rank\nonce", "order of ranks", "same expression", "barrier", "in place", "root", "nodes"):
            self.assertIn(words.split("\n")[0], said)

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
        self.assertRegex(text.stdout, r"^alltoall:ring,sync=light, 1024 bytes for each pair of ranks\n")
        plan = self.json_of(self.startune("plan", "alltoall:ring,sync=light", "-n", 4, "--json"))
        self.assertEqual((plan["method"], plan["bytes"], plan["size"]), ("alltoall:ring,sync=light", 1024, 4))
        self.assertEqual(len(plan["ranks"]), 4)
        same = self.startune("plan", "--format=json", "-n", 4, "alltoall:ring,sync=light")
        self.assertEqual(json.loads(same.stdout), plan)
        one = self.json_of(self.startune("plan", "alltoall:ring,sync=light", "-n", 4, "--rank", 3, "--json"))
        self.assertEqual(one["ranks"], plan["ranks"][3:])

    def plan(self, method, *words):
        return self.json_of(self.startune("plan", method, *words, "--json"))

    def test_a_root(self):
        plan = self.plan("bcast:linear", "-n", 4, "--root", 2, "--bytes", "2K")
        self.assertEqual((plan["root"], plan["bytes"], plan["unit"]), (2, 2048, "bytes"))
        senders = {rank["rank"] for rank in plan["ranks"] for step in rank["steps"] if step["do"] == "send"}
        self.assertEqual(senders, {2})
        self.assertIn("root 2", self.startune("plan", "bcast:linear", "-n", 4, "--root", 2).stdout)

    def test_phases_of_a_pipeline_hold_all_its_messages(self):
        method = "bcast:chain,segment=1K"
        lines = self.startune("plan", method, "-n", 4, "--bytes", "8K", "--format", "phases").stdout.splitlines()
        self.assertEqual(len(lines), 3 * 8)

    def test_a_topology_says_how_many_ranks_there_are(self):
        topology = "switch a\nswitch b\nlink a b\nhost m[0-1] a\nhost n[0-1] b slots=2\n"
        (self.home / "six.topo").write_text(topology)
        result = self.startune("plan", "alltoall:scheduled", "--format", "phases", "--topology", "six.topo")
        self.assertStatus(result)
        messages = [tuple(map(int, line.split())) for line in result.stdout.splitlines()]
        self.assertEqual(sorted((source, target) for _, source, target in messages),
                         [(i, j) for i in range(6) for j in range(6) if i != j])
        self.assertIn("predicted", self.startune("plan", "alltoall:ring", "--topology", "six.topo", "--cost").stdout)

    def test_phases_of_one_rank_are_its_messages(self):
        """A schedule's were those of all."""
        (self.home / "four.topo").write_text("switch a\nswitch b\nlink a b\nhost m[0-1] a\nhost n[0-1] b\n")
        for method in ("alltoall:scheduled", "alltoall:scheduled,sync=needed", "alltoall:ring"):
            words = ["plan", method, "--format", "phases", "--topology", "four.topo"]
            lines = self.startune(*words).stdout.splitlines()
            own = self.startune(*words, "--rank", 2)
            self.assertStatus(own)
            self.assertEqual(own.stdout.splitlines(), [line for line in lines if line.split()[1] == "2"])
            self.assertEqual(len([line for line in own.stdout.splitlines() if not line.startswith("sync")]), 3)

    def test_elements_are_not_split(self):
        plan = self.plan("allreduce:ring", "-n", 5, "--bytes", 88, "--granule", 8)
        lengths = {step["bytes"] for rank in plan["ranks"] for step in rank["steps"] if "bytes" in step}
        self.assertEqual({length % 8 for length in lengths}, {0})
        self.assertEqual(plan["granule"], 8)

    def test_an_operator_that_is_not_commutative(self):
        self.assertFalse(self.plan("allreduce:rdb", "-n", 4, "--in-order")["commutative"])
        self.assertTrue(self.plan("allreduce:rdb", "-n", 4)["commutative"])
        self.assertRefused(self.startune("plan", "allreduce:ring", "-n", 4, "--in-order"), "allreduce:ring",
                           "commutative operator")

    def test_places_are_blocks_where_counts_differ(self):
        plan = self.plan("alltoallv:ring", "-n", 4)
        self.assertEqual(plan["unit"], "blocks")
        self.assertNotIn("bytes", plan)
        self.assertIn("in blocks", self.startune("plan", "alltoallv:ring", "-n", 4).stdout.splitlines()[0])

    def test_placements_on_nodes(self):
        for nodes, leaders in (("block:4", {4}), ("cyclic:2", {1})):
            plan = self.plan("gather:two_level", "-n", 8, "--nodes", nodes)
            to_root = {rank["rank"] for rank in plan["ranks"] for step in rank["steps"]
                       if step["do"] == "send" and step["peer"] == 0 and step["bytes"] > plan["bytes"]}
            self.assertEqual(to_root, leaders, nodes)
        self.assertRefused(self.startune("plan", "gather:two_level", "-n", 8), "gather:two_level", "nodes")

    def test_one_rank_has_nothing_to_send(self):
        self.assertEqual(self.phases("alltoall:ring", 1), [])

    def test_many_ranks(self):
        one = self.startune("plan", "alltoall:ring", "-n", 20000, "--rank", 19999, "--json")
        self.assertEqual(len(self.json_of(one)["ranks"]), 1)

    def topology(self, text):
        path = self.home / "lab.topo"
        path.write_text(text)
        return path

    def test_the_cost_on_one_switch(self):
        bare = "latency=0,hop=0,overhead=0,copy=0,framing=1,host=1000000"
        cost = self.plan("alltoall:ring", "-n", 5, "--bytes", 1000, "--cost", "--assume", bare)
        self.assertAlmostEqual(cost["predicted_seconds"], 4e-3, delta=1e-9)
        self.assertEqual((cost["assumed"], cost["contended"], len(cost["links"])), (bare, [], 10))
        self.assertEqual({link["bytes"] for link in cost["links"]}, {4000})
        self.assertNotIn("ranks", cost)
        text = self.startune("plan", "gather:linear", "-n", 5, "--cost", "--assume", bare).stdout
        self.assertRegex(text, r"\npredicted: 4.10 ms on one ideal switch\ncontended: 1 directed links\n")
        self.assertRegex(text, r"(?m)^down  0 +8 +4096 +4.10 +4 +4.10$")

    def test_the_cost_of_a_mock_up_is_that_of_a_method_like_it(self):
        question = ["-n", 5, "--bytes", 1000, "--cost"]
        mock, own = self.plan("gather:as_gatherv", *question), self.plan("gather:linear", *question)
        self.assertEqual((mock["like"], mock["method"]), ("gather:linear", "gather:as_gatherv"))
        self.assertEqual(mock["predicted_seconds"], own["predicted_seconds"])
        self.assertNotIn("like", own)
        text = self.startune("plan", "gather:as_gatherv", *question).stdout
        self.assertTrue(text.startswith("gather:as_gatherv as if it were gather:linear, "), text)
        refused = self.startune("plan", "reduce:as_reduce_scatter_gatherv", *question, "--in-order")
        self.assertRefused(refused, "reduce:as_reduce_scatter_gatherv", "commutative")

    def test_the_parts_of_a_cost_and_ranks_that_share_a_node(self):
        question = ["allgather:neighbor_ring", "-n", 8, "--bytes", 1000, "--cost", "--assume", "latency=0.01,hop=0,overhead=0,copy=0,framing=1,host=1000000"]
        parts = lambda *more: [round(1e3 * self.plan(*question, *more)[f"{name}_seconds"], 3) for name in ("predicted", "latency", "link", "halves", "turns")]
        self.assertEqual(parts(), [77, 70, 7, 7, 28])
        self.assertEqual(parts("--nodes", "block:2"), [44, 40, 7, 7, 14])  # within a node messages take no time
        self.assertEqual(parts("--nodes", "cyclic:4"), [84, 70, 14, 14, 28])
        nodes = self.plan(*question, "--nodes", "cyclic:4")
        self.assertIn([0, 4], [sorted(link["ranks_below"]) for link in nodes["links"]])
        path = self.topology("switch a\nhost m[0-7] a 8\n")
        known = self.plan(*question, "--topology", path)
        self.assertAlmostEqual(known["link_seconds"], 7e-3, delta=1e-9)
        self.assertNotIn("halves_seconds", known)

    def test_the_cost_on_a_topology(self):
        """Ring: neighbours on one switch send once over the trunk a round; scattered, all do."""
        path = self.topology("switch a\nswitch b\nlink a b 8\nhost m[0-3] a 8\nhost m[4-7] b 8\n")
        question = ["allgather:neighbor_ring", "-n", 8, "--bytes", 1000, "--cost", "--topology", path, "--assume",
                    "latency=0,hop=0,overhead=0,copy=0,framing=1"]
        for how, seconds in (([], 7e-3), (["--map", "block"], 7e-3), (["--map", "cyclic"], 28e-3)):
            cost = self.plan(*question, *how)
            self.assertAlmostEqual(cost["predicted_seconds"], seconds, delta=1e-9)
            self.assertEqual(cost["map"], how[1] if how else "block")
            self.assertAlmostEqual(cost["limit_seconds"], 7e-3, delta=1e-9)
        trunk = cost["contended"][:2]
        self.assertEqual([sorted(link["ranks_below"]) for link in trunk], [[1, 3, 5, 7]] * 2)
        self.assertEqual({link["way"] for link in trunk}, {"up", "down"})
        self.assertEqual({(link["bytes"], link["most_flows"]) for link in trunk}, {(28000, 4)})
        again = [self.plan(*question, "--map", "random:7")["predicted_seconds"] for _ in range(2)]
        self.assertEqual(*again)
        text = self.startune("plan", *question, "--map", "cyclic").stdout
        self.assertIn("ranks placed cyclic", text)
        self.assertIn("physical limit: 7.00 ms", text)

    def test_a_topology_says_which_ranks_share_a_node(self):
        path = self.topology("switch a\nhost m[0-1] a 8 slots=4\n")
        plan = self.plan("gather:two_level", "-n", 8, "--topology", path)
        self.assertEqual(plan["ranks"], self.plan("gather:two_level", "-n", 8, "--nodes", "block:4")["ranks"])

    def test_the_cost_of_plans_in_blocks(self):
        bare = "latency=0,hop=0,overhead=0,copy=0,framing=1,host=1000000"
        costs = [self.plan(method, "-n", 4, "--bytes", 500, "--cost", "--assume", bare)
                 for method in ("alltoall:ring", "alltoallv:ring")]
        self.assertEqual(costs[0]["links"], costs[1]["links"])
        self.assertEqual(costs[1]["block_bytes"], 500)

    def test_questions_of_cost_that_make_no_sense_are_refused(self):
        path = self.topology("switch a\nhost m[0-3] a\n")
        for words, names in ((["--map", "cyclic"], ["--map", "--topology"]),
                             (["--assume", "hop=1"], ["--assume", "--cost"]),
                             (["--cost", "--assume", "hop"], ["'hop'", "latency"]),
                             (["--cost", "--assume", "hop=-1"], ["'-1'", "hop"]),
                             (["--cost", "--rank", 1], ["--cost", "--rank"]),
                             (["--cost", "--format", "phases"], ["--cost", "phases"]),
                             (["--cost", "-n", 5000], ["5000 ranks", "1024"]),
                             (["--topology", path, "--nodes", "block:2"], ["--nodes", "topology"]),
                             (["--topology", path, "--map", "random:x"], ["'random:x'", "block|cyclic|random"]),
                             (["--topology", self.home / "absent"], ["absent"])):
            with self.subTest(words=words):
                self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, *words), *names)

    def test_refusals(self):
        self.assertRefused(self.startune("plan"), "no method")
        self.assertRefused(self.startune("plan", "alltoall:ring"), "-n P")
        for words, names in ((["-n", 0], ["-n:", "'0'", "from 1 to 1000000"]), (["-n"], ["-n needs"]), (["-n=-3"], ["'-3'"]),
                             (["-n", 4, "--bytes", -5], ["--bytes:", "'-5'", "from 1 to 1T"]), (["-n", 4, "--root", "x"], ["'x'", "whole number from 0"]),
                             (["--topology", "none.topo"], ["none.topo"])):
            self.assertRefused(self.startune("plan", "alltoall:ring", *words), *names)
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "--rank", 4), "rank 4", "4 ranks")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "--rank", -1), "'-1'")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "--format", "xml"), "'xml'",
                           "text|json|phases")
        self.assertRefused(self.startune("plan", "alltoall:ring", "-n", 4, "--bytes", "x"), "'x'")

    def test_what_an_operation_has_no_use_for_is_refused(self):
        for method, words, names in (("alltoall:ring", ["--root", 1], ["--root", "alltoall"]),
                                     ("alltoallv:ring", ["--bytes", 1], ["--bytes", "alltoallv", "blocks"]),
                                     ("bcast:chain", ["--granule", 8], ["--granule", "bcast"]),
                                     ("bcast:chain", ["--in-order"], ["--in-order", "bcast"]),
                                     ("reduce_scatter:ring", ["--granule", 8], ["--granule", "blocks"]),
                                     ("bcast:chain", ["--root", 4], ["rank 4", "4 ranks"]),
                                     ("bcast:chain", ["--root", -1], ["'-1'"]),
                                     ("bcast:chain", ["--nodes", "block:0"], ["'block:0'", "block:K"]),
                                     ("bcast:chain", ["--nodes", "auto"], ["'auto'", "block:K"]),
                                     ("allreduce:ring", ["--bytes", 12, "--granule", 8], ["12", "8"])):
            with self.subTest(method=method, words=words):
                self.assertRefused(self.startune("plan", method, "-n", 4, *words), *names)

    def test_methods_that_do_not_apply(self):
        self.assertRefused(self.startune("plan", "alltoall:pair", "-n", 6), "alltoall:pair", "power of two", "6")
        self.assertRefused(self.startune("plan", "alltoall:ring,sync=barriers:5", "-n", 6), "barriers:5", "7 ranks")
        self.assertRefused(self.startune("plan", "alltoall:native", "-n", 6), "native")


if __name__ == "__main__":
    main()
