# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import re
import resource
import shutil
import time
import unittest
from pathlib import Path

from command import BUILD, MPIS, SOURCE, STARTUNE, CommandTest, an_mpi, context_of, exchange, main, report_of, request_of

try:
    import jsonschema
except ImportError:
    jsonschema = None
CALL = [n for n, line in enumerate((SOURCE / "tests/cli/exchange.c").read_text().splitlines(), 1) if "MPI_Alltoall(" in line][0]


class Report(CommandTest):
    def reported(self, mpi, *words, calls=600, ranks=3):
        path = self.home / "report.json"
        path.unlink(missing_ok=True)
        result = self.mpirun(mpi, ranks, STARTUNE, "run", "--report", path, *words, exchange(mpi), calls)
        self.assertStatus(result)
        return json.loads(path.read_text())

    @an_mpi
    def test_no_more_is_lost_than_the_run_took(self, mpi):
        """What startune run took was lost, but not of the run: of short ones more was said to be lost than they took."""
        report = self.reported(mpi, "env", "STARTUNE_SPENT=500000000", calls=10)
        self.assertGreater(report["seconds"], 0.5)
        self.assertLess(report["saved_low_seconds"], -0.4)
        self.assertGreaterEqual(report["saved_low_seconds"], -report["seconds"])

    @an_mpi
    def test_looking_at_calls_is_lost(self, mpi):
        """A program of many short calls pays for each that startune looks at, also where all stay native."""
        calls, least = 400000, 15e-9
        report = self.reported(mpi, "--tune-after", 10**9, "--wisdom", "off", calls=calls)
        self.assertLess(report["saved_high_seconds"], -calls * least)

    @an_mpi
    def test_it_holds_all_that_was_measured(self, mpi):
        report = self.reported(mpi, "--iter", 4, "--strategy", "exhaustive", "--estimator", "max-of-filtered-mean")
        self.assertEqual(report["ranks"], 3)
        self.assertEqual(report["settings"]["iter"], "4")
        self.assertEqual(report["settings"]["estimator"], "max-of-filtered-mean")
        context, = report["contexts"]
        self.assertEqual((context["operation"], context["bytes"], context["ranks"]), ("alltoall", 4, 3))
        self.assertEqual((context["calls"], report["settings"]["tune-after"]), (600, "0"))
        self.assertEqual(context["methods"][0]["method"], "alltoall:native")
        self.assertIn(context["method"], [m["method"] for m in context["methods"]])
        for method in context["methods"]:
            self.assertEqual(len(method["samples"]), 4, method["method"])
        self.assertTrue(context["history"])
        for number in ("seconds", "native_seconds_per_call", "saved_seconds", "tuning_seconds"):
            self.assertIsInstance(context[number], float, number)

    @an_mpi
    def test_a_program_that_tunes_nothing(self, mpi):
        self.assertEqual(self.reported(mpi, "--tune-after", 1, calls=1)["contexts"], [])
        self.assertEqual(self.reported(mpi, ranks=1)["contexts"], [])

    @an_mpi
    def test_a_forced_method(self, mpi):
        context, = self.reported(mpi, "--force", "alltoall:ring,sync=light")["contexts"]
        self.assertEqual((context["method"], context["tuned"]), ("alltoall:ring,sync=light", False))

    @an_mpi
    def test_a_relative_path_is_the_users_folder(self, mpi):
        (self.home / "elsewhere").mkdir(exist_ok=True)
        (self.home / "here.json").unlink(missing_ok=True)
        script = self.home / "move"
        script.write_text(f"#!/bin/sh\ncd elsewhere && exec {exchange(mpi)} 100\n")
        script.chmod(0o755)
        self.assertStatus(self.mpirun(mpi, 2, STARTUNE, "run", "--report", "here.json", "./move"))
        json.loads((self.home / "here.json").read_text())
        self.assertEqual(list((self.home / "elsewhere").iterdir()), [])

    @an_mpi
    def test_a_report_that_cannot_be_written_does_not_harm(self, mpi):
        for path in ("/nonexistent/folder/report.json", self.home):
            result = self.mpirun(mpi, 2, STARTUNE, "run", "--report", path, exchange(mpi), 100)
            self.assertStatus(result)
            self.assertEqual(result.stdout, "100 calls on 2 ranks, 0 wrong\n")
            self.assertEqual(result.stderr.count("startune: warning:"), 1, result.stderr)
            self.assertRegex(result.stderr, rf"startune: warning: .*{path}.*: \w+")

    @an_mpi
    def test_nothing_else_is_left_beside_it(self, mpi):
        self.reported(mpi)
        self.assertEqual([file.name for file in self.home.glob("report*")], ["report.json"])


