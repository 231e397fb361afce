# SPDX-License-Identifier: BSD-3-Clause
"""Module files: loaded by Lmod or Environment Modules where one is installed, and by Lua and Tcl alone with the few commands that they
use."""
import os
import re
import shutil
import sys
import unittest
from pathlib import Path

from command import BUILD, CommandTest, main

INITS = ["/usr/share/lmod/lmod/init/bash", "/usr/share/modules/init/bash", f"{os.environ.get('MODULESHOME')}/init/bash"]
INIT = next((path for path in INITS if Path(path).exists()), None)
LUA, TCL = shutil.which("lua"), shutil.which("tclsh")

# The commands of module files, as programs that print what these ask for.
WITH_LUA = """
local function say(kind) return function(...) print(kind, ...) end end
help, whatis, conflict, prepend_path = say("help"), say("whatis"), say("conflict"), say("prepend-path")
function myFileName() return arg[1] end
function pathJoin(a, b) return a .. "/" .. b end
dofile(arg[1])
"""
WITH_TCL = r"""
proc say {kind args} { puts [join [linsert $args 0 $kind] \t] }
foreach kind {module-whatis conflict prepend-path} { interp alias {} $kind {} say $kind }
source [lindex $argv 0]
"""
PREPENDED = {"PATH": "bin", "LD_LIBRARY_PATH": "lib", "PKG_CONFIG_PATH": "lib/pkgconfig", "CMAKE_PREFIX_PATH": "", "MANPATH": "share/man"}


class Modules(CommandTest):
    def setUp(self):
        super().setUp()
        self.env = {name: value for name, value in self.env.items() if name not in PREPENDED and "MODULE" not in name} | {"PATH": "/usr/bin:/bin"}
        self.assertStatus(self.command("cmake", "--install", BUILD, "--prefix", self.home / "before"))
        self.prefix = self.home / "here"
        (self.home / "before").rename(self.prefix)
        self.folder = self.prefix / "share/startune/modulefiles"
        [self.lua] = self.folder.glob("startune/*.lua")
        self.tcl = self.lua.with_suffix("")

    def modules(self, *commands):
        script = "\n".join((f"source {INIT}", f"module use {self.folder}", *commands))
        result = self.command("bash", "--norc", "-c", script, env={"MANPATH": "/other"})
        self.assertStatus(result)
        return result

    @unittest.skipUnless(INIT, "neither Lmod nor Environment Modules")
    def test_a_module_is_loaded(self):
        """The .lua, where that is what is read, and the file of Tcl alone."""
        for kind in ("both", "Tcl"):
            if kind == "Tcl":
                self.lua.unlink()
            with self.subTest(kind=kind):
                loaded = self.modules("module load startune", "command -v startune", "startune list --help >/dev/null && echo works",
                                      "echo $MANPATH $LD_LIBRARY_PATH", "module unload startune", "command -v startune; echo left: $?")
                self.assertEqual(loaded.stdout.split("\n")[:4], [f"{self.prefix}/bin/startune", "works",
                                 f"{self.prefix}/share/man:/other {self.lib()}", "left: 1"], loaded.stderr)
                help = self.modules("module help startune", "module whatis startune")
                self.assertIn("startune run ./app", help.stdout + help.stderr)
                self.assertIn(f"Version: {self.tcl.name}", help.stdout + help.stderr)

    def lib(self):
        return str(next(self.prefix.rglob("pkgconfig")).parent)

    def asked(self, *words):
        """What a file prepends to which variable."""
        result = self.command(*words, env={"MANPATH": "/other"})
        self.assertStatus(result)
        return dict(re.findall(r"(?m)^prepend-path\t(\w+)\t(.*)$", result.stdout))

    def expect(self, *words, file):
        lib = Path(self.lib()).relative_to(self.prefix).as_posix()
        def expected(prefix):
            return {name: f"{prefix}/{place.replace('lib', lib, 1)}".rstrip("/") for name, place in PREPENDED.items()}
        self.assertEqual(self.asked(*words, file), expected(self.prefix))
        self.assertNotIn("MANPATH", self.command(*words, file).stdout)  # where nobody has set it
        # A copy elsewhere leads to where it was installed.
        copy = self.home / file.name
        shutil.copy(file, copy)
        self.assertEqual(self.asked(*words, copy), expected(self.home / "before"))

    @unittest.skipUnless(LUA, "no lua")
    def test_by_lua(self):
        (self.home / "with.lua").write_text(WITH_LUA)
        self.expect(LUA, self.home / "with.lua", file=self.lua)

    @unittest.skipUnless(TCL, "no tclsh")
    def test_by_tcl(self):
        (self.home / "with.tcl").write_text(WITH_TCL)
        self.expect(TCL, self.home / "with.tcl", file=self.tcl)

    def test_they_set_nothing_that_is_taken_for_a_setting(self):
        for file in (self.lua, self.tcl):
            self.assertNotRegex(file.read_text(), r"(?m)^\s*[a-z_-]+[ (]\"?STARTUNE_")


if __name__ == "__main__":
    if not (INIT or LUA or TCL):
        sys.exit(77)
    main()
