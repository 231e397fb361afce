# SPDX-License-Identifier: BSD-3-Clause
# bash completion for startune, also behind mpirun, mpiexec and srun. `startune complete` knows the candidates.
# shellcheck disable=SC2207 # IFS parts at line feeds alone
_startune_from() { # the index of the word startune
    local line word=${COMP_WORDS[COMP_CWORD]} IFS=$'\n'
    case $word in = | :) word= ;; esac
    COMPREPLY=()
    while read -r line; do
        case $line in
        ' files') compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$word")) ;;
        ' programs') COMPREPLY+=($(compgen -c -- "$word") $(compgen -f -- "$word")) ;;
        *) COMPREPLY+=("$line") ;;
        esac
    done < <("${COMP_WORDS[$1]}" complete "${COMP_WORDS[@]:$1+1:COMP_CWORD-$1}" 2>/dev/null)
    case ${COMPREPLY-} in *[:=]) compopt -o nospace 2>/dev/null ;; esac
}
_startune() {
    _startune_from 0
}
_startune_launched() {
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in startune | */startune) _startune_from "$i"; return ;; esac
    done
    compopt -o default 2>/dev/null; COMPREPLY=()
}
complete -F _startune startune
for _startune_launcher in mpirun mpiexec srun; do # but where somebody else completes it
    complete -p "$_startune_launcher" >/dev/null 2>&1 ||
        complete -F _startune_launched "$_startune_launcher"
done
unset _startune_launcher
