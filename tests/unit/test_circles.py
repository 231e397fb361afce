#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No circle between the files of a folder: by the symbols of the objects, a file needs the file that defines what it
leaves undefined. test_circles.py SOURCES BUILD NM"""
import collections
import os
import pathlib
import re
import subprocess
import sys

# Rooms that have circles still.
LATER = {"patterns", "runtime"}


def objects_of(sources, build):
    """The object of each file of src/, of whichever library it is."""
    objects = {}
    for top, _, files in os.walk(build):
        library = re.search(r"CMakeFiles/(startune-[^/]*)\.dir/(src/.*)$", top + "/")
        if not library or library[1].endswith("-whole"):
            continue
        for file in files:
            source = library[2] + file[:-len(".o")]
            if file.endswith(".c.o") and source.split("/")[1] not in LATER and (sources / source).exists():
                objects.setdefault(source, os.path.join(top, file))
    return objects


def needs_of(objects, nm):
    """Which files of its folder each file needs."""
    defined, wanted = {}, {}
    for source, path in objects.items():
        lines = [line.split() for line in subprocess.run([nm, path], capture_output=True, text=True,
                                                         check=True).stdout.splitlines()]
        wanted[source] = {line[1] for line in lines if len(line) == 2 and line[0] == "U"}
        folder = os.path.dirname(source)
        defined.update({(folder, line[2]): source for line in lines if len(line) == 3 and line[1] in "TDBRV"})
    return {source: {defined[os.path.dirname(source), symbol] for symbol in symbols
                     if (os.path.dirname(source), symbol) in defined} - {source} for source, symbols in wanted.items()}


def in_circles(needs):
    """What is left when files that nobody who is left needs, or that need nobody, are taken away, again and again."""
    left = {source: set(others) for source, others in needs.items()}
    while True:
        needed = set().union(*left.values()) if left else set()
        gone = {source for source, others in left.items() if not others or source not in needed}
        if not gone:
            return left
        left = {source: others - gone for source, others in left.items() if source not in gone}


def main():
    sources, build, nm = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    objects = objects_of(sources, build)
    folders = collections.defaultdict(list)
    for source, others in in_circles(needs_of(objects, nm)).items():
        folders[os.path.dirname(source)].append(f"{os.path.basename(source)} needs "
                                                f"{' '.join(sorted(map(os.path.basename, others)))}")
    for folder, files in sorted(folders.items()):
        print(f"{folder}:", "; ".join(sorted(files)))
    if len(objects) < 150:
        print(f"only {len(objects)} objects are in {build}: is it built?")
        return 1
    return 1 if folders else 0


if __name__ == "__main__":
    sys.exit(main())
