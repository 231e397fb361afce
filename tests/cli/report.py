# SPDX-License-Identifier: BSD-3-Clause
import json

from command import STARTUNE, CommandTest, each_mpi, exchange, main


class Report(CommandTest):
    def reported(self, mpi, *words, calls=600, ranks=3):
        path = self.home / "report.json"
        path.unlink(missing_ok=True)
        result = self.mpirun(mpi, ranks, STARTUNE, "run", "--report", path, *words, exchange(mpi), calls)
        self.assertStatus(result)
        return json.loads(path.read_text())

    @each_mpi
    def test_it_holds_all_that_was_measured(self, mpi):
        report = self.reported(mpi, "--iter", 4, "--strategy", "exhaustive", "--estimator", "max-of-filtered-mean")
        self.assertEqual(report["ranks"], 3)
        self.assertEqual(report["settings"]["iter"], "4")
        self.assertEqual(report["settings"]["estimator"], "max-of-filtered-mean")
        context, = report["contexts"]
        self.assertEqual((context["operation"], context["bytes"], context["ranks"]), ("alltoall", 4, 3))
        self.assertEqual(context["calls"], 600 - int(report["settings"]["tune-after"]))
        self.assertEqual(context["methods"][0]["method"], "alltoall:native")
        self.assertIn(context["method"], [m["method"] for m in context["methods"]])
        for method in context["methods"]:
            self.assertEqual(len(method["samples"]), 4, method["method"])
        self.assertTrue(context["history"])
        for number in ("seconds", "native_seconds_per_call", "saved_seconds", "tuning_seconds"):
            self.assertIsInstance(context[number], float, number)

    @each_mpi
    def test_a_program_that_tunes_nothing(self, mpi):
        self.assertEqual(self.reported(mpi, calls=1)["contexts"], [])
        self.assertEqual(self.reported(mpi, ranks=1)["contexts"], [])

    @each_mpi
    def test_a_forced_method(self, mpi):
        context, = self.reported(mpi, "--force", "alltoall:ring,sync=light")["contexts"]
        self.assertEqual((context["method"], context["tuned"]), ("alltoall:ring,sync=light", False))

    @each_mpi
    def test_a_relative_path_is_the_users_folder(self, mpi):
        (self.home / "elsewhere").mkdir(exist_ok=True)
        (self.home / "here.json").unlink(missing_ok=True)
        script = self.home / "move"
        script.write_text(f"#!/bin/sh\ncd elsewhere && exec {exchange(mpi)} 100\n")
        script.chmod(0o755)
        self.assertStatus(self.mpirun(mpi, 2, STARTUNE, "run", "--report", "here.json", "./move"))
        json.loads((self.home / "here.json").read_text())
        self.assertEqual(list((self.home / "elsewhere").iterdir()), [])

    @each_mpi
    def test_a_report_that_cannot_be_written_does_not_harm(self, mpi):
        for path in ("/nonexistent/folder/report.json", self.home):
            result = self.mpirun(mpi, 2, STARTUNE, "run", "--report", path, exchange(mpi), 100)
            self.assertStatus(result)
            self.assertEqual(result.stdout, "100 calls on 2 ranks, 0 wrong\n")
            self.assertEqual(result.stderr.count("startune: warning:"), 1, result.stderr)
            self.assertRegex(result.stderr, rf"startune: warning: .*{path}.*: \w+")

    @each_mpi
    def test_nothing_else_is_left_beside_it(self, mpi):
        self.reported(mpi)
        self.assertEqual([file.name for file in self.home.glob("report*")], ["report.json"])


if __name__ == "__main__":
    main()
