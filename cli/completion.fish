# SPDX-License-Identifier: BSD-3-Clause
# fish completion for startune, also behind mpirun, mpiexec and srun. `startune complete` knows the candidates.
# It may be read several times, and says all once.
if not functions -q __startune_complete
    # Where in the command line is startune? Nothing: it is not there.
    function __startune_place
        set -l words (commandline -opc)
        for i in (seq (count $words))
            if string match -qr '(^|/)startune$' -- $words[$i]
                echo $i
                return 0
            end
        end
        return 1
    end

    function __startune_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        set -l place (__startune_place)
        or return
        # As "--name=", in front of a file.
        set -l before (string match -r -- '^-[^=]*=' $current)
        set -l rest (string replace -r -- '^-[^=]*=' '' $current)
        set -l typed $words[$place..-1] $current
        for line in ($typed[1] complete --explain $typed[2..-1] 2>/dev/null)
            switch $line
                case ' files'
                    for path in (__fish_complete_path "$rest")
                        echo "$before$path"
                    end
                case ' programs'
                    __fish_complete_command
                case '*'
                    echo $line
            end
        end
    end

    complete -c startune -f -a '(__startune_complete)'
    for launcher in mpirun mpiexec srun
        complete -c $launcher -n __startune_place -f -a '(__startune_complete)'
    end
end
