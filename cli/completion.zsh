#compdef startune mpirun mpiexec
# SPDX-License-Identifier: BSD-3-Clause
# zsh completion for startune, also behind mpirun, mpiexec and srun. `startune complete` knows the candidates.
_startune_from() { # the index of the word startune
    local candidate says files= programs=
    local -a whole open shown_whole shown_open
    while IFS=$'\t' read -r candidate says; do
        case $candidate in
        ' files') files=yes ;;
        ' programs') programs=yes ;;
        *[:=]) open+=("$candidate") shown_open+=("${${:-$candidate${says:+  -- $says}}[1,COLUMNS-1]}") ;;
        ?*) whole+=("$candidate") shown_whole+=("${${:-$candidate${says:+  -- $says}}[1,COLUMNS-1]}") ;;
        esac
    done < <(IFS=' '; "${(Q)words[$1]}" complete --explain "${(@Q)words[$1+1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    (($#whole)) && compadd -l -d shown_whole -a whole
    (($#open)) && compadd -l -d shown_open -S '' -a open # more of the word follows
    [[ $PREFIX == -*=* ]] && compset -P '*='
    [[ -n $programs ]] && _command_names -e
    [[ -n $programs$files ]] && _files
    ((compstate[nmatches]))
}
_startune() {
    local i
    [[ ${words[1]:t} == startune ]] && { _startune_from 1; return; }
    for ((i = 2; i < CURRENT; i++)); do
        [[ ${words[i]:t} == startune ]] && { _startune_from $i; return; }
    done
    _default
}
if [[ ${funcstack[1]} == _startune ]]; then # read when it is first needed
    _startune "$@"
else
    compdef _startune startune
    for _startune_launcher in mpirun mpiexec srun; do # but where somebody else completes it
        ((${+_comps[$_startune_launcher]})) || compdef _startune $_startune_launcher
    done
    unset _startune_launcher
fi
