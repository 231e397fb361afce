#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The rooms of the architecture: arrows go one way, only few files speak MPI, and only its own names are exported.
# test_layers.sh SOURCES [LIBRARIES NM MPI...]
cd "$1" || exit 2
failures=$(mktemp) || exit 2
trap 'rm -f "$failures"' EXIT

fail() {
    echo "$*" >&2
    echo >>"$failures"
}

# What the files of a folder may include of the other rooms of src/; its own room is one of them.
allowed() {
    case $1 in
    util) echo util ;;
    plot) echo util plot ;;
    topology) echo util plot topology ;;
    plan) echo util topology plan ;;
    algorithms) echo util topology plan algorithms ;;
    tuner) echo util tuner ;;
    subject) echo util tuner subject ;;
    map) echo util plot topology plan algorithms map ;;
    replay) echo util topology plan algorithms tuner subject wisdom replay ;;
    halo) echo util algorithms plan topology halo ;;
    functions) echo util algorithms plan topology tuner wisdom halo functions ;;
    place) echo util topology plan algorithms place ;;
    matrix) echo util plan algorithms place runtime matrix ;;
    search) echo util topology plan algorithms map search ;;
    wisdom) echo util wisdom ;;
    store) echo util wisdom store ;;
    dialect) echo dialect ;;
    exec) echo util topology plan algorithms dialect exec ;;
    report) echo util plot algorithms place report ;;
    runtime) echo util plot topology plan algorithms dialect exec tuner subject map wisdom place runtime ;;
    simulated) echo simulated ;;
    routine) echo util topology plan algorithms dialect exec runtime routine ;;
    patterns) echo util topology plan algorithms dialect exec tuner subject map wisdom halo functions runtime patterns ;;
    adcl | fortran) echo "$1" ;; # beside the public headers and patterns/above.h
    interpose) echo util topology plan algorithms dialect exec tuner subject map wisdom halo functions runtime patterns interpose ;;
    *) fail "src/$1 is no known room: give it its place in $0" ;;
    esac
}

# Lines of the files named that match the pattern $1, as FILE:LINE: CODE: without comments, and with strings emptied.
code_that() {
    pattern=$1
    shift
    PATTERN=$pattern awk '
    FNR == 1 { inside = 0 }
    {
        line = $0; out = ""
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
        while (line != "") {
            if (inside) {
                end = index(line, "*/")
                if (!end) break
                line = substr(line, end + 2); inside = 0
            } else {
                begin = index(line, "/*")
                if (!begin) { out = out line; break }
                out = out substr(line, 1, begin - 1)
                line = substr(line, begin + 2); inside = 1
            }
        }
        sub("//.*", "", out)
        if (out ~ ENVIRON["PATTERN"]) print FILENAME ":" FNR ": " out
    }' "$@"
}

# Of the files named those that have no SPDX line among their first $1.
without_license() {
    most=$1
    shift
    awk -v most="$most" 'FNR <= most && /SPDX-License-Identifier: BSD-3-Clause/ { has[FILENAME] = 1 }
        END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in has)) print ARGV[i] }' "$@"
}

# Pictures are drawn by src/plot alone.
drawn=$(grep -lE '<(svg|path|rect|line|circle|polyline|polygon|text)[ >]' $(find src cli -name '*.[ch]' ! -path 'src/plot/*'))
[ -z "$drawn" ] || fail "SVG is written by src/plot alone, but also by" $drawn

sources=$(find src cli bench examples lab tests include -name '*.[ch]' -o -name '*.def' -o -name '*.h.in' | sort)
[ -n "$sources" ] || fail "no sources in $1"

