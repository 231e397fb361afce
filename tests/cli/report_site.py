# SPDX-License-Identifier: BSD-3-Clause
"""startune report --site: what programs saved and lost across runs and users."""
import json
import os
import re
import time

from command import BUILD, STARTUNE, CommandTest, an_mpi, an_mpi_at_home, exchange, main

LOST = 700_000_000  # nanoseconds of startune's that the program is told of
NOW = 1700000000
HOUR = 3600


def line(program, runs=1, ranks=4, seconds=40 * HOUR, saved=0.0, error=HOUR, unknown=0, unknown_seconds=0, lost_runs=0, saved_runs=0, date=NOW):
    lost = -saved if lost_runs else 0
    return f"\n{date}\t{date}\t{ranks}\t{ranks}\t{runs}\t{unknown}\t{lost_runs}\t{saved_runs}\t{seconds}\t{unknown_seconds}\t{lost}\t{saved}\t{error}\t{program}\t.\n"


class ReportSite(CommandTest):
    def user(self, name, *lines, losses=None):
        """The store of a user of whom these lines are."""
        store = self.home / name / "wisdom.db"
        store.parent.mkdir(exist_ok=True)
        store.with_name("wisdom.db.hours").write_text("".join(lines))
        if losses is not None:
            store.with_name("wisdom.db.losses").write_text(losses)
        return store

    def site(self, *stores):
        result = self.startune("report", "--site", "--json", *stores)
        self.assertStatus(result)
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout)

    def run_app(self, mpi, *options, spent=1, ranks=2, seconds=1.2):
        words = [STARTUNE, "run", *options, "env", f"STARTUNE_SPENT={spent}", exchange(mpi), 20, 0, int(1000 * seconds)]
        result = self.mpirun(mpi, ranks, *words, env={"STARTUNE_WISDOM": "on"})
        self.assertStatus(result)
        self.assertNotIn("warning", result.stderr)

    @an_mpi_at_home
    def test_runs_leave_an_account(self, mpi):
        self.run_app(mpi, spent=LOST)
        self.run_app(mpi, ranks=3)
        self.run_app(mpi, "--off")
        self.run_app(mpi, "--wisdom", "off")
        self.run_app(mpi, "--verify")
        found = self.site()
        [entry] = found["programs"]
        self.assertEqual((entry["program"], entry["runs"], entry["ranks_least"], entry["ranks_most"]), (exchange(mpi).name, 2, 2, 3))
        self.assertGreaterEqual(entry["lost_runs"], 1)
        self.assertAlmostEqual(entry["last"], time.time(), delta=300)
        self.assertTrue(2 * 0.3 < HOUR * entry["lost_rank_hours"] < 2 * 1.5 + 3 * 1.5, entry)  # 0.7 s of each rank
        self.assertTrue(5 * 1.2 < HOUR * entry["rank_hours"] < 5 * 12, entry)
        self.assertEqual(found["total"]["runs"], 2)
        self.assertEqual(found["stores"], [{"store": str(self.store), "runs": 2, "damaged_lines": 0, "wrong": ""}])

    @an_mpi_at_home
    def test_what_the_last_line_of_a_run_says_is_in_the_account(self, mpi):
        self.run_app(mpi, spent=LOST)
        kept = next((self.home / ".local/state/startune/reports").iterdir())
        report, entry = json.loads(kept.read_text()), self.site()["programs"][0]
        for key in "saved_seconds", "saved_low_seconds", "saved_high_seconds":
            self.assertAlmostEqual(report[key] * 2, entry[key.replace("seconds", "rank_hours")] * HOUR, 2)

    @an_mpi
    def test_a_program_that_calls_nothing_costs_what_startune_takes_itself(self, mpi):
        result = self.mpirun(mpi, 2, STARTUNE, "run", exchange(mpi), 0, 0, 100, env={"STARTUNE_WISDOM": "on"})
        self.assertStatus(result)
        [entry] = self.site()["programs"]
        self.assertEqual((entry["runs"], entry["unknown_runs"]), (1, 0))
        self.assertTrue(-0.5 < entry["saved_rank_hours"] * HOUR <= 0, entry)

    def test_harm_stands_first(self):
        a = self.user("a", line("gains", 10, saved=9 * HOUR, saved_runs=9), line("unclear", saved=0.5 * HOUR), line("loses", saved=-2 * HOUR, lost_runs=1))
        b = self.user("b", line("loses more", saved=-5 * HOUR, lost_runs=1), line("gains", saved=HOUR, ranks=8), line("unclear", saved=-0.7 * HOUR),
                      line("blind", unknown=1, unknown_seconds=40 * HOUR, error=0), line("gains most", saved=30 * HOUR))
        found = self.site(a, b)
        self.assertEqual([(e["program"], e["verdict"]) for e in found["programs"]],
                         [("loses more", "lost"), ("loses", "lost"), ("unclear", "not clear"), ("blind", "not known"), ("gains most", "saved"), ("gains", "saved")])
        gains = found["programs"][-1]
        self.assertEqual((gains["runs"], gains["stores"], gains["ranks_least"], gains["ranks_most"]), (11, 2, 4, 8))
        self.assertAlmostEqual(gains["saved_rank_hours"], 10)
        self.assertAlmostEqual(gains["saved_low_rank_hours"], 8)  # errors add up in full
        self.assertAlmostEqual(gains["saved_high_rank_hours"], 12)
        self.assertIsNone(found["programs"][3]["saved_rank_hours"])
        total = found["total"]
        self.assertAlmostEqual(total["saved_rank_hours"], 10 - 0.2 - 7 + 30)
        self.assertAlmostEqual(total["saved_high_rank_hours"] - total["saved_low_rank_hours"], 2 * 7)
        self.assertAlmostEqual(total["unknown_rank_hours"], 40)
        text = self.startune("report", "--site", a, b).stdout
        self.assertRegex(text, r"^2 stores, 17 runs of 320 rank hours, from 2023-11-14 to 2023-11-14\nlost for sure: 7 rank hours, by 2 programs\n"
                         r"saved for sure: 40 rank hours, by 2 programs\nall together: \+32\.8, from \+25\.8 to \+39\.8 rank hours with 95 % confidence\n"
                         r"not known: 40 rank hours, of 1 run\n\nprogram ")
        rows = [re.split(r"  +", row) for row in text.splitlines()[7:]]
        self.assertEqual([row[0] for row in rows], [e["program"] for e in found["programs"]])
        self.assertEqual(rows[0][1:5], ["lost", "-5", "-6", "-4"])
        self.assertEqual(rows[3][1:5], ["not known", "?", "?", "?"])

    def test_no_more_is_lost_than_all(self):
        [entry] = self.site(self.user("a", line("a", seconds=10, saved=-9.0, error=500)))["programs"]
        self.assertAlmostEqual(entry["saved_low_rank_hours"] * HOUR, -10)
        self.assertEqual(entry["verdict"], "not clear")

    def test_who_is_left_alone_now(self):
        version = self.startune("--version").stdout.split()[1]
        loss = f"{int(time.time())}\t20000\t30000\t4\t{version}\tloses\tm\n"
        a = self.user("a", line("loses", saved=-5 * HOUR, lost_runs=1), losses="startune-losses 1\n" + 2 * loss)
        b = self.user("b", line("loses", saved=-5 * HOUR, lost_runs=1), losses="startune-losses 1\n" + loss)
        [entry] = self.site(a, b)["programs"]
        self.assertEqual((entry["stores"], entry["left_alone"]), (2, 1))

    def test_a_store_twice_counts_once(self):
        a = self.user("a", line("a"))
        (self.home / "again").symlink_to(a.parent)
        self.assertEqual(self.site(a, a, self.home / "again/wisdom.db")["total"]["runs"], 1)

    def test_what_is_wrong_with_one_store_loses_nothing_of_others(self):
        good = self.user("good", line("fine", saved=9 * HOUR))
        hurt = self.user("hurt", line("fine", saved=9 * HOUR), "nonsense\n", line("a\033[2J"), line("fine", saved=9 * HOUR)[:-4], line("fine", saved=9 * HOUR))
        result = self.startune("report", "--site", "--json", hurt, good)
        self.assertStatus(result)
        self.assertEqual(result.stderr, f"startune: warning: {hurt}.hours: 3 damaged lines are left out\n")
        found = json.loads(result.stdout)
        self.assertEqual((found["total"]["runs"], found["stores"][0]["damaged_lines"]), (3, 3))
        for change in (lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to("/etc/passwd"), os.mkfifo, lambda path: path.mkdir(),
                       lambda path: os.truncate(os.open(path, os.O_RDWR | os.O_CREAT), 1 << 40)):
            bad = self.user("bad")
            path = bad.with_name("wisdom.db.hours")
            path.unlink()
            change(path)
            result = self.startune("report", "--site", "--json", bad, good, timeout=60)
            self.assertStatus(result, 1)
            self.assertRegex(result.stderr, rf"^startune report: error: {re.escape(str(path))}: .+\n$")
            found = json.loads(result.stdout)
            self.assertEqual(found["total"]["runs"], 1)
            self.assertEqual(bool(found["stores"][0]["wrong"]), True)
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        result = self.startune("report", "--site", self.home / "none/wisdom.db", good)
        self.assertStatus(result, 1)
        self.assertIn("No such file", result.stderr)
        self.assertIn("\n1 store, 1 run of", "\n" + result.stdout)

    def test_random_bytes_say_one_line(self):
        good = self.user("good", line("fine", saved=9 * HOUR))
        for _ in range(20):
            bad = self.user("bad")
            bad.with_name("wisdom.db.hours").write_bytes(os.urandom(5000) + line("fine").encode())
            result = self.startune("report", "--site", "--json", bad, good)
            self.assertStatus(result)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertEqual(json.loads(result.stdout)["total"]["runs"], 2)

    def test_where_there_is_nothing_it_says_so(self):
        result = self.startune("report", "--site")
        self.assertStatus(result)
        self.assertEqual(result.stdout, "no run has left an account yet\n")
        self.assertEqual(self.site()["total"]["runs"], 0)

    def test_words_that_do_not_go_together(self):
        self.assertRefused(self.startune("report", "--site", "--html"), "--site")
        self.assertRefused(self.startune("report", "1", "2"), "diff", "--site")
        self.assertRefused(self.startune("report", "list", "--site"), "--site is not for report list")

    def test_it_goes_into_a_file_and_is_forgotten(self):
        store = self.user("a", line("old", 7), line("new", date=int(time.time())))
        self.assertStatus(self.startune("report", "--site", "--json", "-o", "site.json", store))
        self.assertEqual(json.loads((self.home / "site.json").read_text())["total"]["runs"], 8)
        forget = lambda *words: self.startune("wisdom", "--store", store, "forget", *words).stdout
        self.assertEqual(forget("--program", "old"), "0 losses forgotten\n")
        self.assertEqual(self.site(store)["total"]["runs"], 8)  # harm stays in the account
        self.assertEqual(forget("--older", 365), "0 facts and the account of 7 runs forgotten\n")
        self.assertEqual([e["program"] for e in self.site(store)["programs"]], ["new"])
        self.assertEqual(forget("--all"), "0 facts and the account of 1 run forgotten\n")
        self.assertFalse(store.with_name("wisdom.db.hours").exists())

    @an_mpi_at_home
    def test_many_jobs_that_end_at_once_all_count(self, mpi):
        script = 'for i in 1 2 3 4 5 6; do "$@" & done; wait'
        words = ["sh", "-c", script, "sh", STARTUNE, "run", exchange(mpi), 20]
        self.assertStatus(self.command(*words, env={"STARTUNE_WISDOM": "on", "STARTUNE_TUNE_AFTER": "0"}))
        self.assertEqual(self.site()["total"]["runs"], 6)


if __name__ == "__main__":
    main()
