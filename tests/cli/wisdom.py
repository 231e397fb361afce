# SPDX-License-Identifier: BSD-3-Clause
"""startune wisdom: list, show, forget, export, import, merge, doctor; what is wrong is one line."""
import contextlib
import json
import os
import sqlite3
import time

from command import BUILD, STARTUNE, CommandTest, an_mpi, context_of, exchange, main, report_of, told_of

NOW = int(time.time())


def fact(method, mean=1e-3, **more):
    return {"machine": "Open MPI 4.1.4; 2 nodes", "operation": method.split(":")[0], "ranks": 8, "nodes": 2, "bytes": 1024,
            "commutative": True, "in_place": False, "method": method, "count": 10, "mean": mean, "squares": 0, "least": mean,
            "date": NOW} | more


class Wisdom(CommandTest):
    def file(self, *facts, name="facts.json", version=2):
        path = self.home / name
        path.write_text(json.dumps({"startune_wisdom": version, "facts": facts}))
        return path

    def twice(self, key, value, name):
        """A fact that says KEY twice."""
        path = self.file(fact("bcast:chain"), name=name)
        path.write_text(path.read_text().replace(f'"{key}":', f'"{key}": {value}, "{key}":'))
        return path

    def wisdom(self, *words, **more):
        return self.startune("wisdom", *words, **more)

    def learn(self, *facts):
        self.assertStatus(self.wisdom("import", self.file(*facts)))

    def shown(self, *words):
        return self.json_of(self.wisdom("show", "--json", *words))["facts"]

    def test_without_a_store_nothing_is_known_and_none_is_made(self):
        for words in (["list"], ["show"], ["show", "bcast"]):
            result = self.wisdom(*words)
            self.assertStatus(result)
            self.assertIn("nothing is known", result.stdout)
        self.assertEqual(self.json_of(self.wisdom("list", "--json")), [])
        self.assertEqual(self.json_of(self.wisdom("doctor", "--json"))["state"], "not there yet")
        self.assertFalse(self.store.exists())

    def test_facts_are_listed_and_shown_the_fastest_first(self):
        self.learn(fact("alltoall:native", 2e-3), fact("alltoall:ring", 1e-3), fact("bcast:chain", 5e-6, in_place=True))
        self.assertEqual([(e["operation"], e["points"], e["facts"]) for e in self.json_of(self.wisdom("list", "--json"))],
                         [("alltoall", 1, 2), ("bcast", 1, 1)])
        self.assertRegex(self.wisdom("list").stdout, r"^Open MPI 4.1.4; 2 nodes\noperation +points +facts +calls +last\nalltoall +1 +2 +20 ")
        self.assertEqual([f["method"] for f in self.shown("alltoall")], ["alltoall:ring", "alltoall:native"])
        self.assertRegex(self.wisdom("show", "bcast").stdout,
                         r"^bcast, 8 ranks on 2 nodes, 1K bytes, in place; Open MPI.*\nmethod .*\n +us +us\nbcast:chain +5\.00 +5\.00 +0\.0 % +10 ")

    def test_what_is_imported_twice_counts_twice(self):
        self.learn(fact("bcast:chain"))
        self.learn(fact("bcast:chain", 3e-3))
        [found] = self.shown()
        self.assertAlmostEqual(found["count"], 20, places=3)
        self.assertAlmostEqual(found["mean"], 2e-3)
        self.assertAlmostEqual(found["squares"], 20e-6)  # ten calls of 1 ms, and ten of 3: each 1 ms from the mean
        self.assertAlmostEqual(found["least"], 1e-3)

    def test_what_is_exported_is_imported_elsewhere(self):
        self.learn(fact("bcast:chain", squares=1e-9), fact("alltoall:ring", machine="other \"m\""))
        self.assertStatus(self.wisdom("export", "-o", "all.json"))
        self.assertStatus(self.wisdom("import", "all.json", "--store", "other.db"))
        self.assertEqual(self.json_of(self.wisdom("export", "--store", "other.db")), self.json_of(self.wisdom("export")))
        only = self.json_of(self.wisdom("export", "--machine", "other \"m\""))["facts"]
        self.assertEqual([f["method"] for f in only], ["alltoall:ring"])

    @an_mpi
    def test_a_run_teaches_by_its_report(self, mpi):
        result = self.mpirun(mpi, 3, STARTUNE, "run", "--report", "run.json", "--iter", 4, "--strategy", "exhaustive", exchange(mpi), 300)
        self.assertStatus(result)
        report = json.loads((self.home / "run.json").read_text())
        self.assertStatus(self.wisdom("import", "run.json", "--store", f"{mpi}.db"))
        found = self.json_of(self.wisdom("export", "--store", f"{mpi}.db"))["facts"]
        self.assertRegex(found[0]["machine"], r"^(Open MPI|MPICH) [0-9.]+; nodes 1; ranks a node 3; processors [0-9]+")
        [context] = report["contexts"]
        expected = {m["method"]: m["samples"] for m in context["methods"] if m["samples"]}
        self.assertEqual({f["method"] for f in found}, set(expected))
        for f in found:
            samples = expected[f["method"]]
            self.assertEqual((f["operation"], f["ranks"], f["bytes"], f["count"]), ("alltoall", 3, 4, len(samples)))
            mean, squares = told_of(samples)
            self.assertAlmostEqual(f["mean"], mean, delta=1e-6 * f["mean"])
            self.assertAlmostEqual(f["squares"], squares, delta=1e-6 * f["squares"])
            self.assertAlmostEqual(f["least"], min(samples))
            self.assertLess(abs(f["date"] - time.time()), 600)

    def reported(self, *contexts, **more):
        path = self.home / "report.json"
        path.write_text(json.dumps(report_of(*contexts, **more)))
        return path

    def test_a_report_teaches_what_the_run_itself_told(self):
        self.assertStatus(self.wisdom("import", self.reported(context_of(samples=[1e-3] * 15 + [1.0]), context_of(bytes=8, samples=[1e-3] * 5000))))
        few, disturbed = self.shown()
        self.assertEqual((disturbed["count"], few["count"]), (16, 256))
        for f in (disturbed, few):
            self.assertAlmostEqual(f["mean"], 1e-3, places=12)
            self.assertAlmostEqual(f["squares"], 0, places=15)

    def test_a_report_that_is_wrong_is_one_line(self):
        self.assertStatus(self.wisdom("import", self.reported(context_of())))
        without = context_of()
        del without["in_place"]
        for contexts, more, names in (([context_of()], {"machine": None}, ["machine"]), ([context_of()], {"date": "today"}, ["date"]),
                                      ([context_of(), context_of(ranks=0)], {}, ["context 2"]), ([context_of(bytes="64K")], {}, ["contexts 1", "bytes"]),
                                      ([context_of(samples=["a", 2e-3])], {}, ["samples 1"]), ([context_of(samples=[2e-3, {}])], {}, ["samples 2"]),
                                      ([without], {}, ["in_place"])):
            self.assertRefused(self.wisdom("import", self.reported(*contexts, **more)), "report.json", *names)
        self.assertEqual(len(self.shown()), 1)

    def test_stores_are_merged(self):
        self.assertStatus(self.wisdom("import", self.file(fact("bcast:chain")), "--store", "a.db"))
        self.assertStatus(self.wisdom("import", self.file(fact("bcast:chain"), fact("bcast:native")), "--store", "b.db"))
        self.assertStatus(self.wisdom("merge", "a.db", "b.db"))
        self.assertEqual({f["method"]: round(f["count"]) for f in self.shown()}, {"bcast:chain": 20, "bcast:native": 10})

    def test_what_is_no_store_is_not_merged(self):
        self.assertStatus(self.wisdom("import", self.file(fact("bcast:chain"))))
        text = self.home / "text.db"
        text.write_text("no database\n" * 100)
        self.assertRefused(self.wisdom("merge", text), "text.db")
        self.assertEqual(text.read_text(), "no database\n" * 100)

    def test_a_store_is_not_merged_into_itself(self):
        self.learn(fact("bcast:chain"))
        (self.home / "link.db").symlink_to(self.store)
        for words in (["merge", self.store], ["merge", "link.db"], ["merge", self.store, "--store", "link.db"]):
            self.assertRefused(self.wisdom(*words), str(words[1]), "merged into")
        self.assertEqual(round(self.shown()[0]["count"]), 10)

    def test_operations_are_known_by_name(self):
        self.learn(fact("bcast:chain"))
        for action in ("show", "forget", "export"):
            self.assertRefused(self.wisdom(action, "bcsat"), "unknown operation 'bcsat'", "did you mean 'bcast'")
            self.assertRefused(self.wisdom(action, "bcast:chain"), "'bcast:chain'")
            for word in ("alltoall", "neighborhood", "neighborhood:34x34/1/8/2x2/2/1"):
                self.assertStatus(self.wisdom(action, word))
        self.assertEqual(len(self.shown()), 1)

    def test_some_or_all_is_forgotten(self):
        facts = [fact("bcast:chain"), fact("alltoall:ring"), fact("scan:linear", date=NOW - 40 * 86400),
                 fact("barrier:linear", machine="m")]
        self.learn(*facts)
        for words, left in ((["bcast"], 3), (["--older", 30], 2), (["--machine", "m"], 1), (["--all"], 0)):
            result = self.wisdom("forget", *words)
            self.assertStatus(result)
            self.assertEqual(result.stdout, "1 facts forgotten\n")
            self.assertEqual(len(self.shown()), left)

    def test_the_doctor_finds_what_is_damaged_and_adding_sets_it_aside(self):
        self.learn(*[fact("bcast:chain", bytes=i) for i in range(400)])
        whole = self.json_of(self.wisdom("doctor", "--json"))
        self.assertEqual((whole["state"], whole["facts"], whole["locks"]), ("whole", 400, True))
        with open(self.store, "r+b") as file:
            file.seek(-9000, 2)
            file.write(b"Z" * 9000)
        self.assertStatus(self.wisdom("doctor"), 1)
        self.assertEqual(json.loads(self.wisdom("doctor", "--json").stdout)["state"], "damaged")
        result = self.wisdom("import", self.file(fact("bcast:chain")))
        self.assertStatus(result)
        self.assertRegex(result.stderr, r"^startune wisdom: .*wisdom.db was damaged, too old or not as startune makes it, and is .*wisdom.db.damaged-1 now\n$")
        self.assertEqual(len(self.shown()), 1)
        self.assertTrue(self.store.with_name("wisdom.db.damaged-1").exists())

    def test_a_store_that_is_a_program_keeps_nobody_waiting(self):
        """One whose table is a view without end hung all of them."""
        endless = ("PRAGMA application_id=1398030674; PRAGMA user_version=2; CREATE TABLE machine (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
                   "CREATE VIEW fact AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT 1 machine, 'bcast' operation, 2 ranks,"
                   " 1 nodes, 8 bytes, 1 commutative, 0 in_place, 'bcast:native' method, 1.0 count, 1.0 mean, 0.0 squares, 1.0 least, 1790000000 date"
                   " FROM c WHERE x<0")
        with contextlib.closing(sqlite3.connect(self.home / "endless.db")) as base:
            base.executescript(endless)
        own, other = ["--store", "endless.db"], ["endless.db", "--store", "own.db"]
        for words, status in ([["list", *own], 1], [["show", *own], 1], [["export", *own], 1], [["merge", *other], 2]):
            self.assertRefused(self.startune("wisdom", *words, timeout=60), "endless.db", "view", "move it away", status=status)
        told = self.startune("wisdom", "doctor", *own, timeout=60)
        self.assertStatus(told, 1)
        self.assertIn("endless.db is no store as startune makes it (it has a view): move it away", told.stdout)
        told = self.command(BUILD / "libexec/startune/startune-wisdom", *own, "--machine", "m", "recall", timeout=60)
        self.assertRegex(told.stdout, "(?m)^note endless.db is no store.*move it away$")
        self.assertStatus(self.startune("wisdom", "forget", "--all", *own, timeout=60))
        self.assertEqual(self.json_of(self.startune("wisdom", "list", "--json", *own)), [])

    def test_an_empty_store_knows_nothing(self):
        self.store.parent.mkdir(parents=True)
        self.store.touch()
        self.assertEqual(self.recalled("m"), [])
        for words in (["list"], ["show"]):
            self.assertIn("nothing is known", self.wisdom(*words).stdout)
        health = self.json_of(self.wisdom("doctor", "--json"))
        self.assertEqual((health["state"], health["facts"]), ("whole", 0))

    def recalled(self, machine, *words):
        """The methods that a run would be told of."""
        result = self.command(BUILD / "libexec/startune/startune-wisdom", *words, "--machine", machine, "recall")
        self.assertStatus(result)
        self.assertRegex(result.stdout, r"\Astartune-wisdom 2\nmachine .*\n(fact( [^ \n]+){12}\n)*end\n\Z")
        return [line.split()[-1] for line in result.stdout.splitlines() if line.startswith("fact ")]

    def test_one_impossible_fact_does_not_cost_the_others(self):
        for damage in ("ranks = 0", "mean = 9e999", "mean = 1e7", "squares = 9e999", "count = -10"):
            with self.subTest(damage=damage):
                self.learn(fact("bcast:chain"), fact("bcast:native"))
                with contextlib.closing(sqlite3.connect(self.store)) as base, base:
                    base.execute(f"UPDATE fact SET {damage} WHERE method = 'bcast:chain'")
                self.assertEqual(self.recalled(fact("bcast:native")["machine"], "--store", self.store), ["bcast:native"])
                for words in (["show", "--json"], ["export"]):
                    result = self.wisdom(*words)
                    self.assertEqual([f["method"] for f in self.json_of(result)["facts"]], ["bcast:native"])
                    self.assertRegex(result.stderr, r"^startune wisdom: 1 impossible facts are left out: .*doctor.*\n$")
                health = self.wisdom("doctor", "--json")
                self.assertStatus(health, 1)
                self.assertEqual((json.loads(health.stdout)["state"], json.loads(health.stdout)["facts"]), ("damaged", 2))
                self.assertRegex(self.wisdom("doctor").stdout, r"damaged: impossible facts.*: 1; the first: a fact of bcast:chain")
                self.assertRefused(self.wisdom("merge", self.store, "--store", "other.db"), str(self.store), "bcast:chain")
                self.store.unlink()

    def test_what_was_learned_while_the_clock_was_never_set_counts(self):
        self.learn(fact("bcast:chain"))
        with contextlib.closing(sqlite3.connect(self.store)) as base, base:
            base.execute("UPDATE fact SET date = 77")
        self.assertEqual(self.recalled(fact("bcast:chain")["machine"], "--store", self.store), ["bcast:chain"])
        [entry] = self.json_of(self.wisdom("list", "--json"))
        self.assertEqual((round(entry["calls"]), self.shown()[0]["count"]), (10, 10))
        for words in ("list", "show"):
            self.assertRegex(self.wisdom(words).stdout, r" 10  [-0-9?]+\n$")
            self.assertNotIn("1970", self.wisdom(words).stdout)
            self.assertEqual(self.wisdom("forget", "--older", 30).stdout, "0 facts forgotten\n")

    def test_names_that_would_speak_to_the_terminal_are_left_out(self):
        for column in ("machine SET name", "fact SET operation", "fact SET method"):
            self.learn(fact("bcast:chain"))
            with contextlib.closing(sqlite3.connect(self.store)) as base, base:
                base.execute(f"UPDATE {column} = 'a' || char(27) || '[2J' || char(10) || 'b'")
            for words in (["list"], ["show"]):
                result = self.wisdom(*words)
                self.assertIn("1 impossible facts are left out", result.stderr)
                self.assertNotIn("\x1b", result.stdout + result.stderr)
            result = self.wisdom("doctor")
            self.assertStatus(result, 1)
            self.assertEqual((result.stdout.count("\n"), result.stdout.count("\x1b")), (1, 0))
            self.store.unlink()

    def test_times_and_counts_that_no_call_has_are_refused(self):
        for wrong in ({"mean": 1e7}, {"mean": 1e300}, {"squares": 1e300}, {"count": 1e300}, {"count": 1e-300, "squares": 1}):
            self.assertRefused(self.wisdom("import", self.file(fact("scan:linear", **wrong))), "facts.json", "fact 1", "scan:linear")

    def test_what_is_no_file_is_no_store(self):
        """A pipe kept commands waiting for ever, and beside /dev/null SQLite left a journal."""
        (self.home / "folder").mkdir()
        os.mkfifo(self.home / "pipe")
        for path, what in (("folder", "folder is a folder, no store"), ("pipe", "pipe is a device or pipe, no store"),
                           ("/dev/null", "/dev/null is a device or pipe, no store")):
            for words in (["list"], ["doctor"], ["show", "bcast"], ["export"], ["import", self.file(fact("bcast:chain"))], ["forget", "--all"]):
                with self.subTest(path=path, words=words):
                    self.assertRefused(self.startune("wisdom", "--store", path, *words), what)
        self.assertFalse(os.path.exists("/dev/null-journal"))
        os.mkfifo(self.home / "store-journal")
        self.assertRefused(self.startune("wisdom", "--store", "store", "list"), "store-journal is a device or pipe, no journal")

    def test_other_programs_and_newer_files_are_left_alone(self):
        for mark, word in (("user_version=99", "newer"), ("application_id=5", "another program")):
            self.learn(fact("bcast:chain"))
            with sqlite3.connect(self.store) as base:
                base.execute(f"PRAGMA {mark}")
            before = self.store.read_bytes()
            for words in (["show"], ["doctor"], ["import", self.file(fact("bcast:chain"))], ["forget", "--all"]):
                self.assertRefused(self.wisdom(*words), word, str(self.store))
            self.assertEqual(self.store.read_bytes(), before)
            self.store.unlink()

    def test_a_file_that_is_wrong_is_one_line_and_nothing_is_added(self):
        good = fact("bcast:chain")
        wrong = [(self.file(good, fact("bcast:ring", count=0)), ["fact 2", "bcast:ring"]),
                 (self.file(good, {"machine": "m"}, name="b.json"), ["facts 2", "missing"]),
                 (self.file(good, fact("bcast:chain", operation="alltoall"), name="h.json"), ["fact 2", "alltoall", "'bcast:chain'"]),
                 (self.twice("ranks", 8, name="i.json"), ["i.json:1", "duplicate", "ranks"]),
                 (self.file(good, good | {"mean": "1"}, name="g.json"), ["facts 2", "'mean'", "a number is good"]),
                 (self.file(fact("x" * 400 + ":y"), name="c.json"), ["fact 1"]),
                 (self.file(good, version=1, name="d.json"), ["version"]), ("none.json", ["none.json"])]
        (self.home / "e.json").write_text("{\n[")
        (self.home / "f.json").write_text("[]")
        wrong += [("e.json", ["e.json:2"]), ("f.json", ["export"])]
        for path, names in wrong:
            self.assertRefused(self.wisdom("import", path), *names)
        self.assertRefused(self.wisdom("import", self.file(good), "e.json"), "e.json")
        self.assertFalse(self.store.exists())

    def test_words_and_options_that_do_not_fit_are_refused(self):
        for words, names in ((["shw"], ["'shw'", "'show'"]), ([], ["no action"]), (["list", "--all"], ["--all", "list"]),
                             (["export", "--json"], ["--json"]), (["forget"], ["forget what"]),
                             (["forget", "bcast", "--all"], ["--all"]), (["forget", "--older", "0"], ["'0'"]),
                             (["show", "a", "b"], ["fewer"]), (["import"], ["more"]), (["show", "--store", "no.db"], ["no.db"]),
                             (["list", "--site", "--store", "x"], ["--site"]), (["merge", "no.db"], ["no.db", "No such file"])):
            self.assertRefused(self.wisdom(*words), *names)
        self.assertFalse(self.store.exists())

    def test_the_store_is_where_xdg_says(self):
        self.assertStatus(self.wisdom("import", self.file(fact("bcast:chain")), env={"XDG_DATA_HOME": str(self.home / "d")}))
        self.assertTrue((self.home / "d/startune/wisdom.db").exists())
        self.assertFalse(self.store.exists())
        env = {name: value for name, value in self.env.items() if name != "HOME"}
        self.env = env
        self.assertRefused(self.wisdom("list"), "HOME")
        for name in ("a.db", "b.db"):
            self.assertStatus(self.wisdom("import", self.home / "facts.json", "--store", name))
        self.assertRefused(self.wisdom("merge", "a.db", "b.db"), "HOME")  # once


if __name__ == "__main__":
    main()
