# SPDX-License-Identifier: BSD-3-Clause
"""Runs what the documents say: each ```sh block of README.md, CONTRIBUTING.md and docs/ as one script, in a copy of the
sources where ./app is an MPI program. A block marked ```sh no-test is left out, and one marked ```sh lab where no
emulated cluster can be brought up. Also whether links lead somewhere, and whether generated pages are up to date."""
import os
import re
import shutil
import subprocess

from command import BUILD, MPIRUN, MPIS, SOURCE, CommandTest, exchange, main

BLOCK = re.compile(r"^```sh([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LAUNCHER = f"""#!/bin/sh
[ "$1" = -n ] || [ "$1" = -np ] || exit 2
ranks=$2
shift 2
exec {MPIRUN} {BUILD} {MPIS[0]} "$ranks" "$@"
"""
LAB = f"documents{os.getpid()}"  # a cluster of its own
LINK = re.compile(r"\]\(([^)\s]*)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def documents():
    """All pages, by their path in the sources."""
    return sorted([*SOURCE.glob("*.md"), *(SOURCE / "docs").rglob("*.md")])


def blocks():
    """(file, line, mark, script) of each block that is to be run."""
    for path in documents():
        text = path.read_text()
        for block in BLOCK.finditer(text):
            if "no-test" not in block[1]:
                yield path.relative_to(SOURCE), text.count("\n", 0, block.start(2)) + 1, block[1].strip(), block[2]


def anchors(path):
    """What a link may name behind # in a page, as forges make it of headings."""
    headings = HEADING.findall(re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def lab_works():
    return subprocess.run([SOURCE / "lab/cluster", "down", "--name", LAB], capture_output=True, check=False).returncode != 77


class Documents(CommandTest):
    def setUp(self):
        super().setUp()
        self.copy, tools = self.home / "startune", self.home / "tools"
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=SOURCE, capture_output=True,
                                text=True, check=True)
        for name in listed.stdout.splitlines():
            (self.copy / name).parent.mkdir(parents=True, exist_ok=True)
            if (SOURCE / name).is_file():
                shutil.copy(SOURCE / name, self.copy / name)
        self.copy.mkdir(exist_ok=True)
        shutil.copy(exchange(MPIS[0]), self.copy / "app")
        tools.mkdir()
        (tools / "mpirun").write_text(LAUNCHER)
        (tools / "mpirun").chmod(0o755)
        self.env["LAB_CLUSTER"] = LAB
        self.env["PATH"] = f"{tools}:{BUILD}/bin:{self.env['PATH']}"

    def test_every_block_works_as_written(self):
        if lab_works():
            self.addCleanup(subprocess.run, [SOURCE / "lab/cluster", "down", "--name", LAB], check=True)
        for name, line, mark, script in blocks():
            with self.subTest(file=name, line=line):
                if mark == "lab" and not lab_works():
                    self.skipTest("no emulated cluster can be brought up here")
                self.assertStatus(self.command("bash", "-euxo", "pipefail", "-c", script, cwd=self.copy, timeout=900))

    def test_generated_pages_are_what_the_command_says(self):
        self.assertStatus(self.command(SOURCE / "scripts/reference", BUILD, "--output", self.home / "pages"))
        pages = sorted((self.home / "pages").iterdir())
        self.assertGreaterEqual(len(pages), 4)
        for page in pages:
            with self.subTest(page=page.name):
                self.assertEqual((SOURCE / "docs/reference" / page.name).read_text(), page.read_text(), "run scripts/reference")

    def test_the_table_of_algorithms_is_the_repository(self):
        listed = self.command("startune", "list", "--markdown")
        self.assertStatus(listed)
        self.assertEqual((SOURCE / "docs/reference/algorithms.md").read_text().split("\n\n", 1)[1], listed.stdout)

    def test_links_lead_somewhere(self):
        for page in documents():
            for link in LINK.findall(re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)):
                name, _, anchor = link.partition("#")
                if ":" in name:
                    continue
                with self.subTest(page=page.relative_to(SOURCE), link=link):
                    target = (page.parent / name).resolve() if name else page
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))

    def test_each_page_can_be_reached_from_the_readme(self):
        reached, next_ones = set(), [SOURCE / "README.md"]
        while next_ones:
            page = next_ones.pop()
            if page in reached or page.suffix != ".md" or not page.is_file():
                continue
            reached.add(page)
            next_ones += [(page.parent / link.partition("#")[0]).resolve() for link in LINK.findall(page.read_text())]
        self.assertEqual([page for page in documents() if page not in reached], [])

    def test_blocks_are_found(self):
        found = BLOCK.findall("a\n```sh\none\ntwo\n```\n```sh no-test\nthree\n```\n```c\nfour\n```\n")
        self.assertEqual(found, [("", "one\ntwo\n"), (" no-test", "three\n")])


if __name__ == "__main__":
    main()
