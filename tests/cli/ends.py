# SPDX-License-Identifier: BSD-3-Clause
"""How often ranks wait for each other in MPI_Init and MPI_Finalize: where ranks are more than processors, each time is long."""
import os
import unittest

from command import BUILD, MPIS, STARTUNE, CommandTest, an_mpi, each_mpi, exchange, main

ONCE = ["Iallreduce", "Comm_idup", "Iallreduce"]  # one agreement and the communicator for messages; and the end
BLOCKING = ["Iallreduce", "Comm_dup", "Iallreduce"]  # where each rank has a processor; then the others are not seen
# For sh -c: each rank on a host of its own.
APART = 'exec unshare --uts sh -c \'hostname "n$0"; exec "$@"\' "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" "$@"'


class Ends(CommandTest):
    def told(self, mpi, *words, before=(), program=None, ranks=4, env=None, calls=0, size=None):
        """What startune called in a program of so many calls."""
        behind = f'LD_PRELOAD="$LD_PRELOAD:{BUILD}/tests/cli/told-{mpi}.so" exec "$@"'  # where startune looks for MPI's
        one = [BUILD / f"tests/cli/sizes-{mpi}", "alltoall", *[size] * calls] if size else [exchange(mpi), calls]
        program = ["sh", "-c", behind, "sh", *(program or one)]
        command = [*(before or ["env", f"LD_PRELOAD={BUILD}/tests/yield.so"]), *words, *program]
        result = self.mpirun(mpi, ranks, *command, env=env)
        self.assertStatus(result)
        self.assertIn("" if size else f"{calls} calls on {ranks} ranks, 0 wrong\n", result.stdout)
        self.result = result
        known = program is None or "MPI_LOCALNRANKS" not in program
        self.block = known and ranks <= os.sysconf("SC_NPROCESSORS_ONLN")
        return [line.removeprefix("told: ") for line in result.stderr.splitlines() if line.startswith("told: ")]

    def assertTold(self, told, expected):
        self.assertEqual(told, [*expected[:-len(ONCE)], *BLOCKING] if self.block and expected[-len(ONCE):] == ONCE else expected)

    @each_mpi
    def test_ranks_agree_once_at_the_beginning_and_once_at_the_end(self, mpi):
        for words in [], ["--nodes", "block:2"], ["--wisdom", "on"]:
            self.assertTold(self.told(mpi, STARTUNE, "run", *words), ONCE)

    @each_mpi
    def test_where_each_rank_has_a_processor_they_block_once_they_are_together(self, mpi):
        if os.sysconf("SC_NPROCESSORS_ONLN") < 2:
            self.skipTest("needs two processors")
        self.assertEqual(self.told(mpi, STARTUNE, "run", ranks=2), BLOCKING)

    @an_mpi
    def test_two_nodes_are_not_asked_about_short_messages(self, mpi):
        asked = {nodes: len(self.told(mpi, STARTUNE, "run", "--nodes", nodes, ranks=2, calls=600, env={"STARTUNE_TUNE_AFTER": "auto"}))
                 for nodes in ("block:1", "block:2")}
        self.assertEqual(asked["block:1"], len(ONCE))
        self.assertGreater(asked["block:2"], len(ONCE))

    @an_mpi
    def test_ranks_soon_ask_about_blocks_that_are_much_together(self, mpi):
        how = {"calls": 20, "env": {"STARTUNE_TUNE_AFTER": "auto"}}
        words = [STARTUNE, "run", "--nodes", "block:1"]
        self.assertEqual(len(self.told(mpi, *words, size=64, **how)), len(ONCE))  # 256 bytes
        self.assertGreater(len(self.told(mpi, *words, size=512, **how)), len(ONCE))  # 2 KB

    @each_mpi
    def test_never_where_it_is_off(self, mpi):
        for words, env in (["--off"], {}), ([], {"STARTUNE": "off"}):
            self.assertEqual(self.told(mpi, STARTUNE, "run", *words, env=env), [])

    @unittest.skipUnless("openmpi" in MPIS, "the launcher that tells a job's words")
    def test_where_the_job_is_off_by_its_words_nobody_asks(self):
        switch = '[ "$OMPI_COMM_WORLD_RANK" = 1 ] && export STARTUNE=on; exec "$@"'
        unset = ["env", "-u", "OMPI_COMM_WORLD_LOCAL_SIZE"]  # as on several nodes: nobody counts the others
        for words in [], ["sh", "-c", switch, "sh", STARTUNE, "run"]:
            self.assertEqual(self.told("openmpi", *words, before=[STARTUNE, "run", "--off"], program=[*unset, exchange("openmpi"), 0]), [])
            self.assertNotIn("startune", self.result.stderr)

    @unittest.skipUnless("openmpi" in MPIS, "the launcher that tells a job's words")
    def test_where_the_jobs_words_differ_startune_is_there_to_be_asked(self):
        show = ["sh", "-c", 'echo "$STARTUNE $LD_PRELOAD"']
        one = self.mpirun("openmpi", 2, STARTUNE, "run", "--off", *show)
        two = self.mpirun("openmpi", 1, STARTUNE, "run", "--off", *show, ":", "-n", 1, STARTUNE, "run", *show)
        self.assertNotIn("libstartune", one.stdout)
        self.assertEqual(two.stdout.count("libstartune"), 2)

    @each_mpi
    def test_where_some_ranks_have_it_off_rank_0_counts(self, mpi):
        for rank, more in (0, []), (2, ONCE[1:]):
            choose = f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = {rank} ] && off=--off; exec "$0" run $off "$@"'
            self.assertEqual([one.replace("Comm_dup", "Comm_idup") for one in self.told(mpi, "sh", "-c", choose, STARTUNE)],
                             ["Iallreduce", "Ibcast", "Iallreduce", *more])
            self.assertNotIn("leaked", self.result.stderr)  # as MPICH says of datatypes that nobody freed

    @an_mpi
    def test_what_is_known_of_the_machine_is_handed_out_at_once(self, mpi):
        wisdom = ["--wisdom", "wisdom.db", "--strategy", "exhaustive", "--iter", 4]
        self.assertStatus(self.mpirun(mpi, 4, STARTUNE, "run", *wisdom, exchange(mpi), 400))
        told = self.told(mpi, STARTUNE, "run", *wisdom)
        self.assertEqual(told, BLOCKING if self.block else ["Iallreduce", "Comm_idup", "Ibcast", "Iallreduce"])

    @each_mpi
    def test_who_is_left_alone_waits_once(self, mpi):
        losing = [STARTUNE, "run", "--wisdom", "wisdom.db", "env", "STARTUNE_SPENT=700000000", exchange(mpi), 20, 0, 1100]
        for _ in range(2):
            self.assertStatus(self.mpirun(mpi, 4, *losing))
        self.assertEqual(self.told(mpi, STARTUNE, "run", "--wisdom", "wisdom.db"), ONCE[:1])
        self.assertIn("left alone", self.result.stderr)
        (self.home / "wisdom.db.losses").unlink()

    @an_mpi
    def test_ranks_with_other_settings_get_those_of_rank_0(self, mpi):
        choose = 'export STARTUNE_ITER=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}1; exec "$0" run "$@"'
        self.assertTold(self.told(mpi, "sh", "-c", choose, STARTUNE), ["Iallreduce", "Ibcast", *ONCE])
        self.assertIn("3 ranks have other settings than rank 0", self.result.stderr)

    @each_mpi
    def test_where_no_launcher_says_so_ranks_find_that_they_share_a_node(self, mpi):
        unset = ["env", "-u", "OMPI_COMM_WORLD_LOCAL_SIZE", "-u", "MPI_LOCALNRANKS"]
        told = self.told(mpi, STARTUNE, "run", "--summary", "full", program=[*unset, exchange(mpi), 0])
        self.assertEqual(told, ["Iallreduce", "Comm_idup", "Ibcast", "Iallreduce"])

    @an_mpi
    def test_ranks_on_several_nodes_tell_each_other_where_they_are(self, mpi):
        if os.geteuid() != 0:
            self.skipTest("needs root")
        unset = ["env", "-u", "OMPI_COMM_WORLD_LOCAL_SIZE", "-u", "MPI_LOCALNRANKS", "sh", "-c", APART, "sh"]
        report = ["--report", "run.json", "--wisdom", "off"]
        told = self.told(mpi, STARTUNE, "run", *report, program=[*unset, exchange(mpi), 0])
        self.assertEqual(told, ["Iallreduce", "Comm_idup", "Iallgather", "Ibcast", "Iallreduce", "Iallreduce"])
        self.assertIn("; nodes 4; ranks a node 1;", (self.home / "run.json").read_text())


if __name__ == "__main__":
    main()