class Kept(CommandTest):
    """startune report: the runs that are kept."""

    def setUp(self):
        super().setUp()
        self.folder = self.home / ".local/state/startune/reports"

    def ran(self, *words, mpi=MPIS[0], calls=400, ranks=2, **more):
        result = self.mpirun(mpi, ranks, STARTUNE, "run", *words, exchange(mpi), calls, **more)
        self.assertStatus(result)
        return result

    def report(self, *words, **more):
        return self.startune("report", *words, **more)

    def files(self):
        return sorted(self.folder.glob("*"))

    @an_mpi
    def test_each_run_is_kept_once(self, mpi):
        before = len(self.files())
        self.ran(mpi=mpi)
        self.assertEqual(len(self.files()), before + 1)
        report = json.loads(self.files()[-1].read_text())
        self.assertEqual(report["program"], f"{exchange(mpi)} 400")
        self.assertEqual((report["left_out"], report["others"]), (0, []))
        self.assertGreater(report["seconds"], 0)
        # Beginning and ending count, too. Contexts are of rank 0 alone.
        self.assertLess(report["saved_low_seconds"], sum(c["saved_high_seconds"] for c in report["contexts"]))
        for told in (report, *report["contexts"]):
            self.assertLessEqual(told["saved_low_seconds"], told["saved_high_seconds"])
        context, = report["contexts"]
        for before, after in zip(context["history"], context["history"][1:]):
            self.assertLessEqual(before["at_seconds"], after["at_seconds"])
        spread = context.get("ranks_seconds_per_call", {"least": 1, "mean": 1, "most": 1})
        self.assertLessEqual(spread["least"], spread["mean"] * 1.000001)
        self.assertLessEqual(spread["mean"], spread["most"] * 1.000001)

    def test_only_the_last_ones_are_kept_and_0_keeps_none(self):
        for _ in range(4):
            self.ran("--reports", 2)
        self.assertEqual(len(self.files()), 2)
        before = self.files()
        self.ran("--reports", 0)
        self.assertEqual(self.files(), before)

    def test_a_home_that_is_none_or_cannot_be_written_does_not_harm(self):
        for state in ("/dev/null", "/proc"):
            result = self.ran(env={"XDG_STATE_HOME": state})
            self.assertEqual(result.stdout, "400 calls on 2 ranks, 0 wrong\n")
            self.assertNotIn("warning", result.stderr)
            self.assertNotIn(state, result.stderr)
        self.folder.parent.mkdir(parents=True)
        self.folder.symlink_to("/proc")
        result = self.ran()
        self.assertEqual(result.stderr.count("startune: warning: the report is not kept: "), 1, result.stderr)

    def test_runs_are_listed_and_found_by_number_date_and_file(self):
        self.ran(calls=300)
        self.ran(calls=500)
        listed = self.json_of(self.report("list", "--json"))
        self.assertEqual([(run["run"], run["ranks"], run["program"].split()[-1]) for run in listed], [(1, 2, "500"), (2, 2, "300")])
        self.assertIn("500", self.report("list").stdout.splitlines()[2])
        calls = lambda *words: self.json_of(self.report(*words, "--json"))["contexts"][0]["calls"]
        (self.home / "1").mkdir()  # as solvers name folders
        self.assertEqual((calls(), calls("1"), calls("show", "2")), (500, 500, 300))
        date = self.report("list").stdout.splitlines()[3].split()[1:3]
        older = listed[1]["date"] < listed[0]["date"]
        self.assertEqual(calls(" ".join(date)), 300 if older else 500)
        self.assertEqual(calls(time.strftime("%Y-%m-%d", time.localtime(listed[0]["date"]))), 500)
        self.assertEqual(calls(self.files()[0]), 300)
        self.assertRefused(self.report("3"), "3", "2 are kept")
        self.assertRefused(self.report("1999-01"), "1999-01")

    def test_a_context_is_shown_with_its_place_and_what_it_saved(self):
        self.ran("--strategy", "exhaustive", "--iter", 5, calls=1500)
        context, = self.json_of(self.report("--json"))["contexts"]
        row = self.report().stdout.splitlines()[6]
        self.assertIn(context["method"], row)
        self.assertIn(f"{100 * context['share']:.1f} %", row)
        self.assertAlmostEqual(context["share"], context["seconds"] / self.json_of(self.report("--json"))["seconds"], places=6)
        self.assertTrue(context["confidence"] is None or 0 <= context["confidence"] <= 1)
        if "line" in context:  # built with elfutils
            self.assertEqual((context["function"], Path(context["file"]).name, context["line"]), ("main", "exchange.c", CALL))
            self.assertIn(f"main (exchange.c:{CALL})", row)
        else:
            self.assertRegex(context["where"], r"^exchange-\w+\+0x[0-9a-f]+$")

    def heat(self, *words, mpi=MPIS[0], steps=400):
        result = self.mpirun(mpi, 2, STARTUNE, "run", "--strategy", "exhaustive", "--iter", 3, *words, BUILD / f"examples/heat-{mpi}",
                             "--size", 16, "--steps", steps)
        self.assertStatus(result)
        return result

    def test_requests_are_shown_with_their_functions(self):
        self.heat()
        [request] = self.json_of(self.report("--json"))["requests"]
        shown = self.report().stdout.splitlines()
        head, = [n for n, line in enumerate(shown) if line.startswith("request ")]
        words = shown[head + 2].split()
        self.assertEqual((words[0], *words[2:5]), ("neighborhood", "2", "1", str(request["calls"])))
        self.assertEqual(words[7], request["function"])
        self.assertIn(f"{100 * request['share']:.1f} %", shown[head + 2])
        self.assertIn("  " + ", ".join(f"{name} {value}" for name, value in request["attributes"].items()) + "  ", shown[head + 2])
        with_all = self.report("--all").stdout.splitlines()
        measured = [function for function in request["functions"] if function["samples"] or function["calls"]]
        self.assertEqual(len(with_all), len(shown) + 4 + len(measured))  # an empty line, the request's name, and two of heads
        self.assertGreater(len(measured), 10)
        path = self.home / "remembered.json"
        kept = json.loads(self.files()[-1].read_text())
        kept["requests"][0] |= {"remembered_functions": 2, "remembered_function": "isend_irecv", "remembered_confidence": 0.949}
        kept["requests"][0]["saved_seconds"] = -kept["seconds"]
        path.write_text(json.dumps(kept))
        shown = self.report(path).stdout
        self.assertIn("  isend_irecv, 94.9 %  ", shown)
        self.assertIn("it cost 100.0 % of the run more than its first function alone would have", shown)

    def test_a_program_that_was_built_again_since_has_no_lines(self):
        mine = self.home / "mine"
        shutil.copy(exchange(MPIS[0]), mine)
        self.assertStatus(self.mpirun(MPIS[0], 2, STARTUNE, "run", mine, 300))
        os.utime(mine, (time.time() + 100, time.time() + 100))
        context, = self.json_of(self.report("--json"))["contexts"]
        self.assertNotIn("line", context)
        self.assertRegex(context["where"], r"^mine\+0x")

    def test_what_changed_is_told_the_most_first(self):
        self.ran("--force", "alltoall:ring", calls=200)
        self.ran("--force", "alltoall:linear", calls=4000)
        change, = self.json_of(self.report("diff", "2", "1", "--json"))
        self.assertEqual((change["before"]["method"], change["before"]["calls"]), ("alltoall:ring", 200))
        self.assertEqual((change["after"]["method"], change["after"]["calls"]), ("alltoall:linear", 4000))
        before, after = change["before"]["seconds"], change["after"]["seconds"]
        self.assertAlmostEqual(change["change_seconds"], after - before, delta=2e-8 * max(before, after), msg="of nine digits each")
        self.assertIn("alltoall:linear, was alltoall:ring", self.report("diff", "2", "1").stdout)
        one = json.loads(self.files()[0].read_text())
        few, many = dict(one["contexts"][0], bytes=8, seconds=1.0), dict(one["contexts"][0], bytes=16, seconds=5.0)
        for name, contexts in (("a.json", [few]), ("b.json", [many])):
            (self.home / name).write_text(json.dumps(one | {"contexts": contexts}))
        changes = self.json_of(self.report("diff", "a.json", "b.json", "--json"))
        self.assertEqual([(c["bytes"], c["change_seconds"]) for c in changes], [(16, 5.0), (8, -1.0)])
        self.assertIn("only in the second run", self.report("diff", "a.json", "b.json").stdout)

    def test_what_changed_of_requests_is_told_too(self):
        self.heat()
        one = json.loads(self.files()[0].read_text())
        request = one["requests"][0]
        was = dict(request, function="sendrecv", calls=100, seconds=1.0)
        now = dict(request, function="isend_irecv", calls=200, seconds=4.0)
        for name, requests in (("a.json", [was]), ("b.json", [now]), ("c.json", [dict(now, problem="another")])):
            (self.home / name).write_text(json.dumps(one | {"contexts": [], "requests": requests}))
        change, = self.json_of(self.report("diff", "a.json", "b.json", "--json"))
        self.assertEqual((change["function_set"], change["problem"]), ("neighborhood", request["problem"]))
        self.assertEqual((change["before"]["function"], change["after"]["function"]), ("sendrecv", "isend_irecv"))
        self.assertEqual((change["before"]["calls"], change["after"]["calls"], change["change_seconds"]), (100, 200, 3.0))
        self.assertRegex(self.report("diff", "a.json", "b.json").stdout, rf"(?m)^neighborhood .* isend_irecv, was sendrecv \({re.escape(request['problem'])}\)$")
        changes = self.json_of(self.report("diff", "a.json", "c.json", "--json"))
        self.assertEqual([(c["problem"], c["change_seconds"]) for c in changes], [("another", 4.0), (request["problem"], -1.0)])

    @unittest.skipUnless(jsonschema, "jsonschema is missing")
    def test_the_schema_is_what_is_written(self):
        schema = json.loads((SOURCE / "docs/schema/report.json").read_text())
        for run in (lambda: self.ran("--sites", calls=600), lambda: self.ran("--verify", calls=600), self.heat):
            run()
            shown = self.json_of(self.report("--json"))
            for report in (json.loads(self.files()[-1].read_text()), shown):
                jsonschema.validate(report, schema)
        self.assertEqual(len(shown["requests"]), 1)
        for wrong in (shown | {"seconds": "long"}, shown | {"more": 1}, {k: v for k, v in shown.items() if k != "contexts"}):
            self.assertRaises(jsonschema.ValidationError, jsonschema.validate, wrong, schema)

    def test_what_changed_in_place_elsewhere_or_in_another_problem_is_told_apart(self):
        paths = []
        for name, one, other in (("a.json", 1.0, 5.0), ("b.json", 2.0, 3.0)):
            paths.append(self.put(name, context_of(seconds=one, site="solve+0x10"),
                                  context_of(seconds=other, site="solve+0x99", in_place=True, commutative=False),
                                  requests=[request_of(seconds=one, problem="8x8"), request_of(seconds=other, problem="9x9")]))
        lines = self.report("diff", *paths).stdout.splitlines()[5:]
        self.assertEqual(sorted(re.sub(r"^(\w+) .*? (bcast:chain|move)", r"\1 \2", line) for line in lines),
                         ["bcast bcast:chain (in place, not commutative, solve+0x99)", "bcast bcast:chain (solve+0x10)", "mine move (8x8)",
                          "mine move (9x9)"])

    def test_a_folder_that_cannot_be_read_is_not_an_empty_one(self):
        self.folder.parent.mkdir(parents=True)
        self.folder.touch()
        for words in ([], ["list"], ["2"], ["diff", "2", "1"]):
            self.assertRefused(self.report(*words), str(self.folder), "Not a directory")

    def put(self, name, *contexts, **more):
        path = self.home / name
        path.write_text(json.dumps(report_of(*contexts, **more)))
        return path

    def test_what_a_request_has_saved_may_not_be_known(self):
        row, = [line for line in self.report(self.put("one.json", requests=[request_of()])).stdout.splitlines() if line.startswith("mine ")]
        self.assertNotIn("nan", row)
        self.assertRegex(row, r" move +1\.00 +\? +\? +\? +\? ")

    def test_did_it_help_is_answered_with_an_interval(self):
        def shown(saved, half):
            ends = {} if half is None else {"saved_low_seconds": saved - half, "saved_high_seconds": saved + half}
            path = self.put("one.json", context_of(saved_seconds=saved, native_seconds_per_call=1.1e-3, native_once=False, **ends), saved_seconds=saved, **ends)
            return self.json_of(self.report(path, "--json")), self.report(path).stdout

        for saved, answer in ((0.05, "yes: +50.0 ms, from +41.1 ms to +58.9 ms"), (-0.05, "no: -50.0 ms"), (0.005, "not clear: +5.00 ms")):
            self.assertIn(f"did it help? {answer}", shown(saved, 0.0089)[1])
        report, text = shown(0.05, None)  # one of an earlier version
        self.assertEqual((report["saved_low_seconds"], report["contexts"][0]["saved_high_seconds"]), (None, None))
        self.assertIn("did it help? not clear: +50.0 ms\n", text)

    def test_words_of_a_report_neither_break_lines_nor_speak_to_the_terminal(self):
        evil = "a\x1b[2J\nb\x7f"
        reports = [self.put(name, context_of(operation=evil, method=evil, site=evil, caller=evil, saved_seconds=saved, native_seconds_per_call=1.0),
                            requests=[request_of(function_set=evil, function=evil, saved_seconds=saved, attributes={evil: evil},
                                                 remembered_functions=1, remembered_function=evil)],
                            others=[{"operation": evil, "ranks": 4, "calls": 1}], program=evil, machine=evil)
                   for name, saved in (("a.json", -0.5), ("b.json", 0.0))]
        self.folder.mkdir(parents=True)
        shutil.copy(reports[0], self.folder / "2026-01-01T00.00.00.000000-1.json")
        for words in ([reports[0]], [reports[0], "--all"], ["diff", *reports], ["list"]):
            result = self.report(*words)
            self.assertStatus(result)
            self.assertIn("a?[2J?b?", result.stdout)
            self.assertEqual(re.findall(r"[^\n -~\u00a0-\uffff]", result.stdout), [])
            self.assertFalse([line for line in result.stdout.splitlines() if line.startswith("b")], result.stdout)

    @an_mpi
    def test_a_program_is_one_line_whatever_its_words(self, mpi):
        self.assertStatus(self.mpirun(mpi, 2, STARTUNE, "run", exchange(mpi), 100, 0, "two\nlines"))
        self.assertEqual(json.loads(self.files()[-1].read_text())["program"], f"{exchange(mpi)} 100 0 two?lines")

    def test_damaged_and_foreign_files_are_one_line(self):
        self.ran()
        whole = self.files()[0].read_text()
        for name, text, *names in (("cut.json", whole[:len(whole) // 2], "cut.json:"), ("list.json", "[]", "no report"),
                                   ("other.json", '{"startune_wisdom": 1, "facts": []}', "'startune'"), ("empty.json", "", "empty.json"),
                                   ("odd.json", whole.replace('"calls": ', '"calls": -'), "'calls'")):
            (self.home / name).write_text(text)
            for words in ([name], [name, "--html", "-o", "page.html"], ["diff", name, self.files()[0]], ["diff", "1", name]):
                self.assertRefused(self.report(*words), name, *names)
            self.assertFalse((self.home / "page.html").exists())
        self.folder.joinpath("2001-01-01T00.00.00.000000-1.json").write_text("{")
        self.assertIn("damaged", self.report("list").stdout)
        self.assertRefused(self.report("2"), "2001-01-01")

    def test_words_that_do_not_fit_are_refused(self):
        self.assertEqual(self.json_of(self.report("list", "--json")), [])
        self.assertIn("no run is kept yet", self.report("list").stdout)
        for words, names in (([], ["no run is kept"]), (["diff", "1"], ["diff needs more words"]), (["list", "--all"], ["--all is not for report list"]), (["a", "b"], ["fewer"]), (["list", "--html"], ["--html"]),
                             (["--html", "--json"], ["one of them"]), (["none/x.json"], ["none/x.json"]), (["--htm"], ["--html"])):
            self.assertRefused(self.report(*words), *names)

    @an_mpi
    def test_each_decision_is_one_line(self, mpi):
        result = self.ran("--log", "decisions", "--no-summary", "--strategy", "exhaustive", "--iter", 5, "--estimator", "min-of-mean",
                          "--delta", 100, mpi=mpi, calls=2000)  # a report has 64 decisions at most
        context, = json.loads(self.files()[-1].read_text())["contexts"]
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), len(context["history"]), result.stderr)
        self.assertIn("monitor", [decision["stage"] for decision in context["history"]])
        chosen = "native"
        for line, decision in zip(lines, context["history"]):
            method = decision["method"].split(":")[1]
            what = re.fullmatch(rf"startune: alltoall 4 bytes on 2 ranks: (.*) after {decision['call']} calls(.*) \({decision['reason']}\)", line)
            self.assertTrue(what, f"{line}\n{decision}")
            if decision["stage"] == "monitor":
                self.assertEqual(what[1], f"{method} stays" if method == chosen else f"{method} replaces {chosen}")
                self.assertRegex(what[2], r"^: [0-9.]+ [nmu]?s( against [0-9.]+ [nmu]?s)?$")
                chosen = method

    @an_mpi
    def test_each_decision_of_a_request_is_one_line(self, mpi):
        # Short periods under noise are more decisions than the 64 that a report has at most.
        result = self.heat("--log", "decisions", "--no-summary", "--delta", 20, mpi=mpi)
        [request] = json.loads(self.files()[-1].read_text())["requests"]
        lines = [line for line in result.stderr.splitlines() if line.startswith("startune: request") and " is left out after " not in line]
        chosen = request["functions"][0]["function"]
        unable = [decision for decision in request["history"] if decision["reason"] == "unable"]
        self.assertEqual(len(lines), len(request["history"]) - len(unable), result.stderr)
        for line, decision in zip(lines, [decision for decision in request["history"] if decision not in unable]):
            what = re.fullmatch(rf"startune: request neighborhood, {request['bytes']} bytes, on 2 ranks: (.*) after {decision['call']} calls(.*)"
                                rf" \({decision['reason']}\)", line)
            self.assertTrue(what, f"{line}\n{decision}")
            if decision["stage"] == "monitor":
                name = decision["function"]
                self.assertEqual(what[1], f"{name} stays" if name == chosen else f"{name} replaces {chosen}")
                self.assertRegex(what[2], r"^: [0-9.]+ [nmu]?s( against [0-9.]+ [nmu]?s)?$")
                chosen = name

    def test_thousands_of_contexts_are_a_report_in_bounded_memory(self):
        # More than 4096, of which the library remembers lines, and 1000, which it reports in full.
        result = self.mpirun(MPIS[0], 2, STARTUNE, "run", "--sizes", 20000, "--tune-after", 0, "--summary", "full", BUILD / f"tests/cli/sizes-{MPIS[0]}",
                             "alltoall", *range(1, 5001), timeout=500)
        self.assertStatus(result)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 600 << 10)
        self.assertIn("more", [line for line in result.stderr.splitlines() if line.startswith("startune: and")][0])
        report = self.json_of(self.report("--json"))
        self.assertEqual(len(report["contexts"]) + report["left_out"], 5001)  # and that of the barriers between
        self.assertLess(self.files()[-1].stat().st_size, 40 << 20)


if __name__ == "__main__":
    main()
