# SPDX-License-Identifier: BSD-3-Clause
# cmake -D FOLDER=src -D OUTPUT=carried.txt -P Carry.cmake: the sources that customised routines are excerpts of, each
# behind a line of a form feed and its path. The native table and the mock-ups are replaced there.
file(GLOB_RECURSE sources RELATIVE ${FOLDER} ${FOLDER}/util/*.[ch] ${FOLDER}/plan/*.[ch] ${FOLDER}/exec/*.[ch] ${FOLDER}/algorithms/*.[ch]
     ${FOLDER}/topology/*.[ch] ${FOLDER}/dialect/*.[ch] ${FOLDER}/tuner/*.h ${FOLDER}/runtime/*.[ch] ${FOLDER}/routine/*.[ch])
list(REMOVE_ITEM sources exec/native.c exec/native.h runtime/mockups.c)
# No file can be included there: the struct of the settings has its fields written out.
file(READ ${FOLDER}/util/settings.def rows)
string(REGEX MATCHALL "STAR_SETTING\\(\"[^\"]*\", [A-Z]+, [a-z_]+" rows "${rows}")
set(fields "")
foreach(row IN LISTS rows)
    string(REGEX REPLACE ".*\", ([A-Z]+), ([a-z_]+)" "    STAR_HOLDS_\\1(\\2);\n" field "${row}")
    string(APPEND fields "${field}")
endforeach()
set(included "#define STAR_SETTING(name, kind, field, ...) STAR_HOLDS_##kind(field);\n#include \"util/settings.def\"\n#undef STAR_SETTING\n")
string(ASCII 12 feed)
set(carried "")
foreach(source IN LISTS sources)
    file(READ ${FOLDER}/${source} text)
    string(REPLACE "${included}" "${fields}" text "${text}")
    string(APPEND carried "${feed}${source}\n${text}")
endforeach()
file(WRITE ${OUTPUT} "${carried}")
