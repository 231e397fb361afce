# SPDX-License-Identifier: BSD-3-Clause
"""What cmake --install puts where, and that it works there."""
import os
import re
import shlex

from command import API_PAGES, BUILD, MPIRUN, MPIS, SOURCE, SUBCOMMANDS, CommandTest, each_mpi, exchange, main

DOCUMENTS = ["LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff"]
DOCUMENTS += [path.relative_to(SOURCE).as_posix() for folder in ("docs", "examples") for path in (SOURCE / folder).rglob("*.*")
              if path.name != "CMakeLists.txt"]
PROGRAM = r"""
#include <startune.h>
#include <stdio.h>
int main(void)
{
    puts(STAR_Get_version());
    return STAR_Is_active();
}
"""


class Install(CommandTest):
    def setUp(self):
        super().setUp()
        self.prefix = self.home / "prefix"
        self.assertStatus(self.command("cmake", "--install", BUILD, "--prefix", self.prefix))
        self.libraries = next(self.prefix.rglob("pkgconfig")).parent
        self.startune_there = self.prefix / "bin/startune"

    def test_everything_is_where_it_belongs(self):
        there = [path.relative_to(self.prefix).as_posix() for path in self.prefix.rglob("*") if not path.is_dir()]
        lib = self.libraries.relative_to(self.prefix).as_posix()
        expected = ["bin/startune", "libexec/startune/startune-command", "libexec/startune/startune-wisdom",
                    "share/man/man1/startune.1", "share/man/man5/startune.conf.5"]
        expected += [f"share/bash-completion/completions/{name}" for name in ("startune", "mpirun", "mpiexec")]
        expected += [f"share/fish/vendor_completions.d/{name}.fish" for name in ("startune", "mpirun", "mpiexec")]
        expected += ["share/zsh/site-functions/_startune"]
        expected += [f"share/startune/schema/{path.name}" for path in (SOURCE / "docs/schema").glob("*.json")]
        expected += [f"share/man/man3/{page}.3" for page in API_PAGES]
        expected += [f"include/{name}.h" for name in ("startune", "startune_patterns", "adcl", "ADCL")]
        expected += [f"share/man/man1/startune-{name}.1" for name in SUBCOMMANDS]
        expected += ["include/startune.f90", "include/ADCL.inc"]
        expected += [f"share/doc/startune/{name}" for name in DOCUMENTS]
        expected += [f"{lib}/cmake/startune/startune{name}.cmake" for name in ("Config", "ConfigVersion", "Targets")]
        expected += [f"share/startune/modulefiles/startune/0.1.0{end}" for end in ("", ".lua")]
        expected += [name for name in there if "/startuneTargets-" in name]  # of the kind of the build
        for mpi in MPIS:
            if (BUILD / "fortran" / mpi / "startune.mod").exists():
                expected.append(f"include/startune-{mpi}/startune.mod")
            expected += [f"{lib}/libstartune-{mpi}.so", f"{lib}/libstartune-{mpi}.so.0",
                         f"{lib}/libstartune-{mpi}.so.0.1.0",
                         f"{lib}/libstartune-matrix-{mpi}.so.0", f"{lib}/libstartune-matrix-{mpi}.so.0.1.0",
                         f"{lib}/pkgconfig/startune-{mpi}.pc",
                         f"libexec/startune/startune-bench-{mpi}",
                         f"libexec/startune/startune-calibrate-{mpi}",
                         f"libexec/startune/startune-discover-{mpi}",
                         f"libexec/startune/startune-tune-{mpi}"]
        self.assertEqual(sorted(there), sorted(expected))

    def test_links_of_its_documents_lead_on(self):
        """But to what measures, which is not installed."""
        documents = self.prefix / "share/doc/startune"
        for page in documents.rglob("*.md"):
            for link in re.findall(r"\]\((?!\w+:|#)([^)#]+)", page.read_text()):
                self.assertTrue((page.parent / link).exists() or "bench/" in link, f"{page}: {link}")

    @each_mpi
    def test_the_installed_command_finds_its_libraries(self, mpi):
        result = self.command(MPIRUN, BUILD, mpi, 2, self.startune_there, "run", "--tune-after", 0, exchange(mpi), 100)
        self.assertStatus(result)
        self.assertIn("another method than native's in", result.stderr)
        bench = ["bench", "alltoall", "--sizes", 64, "--rounds", 1, "--compute", 0]
        result = self.command(MPIRUN, BUILD, mpi, 2, self.startune_there, *bench)
        self.assertStatus(result)
        mapped = self.command(MPIRUN, BUILD, mpi, 1, self.startune_there, "run", "sh", "-c", "echo $LD_PRELOAD")
        self.assertIn(str(self.libraries / f"libstartune-{mpi}.so.0"), mapped.stdout)

    def test_names_that_compilers_ask_for_are_not_needed(self):
        """Systems install them apart."""
        for mpi in MPIS:
            (self.libraries / f"libstartune-{mpi}.so").unlink()
        self.assertStatus(self.command(self.startune_there, "run", "--mpi", MPIS[0], "true"))

    def test_files_of_the_site_are_where_the_builder_says(self):
        """In /etc, unless it is told otherwise."""
        for asked, expected in (("", "/etc"), ("/opt/there/etc", "/opt/there/etc")):
            words = [f"-DCMAKE_INSTALL_SYSCONFDIR={asked}"] if asked else []
            self.assertStatus(self.command("cmake", "-S", SOURCE, "-B", self.home / f"build{len(asked)}", "-DCMAKE_INSTALL_PREFIX=/opt/there",
                                           "-DSTARTUNE_TESTS=OFF", "-DSTARTUNE_EXAMPLES=OFF", *words))
            header = (self.home / f"build{len(asked)}/generated/util/version.h").read_text()
            self.assertIn(f'STAR_ETC "{expected}"\n', header)
        self.assertIn("/etc/startune.conf", self.command(self.startune_there, "manual", "startune.conf").stdout)

    def test_an_installation_may_be_moved(self):
        """And called by a link from elsewhere; where a part was left behind, startune says which."""
        moved = self.home / "moved"
        self.prefix.rename(moved)
        link = self.home / "link"
        link.symlink_to(moved / "bin/startune")
        self.assertStatus(self.command(link, "list"))
        library = f"{moved.resolve() / self.libraries.relative_to(self.prefix)}/libstartune-{MPIS[0]}.so"
        for words in ([], ["--force", "alltoall:pair"]):
            preloaded = self.command(link, "run", "--mpi", MPIS[0], *words, "sh", "-c", "echo $LD_PRELOAD")
            self.assertTrue(os.path.samefile(preloaded.stdout.rstrip("\n"), library), preloaded.stdout)
        (moved / "libexec/startune/startune-command").unlink()
        self.assertStatus(self.command(link, "run", "true"))
        self.assertRefused(self.command(link, "list"), "startune-command", "installed whole", status=1)

    @each_mpi
    def test_a_program_is_built_with_pkg_config(self, mpi):
        (self.home / "program.c").write_text(PROGRAM)
        env = {"PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")}
        flags = self.command("pkg-config", "--cflags", "--libs", f"startune-{mpi}", env=env)
        self.assertStatus(flags)
        # No wrapper: the flags lead to mpi.h and to the MPI library too.
        self.assertStatus(self.command("cc", "-Wall", "-Wextra", "-Werror", "program.c", "-o", "program",
                                       *shlex.split(flags.stdout)))
        result = self.command("./program", env={"LD_LIBRARY_PATH": str(self.libraries)})
        self.assertStatus(result)
        version = self.command("pkg-config", "--modversion", f"startune-{mpi}", env=env)
        self.assertEqual(result.stdout, version.stdout)

    @each_mpi
    def test_the_library_shows_only_mpis_and_its_own_names(self, mpi):
        symbols = self.command("nm", "-D", "--defined-only", self.libraries / f"libstartune-{mpi}.so")
        self.assertStatus(symbols)
        for line in symbols.stdout.splitlines():
            self.assertRegex(line.split()[-1], r"^(P?MPI_|STAR_[A-Z]|(?i:adcl)_[A-Za-z]|STARTUNE_0$|dlsym$)")


if __name__ == "__main__":
    main()
