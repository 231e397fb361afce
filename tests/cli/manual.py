# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages and completion say what --help says."""
import re
import shutil
import subprocess
import unittest

from command import API_PAGES, BUILD, SOURCE, STARTUNE, SUBCOMMANDS, CommandTest, main

PAGES = ["startune"] + [f"startune-{name}" for name in SUBCOMMANDS]
HEADERS = [SOURCE / "include" / name for name in ("startune.h", "startune_patterns.h")]
LEAVES = ["check", "list", "plan", "export", "replay", "bench", "tune", "map"]  # use no file of the user's, or few


def shown(text, device="ascii"):
    """A page as a terminal shows it."""
    return subprocess.run(["groff", "-k", "-man", f"-T{device}", "-P-cbou"], input=text, capture_output=True, text=True).stdout


class Manual(CommandTest):
    def options(self, name):
        found = re.findall(r"(?m)^  (--?[a-z][a-z-]*)", self.startune(name, "--help").stdout.split("\nOptions:\n")[1])
        self.assertIn("--help", found)
        return found

    def pages(self):
        """Each page's name and text, as they are installed."""
        found = {path.name: path.read_text() for path in (BUILD / "manuals").glob("man?/*.?")}
        self.assertEqual(sorted(found), sorted([f"{page}.1" for page in PAGES] + [f"{page}.3" for page in API_PAGES] + ["startune.conf.5"]))
        return found

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_groff_has_nothing_to_say(self):
        for name, text in self.pages().items():
            checked = subprocess.run(["groff", "-k", "-man", "-Tutf8", "-ww", "-z"], input=text, capture_output=True, text=True)
            self.assertEqual((checked.returncode, checked.stderr), (0, ""), name)
            self.assertNotIn("\n\n", text, name)  # of which mandoc warns

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_mandoc_warns_of_nothing(self):
        for name, text in self.pages().items():
            checked = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=text, capture_output=True, text=True)
            self.assertEqual(checked.stdout, "", name)

    def test_the_installed_pages_are_those_that_the_command_prints(self):
        pages = self.pages()
        for page in [*PAGES, "startune.conf"]:
            self.assertEqual(self.startune("manual", page).stdout, pages[page + (".5" if page.endswith("conf") else ".1")])

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_groff_shows_every_option_of_help(self):
        for name in SUBCOMMANDS:
            page = shown(self.startune("manual", f"startune-{name}").stdout)
            for option in self.options(name):
                self.assertRegex(page, rf"(?m)^ +{option}( |$)", name)

    def test_the_overview_points_to_each_page_in_a_sentence_of_its_own(self):
        text = " ".join(self.startune("manual", "startune").stdout.split())
        self.assertIn("tuned. See ", text)

    def test_pages_have_the_usual_parts(self):
        for page in PAGES:
            text = self.startune("manual", page).stdout
            self.assertRegex(text, rf"^\.TH {page.upper()} 1 ")
            parts = ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
            parts += [] if page.split("-")[-1] in LEAVES else ["FILES", "ENVIRONMENT"]
            for part in parts:
                self.assertIn(f".SH {part}\n", text, page)

    def test_each_setting_has_its_value_default_and_variable(self):
        text = self.pages()["startune.conf.5"].replace("\\-", "-")
        for setting in self.json_of(self.startune("settings", "--json")):
            self.assertRegex(text, rf"(?m)^\\fB{setting['name']}\\fR = ")
            self.assertIn(f"Default: {setting['default'] or 'none'}. Variable: {setting['variable']}.", text)

    def test_each_function_is_on_one_page_with_what_its_header_says(self):
        pages = {name: text.replace("\\-", "-") for name, text in self.pages().items() if name.endswith(".3")}
        declared = [name for header in HEADERS
                    for name in re.findall(r"(?m)^(?:int|double|const char \*)\s*\*?(STAR_\w+)\(", header.read_text())]
        self.assertGreater(len(declared), 80)
        for name in declared:
            on = [page for page, text in pages.items() if re.search(rf"\b{name}\b", text.split(".SH NAME\n")[1].split("\n")[0])]
            self.assertEqual(len(on), 1, name)
            self.assertRegex(pages[on[0]], rf"(?m)^(int|double|const char \*) ?{name}\(")
        self.assertIn("Runs the request, and returns when the vectors may be used again.", pages["startune_requests.3"])


