# SPDX-License-Identifier: BSD-3-Clause
"""What other systems build startune with, Debian's files, Spack's and EasyBuild's, agrees with the sources: its version is the header's,
and it names all that CMakeLists.txt looks for."""
import ast
import re
import unittest

from command import SOURCE

VERSION = ".".join(re.findall(r"define STARTUNE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (SOURCE / "include/startune.h").read_text()))
# As pkg-config calls them: in Debian, in Spack, in EasyBuild.
NAMES = {"yaml-0.1": ("libyaml-dev", "libyaml", "libyaml"), "sqlite3": ("libsqlite3-dev", "sqlite", "SQLite"),
         "jansson": ("libjansson-dev", "jansson", "Jansson"), "libdw": ("libdw-dev", "elfutils", "elfutils")}


def needed(system):
    """Names of what CMakeLists.txt needs in SYSTEM; a need that is not in NAMES is an error."""
    asked = re.findall(r"pkg_check_modules\(\w+ .*?IMPORTED_TARGET ([\w.-]+)\)", (SOURCE / "CMakeLists.txt").read_text())
    return {NAMES[name][system] for name in asked}


def options(text):
    """Of CMake, that TEXT sets."""
    return set(re.findall(r"\bSTARTUNE_[A-Z_]+\b", text))


class Recipes(unittest.TestCase):
    def test_debian(self):
        changelog = (SOURCE / "debian/changelog").read_text()
        self.assertEqual(re.match(r"startune \(([\d.]+)\) ", changelog).group(1), VERSION)
        fields = re.search(r"(?s)^Build-Depends:(.*?)^\S", (SOURCE / "debian/control").read_text(), re.MULTILINE | re.DOTALL).group(1)
        self.assertLessEqual(needed(0) | {"cmake", "pkg-config"}, {line.split()[0].strip(",") for line in fields.split("\n") if line.strip()})
        # The libraries' packages have the number of the SONAME in their names.
        major = VERSION.partition(".")[0]
        for mpi in ("openmpi", "mpich"):
            self.assertTrue((SOURCE / f"debian/libstartune-{mpi}{major}.install").exists())

    def test_spack(self):
        text = (SOURCE / "packaging/spack/package.py").read_text()
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        first = [(call.func.id, call.args[0].value) for call in calls if call.args and isinstance(call.args[0], ast.Constant)]
        self.assertEqual([value for name, value in first if name == "version"], [VERSION])
        self.assertIn(f"startune-{VERSION}.tar.gz", text)
        least = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
        self.assertLessEqual(needed(1) | {f"cmake@{least}:", "pkgconfig", "mpi@3:"}, {value for name, value in first if name == "depends_on"})
        self.expect_known(options(text.replace("{chosen}", "OPENMPI").replace("{other}", "MPICH")))

    def test_easybuild(self):
        [file] = (SOURCE / "packaging/easybuild").glob("*.eb")
        found = {}
        for node in ast.parse(file.read_text()).body:
            self.assertIsInstance(node, ast.Assign)
            try:
                found[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:  # made of EasyBuild's own names
                pass
        self.assertEqual(found["version"], VERSION)
        self.assertEqual(file.name, "startune-{}-{name}-{version}.eb".format(VERSION, **found["toolchain"]))
        self.assertLessEqual(needed(2), {row[0] for row in found["dependencies"]})
        self.assertLessEqual({"CMake", "pkgconf"}, {row[0] for row in found["builddependencies"]})
        self.expect_known(options(file.read_text()))

    def expect_known(self, asked):
        """By CMake's files, which make up those of an MPI library from its name."""
        text = "".join(path.read_text() for path in [SOURCE / "CMakeLists.txt", *(SOURCE / "cmake").glob("*.cmake")])
        for option in asked:
            self.assertIn(re.sub("_(OPENMPI|MPICH)_", "_${upper}_", option), text)


if __name__ == "__main__":
    unittest.main()
