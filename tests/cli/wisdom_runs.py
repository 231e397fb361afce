# SPDX-License-Identifier: BSD-3-Clause
"""Runs begin with what earlier runs learned, and add what they learn; whatever the store is like, the program's results
are what they would be without."""
import json
import os
import subprocess
import time
from pathlib import Path

from command import BUILD, MPIRUN, MPIS, STARTUNE, CommandTest, an_mpi_at_home, exchange, main

ASKED = BUILD / "libexec/startune/startune-wisdom"
ALL = ["--strategy", "exhaustive", "--iter", "4"]  # so that each method is known after one run
# What noise can do changes no choice: three periods in a row would have to be slow, and a hundred times slower than the
# second best. What lies are told here is a thousand times off.
STEADY = ["--epsilon", 100, "--monitor", "change"]
# Runs a command as process 1 does that waits for no others, and prints what is left of these.
FIRST = """
import ctypes, os, subprocess, sys
PR_SET_CHILD_SUBREAPER = 36
assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
status = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL).returncode
stats = []
for process in filter(str.isdigit, os.listdir("/proc")):
    try:
        stats.append(open(f"/proc/{process}/stat").read())
    except OSError:  # it has just ended
        pass
print([stat.rsplit(")", 1)[0] for stat in stats if stat.rsplit(")", 1)[1].split()[1] == str(os.getpid())])
sys.exit(status)
"""


