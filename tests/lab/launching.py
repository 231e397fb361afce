# SPDX-License-Identifier: BSD-3-Clause
"""Whether programs start where and as they should."""
import json
import tempfile
from pathlib import Path

from lab import A_WHILE, BUILD, MPIS, STARTUNE, TOPOLOGIES, LabTest, cluster, main, traffic


class Launching(LabTest):
    topology = "4x2.topo"

    def test_ranks_are_on_the_hosts_of_their_placement(self):
        orders = {"block": "n0 n1 n2 n3 n4 n5 n6 n7", "cyclic": "n0 n2 n4 n6 n1 n3 n5 n7"}
        for mpi in MPIS:
            for how, order in orders.items():
                with self.subTest(mpi=mpi, how=how):
                    result = self.run_on("--mpi", mpi, "--map", how, "--", traffic(mpi), "ring", 10, 1)
                    self.assertEqual(self.placed(result), order.split())

    def test_more_ranks_than_hosts_share_them(self):
        for mpi in MPIS:
            result = self.run_on("--mpi", mpi, "--map", "cyclic", "-n", 10, "--", traffic(mpi), "alltoall", 1000, 2)
            self.assertEqual(self.placed(result), "n0 n2 n4 n6 n1 n3 n5 n7 n0 n2".split())

    def test_ranks_get_the_environment(self):
        names = {"STARTUNE_ITER": "7", "OMPI_MCA_coll_tuned_priority": "31", "UCX_RNDV_THRESH": "140000", "MINE": "a b"}
        script = "; ".join([" ".join(A_WHILE), *(f'echo "{name}=${name}"' for name in names)])
        for mpi in MPIS:
            result = self.run_on("--mpi", mpi, "-n", 2, "--", "sh", "-c", script, env=names)
            self.assertEqual(sorted(result.stdout.splitlines()),
                             sorted(2 * [f"{name}={value}" for name, value in names.items()]))

    def test_the_exit_status_is_the_programs(self):
        for mpi in MPIS:
            self.assertEqual(cluster("run", "--mpi", mpi, "-n", 2, "--", "sh", "-c", "sleep 1; exit 5").returncode, 5)

    def test_hosts_know_one_another_by_name(self):
        result = self.run_on("-n", 1, "--", "sh", "-c", " ".join(A_WHILE) + "; getent hosts n7")
        self.assertRegex(result.stdout, r"^10\.77\.\d+\.\d+ +n7\n$")

    def test_startune_tunes_there(self):
        with tempfile.TemporaryDirectory() as folder:
            for mpi in MPIS:
                report = Path(folder, mpi)
                self.run_on("--mpi", mpi, "--", BUILD / "bin/startune", "run", "--report", report, traffic(mpi),
                            "alltoall", 1000, 40)
                self.assertIn("alltoall", json.dumps(json.loads(report.read_text())))

    def test_a_second_cluster_of_the_name_is_refused(self):
        self.assertRefused(cluster("up", TOPOLOGIES / "2x4.topo", "--startune", STARTUNE), 1, "is up already")

    def test_wrong_requests_are_refused(self):
        self.assertRefused(cluster("run", "--map", "bloc", "--", "true"), 2, "block, cyclic")
        self.assertRefused(cluster("run", "--name", "other", "--", "true"), 1, "other", "lab/cluster up")
        self.assertFalse(Path("/run/startune-lab/other.lock").exists())


class Slots(LabTest):
    def test_hosts_take_as_many_ranks_as_they_have_slots(self):
        with tempfile.NamedTemporaryFile("w", suffix=".topo") as file:
            file.write("switch a\nswitch b\nlink a b\nhost x a slots=3\nhost y.z b slots=2\n")
            file.flush()
            self.up(file.name)
            for mpi in MPIS:
                result = self.run_on("--mpi", mpi, "--", traffic(mpi), "alltoall", 1000, 2)
                self.assertEqual(self.placed(result), ["x", "x", "x", "y.z", "y.z"])

    def test_a_wrong_topology_is_refused_with_its_line(self):
        with tempfile.NamedTemporaryFile("w", suffix=".topo") as file:
            file.write("switch a\nhost n b\n")
            file.flush()
            self.assertRefused(cluster("up", file.name, "--startune", STARTUNE), 2, f"{file.name}:2:", "'b'")


if __name__ == "__main__":
    main()
