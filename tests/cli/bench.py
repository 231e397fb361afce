# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import signal
import subprocess
import time
import uuid

from command import BUILD, MPIRUN, STARTUNE, CommandTest, an_mpi, interrupt, main, processes_marked

QUICK = ["--sizes", "64,1K", "--rounds", 2, "--calls", 2, "--compute", 0]


class Bench(CommandTest):
    @an_mpi
    def test_the_table_has_every_applicable_method_and_native(self, mpi):
        result = self.mpirun(mpi, 3, STARTUNE, "bench", "alltoall", *QUICK)
        self.assertStatus(result)
        self.assertRegex(result.stdout, r"^alltoall, 3 ranks; ")
        for size in ("64", "1K"):
            self.assertRegex(result.stdout, rf"(?m)^ +{size}  alltoall:native +4 .* 1\.00$")
            self.assertRegex(result.stdout, rf"(?m)^ +{size}  alltoall:ring,sync=light +4 ")
        self.assertNotIn("WRONG", result.stdout)
        self.assertNotIn("alltoall:pair", result.stdout)

    @an_mpi
    def test_the_json_has_every_sample(self, mpi):
        bench = self.json_of(self.mpirun(mpi, 4, STARTUNE, "bench", "alltoall", *QUICK, "--json"))
        self.assertEqual((bench["operation"], bench["ranks"]), ("alltoall", 4))
        self.assertEqual([size["bytes"] for size in bench["sizes"]], [64, 1024])
        for size in bench["sizes"]:
            self.assertEqual(size["methods"][0]["method"], "alltoall:native")
            self.assertIn("alltoall:pair", [m["method"] for m in size["methods"]])
            for method in size["methods"]:
                self.assertTrue(method["correct"], method["method"])
                self.assertEqual(len(method["samples"]), 4)
                self.assertEqual(method["min_seconds"], min(method["samples"]))
                self.assertLessEqual(method["min_seconds"], method["median_seconds"])

    @an_mpi
    def test_only_the_methods_asked_for(self, mpi):
        words = ["--methods", "alltoall:ring pair,sync=light native", "--json"]
        bench = self.json_of(self.mpirun(mpi, 3, STARTUNE, "bench", "alltoall", *QUICK, *words))
        for size in bench["sizes"]:
            self.assertEqual([m["method"] for m in size["methods"]], ["alltoall:native", "alltoall:ring"])

    def bench(self, mpi, operation, *words, ranks=3):
        """The bench of OPERATION, in which no method may be wrong."""
        quick = QUICK[2:] if operation == "barrier" else QUICK
        bench = self.json_of(self.mpirun(mpi, ranks, STARTUNE, "bench", operation, *quick, *words, "--json"))
        for size in bench["sizes"]:
            self.assertEqual(size["methods"][0]["method"], f"{operation}:native")
            self.assertEqual([m["method"] for m in size["methods"] if not m["correct"]], [], operation)
        return bench

    @an_mpi
    def test_every_operation(self, mpi):
        listed = self.json_of(self.startune("list", "--json"))
        for operation in sorted({entry["operation"] for entry in listed}):
            with self.subTest(operation=operation):
                bench = self.bench(mpi, operation)
                self.assertEqual(bench["bytes_are"] == "none", operation == "barrier")
                self.assertEqual(len(bench["sizes"]), 1 if operation == "barrier" else 2)
                self.assertGreater(len(bench["sizes"][0]["methods"]), 1)

    @an_mpi
    def test_a_root(self, mpi):
        for operation in ("bcast", "reduce", "gather", "gatherv", "scatter", "scatterv"):
            with self.subTest(operation=operation):
                self.assertEqual(self.bench(mpi, operation, "--root", 2, "--skew", 1)["root"] if operation[-1] == "v"
                                 else self.bench(mpi, operation, "--root", 2)["root"], 2)
        result = self.mpirun(mpi, 2, STARTUNE, "bench", "bcast", "--root", 2)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("there is no rank 2 among 2 ranks", result.stderr)

    @an_mpi
    def test_blocks_of_different_lengths(self, mpi):
        for operation in ("alltoallv", "allgatherv", "reduce_scatter"):
            with self.subTest(operation=operation):
                self.assertEqual(self.bench(mpi, operation, "--skew", "100%")["skew"], 1)

    @an_mpi
    def test_the_json_is_whole_where_the_first_size_cannot_be_measured(self, mpi):
        words = ["--sizes", "1G,2K", *QUICK[2:], "--methods", "alltoallv:ring", "--json"]
        result = self.mpirun(mpi, 3, STARTUNE, "bench", "alltoallv", *words)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("too many", result.stderr)
        self.assertEqual([size["bytes"] for size in json.loads(result.stdout)["sizes"]], [2048])

    @an_mpi
    def test_each_size_ends_its_line(self, mpi):
        """Open MPI 5.0 puts a line that has not ended before what comes next on standard error."""
        result = self.mpirun(mpi, 2, STARTUNE, "bench", "barrier", *QUICK[2:], "--json")
        self.assertRegex(result.stdout, r'(?s)"sizes": \[\n\{.*\]\}\n\]\}\n$')

    @an_mpi
    def test_types_and_operators(self, mpi):
        for words in (["--type", "int"], ["--type", "float", "--operator", "max"]):
            bench = self.bench(mpi, "allreduce", *words, ranks=4)
            self.assertEqual(bench["type"], words[1])

    @an_mpi
    def test_methods_for_several_nodes(self, mpi):
        methods = [m["method"] for m in self.bench(mpi, "gather", "--nodes", "block:2", ranks=4)["sizes"][0]["methods"]]
        self.assertIn("gather:two_level", methods)
        methods = [m["method"] for m in self.bench(mpi, "gather", "--nodes", "none", ranks=4)["sizes"][0]["methods"]]
        self.assertNotIn("gather:two_level", methods)

    @an_mpi
    def test_a_single_rank(self, mpi):
        for operation in ("alltoall", "allgatherv", "reduce_scatter", "bcast", "exscan"):
            self.bench(mpi, operation, ranks=1)

    @an_mpi
    def test_it_measures_native_where_it_is_itself_run_under_startune(self, mpi):
        result = self.mpirun(mpi, 2, STARTUNE, "run", "--no-summary", STARTUNE, "bench", "alltoall", *QUICK, "--json")
        self.assertTrue(all(m["correct"] for size in self.json_of(result)["sizes"] for m in size["methods"]))

    @an_mpi
    def test_waiting_for_a_slow_rank_does_not_lengthen_the_computation(self, mpi):
        """Where each rank computed for a multiple of its own last call, which waited for the others' computing,
        times grew fivefold with every call."""
        words = ["--sizes", "64", "--rounds", 1, "--calls", 4, "--methods", "alltoall:ring", "--json"]
        for _ in range(5):  # a call may be held up
            size, = self.json_of(self.mpirun(mpi, 4, STARTUNE, "bench", "alltoall", *words))["sizes"]
            ring = next(one for one in size["methods"] if one["method"] == "alltoall:ring")
            if ring["median_seconds"] < 10 * ring["min_seconds"]:  # fivefold, it would be 15
                return
        self.fail(ring)

    @an_mpi
    def test_two_dashes_end_the_options(self, mpi):
        for words in (["--json", "--", "bcast"], ["bcast", "--json", "--"]):
            bench = self.json_of(self.mpirun(mpi, 2, STARTUNE, "bench", *QUICK, "--methods", "bcast:chain", *words))
            self.assertEqual(bench["operation"], "bcast")
        self.assertRefused(self.startune("bench", "--", "bcast", "--json"), "'--json'")

    @an_mpi
    def test_a_record_that_cannot_be_written_is_refused_before_measuring(self, mpi):
        for file, why in ((self.home, "Is a directory"), ("/nowhere/a.trace", "No such file")):
            result = self.mpirun(mpi, 2, STARTUNE, "bench", "alltoall", *QUICK, "--record", file)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(f"startune bench: error: {file}: {why}", result.stderr)
            self.assertNotIn("alltoall", result.stdout)

    def test_what_no_trace_can_have_is_refused_before_measuring(self):
        """All was measured, and then the whole trace was thrown away."""
        for words, names in ((["--calls", 4096], ["--calls", "4095"]),
                             (["--methods", "ring native native alltoall:ring"], ["--methods", "alltoall:ring", "twice"])):
            with self.subTest(words=words):
                self.assertRefused(self.startune("bench", "alltoall", "--record", "a.trace", *words), *names)
        self.assertRefused(self.startune("bench", "alltoall", "--calls", 4096), "mpirun")

    @an_mpi
    def test_native_alone_makes_no_trace(self, mpi):
        words = [*QUICK, "--methods", "pair", "--record", "a.trace"]  # of three ranks: not for them
        result = self.mpirun(mpi, 3, STARTUNE, "bench", "alltoall", *words)
        self.assertNotEqual(result.returncode, 0)
        for line in ("warning: alltoall, 64: nothing but native ran", "warning: alltoall, 1K: ", "error: nothing was measured"):
            self.assertIn(f"startune bench: {line}", result.stderr)
        self.assertRegex(result.stdout, r"(?m)^ +1K  alltoall:native ")
        self.assertFalse((self.home / "a.trace").exists())

    def test_without_a_launcher(self):
        self.assertRefused(self.startune("bench", "alltoall"), "mpirun", "--mpi")

    def test_refusals(self):
        for words, names in ((["--sizes", "64,x"], ["'x'", "64K"]), (["--sizes", "0"], ["'0'"]),
                             (["--sizes", ","], ["sizes"]), (["--rounds", "0"], ["rounds", "'0'"]),
                             (["--calls", "many"], ["calls", "'many'"]),
                             (["--compute", "-1"], ["compute", "'-1'"]), (["--mpi", "lam"], ["mpi", "'lam'"])):
            with self.subTest(words=words):
                self.assertRefused(self.startune("bench", "alltoall", *words), *names)

    def test_what_an_operation_has_no_use_for_is_refused(self):
        for words, names in ((["alltoall", "--root", 0], ["--root", "alltoall"]), (["bcast", "--root", "x"], ["'x'"]),
                             (["gather", "--skew", 1], ["--skew", "gather"]), (["gatherv", "--skew", 2], ["'2'"]),
                             (["bcast", "--type", "int"], ["--type", "bcast"]),
                             (["scan", "--type", "char"], ["'char'", "double|float|int"]),
                             (["scan", "--type", "double|float"], ["'double|float'"]),
                             (["scan", "--operator", "xor"], ["'xor'", "sum|max"]),
                             (["scan", "--sizes", "8,12"], ["12", "double"]),
                             (["scan", "--sizes", "6", "--type", "int"], ["6", "int"]),
                             (["barrier", "--sizes", "8"], ["--sizes", "barrier"]),
                             (["bcast", "--nodes", "cyclic:0"], ["'cyclic:0'", "cyclic:N"]),
                             (["bcast", "--methods", "alltoall:ring"], ["alltoall:ring", "bcast"]),
                             (["--methods", "chian", "bcast"], ["--methods", "'chian'"])):
            with self.subTest(words=words):
                self.assertRefused(self.startune("bench", *words), *names)

    @an_mpi
    def test_interrupted_it_ends_and_leaves_nothing_running(self, mpi):
        mark = f"CLI_TEST_MARK={uuid.uuid4()}"
        words = [MPIRUN, BUILD, mpi, 3, STARTUNE, "bench", "alltoall", "--sizes", "1M", "--rounds", 100000]
        job = subprocess.Popen([str(word) for word in words], env=self.env | dict([mark.split("=")]), cwd=self.home,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            self.assertIn("alltoall, 3 ranks", job.stdout.readline())
            time.sleep(0.5)
            interrupt(self, job)
            for _ in range(600):
                if not processes_marked(mark):
                    break
                time.sleep(0.1)
            self.assertEqual(processes_marked(mark), [])
        finally:
            for process in processes_marked(mark):
                os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    main()