class WisdomRuns(CommandTest):
    def run_app(self, mpi, *options, ranks=3, calls=400, env=None, program=None):
        words = [STARTUNE, "run", "--report", "run.json", *ALL, *options]
        result = self.mpirun(mpi, ranks, *words, *(program or [exchange(mpi), calls]), env={"STARTUNE_WISDOM": "on"} | (env or {}))
        self.assertStatus(result)
        if program is None:
            self.assertEqual(result.stdout, f"{calls} calls on {ranks} ranks, 0 wrong\n")
        return result, json.loads((self.home / "run.json").read_text())

    def context(self, mpi, *options, **more):
        return self.run_app(mpi, *options, **more)[1]["contexts"][0]

    def facts(self, *words):
        return self.json_of(self.startune("wisdom", "export", *words))["facts"]

    def believe(self, facts):
        """Nothing else."""
        (self.home / "believed.json").write_text(json.dumps({"startune_wisdom": 2, "facts": facts}))
        self.assertStatus(self.startune("wisdom", "forget", "--all"))
        self.assertStatus(self.startune("wisdom", "import", "believed.json"))

    def warnings(self, result):
        return [line for line in result.stderr.splitlines() if "warning" in line]

    @an_mpi_at_home
    def test_the_second_run_begins_with_what_the_first_chose(self, mpi):
        # Each call is timed, and none makes another method the chosen one: it has enough calls to be believed then.
        for _ in range(4):
            result, report = self.run_app(mpi, "--sample", 1, *STEADY, calls=1000)
            self.assertEqual(self.warnings(result), [])
            means = {f["method"].partition(":")[2]: f["mean"] for f in self.facts()}
            if means["native"] < 30 * min(means.values()):
                break
            # A busy machine held native up so long that it is measured anew, as if that were wrong.
            self.assertStatus(self.startune("wisdom", "forget", "--all"))
        first = report["contexts"][0]
        self.assertNotIn("remembered", [h["reason"] for h in first["history"]])
        self.assertNotIn("remembered_methods", first)
        facts = [f for f in self.facts() if f["machine"] == report["machine"]]
        measured = {m["method"] for m in first["methods"] if m["samples"]}
        self.assertEqual({f["method"] for f in facts}, measured)
        self.assertEqual({(f["operation"], f["ranks"], f["nodes"], f["bytes"]) for f in facts}, {("alltoall", 3, 1, 4)})
        second = self.context(mpi)
        often = {f["method"]: f["mean"] for f in facts if f["count"] >= 16}  # few calls are no reason to believe
        self.assertEqual(second["remembered_methods"], len(measured))
        self.assertGreaterEqual(second["remembered_confidence"], 0.5)
        self.assertEqual((second["history"][0]["call"], second["history"][0]["stage"], second["history"][0]["reason"]),
                         (0, "monitor", "remembered"))
        self.assertLess(often[second["history"][0]["method"]], 1.5 * min(often.values()))
        # Its periods may have been disturbed, and told the store so: then another one is the best that is remembered.
        self.assertIn(second["history"][0]["method"], (first["method"], min(often, key=often.get)))

    @an_mpi_at_home
    def test_wrong_wisdom_is_noticed_and_corrected(self, mpi):
        first = self.context(mpi, *STEADY)
        facts = self.facts()
        wrong = max(facts, key=lambda f: f["mean"])
        lie = wrong | {"mean": 1e-9, "least": 1e-9, "squares": 0, "count": 100}
        others = [f for f in facts if f is not wrong and not f["method"].endswith(":native")]  # beside it, the lie is hardly possible
        self.believe([lie, *others])
        second = self.context(mpi, *STEADY)
        history = [(h["reason"], h["stage"]) for h in second["history"]]
        self.assertEqual(history[0], ("remembered", "monitor"))
        self.assertEqual(second["history"][0]["method"], lie["method"])
        self.assertIn("measure", [stage for _, stage in history], history)
        self.assertLess(second["tuning_calls"], first["tuning_calls"] + 60)
        [now] = [f for f in self.facts() if f["method"] == lie["method"]]
        self.assertGreater(now["mean"], 1e-7)

    def test_what_somebody_has_made_up_costs_a_visit(self):
        """A method that was said to take no time ran for 49 calls, and again in each run; and native, which was said to take ten
        seconds, was thought to take so long for many runs."""
        lies = {"alltoall:as_alltoallv": 1e-9, "alltoall:native": 10.0}
        for mpi in MPIS:
            self.run_app(mpi, "--strategy", "race", calls=20)
            machine = self.facts()[-1]["machine"]
            for told in lies, {"alltoall:as_alltoallv": 1e-9}:
                self.believe([{"machine": machine, "operation": "alltoall", "ranks": 3, "nodes": 1, "bytes": 4, "commutative": True,
                               "in_place": False, "method": method, "count": 1000, "mean": mean, "squares": 0, "least": mean,
                               "date": int(time.time())} for method, mean in told.items()])
                result, report = self.run_app(mpi, "--strategy", "race", calls=100)
                history = [(h["call"], h["stage"], h["reason"]) for h in report["contexts"][0]["history"]]
                known = {f["method"]: f["mean"] for f in self.facts()}
                with self.subTest(mpi=mpi, told=told, history=history):
                    self.assertLess(known["alltoall:native"], 5)
                    if told is lies:  # native is measured first
                        self.assertNotIn("remembered", [reason for *_, reason in history])
                    else:
                        self.assertEqual(history[0], (0, "monitor", "remembered"))
                        self.assertIn("first", [reason for call, _, reason in history if call <= 7])
                        self.assertGreater(known["alltoall:as_alltoallv"], 1e-7)

    @an_mpi_at_home
    def test_native_that_is_remembered_as_best_is_its_own_measure(self, mpi):
        self.context(mpi, *STEADY)
        facts = self.facts()
        for fact in facts:  # no delay of a busy machine is as long
            seconds = 1 if fact["method"].endswith(":native") else 1000
            fact |= {"mean": seconds, "least": seconds, "squares": 0, "count": max(fact["count"], 100)}
        self.believe(facts)
        result, report = self.run_app(mpi, *STEADY)
        context = report["contexts"][0]
        self.assertEqual((context["history"][0]["reason"], context["method"]), ("remembered", "alltoall:native"))
        self.assertGreater(context["native_seconds_per_call"], 0)
        self.assertLessEqual(context["saved_low_seconds"], context["saved_high_seconds"])
        self.assertIn("another method than native's in 0 of 1 context", result.stderr)
        short = self.context(mpi, *STEADY, calls=3)  # of which the first one is slow
        self.assertAlmostEqual(short["saved_seconds"], -short["agreement_seconds"], 8)

    @an_mpi_at_home
    def test_a_few_calls_of_native_alone_lose_what_agreeing_takes(self, mpi):
        _, report = self.run_app(mpi, "--wisdom", "off", calls=3)
        context, = report["contexts"]
        self.assertAlmostEqual(context["saved_seconds"], -context["agreement_seconds"], 8)
        self.assertEqual(context["saved_low_seconds"], context["saved_high_seconds"])

    @an_mpi_at_home
    def test_what_was_saved_is_not_known_without_native(self, mpi):
        result, report = self.run_app(mpi, "--force", "alltoall:ring")
        self.assertNotIn("native_seconds_per_call", report["contexts"][0])
        self.assertIn("startune: native did not run, so that what was saved is not known; ", result.stderr)

    @an_mpi_at_home
    def test_sizes_of_one_run_teach_each_other(self, mpi):
        sizes = BUILD / f"tests/cli/sizes-{mpi}"
        _, report = self.run_app(mpi, program=[sizes, "alltoall", *[64] * 400, *[256] * 400, *[128] * 4])
        contexts = {c["bytes"]: c for c in report["contexts"]}
        self.assertNotIn("remembered_methods", contexts[64])
        self.assertGreater(contexts[128]["remembered_methods"], 1)
        self.assertTrue(0 <= contexts[128]["remembered_confidence"] <= 1)

    @an_mpi_at_home
    def test_switched_off_nothing_is_read_or_written(self, mpi):
        self.context(mpi, "--wisdom", "off")
        self.assertFalse(self.store.exists())
        self.context(mpi)
        before = self.store.read_bytes()
        self.assertNotIn("remembered_methods", self.context(mpi, "--wisdom", "off"))
        self.assertEqual(self.store.read_bytes(), before)

    def spool(self):
        return sorted(self.store.with_name("wisdom.db.spool").glob("*"))

    @an_mpi_at_home
    def test_what_runs_learn_waits_beside_the_store_until_somebody_asks(self, mpi):
        self.context(mpi)
        whole = self.store.read_bytes()
        for run in range(1, 4):  # in which the store is not written, and each knows what those before learned
            self.assertIn("remembered_methods", self.context(mpi))
            self.assertEqual((len(self.spool()), self.store.read_bytes() == whole), (run, True))
        self.assertEqual(self.json_of(self.startune("wisdom", "doctor", "--json"))["state"], "whole")
        self.assertEqual(self.spool(), [])
        self.assertNotEqual(self.store.read_bytes(), whole)

    @an_mpi_at_home
    def test_after_some_runs_one_adds_what_all_have_learned(self, mpi):
        stores = []
        for _ in range(10):
            result, _ = self.run_app(mpi)
            self.assertEqual(self.warnings(result), [])
            stores += [self.store.read_bytes()]
        self.assertEqual(len(self.spool()), 1)  # the first makes the store, and the ninth adds eight
        self.assertEqual([one == other for one, other in zip(stores, stores[1:])], [True] * 7 + [False, True])
        self.facts()  # sums of what was added: unit-spool
        self.assertEqual(self.spool(), [])

    @an_mpi_at_home
    def test_of_what_waits_each_machine_knows_its_own(self, mpi):
        self.context(mpi)
        self.context(mpi)
        self.assertNotIn("remembered_methods", self.context(mpi, ranks=2))
        self.assertIn("remembered_methods", self.context(mpi, ranks=2))
        self.assertEqual(len(self.spool()), 3)

    @an_mpi_at_home
    def test_a_damaged_answer_is_asked_anew(self, mpi):
        self.context(mpi)
        kept, = self.store.with_name("wisdom.db.cache").glob("*")
        whole = kept.read_bytes()
        for content in b"", whole[:-5], b"no message" * 100:
            kept.write_bytes(content)
            result, report = self.run_app(mpi, calls=10)
            self.assertEqual(self.warnings(result), [])
            self.assertIn("remembered_methods", report["contexts"][0])
            self.assertEqual(len(kept.read_bytes()), len(whole))  # their dates may differ

    @an_mpi_at_home
    def test_a_named_store_is_used_instead(self, mpi):
        self.context(mpi, "--wisdom", "own.db")
        self.assertFalse(self.store.exists())
        self.assertTrue((self.home / "own.db").exists())
        self.assertIn("remembered_methods", self.context(mpi, "--wisdom", "own.db"))

    @an_mpi_at_home
    def test_without_a_home_it_is_silent(self, mpi):
        self.env.pop("HOME")
        result, report = self.run_app(mpi)
        self.assertEqual(self.warnings(result), [])
        self.assertNotIn("remembered_methods", report["contexts"][0])

    @an_mpi_at_home
    def test_a_home_that_cannot_be_written_is_one_warning(self, mpi):
        result, _ = self.run_app(mpi, env={"HOME": "/proc/nowhere"})
        [warning] = self.warnings(result)
        self.assertIn("setting wisdom", warning)

    @an_mpi_at_home
    def test_a_damaged_store_is_set_aside_with_one_warning(self, mpi):
        self.store.parent.mkdir(parents=True, exist_ok=True)
        self.store.write_bytes(b"no database at all, " * 1000)
        result, _ = self.run_app(mpi)
        self.assertEqual(len(self.warnings(result)), 1, result.stderr)
        self.assertEqual(len(list(self.store.parent.glob("*.damaged-1"))), 1)
        self.assertGreater(len(self.facts()), 0)
        result, report = self.run_app(mpi)
        self.assertEqual(self.warnings(result), [])
        self.assertIn("remembered_methods", report["contexts"][0])

    @an_mpi_at_home
    def test_with_startune_off_nobody_is_asked(self, mpi):
        for switch, complains in ([], True), (["--off"], False):
            (self.home / "no.db").write_bytes(b"no database at all, " * 1000)
            words = [STARTUNE, "run", *switch, "--no-summary", "--wisdom", "no.db", exchange(mpi), 100]
            result = self.mpirun(mpi, 2, *words)
            self.assertStatus(result)
            self.assertEqual(len(self.warnings(result)) > 0, complains, result.stderr)

    @an_mpi_at_home
    def test_nothing_is_left_for_process_1_to_wait_for(self, mpi):
        """In containers it often waits for none but its own children: here it is a process that collects orphans."""
        self.context(mpi)
        words = [MPIRUN, BUILD, mpi, 2, STARTUNE, "run", "--no-summary", exchange(mpi), 20]
        left = self.command("python3", "-c", FIRST, *words, env={"STARTUNE_WISDOM": "on"})
        self.assertStatus(left)
        self.assertEqual(left.stdout, "20 calls on 2 ranks, 0 wrong\n[]\n")

    def mount(self, options):
        place = self.home / "disk"
        place.mkdir(exist_ok=True)
        if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], capture_output=True).returncode:
            self.skipTest("only root can mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", place], check=True)
        return place

    @an_mpi_at_home
    def test_a_full_disk_is_one_warning(self, mpi):
        place = self.mount("size=64k")
        (place / "rest").write_bytes(b"x" * 60000)
        result, _ = self.run_app(mpi, "--wisdom", place / "wisdom.db")
        [warning] = self.warnings(result)
        self.assertIn("setting wisdom", warning)
        self.assertTrue((place / "rest").exists())

    @an_mpi_at_home
    def test_a_store_that_is_read_only_is_read(self, mpi):
        place = self.mount("size=8m")
        self.context(mpi, "--wisdom", place / "wisdom.db")
        self.assertEqual(subprocess.run(["mount", "-o", "remount,ro", place], check=False).returncode, 0)
        result, report = self.run_app(mpi, "--wisdom", place / "wisdom.db")
        self.assertIn("remembered_methods", report["contexts"][0])
        self.assertEqual(len(self.warnings(result)), 1, result.stderr)

    def test_two_mpis_at_once_know_their_own(self):
        if len(MPIS) < 2:
            self.skipTest("one MPI")
        env = self.env | {"STARTUNE_WISDOM": "on", "STARTUNE_WISDOM_PATIENCE": "60", "STARTUNE_TUNE_AFTER": "0"}
        jobs = [subprocess.Popen([str(w) for w in (MPIRUN, BUILD, mpi, 2, STARTUNE, "run", *ALL, exchange(mpi), 300)], env=env,
                                 cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for mpi in MPIS]
        for job in jobs:
            out, said = job.communicate(timeout=120)
            self.assertEqual((job.returncode, out), (0, b"300 calls on 2 ranks, 0 wrong\n"), said)
        self.assertEqual({f["machine"].split()[0] for f in self.facts()}, {"Open", "MPICH"})

    def test_a_hundred_that_learn_at_once_lose_nothing(self):
        line = "fact bcast 4 1 {} 1 0 1000 5000000 0 4000000 {} bcast:chain\n"
        jobs = [subprocess.Popen([ASKED, "learn"], env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                for _ in range(100)]
        for i, job in enumerate(jobs):
            facts = line.format(i + 1, int(time.time())) + line.format(0, int(time.time()))
            job.stdin.write("startune-wisdom 2\nmachine m\n" + facts + "end\n")
            job.stdin.close()
        for job in jobs:
            with job:
                self.assertEqual(job.stdout.read(), "startune-wisdom 2\nmachine \nend\n")
            self.assertEqual(job.returncode, 0)
        counts = {f["bytes"]: f["count"] for f in self.facts()}
        self.assertEqual(len(counts), 101)
        self.assertAlmostEqual(counts[0], 100, delta=0.01)

    def test_one_that_is_cut_off_teaches_nothing(self):
        whole = f"startune-wisdom 2\nmachine m\nfact bcast 4 1 8 1 0 1000 5000000 0 4000000 {int(time.time())} bcast:chain\nend\n"
        for end in range(0, len(whole) - 1, 7):
            result = subprocess.run([ASKED, "learn"], env=self.env, input=whole[:end], capture_output=True, text=True)
            self.assertIn("\nnote ", result.stdout)
            self.assertFalse(self.store.exists())


if __name__ == "__main__":
    main()
