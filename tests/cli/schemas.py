# SPDX-License-Identifier: BSD-3-Clause
"""Each JSON format has a schema: what the command writes is valid, and what lacks a member, or has one of another kind or one
more, is not."""
import copy
import json
import re
import sys

from command import BUILD, MPIS, SOURCE, STARTUNE, SUBCOMMANDS, CommandTest, exchange, main

try:
    import jsonschema
except ImportError:
    jsonschema = None

MAP, TOPOLOGY = SOURCE / "tests/cli/files/cluster.map", SOURCE / "lab/topologies/4x2.topo"
TRACE = SOURCE / "bench/data/cluster-bcast-openmpi.trace"
# The schema, and words that write it; a number before them: on so many ranks.
FORMATS = [
    ("report", "report"), ("report", "report", "show", "2"), ("report-list", "report", "list"), ("report-diff", "report", "diff", "2", "1"), ("report-site", "report", "--site"),
    ("map", "map", "show", MAP), ("map-encode", "map", "encode", MAP), ("map-predict", "map", "predict", MAP, "bcast", "12", "64K"),
    ("map-diff", "map", "diff", MAP, "other.map"),
    ("topo", "topo", "show", TOPOLOGY), ("topo", "topo", "show", SOURCE / "tests/unit/topologies/slurm-islands.conf"),
    ("topo-bound", "topo", "bound", TOPOLOGY, "alltoall", "1K"), ("topo-bound", "topo", "bound", TOPOLOGY, "bcast", "1K", "--root", "2"),
    ("topo-bound", "topo", "bound", TOPOLOGY, "barrier"), ("topo-calibrate", 2, "topo", "calibrate"),
    ("place", "place", SOURCE / "tests/cli/files/talk.json", "--topology", TOPOLOGY), ("report", "report", SOURCE / "tests/cli/files/talk.json"),
    ("list", "list"), ("list", "list", "alltoall"), ("list", "list", "neighborhood"), ("list", "list", "functions"),
    ("plan", "plan", "alltoall:bruck", "-n", "5"), ("plan", "plan", "alltoallv:ring", "-n", "4"), ("plan", "plan", "reduce:binomial", "-n", "4"),
    ("plan-cost", "plan", "alltoall:ring", "-n", "4", "--cost"), ("plan-cost", "plan", "allreduce:rdb", "--topology", TOPOLOGY, "--cost"),
    ("plan-cost", "plan", "alltoall:as_alltoallv", "-n", "4", "--cost"),
    ("replay", "replay", TRACE, "--runs", "2"), ("replay-fleet", "replay", TRACE, "--fleet", "--jobs", "40", "--runs", "10"), ("check", "check", "alltoall:ring", "-n", "1:4"),
    ("settings", "settings"), ("wisdom", "wisdom", "show"), ("wisdom-list", "wisdom", "list"), ("wisdom-losses", "wisdom", "losses"), ("wisdom-doctor", "wisdom", "doctor"),
    ("export-ompi6", "export", "--format", "ompi6", MAP), ("export-mpich", "export", "--format", "mpich", "--base", "rules.json", MAP),
    ("tune", 2, "tune", "-o", "new.map", "--op", "bcast,reduce", "--sizes", "64,1K", "--time", "5s"),
    ("bench", 2, "bench", "alltoall", "--sizes", "64", "--rounds", "2"), ("bench", 2, "bench", "reduce", "--sizes", "64", "--rounds", "2"),
]
ELSEWHERE = {("topo", "discover")}  # needs two hosts; it writes what topo show does


def places(value, path=()):
    """The paths to all members and elements below."""
    for key, below in value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ():
        yield path + (key,)
        yield from places(below, path + (key,))


def changed(document, path, change):
    document = copy.deepcopy(document)
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return document