class Completion(CommandTest):
    def setUp(self):
        super().setUp()
        self.script = self.home / "completion"
        self.script.write_text(self.startune("completion").stdout)

    def complete(self, *words, function="_startune"):
        line = " ".join(f"'{word}'" for word in words)
        result = self.command("bash", "-c", f"source {self.script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
                              f"{function}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        self.assertStatus(result)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def of(self, *words):
        return self.complete(STARTUNE, *words)

    def test_it_is_good_bash(self):
        result = self.command("bash", "-n", self.script)
        self.assertStatus(result)
        self.assertEqual(result.stderr, "")

    def test_other_shells(self):
        """shells.py asks them."""
        for shell in ("bash", "zsh", "fish"):
            self.assertEqual(self.startune("completion", shell).stdout, (SOURCE / f"cli/completion.{shell}").read_text())
        self.assertRefused(self.startune("completion", "ksh"), "ksh", "bash, zsh and fish", status=2)

    def test_commands(self):
        self.assertEqual(self.of("ru"), ["run"])
        self.assertLessEqual(set(SUBCOMMANDS), set(self.of("")))
        self.assertEqual(self.of("help", "ru"), ["run"])

    def test_every_option_of_help(self):
        for name in SUBCOMMANDS:
            self.assertEqual(set(self.of(name, "-")), set(Manual.options(self, name)), name)
        self.assertEqual(self.of("plan", "--fo"), ["--format"])

    def test_values_of_options(self):
        self.assertEqual(self.of("plan", "alltoall:ring", "--format", "ph"), ["phases"])
        self.assertEqual(set(self.of("run", "--mpi", "")), {"auto", "openmpi", "mpich", "abi"})
        self.assertEqual(self.of("run", "--strategy", "hy"), ["hypothesis"])
        self.assertEqual(self.of("run", "--nodes", "b"), ["block:"])
        self.assertEqual(self.of("replay", "--strategy", "race,wi"), ["race,wisdom"])
        self.assertEqual(self.of("run", "--iter", ""), [])
        (self.home / "cluster.topo").touch()
        self.assertEqual(self.of("run", "--topology", "cl"), ["cluster.topo"])
        self.assertEqual(set(self.of("run", "--topology", "")), {"auto", "none", "cluster.topo", "completion"})

    def test_values_behind_an_equals_sign(self):
        """Which bash makes a word of its own, unless it is told otherwise."""
        self.assertEqual(self.of("run", "--strategy", "=", "hy"), ["hypothesis"])
        self.assertEqual(self.of("run", "--strategy", "="), self.of("run", "--strategy", ""))
        self.assertEqual(self.of("run", "--strategy=hy"), ["--strategy=hypothesis"])

    def test_operations_and_methods(self):
        self.assertEqual(self.of("bench", "allto"), ["alltoall", "alltoallv", "alltoallw"])
        self.assertEqual(self.of("plan", "alltoal"), ["alltoall:", "alltoallv:", "alltoallw:"])
        self.assertEqual(self.of("plan", "alltoall", ":", "ri"), ["ring"])
        self.assertEqual(self.of("plan", "alltoall:ri"), ["alltoall:ring"])
        self.assertIn("ring", self.of("run", "--force", "alltoall", ":"))

    def test_actions_and_their_words(self):
        self.assertEqual(self.of("map", "me"), ["merge"])
        self.assertEqual(self.of("wisdom", "--json", "sh"), ["show"])
        self.assertEqual(self.of("wisdom", "show", "alltoa"), ["alltoall", "alltoallv", "alltoallw"])
        (self.home / "mine.map").touch()
        self.assertEqual(self.of("map", "diff", "mi"), ["mine.map"])

    def test_programs_to_run(self):
        (self.home / "unlikely-name").touch()
        self.assertIn("unlikely-name", self.of("run", "unlikely-"))
        self.assertIn("bash", self.of("run", "--iter", "5", "bas"))
        self.assertEqual(self.of("run", "./app", "unlikely-"), ["unlikely-name"])

    def test_behind_a_launcher(self):
        def launched(*words):
            return self.complete("mpirun", "-n", "4", *words, function="_startune_launched")
        self.assertEqual(launched(STARTUNE, "run", "--str"), ["--strategy"])
        self.assertEqual(launched(STARTUNE, "bench", "--operator", ""), ["sum", "max"])
        self.assertEqual(launched("--ho"), [])

    def test_a_shell_finds_it_behind_a_launcher_but_keeps_others(self):
        for before, function in (("", "_startune_launched"), ("complete -F _mine mpirun;", "_mine")):
            result = self.command("bash", "-c", f"{before} source {self.script}; complete -p mpirun startune")
            self.assertEqual(result.stdout, f"complete -F {function} mpirun\ncomplete -F _startune startune\n")


if __name__ == "__main__":
    main()
