# SPDX-License-Identifier: BSD-3-Clause
# For a repository of packages (Spack 1.0 or later). The sources: `spack develop --path FOLDER startune@VERSION` in an
# environment, or the archive in the folder where spack is called, with --no-checksum.
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Startune(CMakePackage):
    """MPI communication that tunes itself: mpirun -n 16 startune run ./app."""

    url = f"file://{os.getcwd()}/startune-0.1.0.tar.gz"
    manual_download = True

    license("BSD-3-Clause")

    version("0.1.0")

    variant("fortran", default=True, description="compile the module for Fortran")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.18:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gawk", type="build")
    depends_on("mpi@3:")
    depends_on("jansson")
    depends_on("sqlite")
    depends_on("libyaml")
    depends_on("elfutils")

    # One installation serves the one MPI library that is chosen; Debian's serves both.
    requires("^[virtuals=mpi] openmpi", "^[virtuals=mpi] mpich", policy="one_of", msg="startune knows Open MPI and MPICH")

    def cmake_args(self):
        chosen, other = "OPENMPI", "MPICH"
        if self.spec.satisfies("^[virtuals=mpi] mpich"):
            chosen, other = other, chosen
        args = [
            self.define("STARTUNE_TESTS", False),
            self.define("STARTUNE_EXAMPLES", False),
            self.define("STARTUNE_SIMGRID", "off"),
            self.define(f"STARTUNE_{chosen}_CC", self.spec["mpi"].mpicc),
            self.define(f"STARTUNE_{other}_CC", "off"),
        ]
        if self.spec.satisfies("+fortran"):
            args.append(self.define(f"STARTUNE_{chosen}_FORTRAN", self.spec["mpi"].mpifc))
        return args
