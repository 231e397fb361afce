# SPDX-License-Identifier: BSD-3-Clause
"""Who needs whom, by the symbols of the objects: test_rooms.py SOURCES BUILD NM [picture]

Fails where files of a folder need each other in a circle, where folders do, and where a header declares functions that
several files define. With a fourth word it writes rooms and arrows to standard output, as a picture in Graphviz's
language: test_rooms.py SOURCES BUILD NM picture | dot -Tsvg > docs/rooms.svg."""
import collections
import os
import re
import subprocess
import sys

SOURCES, BUILD, NM = sys.argv[1:4]
OBJECT = re.compile(r"CMakeFiles/[^/]+\.dir/((?:src|cli)/.+\.c)\.o$")
failures = []


def objects(folders=""):
    """One object of each source file, of targets whose FOLDERS match."""
    found = {}
    for top, _, names in os.walk(BUILD):
        for name in names:
            match = OBJECT.search(os.path.join(top, name))
            if match and re.search(folders, top) and os.path.exists(os.path.join(SOURCES, match[1])):
                found.setdefault(match[1], os.path.join(top, name))
    return found


def symbols(found):
    """What each file defines, what it needs of others, and which of all are functions."""
    source = {path: name for name, path in found.items()}
    defined, wanted, functions = {}, collections.defaultdict(set), set()
    paths = sorted(source)
    for first in range(0, len(paths), 200):
        said = subprocess.run([NM, "-A", *paths[first:first + 200]], capture_output=True, text=True, check=True).stdout
        for line in said.splitlines():
            path, rest = line.split(":", 1)
            *_, kind, symbol = rest.split()
            if kind == "U":
                wanted[source[path]].add(symbol)
            elif kind in "TDBRCV":
                defined.setdefault(symbol, set()).add(source[path])
                if kind == "T":
                    functions.add(symbol)
    return defined, wanted, functions


def arrows(defined, wanted):
    """From each file to those that it needs. The MPI library's names, and glibc's dlsym, are defined by interposition, too."""
    needs = collections.defaultdict(set)
    for name, all_wanted in wanted.items():
        for symbol in all_wanted:
            if re.match(r"P?MPIX?_|p?mpi|dlsym$", symbol):
                continue
            homes = defined.get(symbol, set())
            near = {home for home in homes if os.path.dirname(home) == os.path.dirname(name)}
            needs[name] |= {home for home in (near or homes) if home != name}
    return needs


def circles(nodes, needs):
    """Sets of nodes of which each needs each other (Tarjan's algorithm, with a stack of its own)."""
    index, low, stack, inside, found = {}, {}, [], set(), []
    for root in nodes:
        work = [(root, iter(sorted(needs(root))))] if root not in index else []
        if work:
            index[root] = low[root] = len(index)
            stack.append(root)
            inside.add(root)
        while work:
            node, others = work[-1]
            other = next(others, None)
            if other is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while not part or part[-1] != node:
                        part.append(stack.pop())
                        inside.discard(part[-1])
                    if len(part) > 1:
                        found.append(sorted(part))
            elif other not in index:
                index[other] = low[other] = len(index)
                stack.append(other)
                inside.add(other)
                work.append((other, iter(sorted(needs(other)))))
            elif other in inside:
                low[node] = min(low[node], index[other])
    return found


def declared(text):
    """Functions and variables that a header declares without defining them."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^\s*#.*(\\\n.*)*$", "", text, flags=re.M)
    depth, plain = 0, []
    for part in re.split(r"([{}])", text):
        if part == "{":
            depth += 1
        elif part == "}":
            depth -= 1
            plain.append(";" if depth == 0 else "")
        elif depth == 0:
            plain.append(part)
    for statement in "".join(plain).split(";"):
        statement = re.sub(r"__attribute__\s*\(\(.*?\)\)|_Static_assert.*", " ", " ".join(statement.split()))
        words = statement.split()
        if not words or words[0] in ("typedef", "static") or re.fullmatch(r"(struct|enum|union) \w+", statement):
            continue
        function = re.match(r"[\w\s*]*?\b(\w+) ?\(", statement)
        if function:
            yield function[1]
        elif len(words) > 1:  # variables, or functions of a type that has a name
            for declarator in re.sub(r"\[.*?\]|=.*", "", statement).split(","):
                yield (declarator.split() or [""])[-1].strip("*")


def check_headers(defined, functions):
    """Tables of one constant a file, as registries have them, are no functions."""
    headers = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "src/*.h", "cli/*.h"], cwd=SOURCES,
                             capture_output=True, text=True, check=True).stdout.split()
    for header in headers:
        path = os.path.join(SOURCES, header)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            homes = collections.defaultdict(list)
            for name in set(declared(file.read())) & functions:
                for home in defined.get(name, ()):
                    homes[home].append(name)
        if len(homes) > 1:
            failures.append(f"{header} declares what several files define: "
                            + "; ".join(f"{home} ({len(names)})" for home, names in sorted(homes.items())))


def reachable(start, between, without=None):
    found, work = set(), [other for other in between[start] if other != without]
    while work:
        room = work.pop()
        if room not in found:
            found.add(room)
            work.extend(between[room])
    return found


def drawn(between):
    """The arrows that do not follow from others."""
    return {(room, other) for room in between for other in between[room]
            if other not in reachable(room, between, without=other)}


def picture(between):
    """A room that speaks MPI is filled."""
    print('digraph rooms {\n    node [shape=box, fontname="sans-serif", fontsize=11, style=filled];')
    print('    edge [color=gray40, arrowsize=0.6];')
    for room in sorted(set(between) | {other for others in between.values() for other in others}):
        speaks = re.fullmatch("src/(exec|runtime|patterns|adcl|fortran|interpose|routine)|cli/helpers", room)
        print(f'    "{room}" [fillcolor={"lightsteelblue" if speaks else "white"}];')
    for room, other in sorted(drawn(between)):
        print(f'    "{room}" -> "{other}";')
    print("}")


def check_picture(between):
    with open(os.path.join(SOURCES, "docs/rooms.svg"), encoding="utf-8") as file:
        titles = re.findall(r"<title>([^<]*)&#45;&gt;([^<]*)</title>", file.read())
    if set(titles) != drawn(between):
        failures.append(f"docs/rooms.svg has other arrows than there are: {sorted(set(titles) ^ drawn(between))}")


def room_of(name):
    """A folder of src/ or cli/ with all that is in it."""
    return "/".join(os.path.dirname(name).split("/")[:2])


def main():
    found = objects()
    if len(found) < 100:
        sys.exit(f"only {len(found)} objects are built below {BUILD}")
    defined, wanted, functions = symbols(found)
    needs = arrows(defined, wanted)
    folders = collections.defaultdict(list)
    for name in found:
        folders[os.path.dirname(name)].append(name)
    for folder, names in sorted(folders.items()):
        for circle in circles(names, lambda name, all_names=set(names): needs[name] & all_names):
            failures.append(f"{folder}: a circle of {', '.join(os.path.basename(name) for name in circle)}")
    between = collections.defaultdict(set)
    for name, others in needs.items():
        between[room_of(name)] |= {room_of(other) for other in others} - {room_of(name)}
    for circle in circles(sorted(between), lambda room: between[room]):
        failures.append(f"a circle of rooms: {', '.join(circle)}")
    check_headers(defined, functions)
    check_picture(between)
    if len(sys.argv) > 4:
        picture(between)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