class Schemas(CommandTest):
    def schema(self, name):
        schema = json.loads((SOURCE / f"docs/schema/{name}.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(schema)

    def refused(self, schema, document, *path):
        self.assertFalse(schema.is_valid(document), f"{schema.schema['title']}: valid, changed at {path}")

    def optional(self, of):
        """The members that objects of this schema may lack."""
        found = set()
        if isinstance(of, dict):
            found = set(of.get("properties", ())) - set(of.get("required", ()))
            of = list(of.values())
        for below in of if isinstance(of, list) else ():
            found |= self.optional(below)
        return found

    def check_strict(self, schema, document, most=300):
        """Members of another kind, members more and members less, at each of the first places."""
        optional = self.optional(schema.schema)
        free = isinstance(schema.schema.get("additionalProperties"), dict)  # members are named by what is in them
        tree = "patternProperties" in schema.schema  # any of them may be missing
        for path in list(places(document))[:most]:
            self.refused(schema, changed(document, path, lambda holder, key: holder.__setitem__(key, {"odd": [None]})), *path)
            if isinstance(path[-1], int) or free and len(path) == 1:
                continue
            self.refused(schema, changed(document, path, lambda holder, key: holder.__setitem__("odd", 1)), *path)
            if not tree and path[-1] not in optional and path[-2:-1] not in (("settings",), ("attributes",)):
                self.refused(schema, changed(document, path, lambda holder, key: holder.pop(key)), *path)

    def check_objects(self, name, of):
        """Each object of a schema names what must be there, and lets nothing else be."""
        if isinstance(of, dict):
            if "properties" in of and of.get("type") == "object":
                self.assertIs(of.get("additionalProperties"), False, name)
                self.assertIn("required", of, f"{name}: {list(of['properties'])}")
            of = list(of.values())
        for below in of if isinstance(of, list) else ():
            self.check_objects(name, below)

    def written(self, words):
        if not isinstance(words[0], int):
            result = self.startune(*words, *(["--json"] if words[0] != "export" else []))
            self.assertStatus(result, 1 if words[:2] == ["map", "diff"] else 0)  # they differ
            return json.loads(result.stdout)
        return self.json_of(self.mpirun(MPIS[0], words[0], STARTUNE, *words[1:], "--json"))

    def test_what_is_written_is_valid_and_what_is_not_is_refused(self):
        run = [STARTUNE, "run", "--strategy", "exhaustive", "--iter", 3]
        for program in ([exchange(MPIS[0]), 600], [BUILD / f"examples/heat-{MPIS[0]}", "--size", 16, "--steps", 400]):
            self.assertStatus(self.mpirun(MPIS[0], 2, *run, *program, env={"STARTUNE_WISDOM": "on"}))
        (self.home / "other.map").write_text(MAP.read_text().replace("winner alltoall:ring 2e-05", "winner alltoall:pair 2e-05"))
        own = {f"collective={name}": {"comm_type=intra": {"algorithm=MPIR_Any": {}}} for name in ("alltoall", "ialltoall", "bcast")}
        (self.home / "rules.json").write_text(json.dumps(own))  # what a library of MPICH holds
        losses = self.store.with_name("wisdom.db.losses")
        losses.write_text("startune-losses 1\n1700000000\t20000\t30000\t2\t1\tapp in.dat\tm\n")
        for name, *words in FORMATS:
            with self.subTest(words=words):
                schema, document = self.schema(name), self.written(words)
                schema.validate(document)
                self.assertTrue(document, words)
                self.check_strict(schema, document)
        kept = sorted((self.home / ".local/state/startune/reports").iterdir())
        self.schema("report").validate(json.loads(kept[0].read_text()))
        exported = self.json_of(self.startune("wisdom", "export"))
        self.schema("wisdom").validate(exported)

    def test_each_schema_is_strict_and_has_a_command(self):
        files = sorted(path.stem for path in (SOURCE / "docs/schema").glob("*.json"))
        self.assertEqual(files, sorted({name for name, *_ in FORMATS}))
        for name in files:
            self.check_objects(name, self.schema(name).schema)

    def test_each_command_that_writes_json_has_a_schema(self):
        known = {tuple(str(word) for word in words if not isinstance(word, int))[:2] for _, *words in FORMATS} | ELSEWHERE
        for command in SUBCOMMANDS:
            said = re.search(r"\n  --json +((?:.*\n)(?: {20,}.*\n)*)", self.startune(command, "--help").stdout)
            if said is None:
                continue
            actions = re.match(r"of ([a-z, \n]+):", said[1])
            for action in re.findall(r"[a-z]+", actions[1]) if actions else [None]:
                self.assertTrue(any(words[0] == command and action in (None, *words[1:]) for words in known), f"{command} {action}")


if __name__ == "__main__":
    if jsonschema is None:
        print("no jsonschema: formats are not looked at")
        sys.exit(77)
    main()
