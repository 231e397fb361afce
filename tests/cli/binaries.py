# SPDX-License-Identifier: BSD-3-Clause
"""What the headers of startune's binaries say of how they are guarded: cmake/Hardening.cmake has what is asked for."""
import os
import struct
import sys

from command import BUILD, MPIRUN, MPIS, CommandTest, each_mpi, main

ASKED = set(os.environ.get("STARTUNE_HARDENING", "STACK RELRO NOW NOEXECSTACK PIE FORTIFY").split())
SHARED, EXECUTABLE = 3, 1  # e_type ET_DYN; a segment's flag PF_X
DYNAMIC, TLS, STACK, RELRO = 2, 7, 0x6474E551, 0x6474E552  # kinds of segments
NEEDED, STRINGS, SYMBOLS, STRING_SIZE, TEXT_RELOCATIONS, FLAGS, FLAGS_1 = 1, 5, 6, 10, 22, 30, 0x6FFFFFFB  # tags of the dynamic section
WITH_TEXT_RELOCATIONS, BIND_NOW, NOW_1, PIE_1 = 4, 8, 1, 0x08000000
ENDBR64 = b"\xf3\x0f\x1e\xfa"
# A library that is loaded into a running program shares some 1,600 bytes with all others that are.
STATIC_TLS_MOST = 256


class Elf:
    """An ELF file of 64 bits, little-endian."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        assert self.bytes[:6] == b"\x7fELF\2\1", path
        self.type, = struct.unpack_from("<H", self.bytes, 16)
        at, = struct.unpack_from("<Q", self.bytes, 32)
        size, count = struct.unpack_from("<HH", self.bytes, 54)
        self.segments = [struct.unpack_from("<IIQQQQQQ", self.bytes, at + i * size) for i in range(count)]
        self.tags = dict(self.read_tags())
        self.symbols = dict(self.read_symbols())

    def segment(self, kind):
        return next((segment for segment in self.segments if segment[0] == kind), None)

    def offset_of(self, address):
        return next(address - start + offset for kind, _, offset, start, _, size, _, _ in self.segments
                    if kind == 1 and start <= address < start + size)

    def read_tags(self):
        _, _, offset, _, _, size, _, _ = self.segment(DYNAMIC)
        for at in range(offset, offset + size, 16):
            yield struct.unpack_from("<QQ", self.bytes, at)

    def needed(self):
        """The names of the libraries that are loaded with it."""
        strings = self.offset_of(self.tags[STRINGS])
        for tag, name in self.read_tags():
            if tag == NEEDED:
                yield self.bytes[strings + name:self.bytes.index(b"\0", strings + name)].decode()

    def read_symbols(self):
        """Names and addresses; 0: another library has it. The table ends where the names begin, as linkers lay them."""
        strings, symbols = self.offset_of(self.tags[STRINGS]), self.offset_of(self.tags[SYMBOLS])
        for at in range(symbols, strings, 24):
            name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", self.bytes, at)
            if name < self.tags[STRING_SIZE]:
                begin = strings + name
                yield self.bytes[begin:self.bytes.index(b"\0", begin)].decode(), value if section else 0


class Binaries(CommandTest):
    def setUp(self):
        super().setUp()
        if not ASKED:
            self.skipTest("built with sanitizers")
        libraries = [BUILD / f"lib/libstartune-{mpi}.so" for mpi in MPIS]
        commands = [BUILD / "bin/startune", *sorted((BUILD / "libexec/startune").iterdir())]
        self.libraries = {path.name: Elf(path) for path in libraries}
        self.commands = {path.name: Elf(path) for path in commands}
        self.all = self.libraries | self.commands
        self.assertIn("startune-wisdom", self.commands)

    def test_addresses_are_settled_at_the_start_and_read_only_then(self):
        for name, elf in self.all.items():
            if "RELRO" in ASKED:
                self.assertIsNotNone(elf.segment(RELRO), name)
            if "NOW" in ASKED:
                self.assertTrue(elf.tags.get(FLAGS, 0) & BIND_NOW or elf.tags.get(FLAGS_1, 0) & NOW_1, name)

    def test_no_stack_is_executable_and_no_code_is_written(self):
        for name, elf in self.all.items():
            if "NOEXECSTACK" in ASKED:
                self.assertFalse(elf.segment(STACK)[1] & EXECUTABLE, name)
            self.assertNotIn(TEXT_RELOCATIONS, elf.tags, name)
            self.assertFalse(elf.tags.get(FLAGS, 0) & WITH_TEXT_RELOCATIONS, name)

    def test_commands_lie_anywhere(self):
        for name, elf in self.commands.items():
            if "PIE" in ASKED:
                self.assertEqual(elf.type, SHARED, name)
                self.assertTrue(elf.tags.get(FLAGS_1, 0) & PIE_1, name)

    def test_what_each_rank_runs_loads_cs_library_alone(self):
        """It loaded twelve, which took 2 ms of each rank."""
        self.assertEqual(list(self.commands["startune"].needed()), ["libc.so.6"])

    def test_stacks_and_copies_are_checked(self):
        for name, elf in self.all.items():
            if "STACK" in ASKED:
                self.assertTrue("__stack_chk_fail" in elf.symbols, name)
            if "FORTIFY" in ASKED:
                self.assertTrue({"__snprintf_chk", "__vsnprintf_chk", "__fprintf_chk"} & set(elf.symbols), name)

    def test_functions_of_libraries_may_be_jumped_to_at_their_beginning(self):
        if "BRANCH" not in ASKED or os.uname().machine != "x86_64":
            self.skipTest("of no such processor")
        for elf in self.libraries.values():
            at = elf.offset_of(elf.symbols["MPI_Barrier"])
            self.assertEqual(elf.bytes[at:at + 4], ENDBR64)

    @each_mpi
    def test_a_running_program_can_load_a_library(self, mpi):
        """What is thread-local in it must have room beside that of all libraries that a program has loaded before."""
        local = self.libraries[f"libstartune-{mpi}.so"].segment(TLS)
        self.assertLessEqual(local[6] if local else 0, STATIC_TLS_MOST)
        load = f"import ctypes; print(ctypes.CDLL({str(BUILD / 'lib' / f'libstartune-{mpi}.so')!r}).STAR_Is_active())"
        self.assertEqual(self.command(sys.executable, "-c", load).stdout, "0\n")
        self.assertEqual(self.command(MPIRUN, BUILD, mpi, 1, sys.executable, "-c", load).stdout, "0\n")


if __name__ == "__main__":
    main()
