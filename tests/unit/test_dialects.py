# SPDX-License-Identifier: BSD-3-Clause
"""What differs between MPI libraries stands in src/dialect alone: test_dialects.py SOURCES

Elsewhere no code and no string names an MPI library, its launcher, its variables or its files: not in #if, not in a
name, not to compare with. Excepted are comments, which say why; the rooms whose subject is another library's files; and,
where MPI is not called, sentences for people, such as the command's help. Where it is, messages take the library's name
from its dialect."""
import os
import re
import subprocess
import sys

SOURCES = sys.argv[1]
NAMES = re.compile(r"(?<![A-Za-z])(open[ _-]?mpi|ompi|mca_|orte_|prr?te_?|mpich|mpir_|hydra|hydi|pmix?_|intel ?mpi|i_mpi|mvapich|simgrid"
                   r"|libmpi|libopen|smpi(?<!%smpi))", re.IGNORECASE)
CALLS_MPI = ("src/exec/", "src/runtime/", "src/patterns/", "src/adcl/", "src/fortran/", "src/interpose/", "src/routine/", "cli/helpers/")
ROOMS = ("src/dialect/", "src/simulated/", "src/map/export/", "cli/commands/export/")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)


def parts(text):
    """Code without comments and strings, and the strings, each with its line."""
    code, strings, at = [], [], 0
    for match in TOKEN.finditer(text):
        code.append(text[at:match.start()])
        if match[0].startswith('"'):
            strings.append((match[0], text.count("\n", 0, match.start()) + 1))
        code.append("\n" * match[0].count("\n") + " ")
        at = match.end()
    code.append(text[at:])
    return "".join(code), strings


def is_for_people(name, string):
    """Several words, of which the library's name is only one."""
    return len(re.findall(r"[A-Za-z']{2,}", string)) >= 4 and not name.startswith(CALLS_MPI)


def check(name, text):
    code, strings = parts(text)
    for number, line in enumerate(code.split("\n"), 1):
        if NAMES.search(line):
            yield f"{name}:{number}: {line.strip()}"
    for string, number in strings:
        if NAMES.search(string) and not is_for_people(name, string):
            yield f"{name}:{number}: {string}"


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "src", "cli"], cwd=SOURCES, capture_output=True,
                            text=True, check=True).stdout.split("\n")
    names = [name for name in listed if re.search(r"\.([ch]|def|h\.in)$", name) and os.path.exists(os.path.join(SOURCES, name))]
    if len(names) < 100:
        sys.exit(f"only {len(names)} sources in {SOURCES}")
    found = []
    for name in names:
        if not name.startswith(ROOMS):
            with open(os.path.join(SOURCES, name), encoding="utf-8") as file:
                found.extend(check(name, file.read()))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


sys.exit(main())
