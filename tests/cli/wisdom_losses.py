# SPDX-License-Identifier: BSD-3-Clause
"""A program that lost time in its last two runs, as startune itself says, is left alone for some days, and says so."""
import os
import time

from command import STARTUNE, CommandTest, SideBySide, an_mpi, an_mpi_at_home, exchange, main

LOST = 700_000_000  # nanoseconds of startune's that the program is told of: enough of a run of a second to be lost
DAY = 86400
HEAD = "startune-losses 1\n"


class WisdomLosses(CommandTest):
    @property
    def losses(self):
        return self.store.with_name("wisdom.db.losses")

    def run_app(self, mpi, *options, spent=LOST, ranks=2, seconds=1.2, through=(), env=None):
        """Standard error of a run of which startune thinks that it took SPENT nanoseconds."""
        words = [STARTUNE, "run", *options, "env", f"STARTUNE_SPENT={spent}", *through, exchange(mpi), 20, 0, int(1000 * seconds)]
        result = self.mpirun(mpi, ranks, *words, env={"STARTUNE_WISDOM": "on"} | (env or {}))
        self.assertStatus(result)
        self.assertEqual(result.stdout, f"20 calls on {ranks} ranks, 0 wrong\n")
        self.assertNotIn("warning", result.stderr)
        return result.stderr

    def listed(self, *words):
        return self.json_of(self.startune("wisdom", "losses", "--json", *words))

    def lose(self, mpi):
        """Until it would be left alone."""
        for _ in range(2):
            self.assertIn("startune: lost ", self.run_app(mpi))

    def change(self, change):
        head, *lines = self.losses.read_text().splitlines()
        self.losses.write_text("\n".join([head, *["\t".join(change(line.split("\t"))) for line in lines]]) + "\n")

    def assertLeft(self, said):
        self.assertRegex(said, r"^startune: left alone: this program lost \d+\.\d % to \d+\.\d % of its time in its last 2 runs here; "
                         r"it is tried again after \d{4}-\d\d-\d\d, or with --retry-after 0\n$")

    def assertTuned(self, said):
        self.assertNotIn("left alone", said)
        self.assertRegex(said, "^startune: (lost|saved|not clear:) ")

    @an_mpi_at_home
    def test_a_program_that_lost_twice_is_left_alone(self, mpi):
        self.assertTuned(self.run_app(mpi))
        self.assertEqual([(e["runs"], e["left_alone"]) for e in self.listed()], [(1, False)])
        self.assertTuned(self.run_app(mpi))
        [entry] = self.listed()
        self.assertEqual((entry["program"], entry["ranks"], entry["runs"], entry["left_alone"]), (exchange(mpi).name, 2, 2, True))
        self.assertAlmostEqual(entry["until"], time.time() + 7 * DAY, delta=300)
        self.assertTrue(0.2 < entry["lost_least"] <= entry["lost_most"] < 0.8, entry)
        files = lambda: {path: path.stat().st_mtime_ns for path in self.home.rglob("*") if path.is_file()}
        before = files()
        self.assertLeft(self.run_app(mpi))
        self.assertEqual(self.run_app(mpi, "--no-summary"), "")
        self.assertEqual(files(), before)  # nothing is learned, and no report kept
        self.assertRegex(self.startune("wisdom", "losses").stdout, rf"\n{exchange(mpi).name} +2 +\d.* % +2 +20.*-.* +20..-..-..")
        self.assertTuned(self.run_app(mpi, ranks=3))  # of another shape

    @an_mpi_at_home
    def test_who_asks_for_something_gets_it(self, mpi):
        self.lose(mpi)
        before = self.losses.read_bytes()
        for options in (["--verify"], ["--checked"], ["--strategy", "exhaustive"], ["--force", "alltoall:ring"], ["--report", "r.json"]):
            with self.subTest(options=options):
                self.assertNotIn("left alone", self.run_app(mpi, *options))
                self.assertEqual(self.losses.read_bytes(), before)  # such a run is no evidence
        self.assertTuned(self.run_app(mpi, "--retry-after", 0))
        self.assertNotEqual(self.losses.read_bytes(), before)  # it lost again
        self.assertLeft(self.run_app(mpi))
        self.assertTuned(self.run_app(mpi, "--wisdom", "off"))
        self.assertNotIn("left alone", self.run_app(mpi, "--off"))

    @an_mpi_at_home
    def test_it_is_tried_again_after_some_days_or_by_a_new_version(self, mpi):
        self.lose(mpi)
        whole = self.losses.read_bytes()
        self.change(lambda words: [str(int(words[0]) - 6 * DAY), *words[1:]])
        self.assertLeft(self.run_app(mpi))
        self.assertTuned(self.run_app(mpi, "--retry-after", 5, spent=1, seconds=0.1))
        self.change(lambda words: [str(int(words[0]) - 2 * DAY), *words[1:]])
        self.assertTuned(self.run_app(mpi))  # and loses
        self.assertLeft(self.run_app(mpi))
        self.losses.write_bytes(whole)
        self.change(lambda words: [*words[:4], "0.0.1", *words[5:]])
        self.assertFalse(self.listed()[0]["left_alone"])
        self.assertTuned(self.run_app(mpi))
        self.losses.write_bytes(whole)
        self.change(lambda words: [str(int(words[0]) + 9 * DAY), *words[1:]])  # by a clock that was ahead
        self.assertTuned(self.run_app(mpi))

    @an_mpi_at_home
    def test_a_run_that_does_not_lose_clears_it(self, mpi):
        self.lose(mpi)
        self.run_app(mpi, "--retry-after", 0, spent=1, seconds=0.1)  # too short to tell
        self.assertTrue(self.losses.exists())
        for _ in range(5):  # the machine may be busy
            if not self.losses.exists():
                break
            self.run_app(mpi, "--retry-after", 0, spent=1, seconds=2)
        self.assertFalse(self.losses.exists())
        self.assertTuned(self.run_app(mpi))

    @an_mpi_at_home
    def test_what_is_forgotten_is_tuned(self, mpi):
        self.lose(mpi)
        program = exchange(mpi).name
        self.assertEqual(self.startune("wisdom", "forget", "--program", "another").stdout, "0 losses forgotten\n")
        self.assertLeft(self.run_app(mpi))
        self.assertEqual(self.startune("wisdom", "forget", "--program", program).stdout, "2 losses forgotten\n")
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.startune("wisdom", "losses").stdout, "no program has lost time\n")
        self.assertTuned(self.run_app(mpi))

    def test_forget_chooses_among_losses_too(self):
        now = int(time.time())
        line = "{}\t20000\t30000\t4\t1\t{}\t{}\n".format
        self.losses.parent.mkdir(parents=True)
        self.losses.write_text(HEAD + line(now - 400 * DAY, "old", "m") + line(now, "new", "m") + line(now, "new", "n"))
        forget = lambda *words: self.startune("wisdom", "forget", *words)
        self.assertEqual(forget("bcast").stdout, "0 facts forgotten\n")
        self.assertEqual(forget("--older", 365).stdout, "0 facts and 1 loss forgotten\n")
        self.assertEqual(forget("--program", "new", "--machine", "n").stdout, "1 loss forgotten\n")
        self.assertEqual([(e["program"], e["machine"], e["left_alone"]) for e in self.listed()], [("new", "m", False)])
        self.assertRefused(forget("bcast", "--program", "new"), "--program")
        self.assertRefused(forget("--all", "--program", "new"), "--all")
        self.assertEqual(forget("--all").stdout, "0 facts and 1 loss forgotten\n")
        self.assertFalse(self.losses.exists())

    @an_mpi_at_home
    def test_a_script_is_known_by_its_name(self, mpi):
        for script in "one", "other":
            (self.home / script).write_text("")
        through = ["sh", "-c", 'script=$1; shift; exec "$@" "$script"', "sh"]
        for script in "one", "one", "other":
            self.assertTuned(self.run_app(mpi, through=[*through, script]))
        self.assertEqual([(e["program"], e["left_alone"]) for e in self.listed()],
                         [(exchange(mpi).name + " one", True), (exchange(mpi).name + " other", False)])
        self.assertLeft(self.run_app(mpi, through=[*through, "one"]))

    @an_mpi_at_home
    def test_ranks_decide_alike(self, mpi):
        """Also where rank 0 cannot know by itself which ranks share its node, and where ranks differ in what they want."""
        self.lose(mpi)
        lonely = ["env", "-u", "OMPI_COMM_WORLD_LOCAL_SIZE", "-u", "MPI_LOCALNRANKS"]
        self.assertLeft(self.run_app(mpi, through=lonely))
        rank = "test ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = %d && export STARTUNE_RETRY_AFTER=0; exec \"$@\""
        self.assertNotIn("left alone", self.run_app_differing(mpi, rank % 0))
        self.assertIn("left alone", self.run_app_differing(mpi, rank % 1))

    def run_app_differing(self, mpi, script):
        words = [STARTUNE, "run", "sh", "-c", script, "sh", exchange(mpi), 20]
        result = self.mpirun(mpi, 2, *words, env={"STARTUNE_WISDOM": "on"})
        self.assertStatus(result)
        self.assertEqual(result.stdout, "20 calls on 2 ranks, 0 wrong\n")
        return result.stderr

    @an_mpi_at_home
    def test_whatever_stands_in_the_file_programs_run(self, mpi):
        self.lose(mpi)
        whole = self.losses.read_bytes()
        for content in (b"", os.urandom(3000), whole[:-5], whole[18:], whole.replace(b"\t2\t", b"\t99999999999999999999999\t"),
                        whole.replace(b"startune-losses 1", b"startune-losses 9"), HEAD.encode() + b"\t" * 1000 + b"\n" * 1000,
                        whole + b"x" * (1 << 20)):
            self.losses.write_bytes(content)
            self.assertTuned(self.run_app(mpi, spent=1, seconds=0))
            self.assertStatus(self.startune("wisdom", "losses"))
        self.losses.unlink()
        self.losses.symlink_to("/dev/zero")
        self.assertTuned(self.run_app(mpi, spent=1, seconds=0))
        self.losses.unlink()
        self.losses.mkdir()
        self.assertTuned(self.run_app(mpi))  # its loss has no place

    @an_mpi
    def test_without_a_home_or_room_nothing_is_said(self, mpi):
        place = "/proc/nowhere"
        self.env.pop("HOME")
        self.assertTuned(self.run_app(mpi))
        self.env["HOME"] = place
        words = [STARTUNE, "run", "env", f"STARTUNE_SPENT={LOST}", exchange(mpi), 20, 0, 1200]
        result = self.mpirun(mpi, 2, *words, env={"STARTUNE_WISDOM": "on"})
        self.assertStatus(result)
        self.assertEqual(result.stderr.count("warning"), 1, result.stderr)  # of the store


if __name__ == "__main__":
    main(SideBySide)