for folder in src/*/; do
    room=$(basename "$folder")
    rooms=" $(allowed "$room") "
    find "$folder" -name '*.[ch]' -o -name '*.def' -o -name '*.h.in' | xargs awk -F '"' '/^ *# *include *"/ { print FILENAME, $2 }' |
        while read -r file included; do
            case $room:$included in
            adcl:adcl.h | adcl:startune*.h | fortran:startune*.h | adcl:patterns/above.h | fortran:patterns/above.h) continue ;;
            esac
            case $included in
            startune.h) to=interpose ;;
            startune_patterns.h) to=patterns ;;
            adcl.h) to=adcl ;;
            ../*) fail "$file includes $included by a path that climbs" && continue ;;
            */*) to=${included%%/*} ;;
            *) to=$room ;;
            esac
            case $rooms in
            *" $to "*) ;;
            *) fail "$file includes $included: src/$room may only include$rooms" ;;
            esac
        done
done

speaks_mpi() { # may include mpi.h
    case $1 in
    src/exec/* | src/runtime/* | \
        src/routine/* | src/simulated/* | src/interpose/* | src/matrix/* | src/patterns/* | src/adcl/* | src/fortran/* | src/topology/probe.c | cli/helpers/* | include/* | bench/* | examples/* | tests/*) return 0 ;;
    esac
    return 1
}

communicates() { # may call MPI communication
    case $1 in
    src/exec/execute.c | src/exec/general.c | src/exec/look.c | src/exec/move.c | src/exec/patience.c | src/exec/segment.c | src/runtime/agree.c | src/runtime/background.c | src/runtime/errand.c | src/runtime/peers.c | src/runtime/sound.c | src/runtime/watch.c | src/runtime/operations.c | src/runtime/mockups.c | \
        src/runtime/verify.c | src/runtime/staging.c | src/runtime/checked.c | src/runtime/permute.c | src/patterns/border.c | src/patterns/transfer_*.c | \
        src/patterns/pattern_nonblocking.c | src/routine/routine.c | src/simulated/* | src/interpose/* | src/matrix/* | src/topology/probe.c | \
        cli/helpers/* | bench/* | examples/* | tests/*) return 0 ;;
    esac
    return 1
}

point='I?[BSR]?[Ss]end(_init)?|I?[Mm]?[Rr]ecv(_init)?|I?[Ss]endrecv(_replace)?|I?[Mm]?[Pp]robe|Start(all)?'
wait='(Wait|Test)(all|any|some)?'
all='I?(Barrier|Bcast|Reduce(_scatter(_block)?)?|Allreduce|Alltoall[vw]?|Gatherv?|Allgatherv?|Scatterv?|Scan|Exscan)'
all="$all|I?(barrier|bcast|reduce(_scatter(_block)?)?|allreduce|alltoall[vw]?|gatherv?|allgatherv?|scatterv?|scan|exscan)"
near='I?[Nn]eighbor_[a-z]+'
side='Put|Get|Accumulate|Win_[a-z_]+'
calls="(^|[^A-Za-z0-9_])P?MPI_($point|$wait|$all|$near|$side) *\\("
calls="$calls|star_native\.($all) *\\("
calls="$calls|(^|[^A-Za-z0-9_])P?MPI_Comm_(create(_group)?|split(_type)?|i?dup(_with_info)?) *\\("

# shellcheck disable=SC2086 # lists of words, here and below
for file in $(grep -l '^ *# *include *[<"]mpi\.h[>"]' $sources); do
    speaks_mpi "$file" || fail "$file includes mpi.h"
done

silent=$(for file in $sources; do communicates "$file" || echo "$file"; done)
code_that "$calls" $silent | while read -r found; do fail "communicates: $found"; done

others=$(find . -path './build*' -prune -o -path './.git' -prune -o \( -name CMakeLists.txt -o -name '*.cmake' \
    -o -name '*.sh' -o -name '*.py' -o -path './man/*.[0-9]' \) -print)
for file in $(without_license 2 $sources && without_license 3 $others); do
    fail "$file has no SPDX line"
done

libraries=$2 nm=$3
[ $# -ge 3 ] && shift 3 || shift $#
for mpi; do
    library=$libraries/libstartune-$mpi.so
    if [ ! -e "$library" ]; then
        fail "$library is not built"
        continue
    fi
    exported=$("$nm" -D --defined-only "$library" | awk '{ sub("@.*", "", $NF); print $NF }')
    [ -n "$exported" ] || fail "$library exports nothing"
    for name in $exported; do
        case $name in
        MPI_* | PMPI_* | STAR_* | ADCL_* | adcl_*) ;;
        dlsym) ;; # in front of glibc's: src/interpose/opened.c
        STARTUNE_0) ;; # the node of cmake/exports.map
        *) fail "$library exports $name" ;;
        esac
    done
    ! "$nm" -D --undefined-only "$library" | grep -q sqlite3_ || fail "$library brings SQLite into programs"
done

[ ! -s "$failures" ]
